package game

import (
	"crypto/ecdh"
	"fmt"
	"io"

	"peernomic/engine/ledger"
	"peernomic/engine/secret"
	"peernomic/engine/state"
)

// Prepare returns the arguments of an action in the form that goes into the log. It seals secret
// arguments for their readers, with salt and keys from random, and adds the openings of secrets that the
// action opens. It fails with a [*rules.Refusal] if the rules refuse the action because of a value that only
// this device can read, and with another error if the device cannot read a secret.
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
		value, given := args[p.Name]
		switch {
		case p.Of != nil && given && value != nil:
			checked, err := p.Of.Check(value)
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

// Read returns the value of a secret, if it is sealed for this device.
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
		if key, err := ecdh.X25519().NewPublicKey(en.Box[:]); err == nil { // always valid: the ledger has checked it
			boxes[f.Device] = key
		}
	}
	return boxes
}
