package live

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"peernomic/app/view"
	"peernomic/engine/rules"
)

// askable are the kinds of parameters that the pages' forms ask for.
var askable = []string{"integer", "decimal", "text", "prose", "flag", "choice", "several", "row", "moment", "icon", "amendments"}

// Whoever plays at random, by what the forms offer and nothing else, gets around: every
// action that is ever open has a form that can be filled in, and most actions get their
// turn.
func TestEveryOpenActionHasAForm(t *testing.T) {
	w := farm(t)
	dice := rand.New(rand.NewPCG(7, 1))
	tried := map[string]int{}
	opened, done := map[string]bool{}, map[string]bool{}
	edits := map[string]bool{} // actions by which the tracker edits a value: it has a form of its own
	for round := range 260 {
		me := int64(1 + dice.IntN(3))
		if d := lookAt(w, me).decisions(); len(d) > 0 && d[0].Shut == "" {
			choice := d[0].Options[dice.IntN(len(d[0].Options))].Value
			do(t, w, me, "Decide", map[string]any{"decision": d[0].ID, "choice": choice})
			done["Decide"] = true
		}
		var list []view.Action
		for _, a := range lookAt(w, me).acts() {
			if a.Refused == nil && nothingToChoose(a) == "" && a.Name != "Leave" && a.Name != "Ask to go Idle" && a.Name != "Make Idle" && a.Name != "Resign as Admin" &&
				(round > 170 || a.Name != "Declare victory") { // a Hiatus closes nearly everything
				list = append(list, actionView(a))
				edits[a.Name] = a.Form == "edit"
			}
		}
		for _, a := range list {
			opened[a.Name] = true
			for _, p := range a.Params {
				if !slices.Contains(askable, p.Kind) && !edits[a.Name] {
					t.Fatalf("%s asks for %q, a %s, and no form can", a.Name, p.Name, p.Kind)
				}
			}
		}
		if fresh := slices.DeleteFunc(slices.Clone(list), func(a view.Action) bool { return tried[a.Name] > 2 }); len(fresh) > 0 {
			list = fresh
		}
		a := list[dice.IntN(len(list))]
		tried[a.Name]++
		at := w.Now() + int64(dice.IntN(90))*60_000
		if o := w.Do(rules.Act{Player: me, Name: a.Name, Args: fill(a, dice), Time: at, Dice: loaded(1 + dice.IntN(6))}); o.Refused == nil {
			done[a.Name] = true
		}
	}
	never := slices.DeleteFunc(slices.Sorted(maps.Keys(opened)), func(name string) bool { return done[name] })
	t.Logf("%d of %d actions were open, %d were done; open and never done: %q", len(opened), len(w.ActionNames()), len(done), never)
	if len(done) < 45 {
		t.Errorf("only %d actions were ever done", len(done))
	}
}

// fill answers what a form asks for.
func fill(a view.Action, dice *rand.Rand) map[string]any {
	args := map[string]any{}
	for _, p := range a.Params {
		switch {
		case p.Kind == "several":
			args[p.Name] = []any{p.Choices[dice.IntN(len(p.Choices))].Value}
		case p.Listed || len(p.Choices) > 0:
			if len(p.Choices) > 0 {
				args[p.Name] = p.Choices[dice.IntN(len(p.Choices))].Value
			}
		case p.Kind == "integer":
			lo, hi := int64(1), int64(12)
			if p.Min != nil {
				lo, hi = *p.Min, *p.Min+11
			}
			if p.Max != nil {
				hi = min(hi, *p.Max)
			}
			args[p.Name] = lo + dice.Int64N(max(hi-lo, 0)+1)
		case p.Kind == "flag":
			args[p.Name] = dice.IntN(2) == 0
		case p.Kind == "text" || p.Kind == "prose":
			args[p.Name] = "Thing " + itoa(dice.Int64N(1000)) + ": DICE6"
		}
	}
	return args
}
