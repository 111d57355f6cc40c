package client

import (
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/sha256"

	"peernomic/app/client/direct"
	"peernomic/engine/wire"
)

// This file is how two linked devices make sure of each other. Whoever has the invite
// can link up and call itself what it likes; but only a device of the game has the
// X25519 key of its enrolment. Each shows that it shares a secret with the other.

// helloLabel separates the proof from every other use of the secret.
const helloLabel = "peernomic/peer/v1"

// greet shows a peer that this is the device on its card, once both are known to be in
// the game.
func (s *Session) greet(p *peer) {
	if p.greeted {
		return
	}
	proof, ok := s.helloProof(p, s.instance, p.member.Instance)
	if !ok {
		return
	}
	p.greeted = true
	p.send(wire.Hello{Protocol: wire.Protocol, Room: s.keys.ID, Game: s.room.Game, Peer: wire.PeerID(s.instance), Proof: proof})
}

// recognise judges a peer's hello. As long as the peer's enrolment has not arrived, it
// is a stranger, and its hello waits.
func (s *Session) recognise(p *peer, m wire.Hello) {
	p.hello = &m
	want, ok := s.helloProof(p, p.member.Instance, s.instance)
	if !ok {
		return
	}
	p.hello = nil
	if m.Protocol != wire.Protocol || m.Room != s.keys.ID || !hmac.Equal(m.Proof, want) {
		p.hangUp() // it is not who it says it is
		return
	}
	p.proven = true
	s.greet(p)
	s.noteHeld(p)
	s.compare(p)
}

// greetAgain goes on with a greeting that had to wait for an enrolment.
func (s *Session) greetAgain(p *peer) {
	s.greet(p)
	if p.hello != nil {
		s.recognise(p, *p.hello)
	}
}

// helloProof returns what shows one instance to another. It fails if the peer's device
// is not known in the game.
func (s *Session) helloProof(p *peer, from, to direct.Instance) ([]byte, bool) {
	enrolment, ok := s.game.Replica().Enrolment(deviceOf(s.cardOf(p)))
	if !ok {
		return nil, false
	}
	box, err := ecdh.X25519().NewPublicKey(enrolment.Box[:])
	if err != nil {
		return nil, false
	}
	secret, err := s.device.Box().ECDH(box)
	if err != nil {
		return nil, false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(helloLabel))
	mac.Write([]byte{0})
	mac.Write(s.keys.ID[:])
	mac.Write(from[:])
	mac.Write(to[:])
	return mac.Sum(nil), true
}

// cardOf returns what a peer says it is. A link can be there before its card.
func (s *Session) cardOf(p *peer) []byte {
	if len(p.member.Card) == 0 && s.mesh != nil {
		for _, m := range s.mesh.Members() {
			if m.Instance == p.member.Instance {
				p.member = m
			}
		}
	}
	return p.member.Card
}
