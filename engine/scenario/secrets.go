package scenario

import (
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"peernomic/engine/rules"
	"peernomic/engine/secret"
	"peernomic/engine/state"
)

// said is a secret of the scenario, with the people who can read it.
type said struct {
	opening secret.Opening
	readers []int64
}

// prepare makes the secrets of an action and opens what it opens, as the device of whoever
// acts would. It returns why that device would not send the action, if it would not.
func (r *runner) prepare(who int64, s act, args map[string]any) (map[string]any, *rules.Refusal, error) {
	params, err := r.world.SecretParams(who, s.action)
	if err != nil {
		return nil, nil, err
	}
	if !s.cheat {
		refused := r.world.Private(who, s.action, args, func(cell state.Value) (state.Value, bool) {
			o, ok := r.unseal(who, cell)
			return o.Value, ok
		})
		if refused != nil {
			return nil, refused, nil
		}
	}
	for _, p := range params {
		value, given := args[p.Name]
		switch {
		case p.Of != nil && given:
			if args[p.Name], err = r.conceal(who, value, p.Readers); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		case p.Of == nil && p.Opens != nil:
			o, ok := r.unseal(who, p.Opens)
			if !ok {
				return nil, nil, fmt.Errorf("%s: this person cannot open it", p.Name)
			}
			if given { // a cheat
				o.Value = value
			}
			args[p.Name] = o.Cell()
		}
	}
	return args, nil, nil
}

// conceal makes a secret that the scenario remembers.
func (r *runner) conceal(author int64, value any, readers []int64) (any, error) {
	// One device stands for all; its key and the salts are the same in every run.
	number := binary.BigEndian.AppendUint64(nil, uint64(len(r.said)))
	seed := sha256.Sum256(append([]byte("key and salt of a scenario"), number...))
	key, err := ecdh.X25519().NewPrivateKey(seed[:])
	if err != nil {
		return nil, err
	}
	s, err := secret.Conceal(author, value, map[secret.Device]*ecdh.PublicKey{{}: key.PublicKey()}, &repeated{seed[:]})
	if err != nil {
		return nil, err
	}
	o, err := s.Open(secret.Device{}, key)
	if err != nil {
		return nil, err
	}
	if o.Value, err = state.Normalize(o.Value); err != nil {
		return nil, err
	}
	r.said[s.Commitment] = said{o, readers}
	return s.Cell(), nil
}

// unseal opens a secret of the scenario for somebody who can read it.
func (r *runner) unseal(who int64, cell state.Value) (secret.Opening, bool) {
	s, err := secret.Parse(cell)
	if err != nil {
		return secret.Opening{}, false
	}
	found := r.said[s.Commitment]
	return found.opening, slices.Contains(found.readers, who)
}

// repeated is a source of the same bytes again and again.
type repeated struct{ bytes []byte }

func (r *repeated) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.bytes[i%len(r.bytes)]
	}
	return len(b), nil
}
