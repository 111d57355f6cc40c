package live

import (
	"peernomic/app/ui"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// decisionCards put before me what rules let me choose, each with its options and what is
// chosen if I do not.
func (l *lens) decisionCards(v *ui.Now) {
	a := l.form("decide")
	for _, d := range l.w.Decisions() {
		if d.Person != l.me || a == nil {
			continue
		}
		card := ui.Card{Kind: "decide", Title: d.Question, Until: d.Until}
		for _, o := range d.Options {
			if d.Until != 0 && state.Equal(o.Value, d.Otherwise) {
				card.Text = "If you do not choose in time, it is “" + o.Label + "”."
			}
		}
		if a.Refused != nil {
			card.Text = capital(a.Refused.Reason) + "."
		} else {
			card.Action, card.Key, card.Fixed = decideAction(*a, d), itoa(d.ID), map[string]any{"decision": d.ID}
		}
		v.Cards = append(v.Cards, card)
	}
}

// decideAction is the kernel's action for one decision.
func decideAction(a rules.ActionView, d rules.DecisionView) *ui.Action {
	v := actionView(a)
	v.Rule = d.Rule
	v.Params = nil
	for _, p := range a.Params {
		q := paramView(p)
		if q.Name == "choice" {
			q.Listed = true
			for _, o := range d.Options {
				q.Choices = append(q.Choices, ui.Choice{Value: o.Value, Label: o.Label})
			}
		}
		v.Params = append(v.Params, q)
	}
	return &v
}
