package game

import (
	"crypto/ecdh"
	"fmt"
	"io"

	"peernomic/engine/ledger"
	"peernomic/engine/secret"
	"peernomic/engine/state"
)

// Prepare returns the arguments of an action as the log is to have them: what the rules
// keep secret is sealed for its readers, with salt and keys from random, and what the action opens is
// added. It fails with a [*rules.Refusal] if the rules have something against the action
// that only this device can know, and with an error that says which secret the device cannot read.
func (g *Game) Prepare(dev *ledger.Device, name string, args map[string]any, random io.Reader) (map[string]any, error) {
	w := g.core.world
	if w == nil {
		return args, nil
	}
	me := g.PersonOfDevice(dev.Key())
	params, err := w.SecretParams(me, name)
	if err != nil {
		return nil, err
	}
	if refused := w.Private(me, name, args, func(cell state.Value) (state.Value, bool) { return g.Read(dev, cell) }); refused != nil {
		return nil, refused
	}
	if len(params) == 0 {
		return args, nil
	}
	ready := map[string]any{}
	for k, v := range args {
		ready[k] = v
	}
	for _, p := range params {
		said, given := args[p.Name]
		switch {
		case p.Of != nil && given && said != nil:
			checked, err := p.Of.Check(said)
			if err != nil {
				return nil, err
			}
			s, err := secret.Conceal(me, checked, g.boxesOf(p.Readers), random)
			if err != nil {
				return nil, err
			}
			ready[p.Name] = s.Cell()
		case p.Of == nil && p.Opens != nil:
			o, err := open(dev, p.Opens)
			if err != nil {
				return nil, fmt.Errorf("this device cannot open it: %w", err)
			}
			ready[p.Name] = o.Cell()
		}
	}
	return ready, nil
}

// Read returns what a secret says, if it is sealed for this device.
func (g *Game) Read(dev *ledger.Device, cell state.Value) (state.Value, bool) {
	o, err := open(dev, cell)
	if err != nil {
		return nil, false
	}
	return o.Value, true
}

func open(dev *ledger.Device, cell state.Value) (secret.Opening, error) {
	s, err := secret.Parse(cell)
	if err != nil {
		return secret.Opening{}, err
	}
	o, err := s.Open(dev.Key(), dev.Box())
	if err != nil {
		return secret.Opening{}, err
	}
	o.Value, err = state.Normalize(o.Value)
	return o, err
}

// boxesOf returns the X25519 keys of all devices of some people.
func (g *Game) boxesOf(people []int64) map[secret.Device]*ecdh.PublicKey {
	reads := map[int64]bool{}
	for _, id := range people {
		reads[id] = true
	}
	boxes := map[secret.Device]*ecdh.PublicKey{}
	for _, f := range g.replica.Feeds() {
		en, ok := g.replica.Enrolment(f.Device)
		if !ok || !reads[g.PersonOfDevice(f.Device)] {
			continue
		}
		if key, err := ecdh.X25519().NewPublicKey(en.Box[:]); err == nil { // it is valid: the ledger saw to it
			boxes[f.Device] = key
		}
	}
	return boxes
}
