package ledger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"peernomic/engine/wire"
)

// Genesis returns the game's genesis, once it is complete.
func (r *Replica) Genesis() (Genesis, bool) {
	if r.genesis == nil {
		return Genesis{}, false
	}
	return *r.genesis, true
}

// Enrolment returns the enrolment in a device's first action, which names its owner.
func (r *Replica) Enrolment(dev DeviceKey) (Enrolment, bool) {
	d := r.devices[dev]
	if d == nil {
		return Enrolment{}, false
	}
	n := d.feed[0]
	if len(d.counted) > 0 {
		n = d.counted[0]
	}
	if n.action.Kind == KindGenesis {
		return r.genesis.Founder, true
	}
	e, err := DecodeEnrolment(n.action.Body)
	return e, err == nil
}

// Action returns an action that is complete.
func (r *Replica) Action(id ActionID) (Verified, bool) {
	n := r.actions[id]
	if n == nil || n.state != complete {
		return Verified{}, false
	}
	return n.Verified, true
}

// Feed returns the newest action of a device's feed, which the device's next action must name.
// In a forked feed it is the end of the branch that counts, tentative actions included. All is
// zero for an unknown device.
func (r *Replica) Feed(dev DeviceKey) (seq uint64, id ActionID, link wire.Link) {
	n := r.end(dev)
	if n == nil {
		return 0, ActionID{}, wire.Link{}
	}
	return n.action.Seq, n.id, n.action.Link
}

func (r *Replica) end(dev DeviceKey) *node {
	d := r.devices[dev]
	switch {
	case d == nil:
		return nil
	case !d.forked:
		return d.feed[len(d.feed)-1]
	}
	var end *node
	if len(d.counted) > 0 {
		end = d.counted[len(d.counted)-1]
	}
	for _, p := range r.Tentative() {
		if n := r.actions[p.Action.id]; n.action.Device == dev && (p.Void == nil || p.Void.Code != CodeFork) {
			end = n
		}
	}
	return end
}

// Position returns the game, the predecessor and the heads that a device's next action must name.
func (r *Replica) Position(dev DeviceKey) Position {
	at := Position{Game: r.game}
	at.Seq, at.Prev, _ = r.Feed(dev)
	for _, id := range r.Heads() {
		if r.actions[id].action.Device != dev {
			at.Heads = append(at.Heads, id)
		}
	}
	return at
}

// Heads returns the complete actions that no complete action names yet, the newest
// [MaxHeads] of them, in ascending order.
func (r *Replica) Heads() []ActionID {
	tips := slices.SortedFunc(maps.Values(r.tips), func(a, b *node) int { return b.rank - a.rank })
	tips = tips[:min(len(tips), MaxHeads)]
	heads := make([]ActionID, len(tips))
	for i, n := range tips {
		heads[i] = n.id
	}
	slices.SortFunc(heads, func(a, b ActionID) int { return bytes.Compare(a[:], b[:]) })
	return heads
}

// Seals returns the number of linked seals, which is the newest one's number.
func (r *Replica) Seals() uint64 {
	if r.chain == nil {
		return 0
	}
	return uint64(len(r.chain.linked))
}

// Seal returns a linked seal; 1 is the first.
func (r *Replica) Seal(number uint64) (wire.SignedSeal, bool) {
	if number == 0 || number > r.Seals() {
		return wire.SignedSeal{}, false
	}
	return r.chain.linked[number-1], true
}

// LastSeal returns the newest linked seal's number, hash and time; all zero if there is none.
func (r *Replica) LastSeal() (number uint64, hash wire.SealHash, time int64) {
	s, _ := r.Seal(r.Seals())
	return s.Number, s.Hash, s.Time
}

// OrderedSeals returns the number of the newest seal such that all that it and the ones
// before it name is held and ordered. Nothing can be placed at these seals any more, so time has
// certainly come as far as the last of them.
func (r *Replica) OrderedSeals() uint64 {
	if r.chain == nil {
		return 0
	}
	return r.walk.next.seal() - 1
}

// SealsFrom returns at most max linked seals from a number on.
func (r *Replica) SealsFrom(number uint64, max int) []wire.SignedSeal {
	number = cmp.Or(number, 1)
	if max <= 0 || number > r.Seals() {
		return nil
	}
	seals := r.chain.linked[number-1:]
	return slices.Clone(seals[:min(len(seals), max)])
}

// MissingEnvelopes returns the envelopes that seals name and this replica does not hold, in the
// order of the seals.
func (r *Replica) MissingEnvelopes() []wire.EnvelopeHash {
	var missing []wire.EnvelopeHash
	seen := map[wire.EnvelopeHash]bool{}
	look := func(s wire.SignedSeal) {
		for _, h := range s.Envelopes {
			if r.envelopes[h] == nil && !seen[h] {
				seen[h] = true
				missing = append(missing, h)
			}
		}
	}
	for n := r.walk.next.seal(); n <= r.Seals(); n++ {
		look(r.chain.linked[n-1])
	}
	early := slices.Clone(r.early)
	slices.SortStableFunc(early, func(a, b wire.SignedSeal) int { return cmp.Compare(a.Number, b.Number) })
	for _, s := range early {
		look(s)
	}
	return missing
}

// Feeds returns how far this replica holds each device's feed, in ascending order of devices.
func (r *Replica) Feeds() []wire.FeedPosition {
	feeds := make([]wire.FeedPosition, 0, len(r.devices))
	for key, d := range r.devices {
		feeds = append(feeds, wire.FeedPosition{Device: key, Seq: uint64(len(d.feed))})
	}
	slices.SortFunc(feeds, func(a, b wire.FeedPosition) int { return bytes.Compare(a.Device[:], b.Device[:]) })
	return feeds
}

// EnvelopesAfter returns the envelopes of complete actions beyond the given positions,
// causes before effects and parts before their action: about max of them, but at least one
// whole action if there is any. Devices that feeds does not name are at 0.
func (r *Replica) EnvelopesAfter(feeds []wire.FeedPosition, max int) [][]byte {
	has := make(map[DeviceKey]uint64, len(feeds))
	for _, f := range feeds {
		has[f.Device] = f.Seq
	}
	var out [][]byte
	for _, n := range r.admitted {
		if n.action.Seq <= has[n.action.Device] {
			continue
		}
		if len(out) > 0 && len(out)+len(n.action.Parts)+1 > max {
			break
		}
		for _, id := range n.action.Parts {
			out = append(out, r.parts[id].envelope.bytes)
		}
		out = append(out, n.envelope.bytes)
	}
	return out
}

// Envelope returns an envelope that this replica holds, junk included.
func (r *Replica) Envelope(h wire.EnvelopeHash) ([]byte, bool) {
	e := r.envelopes[h]
	if e == nil {
		return nil, false
	}
	return e.bytes, true
}

// Junk reports whether an envelope is held that was refused.
func (r *Replica) Junk(h wire.EnvelopeHash) bool {
	e := r.envelopes[h]
	return e != nil && e.refused != nil
}

// Named reports whether a linked seal names an envelope.
func (r *Replica) Named(h wire.EnvelopeHash) bool { return r.isNamed(h) }

// Unsealed returns the envelopes of complete actions that no linked seal names, causes
// before effects and parts before their action. The relay may lack them.
func (r *Replica) Unsealed() []wire.EnvelopeHash {
	var out []wire.EnvelopeHash
	seen := map[wire.EnvelopeHash]bool{}
	add := func(e *envelope) {
		if !e.named && !seen[e.hash] {
			seen[e.hash] = true
			out = append(out, e.hash)
		}
	}
	for _, n := range r.loose {
		if n.placed {
			continue
		}
		for _, id := range n.action.Parts {
			add(r.parts[id].envelope)
		}
		if n.position == 0 {
			add(n.envelope)
		}
	}
	return out
}

// Waiting returns how many held actions wait for a dependency that is not complete.
func (r *Replica) Waiting() int {
	waiting := 0
	for _, n := range r.actions {
		if n.state != complete && n.state != refused {
			waiting++
		}
	}
	return waiting
}

// Forks returns a proof for every number under which a device signed different actions, in
// ascending order of devices and numbers. In a proof, the action that counts comes first. If neither
// has a place, the smaller id comes first.
func (r *Replica) Forks() []ForkProof {
	var proofs []ForkProof
	for at, nodes := range r.forks {
		d := r.devices[at.device]
		first := slices.MinFunc(nodes, func(a, b *node) int { return bytes.Compare(a.id[:], b.id[:]) })
		if uint64(len(d.counted)) >= at.seq {
			first = d.counted[at.seq-1]
		}
		for _, n := range nodes {
			if n != first {
				proofs = append(proofs, ForkProof{Device: at.device, Seq: at.seq, First: first.bytes, Second: n.bytes})
			}
		}
	}
	slices.SortFunc(proofs, func(a, b ForkProof) int {
		return cmp.Or(bytes.Compare(a.Device[:], b.Device[:]), cmp.Compare(a.Seq, b.Seq), bytes.Compare(a.Second, b.Second))
	})
	return proofs
}

// NotaryForks returns a proof for every number under which this replica has seen the notary sign
// different seals, in ascending order.
func (r *Replica) NotaryForks() []NotaryProof {
	if r.chain == nil {
		return nil
	}
	return slices.Clone(r.chain.forks)
}

// OrderDigest returns the digest of the order so far (SPEC.md, 7.10). Two programs with the same digest
// agree on the place of every action.
func (r *Replica) OrderDigest() [32]byte { return orderDigest(r.walk.placed) }

// OrderDigestAt returns the digest of the order up to a seal. It fails unless this replica holds that
// seal, the seals before it, and every envelope that they name.
func (r *Replica) OrderDigestAt(seal uint64) (digest [32]byte, ok bool) {
	if seal > r.OrderedSeals() {
		return digest, false
	}
	n, _ := slices.BinarySearchFunc(r.walk.placed, seal+1, func(p Placement, seal uint64) int { return cmp.Compare(p.Seal, seal) })
	return orderDigest(r.walk.placed[:n]), true
}

func orderDigest(placed []Placement) [32]byte {
	places := make([]byte, 0, len(placed)*(32+8+1))
	for _, p := range placed {
		id, void := p.Action.ID(), byte(0)
		if p.Void != nil {
			void = 1
		}
		places = append(binary.BigEndian.AppendUint64(append(places, id[:]...), p.Seal), void)
	}
	return wire.Digest("peernomic/order/v1", places)
}
