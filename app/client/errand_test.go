//go:build !js

package client

import (
	"context"
	"crypto/ed25519"
	"errors"

	"peernomic/engine/wire"
)

// This file lets a simulated program do what takes more than a moment, such as handing a game over to
// another relay, by production's own code, which waits for the network in between. An errand is a goroutine,
// and still everything has one order: an errand runs only while the owner waits for it, until it waits for
// the network itself or is over.

// errand is one of them.
type errand struct {
	f     func()
	calls chan func()   // what it wants done by the simulation; nil when it waits or is over
	back  chan struct{} // the call is done, or what it waited for may have come
	over  bool
}

type errands struct {
	fresh   []*errand
	waiting []*errand
	now     *errand // which runs
}

// send begins an errand when the owner comes to it.
func (es *errands) send(f func()) {
	es.fresh = append(es.fresh, &errand{f: f, calls: make(chan func()), back: make(chan struct{})})
}

// run lets all that is new get as far as it gets.
func (es *errands) run(s *Session) {
	for len(es.fresh) > 0 {
		e := es.fresh[0]
		es.fresh, es.now = es.fresh[1:], e
		go func() {
			defer func() { e.over = true; close(e.calls) }()
			e.f()
		}()
		es.serve(s, e)
	}
}

// wake lets those who wait for the network look.
func (es *errands) wake(s *Session) {
	waiting := es.waiting
	es.waiting = nil
	for _, e := range waiting {
		es.now = e
		e.back <- struct{}{}
		es.serve(s, e)
	}
}

// serve is the owner while an errand runs.
func (es *errands) serve(s *Session, e *errand) {
	for {
		select {
		case f := <-s.commands:
			f()
			s.settle()
		case call := <-e.calls:
			s.more() // what it posted before
			switch {
			case call != nil:
				call()
				e.back <- struct{}{}
			case !e.over:
				es.waiting = append(es.waiting, e)
				return
			default:
				return
			}
		}
	}
}

// call lets the simulation do something for the errand, or with nil, lets the errand wait until something
// has come from the network.
func (e *errand) call(s *Session, f func()) error {
	select {
	case e.calls <- f:
	case <-s.ctx.Done():
		return ErrClosed
	}
	select {
	case <-e.back:
		return nil
	case <-s.ctx.Done():
		return ErrClosed
	}
}

// simulatedDial is a connection that an errand has made.
type simulatedDial struct {
	m      *simulated
	errand *errand
	queue  []wire.Message
	down   error
	out    []wire.Message
}

func (m *simulated) dial(_ context.Context, url string, _ ed25519.PrivateKey, _ bool) (Conn, wire.Welcome, error) {
	c := &simulatedDial{m: m, errand: m.errands.now}
	err := c.errand.call(m.s, func() {
		if m.dialled != nil {
			m.dialled.down = errors.New("another connection was made")
		}
		m.dialled = c
		m.program.Dial(url)
	})
	if err != nil {
		return nil, wire.Welcome{}, err
	}
	first, err := c.Receive(m.s.ctx)
	if err != nil {
		return nil, wire.Welcome{}, err
	}
	return c, first.(wire.Welcome), nil
}

func (c *simulatedDial) Peer() wire.PeerID { return wire.PeerID{2} }

func (c *simulatedDial) Send(_ context.Context, message wire.Message) error {
	return c.errand.call(c.m.s, func() { c.out = append(c.out, message) })
}

func (c *simulatedDial) Receive(context.Context) (first wire.Message, err error) {
	for {
		err := c.errand.call(c.m.s, func() {
			if len(c.queue) > 0 {
				first, c.queue = c.queue[0], c.queue[1:]
			}
		})
		if err != nil || first != nil {
			return first, err
		}
		if c.down != nil {
			return nil, c.down
		}
		if err := c.errand.call(c.m.s, nil); err != nil {
			return nil, err
		}
	}
}

func (c *simulatedDial) Close() error {
	return c.errand.call(c.m.s, func() {
		if c.m.dialled == c {
			c.m.program.HangUp()
		}
	})
}

// FromDialled implements [simulate.Member].
func (m *simulated) FromDialled(message wire.Message, err error) {
	if c := m.dialled; c != nil && err != nil {
		c.down = err
	} else if c != nil {
		c.queue = append(c.queue, message)
	}
	m.errands.wake(m.s)
	m.posted()
}

// Move implements [simulate.Member].
func (m *simulated) Move(address string) {
	m.errands.send(func() { _, _ = m.s.MoveTo(m.s.ctx, address, "", "") }) // it may be the wrong moment
	m.posted()
}

// Crash implements [simulate.Member].
func (m *simulated) Crash() {
	m.s.cancel()
	for _, e := range append(m.errands.waiting, m.errands.now) {
		if e != nil {
			for range e.calls { // until it is over
			}
		}
	}
}
