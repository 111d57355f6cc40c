package ledger

import "peernomic/engine/wire"

// This file is about what a replica took in without judging its signature. That saves most of
// the time that a game needs to open, and it is a loan: whoever restores must have [Replica.Owed]
// judged, and if a signature is bad, start over with a new replica to which that envelope or seal is
// added instead. Then the verdicts are those of a replica that judged first, since none of them
// depends on the order of arrival.

// Owed is a signature that is still to be judged.
type Owed struct {
	Envelope wire.EnvelopeHash // of the envelope, if it is an action's
	Seal     wire.SealHash     // of the seal, if it is a seal's
	bytes    []byte            // the COSE_Sign1 message
}

// Claim returns what is to be judged.
func (o Owed) Claim() (wire.Claim, error) {
	label := ActionLabel
	if o.Seal != (wire.SealHash{}) {
		label = wire.SealLabel
	}
	return wire.ClaimOf(label, o.bytes)
}

// Owed returns what [Replica.RestoreEnvelope] and [Replica.RestoreSeal] took in since the last
// call, in that order.
func (r *Replica) Owed() []Owed {
	owed := r.owed
	r.owed = nil
	return owed
}

// Newest returns the signatures that by hash links stand for all others before them: the newest
// linked seal's, and of every device the newest action's.
func (r *Replica) Newest() []Owed {
	var out []Owed
	if s, ok := r.Seal(r.Seals()); ok {
		out = append(out, Owed{Seal: s.Hash, bytes: s.Bytes})
	}
	for _, f := range r.Feeds() {
		if n := r.end(f.Device); n != nil {
			out = append(out, Owed{Envelope: n.envelope.hash, bytes: n.bytes})
		}
	}
	return out
}

// RestoreEnvelope is AddEnvelope without judging the signature of an action, which is owed.
func (r *Replica) RestoreEnvelope(b []byte) (wire.EnvelopeHash, error) {
	return r.addEnvelope(b, true)
}

// RestoreSeal is AddSeal without judging the signature, which is owed.
func (r *Replica) RestoreSeal(b []byte) error {
	s, err := judgeSeal(wire.ParseSeal(b))
	if err != nil {
		return err
	}
	r.owed = append(r.owed, Owed{Seal: s.Hash, bytes: s.Bytes})
	return r.addSeal(s)
}
