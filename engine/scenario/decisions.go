package scenario

import (
	"fmt"
	"strings"

	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// decisions returns what waits for somebody to choose.
func (r *runner) decisions(person int64) []rules.DecisionView {
	var out []rules.DecisionView
	for _, d := range r.world.Decisions() {
		if d.Person == person {
			out = append(out, d)
		}
	}
	return out
}

// chooseByLabel puts the value of an option in the place of its label.
func (r *runner) chooseByLabel(s act, args map[string]any) {
	who, err := r.person(s.who)
	if err != nil {
		return
	}
	for _, d := range r.decisions(who) {
		if named, ok := args["decision"]; ok && !state.Equal(named, d.ID) {
			continue
		}
		for _, o := range d.Options {
			for _, a := range s.args {
				if a.key == "choice" && a.val.text == o.Label {
					args["choice"] = o.Value
					return
				}
			}
		}
	}
}

// expectDecision tests the first choice that waits for somebody and whose question contains the text.
func (r *runner) expectDecision(s expectDecision) error {
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	mine := r.decisions(who)
	var questions []string
	for _, d := range mine {
		questions = append(questions, d.Question)
		if !s.no && contains(d.Question, s.question) {
			return r.testDecision(d, s.tests)
		}
	}
	waiting := "nothing to choose"
	if len(mine) > 0 {
		waiting = quoteAll(questions)
	}
	switch {
	case !s.no:
		return mismatched(fmt.Sprintf("a choice %q", s.question), "%s", waiting)
	case len(mine) > 0:
		return mismatched("no choice", "%s", waiting)
	}
	return nil
}

// testDecision tests options and otherwise, by their labels, and until.
func (r *runner) testDecision(d rules.DecisionView, tests []test) error {
	options := make([]any, len(d.Options))
	shown := map[string]any{"until": "", "otherwise": ""}
	for i, o := range d.Options {
		options[i] = o.Label
		if d.Until != 0 && state.Equal(o.Value, d.Otherwise) {
			shown["otherwise"] = o.Label
		}
	}
	shown["options"] = options
	if d.Until != 0 {
		shown["until"] = strings.TrimSuffix(clockText(d.Until), ".000")
	}
	for _, t := range tests {
		v, ok := shown[t.key]
		if !ok {
			return fmt.Errorf("a choice has options, until and otherwise, not %s", t.key)
		}
		if list, ok := v.([]any); ok && t.val.kind == listing {
			want := make([]any, len(t.val.list))
			for i, e := range t.val.list {
				want[i] = e.text
			}
			if state.Equal(list, want) != (t.op == "=") {
				return mismatched(fmt.Sprintf("options %s %s", t.op, t.val), "options = %s", describe(list))
			}
			continue
		}
		t.val.kind = quoted // yes and no are labels here
		if err := r.check(v, t.key, t); err != nil {
			return err
		}
	}
	return nil
}
