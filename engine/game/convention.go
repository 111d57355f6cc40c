package game

import (
	"maps"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/amendment"
	"peernomic/engine/state"
)

// This file counts conventions: changes outside the rules that more than two thirds of the active
// players sign. See SPEC.md of package ledger, section 12. The rules cannot prevent a convention and
// cannot make a player inactive: this file decides who counts.

// MotionStatus is the state of a motion.
type MotionStatus string

// The statuses.
const (
	MotionOpen   MotionStatus = "open"
	MotionDone   MotionStatus = "done"
	MotionFailed MotionStatus = "failed" // it had its majority, but its amendments were refused
)

// Motion is the motion of a convention, with its ballots so far.
type Motion struct {
	ledger.Motion
	ID       ledger.MotionID
	CalledBy int64   // the person whose ballot carried it first
	CalledAt int64   // Unix ms
	Assents  []int64 // the active people who assent, in ascending order
	Active   []int64 // all active people, in ascending order
	Status   MotionStatus
	Refused  *rules.Refusal // why it failed
	DoneAt   int64          // Unix ms
}

// Amendments returns the motion's amendments in the form that package rules takes.
func (m Motion) Amendments() []any {
	normal, err := state.Normalize(m.Motion.Amendments)
	if err != nil {
		return nil // the motion will fail
	}
	return normal.([]any)
}

// Seat returns the change of a motion whose only amendment gives a seat to another key.
func (m Motion) Seat() (s SeatChange, ok bool) { return SeatOf(m.Motion) }

// SeatChange gives a seat to another identity, as an amendment of a convention.
type SeatChange struct{ From, To ledger.IdentityKey }

// Amendments returns the amendments of a motion that makes the change.
func (s SeatChange) Amendments() []any {
	return []any{amendment.Encode(&amendment.Seat{From: s.From.String(), To: s.To.String()})}
}

// SeatOf returns the change of a motion whose only amendment gives a seat to another key.
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

// register holds the players who may sign conventions, and their ballots. It covers one room: in a
// new room, nobody has acted yet.
type register struct {
	admitted map[int64]bool  // everybody whom the rules ever counted as a player
	acted    map[int64]int64 // when a person last signed an action that counts, Unix ms
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

// clone returns an independent copy.
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

// recordActivity records that a person has signed an action. It counts even if the rules refuse the
// action: no rule can make a player inactive.
func (g register) recordActivity(person int64, p ledger.Placement, time int64) {
	if person == 0 || p.Void != nil {
		return
	}
	switch p.Action.Action().Kind {
	case ledger.KindTick, ledger.KindWitness: // the program signs these, not the person
	default:
		g.acted[person] = time
	}
}

// admit records the present players of the rules. Whoever was a player once may sign conventions as
// long as they are active, even if the rules remove them later.
func (g register) admit(w *rules.World) {
	for _, id := range w.Seated() {
		g.admitted[id] = true
	}
}

// active returns the people who are active at a time, in ascending order.
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

// vote counts a ballot. It returns an outcome if the ballot is refused, or if it completes the majority
// and so carries the motion out. Otherwise it returns nil.
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

// of returns those of the people who assent.
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

// view returns the motions with their ballots at a time, in the order of their first ballots.
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

// Motions returns every motion with its present ballots, tentative ones included, in the order of
// their first ballots.
func (g *Game) Motions() []Motion {
	return g.seen.view(g.now)
}

// TryRepair tries amendments out as a convention would carry them out, and takes them back. It returns
// the refusal, or nil.
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
