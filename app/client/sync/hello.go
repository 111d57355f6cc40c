package sync

import (
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/sha256"

	"peernomic/engine/wire"
)

// This file is how two linked devices make sure of each other. Whoever has the invite can link up and call itself what
// it likes; but only a device of the game has the X25519 key of its enrolment. Each shows that it shares a secret
// with the other.

// helloLabel separates the proof from every other use of the secret.
const helloLabel = "peernomic/peer/v1"

// greet shows a peer that this is the device on its card, once both are known to be in the game.
func (n *Node) greet(p *peer) {
	if p.greeted {
		return
	}
	proof, ok := n.helloProof(p, n.config.Instance, p.instance)
	if !ok {
		return
	}
	p.greeted = true
	n.send(p.link, wire.Hello{Protocol: wire.Protocol, Room: n.config.Keys.ID, Game: n.game.Replica().Game(), Peer: wire.PeerID(n.config.Instance), Proof: proof})
}

// recognise judges a peer's hello. As long as the peer's enrolment has not arrived, it is a stranger, and its hello
// waits.
func (n *Node) recognise(p *peer, m wire.Hello) {
	p.hello = &m
	want, ok := n.helloProof(p, p.instance, n.config.Instance)
	if !ok {
		return
	}
	p.hello = nil
	if m.Protocol != wire.Protocol || m.Room != n.config.Keys.ID || !hmac.Equal(m.Proof, want) {
		n.hangUp(p.link) // it is not the device that it says it is
		return
	}
	p.proven = true
	n.greet(p)
	n.noteHeld(p)
	n.compare(p)
}

// greetAgain goes on with a greeting that had to wait for an enrolment.
func (n *Node) greetAgain(p *peer) {
	n.greet(p)
	if p.hello != nil {
		n.recognise(p, *p.hello)
	}
}

// helloProof returns what shows one program to another. It fails if the peer's device is not known in the game.
func (n *Node) helloProof(p *peer, from, to Instance) ([]byte, bool) {
	enrolment, ok := n.game.Replica().Enrolment(p.device)
	if !ok {
		return nil, false
	}
	box, err := ecdh.X25519().NewPublicKey(enrolment.Box[:])
	if err != nil {
		return nil, false
	}
	secret, err := n.config.Device.Box().ECDH(box)
	if err != nil {
		return nil, false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(helloLabel))
	mac.Write([]byte{0})
	mac.Write(n.config.Keys.ID[:])
	mac.Write(from[:])
	mac.Write(to[:])
	return mac.Sum(nil), true
}
