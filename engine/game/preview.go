package game

import (
	"slices"
	"strings"

	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// maxOutcomes is the largest number of ways of the dice that a preview tries.
const maxOutcomes = 400

// Preview is the effect that an action would have now.
type Preview struct {
	Refused  *rules.Refusal   // nil if the rules would permit it
	Outcomes []PreviewOutcome // every way the dice may fall, the likeliest first
	Partial  bool             // there are too many ways: Outcomes is empty
}

// PreviewOutcome is one effect and how likely it is: Numerator in Denominator.
type PreviewOutcome struct {
	Numerator, Denominator int64
	Rolls                  []rules.Roll // of one way that leads to it
	Changes                []rules.Change
	Notes                  []string
	Refused                *rules.Refusal
}

// script is one way of the dice. It gives the values of its points, then the lowest values, for which it adds points.
type script struct {
	points []point
	next   int
	dice   []uint64 // the values of the present point that are not given yet
}

// point is one throw with several possible results: one die, or several dice of which only the sum
// counts.
type point struct {
	dice, sides int64
	way         int64 // the sum minus the lowest possible sum
}

// maxSummed is the largest number of dice, and of sides, that a preview tries by their sum.
const maxSummed = 1000

func (s *script) Sum(dice int64, sides uint64) {
	if dice <= maxSummed && sides <= maxSummed {
		s.fall(dice, int64(sides))
	}
}

func (s *script) Roll(sides uint64) (uint64, error) {
	if len(s.dice) == 0 {
		s.fall(1, int64(sides))
	}
	v := s.dice[0]
	s.dice = s.dice[1:]
	return v, nil
}

// fall sets the dice of the next point.
func (s *script) fall(dice, sides int64) {
	if s.next == len(s.points) {
		s.points = append(s.points, point{})
	}
	p := &s.points[s.next]
	p.dice, p.sides = dice, sides
	s.next++
	s.dice = make([]uint64, dice)
	more := p.way
	for i := range s.dice {
		add := min(more, sides-1)
		s.dice[i] = uint64(1 + add)
		more -= add
	}
}

// begin goes back to the first point.
func (s *script) begin() { s.next, s.dice = 0, nil }

// step moves on to the next way and reports whether there is one.
func (s *script) step() bool {
	s.points = s.points[:s.next]
	for i := len(s.points) - 1; i >= 0; i-- {
		if p := &s.points[i]; p.way < p.dice*(p.sides-1) {
			p.way++
			s.points = s.points[:i+1]
			return true
		}
	}
	return false
}

// maxChance bounds the denominators of odds, so that the product of two fits an int64.
const maxChance = 1 << 30

// chance returns the probability of the present way. It fails if the numbers become too large.
func (s *script) chance() (numerator, denominator int64, ok bool) {
	numerator, denominator = 1, 1
	for _, p := range s.points[:s.next] {
		for range p.dice {
			if p.sides > maxChance/denominator {
				return 0, 0, false
			}
			denominator *= p.sides
		}
		numerator *= p.ways()
	}
	f := divisor(numerator, denominator)
	return numerator / f, denominator / f, true
}

// ways returns how many results of the dice have the point's sum.
func (p point) ways() int64 {
	if p.dice == 1 {
		return 1
	}
	counts := []int64{1} // of results, by the sum of the dice so far minus the lowest sum
	for range p.dice {
		next := make([]int64, len(counts)+int(p.sides)-1)
		for sum, n := range counts {
			for add := range p.sides {
				next[sum+int(add)] += n
			}
		}
		counts = next
	}
	return counts[p.way]
}

// Preview tries an action out with every way of its dice, and takes it back.
func (g *Game) Preview(player int64, name string, args map[string]any) Preview {
	if g.core.world == nil {
		return Preview{Refused: notHere()}
	}
	return Try(g.core.world, player, name, args)
}

// Try is [Game.Preview] on a world.
func Try(w *rules.World, player int64, name string, args map[string]any) Preview {
	var p Preview
	s := &script{}
	for ways := 0; ; ways++ {
		if ways == maxOutcomes {
			return Preview{Partial: true}
		}
		s.begin()
		out := try(w, player, name, args, s)
		numerator, denominator, ok := s.chance()
		if !ok {
			return Preview{Partial: true}
		}
		if out.Refused != nil && s.next == 0 {
			return Preview{Refused: out.Refused}
		}
		p.add(PreviewOutcome{Numerator: numerator, Denominator: denominator, Rolls: out.Rolls, Changes: out.Changes, Notes: out.Notes, Refused: out.Refused})
		if !s.step() {
			break
		}
	}
	slices.SortStableFunc(p.Outcomes, func(a, b PreviewOutcome) int {
		return int(b.Numerator*a.Denominator - a.Numerator*b.Denominator)
	})
	return p
}

// Refusal returns the refusal that an action would get now, before any die falls, or nil.
func (g *Game) Refusal(player int64, name string, args map[string]any) *rules.Refusal {
	w := g.core.world
	if w == nil {
		return notHere()
	}
	s := &script{}
	if out := try(w, player, name, args, s); s.next == 0 {
		return out.Refused
	}
	return nil
}

// try carries an action out and takes it back.
func try(w *rules.World, player int64, name string, args map[string]any, dice rules.DiceSource) rules.Outcome {
	mark := w.Mark()
	defer w.Revert(mark)
	return w.Do(rules.Act{Player: player, Name: name, Args: args, Time: w.Now(), Dice: dice})
}

func notHere() *rules.Refusal {
	return &rules.Refusal{Code: rules.CodeUnknown, Reason: "the game has not arrived yet"}
}

// add merges ways with the same effect.
func (p *Preview) add(o PreviewOutcome) {
	for i, have := range p.Outcomes {
		if slices.EqualFunc(have.Changes, o.Changes, sameChange) && slices.Equal(have.Notes, o.Notes) && (have.Refused == nil) == (o.Refused == nil) {
			n := have.Numerator*o.Denominator + o.Numerator*have.Denominator
			d := have.Denominator * o.Denominator
			f := divisor(n, d)
			p.Outcomes[i].Numerator, p.Outcomes[i].Denominator = n/f, d/f
			return
		}
	}
	p.Outcomes = append(p.Outcomes, o)
}

func sameChange(a, b rules.Change) bool {
	return a.Op == b.Op && a.Table == b.Table && a.Row == b.Row && a.Column == b.Column && state.Equal(a.New, b.New)
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// RuleChange is a rule before and after.
type RuleChange struct {
	Number, Title string
	Before, After string // the whole documents; empty before the rule exists, or after its repeal
}

// AmendmentPreview is the effect that amendments would have now.
type AmendmentPreview struct {
	Refused *rules.Refusal // nil if they can be applied
	Rules   []RuleChange
	Changes []rules.Change
}

// TryAmendments tries amendments out on a world, and takes them back. Unless they are refused, it calls
// look while they are in force, and look may try out more.
func TryAmendments(w *rules.World, amendments []any, look func(AmendmentPreview)) AmendmentPreview {
	before := rulesByID(w)
	mark := w.Mark()
	out := w.Force(amendments, w.Now())
	defer w.Revert(mark)
	after := rulesByID(w)
	if out.Refused != nil {
		return AmendmentPreview{Refused: out.Refused}
	}
	p := AmendmentPreview{Changes: out.Changes}
	for id, b := range before {
		if a, ok := after[id]; !ok || a.Text != b.Text {
			p.Rules = append(p.Rules, RuleChange{Number: b.Number, Title: b.Title, Before: b.Text, After: a.Text})
		}
	}
	for id, a := range after {
		if _, ok := before[id]; !ok {
			p.Rules = append(p.Rules, RuleChange{Number: a.Number, Title: a.Title, After: a.Text})
		}
	}
	slices.SortFunc(p.Rules, func(a, b RuleChange) int { return strings.Compare(a.Number+a.Title, b.Number+b.Title) })
	look(p)
	return p
}

func rulesByID(w *rules.World) map[int64]rules.RuleView {
	byID := map[int64]rules.RuleView{}
	for _, s := range w.Rules() {
		for _, r := range s.Rules {
			byID[r.ID] = r
		}
	}
	return byID
}
