package game

import (
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// electorate returns who decides on a change of notary in a replica: the active players at a seal,
// as playing the game up to there shows them.
func electorate(r *ledger.Replica) ledger.Electorate {
	known := map[wire.SealHash][]ledger.IdentityKey{}
	return func(number uint64) []ledger.IdentityKey {
		seal, ok := r.Seal(number)
		if !ok {
			return nil
		}
		active, ok := known[seal.Hash]
		if !ok {
			active = activeAt(r, seal)
			known[seal.Hash] = active
		}
		return active
	}
}

func activeAt(r *ledger.Replica, seal wire.SignedSeal) []ledger.IdentityKey {
	m := machine{replica: r, until: seal.Number}
	placed := m.placed()
	m.catchUp(len(placed))
	if m.world == nil {
		return nil
	}
	for _, p := range placed[len(m.entries):] { // behind a roll that waits for its witnesses
		m.register.sign(m.person(p.Action.Action().Device), p, p.Time)
	}
	var out []ledger.IdentityKey
	people := m.register.active(seal.Time)
	for _, p := range m.world.Players() {
		if !slices.Contains(people, p.ID) {
			continue
		}
		if key, err := ledger.ParseIdentityKey(p.Key); err == nil {
			out = append(out, key)
		}
	}
	return out
}

// standing brings a motion for a new notary up to what the ledger counts, and returns that while it is open.
// Whether it is decided does not depend on the order, but on the seal with which the new notary begins.
func (g *Game) standing(m *Motion) (ledger.Proof, bool) {
	for _, s := range g.replica.Successions() {
		if s.ID == m.ID {
			m.Status, m.Active, m.Assents = MotionDone, nil, g.people(s.Assents)
			first, _ := g.replica.Seal(m.Base + 1)
			m.DoneAt = first.Time
			return ledger.Proof{}, false
		}
		if s.Motion.Base <= m.Base {
			m.Status = MotionFailed // another went on
		}
	}
	var p ledger.Proof
	ok := m.Status == MotionOpen
	if ok {
		p, ok = g.replica.ProofOf(m.Motion)
	}
	if !ok {
		m.Status, m.Active, m.Assents = MotionFailed, nil, nil
		return p, false
	}
	m.Assents, m.Active = g.people(p.Assents), g.people(g.active(m.Base))
	m.Begun = g.replica.Begun(m.ID)
	m.TooMuch = len(p.Envelopes) > wire.MaxSealEnvelopes
	return p, true
}

// people returns the ids of identities, in ascending order.
func (g *Game) people(ids []ledger.IdentityKey) []int64 {
	var out []int64
	for _, id := range ids {
		if person := g.PersonOf(id); person != 0 {
			out = append(out, person)
		}
	}
	slices.Sort(out)
	return out
}

// Successor returns the new notary that enough active players have signed for, though it has not
// sealed anything yet, with the proof that its first seal needs.
func (g *Game) Successor() (ledger.Proof, bool) {
	var best ledger.Proof
	found := false
	for _, m := range g.seen.view(g.now) {
		if m.Kind != ledger.MotionNotary {
			continue
		}
		if p, open := g.standing(&m); open && !m.Begun && p.Complete() && (!found || p.Motion.Round > best.Motion.Round) {
			best, found = p, true
		}
	}
	return best, found
}
