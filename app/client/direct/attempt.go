package direct

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// This file makes links: which, when, and how often it is tried again. What is not
// marked otherwise is called with the mesh locked.

// consider begins the links that are wanted and not there. Of two members the lower
// instance offers, so that they never offer each other a link at the same time.
func (m *Mesh) consider() {
	if m.config.Network == nil || m.closed {
		return
	}
	chosen, complete := m.chosen(), true
	for _, id := range chosen {
		other := m.members[id]
		complete = complete && other.link != nil
		if m.offers(id) && other.Present && other.link == nil && other.attempt == 0 && other.retry == nil && m.makeRoom(chosen) {
			m.offer(other)
		}
	}
	if complete {
		m.prune(chosen)
	}
}

// chosen returns the members that this one should have links to.
func (m *Mesh) chosen() []Instance {
	var here []Instance
	for _, id := range m.known() {
		if o := m.members[id]; o.Present || o.link != nil {
			here = append(here, id)
		}
	}
	return neighbours(m.config.Self, here)
}

// makeRoom reports whether there may be one more link, after ending one that is not
// wanted any more if need be.
func (m *Mesh) makeRoom(chosen []Instance) bool {
	if m.links() < maxLinks {
		return true
	}
	for _, id := range m.known() {
		if other := m.members[id]; other.link != nil && !slices.Contains(chosen, id) {
			_ = other.link.Close() // it has served
			other.link, other.Linked = nil, false
			return true
		}
	}
	return false
}

// offers reports whether this member is the one that offers the other a link.
func (m *Mesh) offers(to Instance) bool { return bytes.Compare(m.config.Self[:], to[:]) < 0 }

// prune ends links that were wanted while there were fewer members. Who would offer
// a link ends it, so that it is not offered again by a side that still wants it.
func (m *Mesh) prune(chosen []Instance) {
	for id, other := range m.members {
		if other.link != nil && m.offers(id) && !slices.Contains(chosen, id) {
			_ = other.link.Close() // it has served
		}
	}
}

func (m *Mesh) offer(other *member) {
	answers := make(chan string, 1)
	ctx, attempt := m.newAttempt(other, answers)
	m.wg.Go(func() {
		link, err := m.makeOffer(ctx, other, attempt, answers)
		m.finish(other, attempt, link, err)
	})
}

func (m *Mesh) makeOffer(ctx context.Context, other *member, attempt uint64, answers <-chan string) (Link, error) {
	p, sdp, err := m.config.Network.Offer(ctx)
	if err != nil {
		return nil, err
	}
	m.sendTo(other, note{Kind: noteOffer, Attempt: attempt, SDP: sdp})
	select {
	case answer := <-answers:
		if err := p.Accept(answer); err != nil {
			_ = p.Close() // the answer's error is the one to tell
			return nil, err
		}
		return p.Wait(ctx)
	case <-ctx.Done():
		_ = p.Close()
		return nil, ctx.Err()
	}
}

func (m *Mesh) answer(other *member, n note) {
	// The higher instance offers nothing, and one that offers again has lost the
	// link that this side may still think it has.
	if m.config.Network == nil || m.offers(other.Instance) || (other.link == nil && !m.makeRoom(m.chosen())) {
		return
	}
	ctx, attempt := m.newAttempt(other, nil)
	m.wg.Go(func() {
		p, sdp, err := m.config.Network.Answer(ctx, n.SDP)
		if err != nil {
			m.finish(other, attempt, nil, err)
			return
		}
		m.sendTo(other, note{Kind: noteAnswer, Attempt: n.Attempt, SDP: sdp})
		link, err := p.Wait(ctx)
		m.finish(other, attempt, link, err)
	})
}

// links counts the links that are there or in the making.
func (m *Mesh) links() int {
	count := 0
	for _, other := range m.members {
		if other.link != nil || other.attempt != 0 {
			count++
		}
	}
	return count
}

// newAttempt begins an attempt and gives up the one before, so that a member has one
// at a time however many offers it sends.
func (m *Mesh) newAttempt(other *member, answers chan string) (context.Context, uint64) {
	if other.giveUp != nil {
		other.giveUp()
	}
	ctx, cancel := context.WithTimeout(m.ctx, attemptTime)
	other.attempt, other.answers, other.giveUp = rand.Uint64()|1, answers, cancel
	return ctx, other.attempt
}

func (m *Mesh) sendTo(other *member, n note) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	n.To = other.Instance
	m.send(other.Peer, n)
}

// finish ends an attempt, uses the link if there is one, and sees to the next.
func (m *Mesh) finish(other *member, attempt uint64, link Link, err error) {
	if !m.begin(other, attempt, link, err) {
		return
	}
	m.config.Serve(m.ctx, other.described(m), link)
	_ = link.Close() // it has ended, one way or another
	m.mu.Lock()
	defer m.mu.Unlock()
	if other.link == link {
		other.link, other.Linked = nil, false
		if time.Since(other.linkedAt) > goodLink {
			other.failures = 0
		}
		m.retryLater(other)
		m.consider()
		m.changed()
	}
}

func (m *Mesh) begin(other *member, attempt uint64, link Link, err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	current := other.attempt == attempt
	if current {
		other.giveUp()
		other.attempt, other.answers, other.giveUp = 0, nil, nil
	}
	switch {
	case err == nil && current && !m.closed:
		if other.link != nil {
			_ = other.link.Close() // the new one takes its place
		}
		other.link, other.Linked, other.linkedAt = link, true, time.Now()
		m.consider()
		m.changed()
		return true
	case err == nil:
		_ = link.Close() // nobody waits for it any more
	case current:
		m.retryLater(other)
	}
	return false
}

func (o *member) described(m *Mesh) Member {
	m.mu.Lock()
	defer m.mu.Unlock()
	return o.Member
}

func (m *Mesh) retryLater(other *member) {
	if m.closed || other.retry != nil {
		return
	}
	if !other.Present {
		m.forget(other.Instance)
		return
	}
	wait := min(firstRetry<<min(other.failures, 10), lastRetry)
	wait += rand.N(wait / 2)
	other.failures++
	other.retry = time.AfterFunc(wait, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		other.retry = nil
		m.consider()
	})
}
