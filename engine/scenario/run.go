package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"peernomic/engine/rules"
	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/document"
	"peernomic/engine/secret"
)

// Loader returns the documents of a ruleset.
type Loader func(ruleset string) ([]document.Document, error)

// Report tells what a scenario did.
type Report struct {
	Steps  int      // lines that were carried out
	Checks int      // of these, expectations and refusals
	Acted  []string // the actions that were carried out, in the order of their first time
}

// Failure is a step that did not hold.
type Failure struct {
	File     string
	Line     int
	Step     string // the line as written
	Expected string // empty if the step could not be carried out
	Found    string
}

func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s", f.File, f.Line, f.Step)
	if f.Expected != "" {
		fmt.Fprintf(&b, "\n\texpected %s", f.Expected)
	}
	fmt.Fprintf(&b, "\n\tfound    %s", f.Found)
	return b.String()
}

// Run runs a scenario. It stops at the first step that does not hold, with a [*Failure],
// or, if the source cannot be read, with a [*SyntaxError] that is wrapped with name.
func Run(name string, source []byte, load Loader) (Report, error) {
	script, err := Parse(source)
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", name, err)
	}
	r := &runner{load: load}
	var report Report
	for _, s := range script.Steps {
		if err := r.do(s.Do); err != nil {
			f := &Failure{File: name, Line: s.Line, Step: s.Text, Found: err.Error()}
			if m, ok := err.(*mismatch); ok {
				f.Expected, f.Found = m.expected, m.found
			}
			return report, f
		}
		report.Steps++
		if a, ok := s.Do.(act); ok && !a.refused && !slices.Contains(report.Acted, a.action) {
			report.Acted = append(report.Acted, a.action)
		}
		if isCheck(s.Do) {
			report.Checks++
		}
	}
	return report, nil
}

func isCheck(do any) bool {
	switch do := do.(type) {
	case act:
		return do.refused
	case expectCell, expectCount, expectView, expectWay, expectAction, expectChoices, expectRolls, expectDecision:
		return true
	default:
		return false
	}
}

// mismatch is an expectation that does not hold.
type mismatch struct{ expected, found string }

func (m *mismatch) Error() string { return m.found }

func mismatched(expected, found string, args ...any) error {
	return &mismatch{expected, fmt.Sprintf(found, args...)}
}

// runner plays one scenario.
type runner struct {
	load    Loader
	ruleset string
	options map[string]string
	now     int64
	world   *rules.World // nil until the founder has sat down
	kept    map[string]any
	last    rules.Outcome
	said    map[[32]byte]said // secrets, by their commitments
}

func (r *runner) do(step any) error {
	switch s := step.(type) {
	case found:
		*r = runner{load: r.load, ruleset: s.ruleset, options: map[string]string{}, kept: map[string]any{}, said: map[[32]byte]said{}}
		return nil
	case option:
		return r.choose(s)
	case clock:
		return r.moveTo(s.at.UnixMilli(), nil)
	case passing:
		return r.moveTo(r.now+s.for_.Milliseconds(), s.dice)
	case seats:
		return r.seat(s.names)
	}
	if r.world == nil {
		return fmt.Errorf("nobody plays yet: begin with ruleset, at and players")
	}
	switch s := step.(type) {
	case stranger:
		_, out := r.world.Knock("key of "+s.name, s.name, r.now)
		return refusalOf(out)
	case act:
		return r.act(s)
	case change:
		return r.change(s.draft)
	case let:
		v, err := r.read(s.cell)
		r.kept[s.name] = v
		return err
	default:
		return r.expect(step)
	}
}

func (r *runner) choose(s option) error {
	if r.ruleset == "" || r.world != nil {
		return fmt.Errorf("options stand between ruleset and players")
	}
	for _, a := range s.args {
		r.options[a.key] = a.val.text
	}
	return nil
}

// moveTo moves the clock; timers roll the dice that are given, no more and no less.
func (r *runner) moveTo(to int64, dice []uint64) error {
	if to < r.now {
		return fmt.Errorf("the clock cannot go back: it is %s", clockText(r.now))
	}
	r.now = to
	if r.world == nil {
		return nil
	}
	forced := &forcedDice{values: dice}
	for _, out := range r.world.Advance(to, func(int64) rules.DiceSource { return forced }) {
		if out.Refused != nil {
			return fmt.Errorf("the timer %s failed: %s", out.Action, out.Refused.Error())
		}
		r.last = out
	}
	return forced.finish()
}

// seat founds the game with the first name and lets the others play, too.
func (r *runner) seat(names []string) error {
	switch {
	case r.ruleset == "":
		return fmt.Errorf("which ruleset? begin with: ruleset NAME")
	case r.now == 0:
		return fmt.Errorf("when? set the clock first: at 2026-01-05 10:00")
	}
	if r.world == nil {
		docs, err := r.load(r.ruleset)
		if err != nil {
			return err
		}
		r.world, err = rules.Found(rules.Founding{Documents: docs, Options: r.options, Time: r.now, Founder: names[0], FounderKey: "key of " + names[0]})
		if err != nil {
			return err
		}
		names = names[1:]
	}
	for _, name := range names {
		id, out := r.world.Knock("key of "+name, name, r.now)
		if err := refusalOf(out); err != nil {
			return err
		}
		if err := r.force(&amendment.Set{Cells: amendment.Cells{Table: "players", Row: id, Column: "standing"}, Value: rules.StandingPlayer}); err != nil {
			return err
		}
	}
	return nil
}

func refusalOf(out rules.Outcome) error {
	if out.Refused == nil {
		return nil
	}
	return out.Refused
}

func (r *runner) act(s act) error {
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	args, err := r.arguments(s)
	if err != nil {
		return err
	}
	dice := &forcedDice{values: s.dice}
	args, stopped, err := r.prepare(who, s, args)
	if err != nil {
		return err
	}
	if stopped != nil {
		return judgeRefusal(s, stopped)
	}
	out := r.world.Do(rules.Act{Player: who, Name: s.action, Args: args, Time: r.now, Dice: dice})
	r.last = out
	if s.keep != "" {
		r.kept[s.keep] = out.Number
	}
	if !s.refused {
		if out.Refused != nil {
			return fmt.Errorf("refused: %s", out.Refused.Error())
		}
		if err := r.draw(who); err != nil {
			return err
		}
		return dice.finish()
	}
	if out.Refused == nil {
		return mismatched("a refusal because "+quoteAll(s.because), "it was done")
	}
	if dice.short {
		return fmt.Errorf("%s", out.Refused.Error())
	}
	return judgeRefusal(s, out.Refused)
}

// judgeRefusal holds a refusal against what the scenario expects.
func judgeRefusal(s act, refused *rules.Refusal) error {
	if !s.refused {
		return fmt.Errorf("refused: %s", refused.Error())
	}
	reason := reasonOf(refused)
	for _, b := range s.because {
		if !contains(reason, b) {
			return mismatched("a refusal because "+quoteAll(s.because), "refused: %s", reason)
		}
	}
	return nil
}

// reasonOf writes a refusal with all that a scenario may ask for: reason, rule, until when.
func reasonOf(refused *rules.Refusal) string {
	text := refused.Error()
	if refused.Until != 0 {
		text += " " + untilText(refused.Until)
	}
	return text
}

// untilText says until when something holds.
func untilText(until int64) string { return "(until " + clockText(until) + ")" }

// change changes the state without an action.
func (r *runner) change(d draft) error {
	one, err := r.amendment(d)
	if err != nil {
		return err
	}
	return r.force(one)
}

// force carries an amendment out without an action.
func (r *runner) force(a amendment.Amendment) error {
	return refusalOf(r.world.Force([]any{amendment.Encode(a)}, r.now))
}

// forcedDice rolls what the scenario says.
type forcedDice struct {
	values []uint64
	next   int
	short  bool // more was rolled than given
}

// Roll returns the next number given.
func (d *forcedDice) Roll(sides uint64) (uint64, error) {
	if d.next == len(d.values) {
		d.short = true
		return 0, fmt.Errorf("a DICE%d is rolled that the line does not give: add dice=", sides)
	}
	v := d.values[d.next]
	d.next++
	if v < 1 || v > sides {
		d.short = true
		return 0, fmt.Errorf("a DICE%d cannot show %d", sides, v)
	}
	return v, nil
}

func (d *forcedDice) finish() error {
	if d.next < len(d.values) {
		return fmt.Errorf("%d dice were rolled, and %d are given", d.next, len(d.values))
	}
	return nil
}

func quoteAll(texts []string) string {
	quotes := make([]string, len(texts))
	for i, t := range texts {
		quotes[i] = fmt.Sprintf("%q", t)
	}
	return strings.Join(quotes, " and ")
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

func clockText(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.999") }

// describe writes a value for messages, maps in the order of their keys.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return fmt.Sprintf("%q", v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = describe(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		if _, err := secret.Parse(v); err == nil {
			return "sealed"
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, k+"="+describe(v[k]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	default:
		return fmt.Sprint(v)
	}
}
