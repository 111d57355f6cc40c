package client

import (
	"context"
	"crypto/rand"
	"errors"
	stdsync "sync"

	"peernomic/app/client/direct"
	node "peernomic/app/client/sync"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file keeps the links to other devices. What is said there package sync decides.

// mesh is what the owner asks of a [direct.Mesh].
type mesh interface {
	SetPresent(me wire.PeerID, peers []wire.PeerID)
	Receive(from wire.PeerID, note []byte) error
	Members() []direct.Member
	Close()
}

// links are the links of a session. All but instance belongs to the owner.
type links struct {
	instance direct.Instance // names this program to the other members
	mesh     mesh            // a writer's, in a room with a relay; nil otherwise
	open     map[node.Link]*peerLink
	last     node.Link
}

// peerLink is a link to another device.
type peerLink struct {
	member direct.Member
	link   direct.Link
	out    chan wire.Message
	close  func()
}

func (l *links) init() {
	rand.Read(l.instance[:])
	l.open = map[node.Link]*peerLink{}
}

// begin makes links from here on.
func (l *links) begin(s *Session) {
	key := s.Device()
	l.mesh = direct.NewMesh(direct.Config{
		Self:    l.instance,
		Card:    key[:],
		Network: s.config.Network,
		Send:    s.sendNote,
		Serve:   s.servePeer,
		Changed: func() { s.post(s.meetMembers) },
	})
}

func (l *links) close() {
	if l.mesh != nil {
		l.mesh.Close()
	}
}

// send queues a message. A peer that does not keep up loses its link.
func (l *links) send(to node.Link, m wire.Message) {
	p := l.open[to]
	if p == nil {
		return
	}
	select {
	case p.out <- m:
	default:
		p.close()
	}
}

func (l *links) hangUp(link node.Link) {
	if p := l.open[link]; p != nil {
		p.close()
	}
}

// sendNote passes a note of the mesh through the relay, encrypted for the room.
func (s *Session) sendNote(ctx context.Context, to wire.PeerID, note []byte) error {
	data, err := s.keys.EncryptSignal(note, rand.Reader)
	if err != nil {
		return err
	}
	offline := false
	err = s.do(ctx, func() {
		offline = s.relay.conn == nil
		s.relay.send(s, wire.Signal{Peer: to, Data: data})
	})
	if err == nil && offline {
		err = ErrOffline
	}
	return err
}

// meetMembers tells the node of cards that came after their links.
func (s *Session) meetMembers() {
	if s.links.mesh == nil {
		return
	}
	for _, m := range s.links.mesh.Members() {
		for id, p := range s.links.open {
			if p.member.Instance == m.Instance && len(p.member.Card) == 0 {
				p.member = m
				s.node().PeerIs(id, deviceOf(m.Card))
			}
		}
	}
}

// servePeer uses a link until it ends.
func (s *Session) servePeer(ctx context.Context, m direct.Member, link direct.Link) {
	p := &peerLink{member: m, link: link, out: make(chan wire.Message, outQueue)}
	p.close = stdsync.OnceFunc(func() { go func() { _ = link.Close() }() })
	var id node.Link
	if s.do(ctx, func() { id = s.peerCame(p) }) != nil {
		return
	}
	defer s.post(func() { s.peerLeft(id) })
	sent := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer func() { cancel(); <-sent }()
	go func() {
		defer close(sent)
		p.sendAll(ctx)
	}()
	for {
		frame, err := link.Receive(ctx)
		var m wire.Message
		if err == nil {
			m, err = wire.DecodeMessage(frame)
		}
		if errors.Is(err, direct.ErrChunk) || errors.Is(err, wire.ErrMessage) {
			s.post(s.node().Garbled)
		}
		if err != nil {
			return // whoever sends what is no message does not get another chance
		}
		if !s.post(func() { s.node().FromPeer(id, m, s.config.time()) }) {
			return
		}
	}
}

func (p *peerLink) sendAll(ctx context.Context) {
	for {
		select {
		case m := <-p.out:
			frame, err := wire.EncodeMessage(m)
			if err == nil {
				err = p.link.Send(ctx, frame)
			}
			if err != nil {
				_ = p.link.Close() // Receive tells the rest
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Session) peerCame(p *peerLink) node.Link {
	s.links.last++
	id := s.links.last
	s.links.open[id] = p
	s.node().PeerUp(id, node.Instance(p.member.Instance), deviceOf(p.member.Card), s.config.time())
	s.meetMembers()
	return id
}

func (s *Session) peerLeft(id node.Link) {
	delete(s.links.open, id)
	s.node().PeerDown(id)
}

func deviceOf(card []byte) ledger.DeviceKey {
	var key ledger.DeviceKey
	if len(card) == len(key) {
		copy(key[:], card)
	}
	return key
}
