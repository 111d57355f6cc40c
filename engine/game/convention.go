package game

import (
	"maps"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/amendment"
	"peernomic/engine/state"
)

// This file is the convention, a change outside the rules that more than two thirds of the active
// players sign: SPEC.md of package ledger, section 12. The rules have no say in it, and cannot
// idle anybody away: who counts is kept here.

// MotionStatus says what became of a motion.
type MotionStatus string

// The statuses.
const (
	MotionOpen   MotionStatus = "open"
	MotionDone   MotionStatus = "done"
	MotionFailed MotionStatus = "failed" // it had its majority, and could not be carried out
)

// Motion is what a convention is about, and how it stands.
type Motion struct {
	ledger.Motion
	ID       ledger.MotionID
	CalledBy int64   // the person whose ballot carried it first
	CalledAt int64   // Unix ms
	Assents  []int64 // who assents and is active, in ascending order
	Active   []int64 // everybody who is active, and so counts, in ascending order
	Status   MotionStatus
	Refused  *rules.Refusal // why it failed
	DoneAt   int64          // Unix ms
}

// Amendments returns what the motion carries out, as the rules read it.
func (m Motion) Amendments() []any {
	normal, err := state.Normalize(m.Motion.Amendments)
	if err != nil {
		return nil // it will fail
	}
	return normal.([]any)
}

// Seat returns what the motion does if it gives a seat to another key and nothing else.
func (m Motion) Seat() (s SeatChange, ok bool) { return SeatOf(m.Motion) }

// SeatChange gives a seat to another identity, as an amendment of a convention.
type SeatChange struct{ From, To ledger.IdentityKey }

// Amendments returns the change as what a motion carries.
func (s SeatChange) Amendments() []any {
	return []any{amendment.Encode(&amendment.Seat{From: s.From.String(), To: s.To.String()})}
}

// SeatOf returns what a motion does if it gives a seat to another key and nothing else.
func SeatOf(m ledger.Motion) (s SeatChange, ok bool) {
	normal, err := state.Normalize(m.Amendments)
	list, _ := normal.([]any)
	if err != nil || len(list) != 1 {
		return s, false
	}
	decoded, err := amendment.Decode(list[0])
	seat, ok := decoded.(*amendment.Seat)
	if err != nil || !ok {
		return s, false
	}
	var fromErr, toErr error
	s.From, fromErr = ledger.ParseIdentityKey(seat.From)
	s.To, toErr = ledger.ParseIdentityKey(seat.To)
	return s, fromErr == nil && toErr == nil
}

// Needed returns how many assents are more than two thirds of the active players.
func (m Motion) Needed() int { return 2*len(m.Active)/3 + 1 }

// enough reports whether a number of assents is more than two thirds of the active players.
func enough(assents, active int) bool { return 3*assents > 2*active }

// register is the players who may sign a convention, and what they signed so far. It is of one room:
// in a game that goes on from another, nobody has acted yet.
type register struct {
	admitted map[int64]bool  // everybody whom the rules ever counted as a player
	acted    map[int64]int64 // when a person last signed something that stands, Unix ms
	motions  map[ledger.MotionID]*record
	order    []ledger.MotionID // as they were called
}

// record is a motion with its ballots.
type record struct {
	Motion
	assents map[int64]bool // by person, as they last decided
}

func newRegister() register {
	return register{admitted: map[int64]bool{}, acted: map[int64]int64{}, motions: map[ledger.MotionID]*record{}}
}

// clone returns a copy that shares nothing that changes.
func (g register) clone() register {
	g.admitted, g.acted, g.motions = maps.Clone(g.admitted), maps.Clone(g.acted), maps.Clone(g.motions)
	g.order = slices.Clip(g.order)
	for id, r := range g.motions {
		c := *r
		c.assents = maps.Clone(c.assents)
		g.motions[id] = &c
	}
	return g
}

// sign notes that a person has signed something. Whether the rules refuse it does not matter: no
// rule can keep anybody from acting.
func (g register) sign(person int64, p ledger.Placement, time int64) {
	if person == 0 || p.Void != nil {
		return
	}
	switch p.Action.Action().Kind {
	case ledger.KindTick, ledger.KindWitness: // a program signs them by itself
	default:
		g.acted[person] = time
	}
}

// admit notes whom the rules count as players now. Once a player, a person counts in conventions
// for as long as they act, whatever the rules make of them later.
func (g register) admit(w *rules.World) {
	for _, id := range w.Seated() {
		g.admitted[id] = true
	}
}

// active returns who counts at a time, in ascending order.
func (g register) active(time int64) []int64 {
	var out []int64
	for id := range g.admitted {
		if g.acted[id] >= time-ledger.ActiveTime {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// ballotRefused is the outcome of a ballot that does not count.
func ballotRefused(code rules.Code, reason string) *rules.Outcome {
	return &rules.Outcome{Entry: rules.Entry{Refused: &rules.Refusal{Code: code, Reason: reason}}}
}

// vote takes in a ballot. The outcome is nil unless the ballot does not count or its motion is
// carried out by it.
func (m *machine) vote(player int64, p ledger.Placement, time int64) *rules.Outcome {
	g := &m.register
	if !g.admitted[player] {
		return ballotRefused(rules.CodeClosed, "only players sign a convention")
	}
	b, err := ledger.DecodeBallot(m.game, p.Body())
	if err != nil {
		return ballotRefused(rules.CodeArgument, err.Error())
	}
	r := g.motions[b.ID]
	if r == nil {
		if b.Motion == nil {
			return ballotRefused(rules.CodeUnknown, "nobody has called this convention")
		}
		r = &record{Motion: Motion{Motion: *b.Motion, ID: b.ID, CalledBy: player, CalledAt: time, Status: MotionOpen}, assents: map[int64]bool{}}
		g.motions[b.ID] = r
		g.order = append(g.order, b.ID)
	}
	if r.Status != MotionOpen {
		return ballotRefused(rules.CodeClosed, "this convention is over")
	}
	if b.Verb == ledger.VerbWithdraw {
		delete(r.assents, player)
		return nil
	}
	r.assents[player] = true
	active := g.active(time)
	if !enough(r.count(active), len(active)) {
		return nil
	}
	r.Assents, r.Active = r.of(active), active
	out := m.world.Repair(r.Motion.Motion.Amendments, time)
	r.Status, r.DoneAt, r.Refused = MotionDone, time, out.Refused
	if out.Refused != nil {
		r.Status = MotionFailed
	}
	return &out
}

// of returns those among some people who assent.
func (r *record) of(people []int64) []int64 {
	var out []int64
	for _, id := range people {
		if r.assents[id] {
			out = append(out, id)
		}
	}
	return out
}

func (r *record) count(active []int64) int { return len(r.of(active)) }

// view returns the motions as they stand at a time, in the order in which they were called.
func (g register) view(time int64) []Motion {
	active := g.active(time)
	out := make([]Motion, len(g.order))
	for i, id := range g.order {
		r := g.motions[id]
		out[i] = r.Motion
		if r.Status == MotionOpen {
			out[i].Assents, out[i].Active = r.of(active), active
		}
	}
	return out
}

// Motions returns every motion with how it stands now, what is tentative included, in the
// order in which they were called.
func (g *Game) Motions() []Motion {
	return g.seen.view(g.now)
}

// TryRepair carries amendments out as a convention would, and returns why that cannot be, or nil.
// Nothing of it remains.
func (g *Game) TryRepair(amendments []any) *rules.Refusal {
	w := g.core.world
	if w == nil {
		return notHere()
	}
	mark := w.Mark()
	out := w.Repair(amendments, w.Now())
	w.Revert(mark)
	return out.Refused
}
