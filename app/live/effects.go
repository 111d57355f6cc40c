package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// forecastsTold is how many actions of the rules that change are forecast, before and after.
const forecastsTold = 6

// effects is what the game would be like after some amendments: what rules say, what can be done and
// what may come of it, and what is kept.
func (l *lens) effects(amendments []any) *view.Preview {
	var then *scene
	p := game.TryAmendments(l.w, amendments, func(p game.AmendmentPreview) {
		after := &lens{w: l.w, me: l.me, now: l.now, mark: l.mark, read: l.read, all: l.all, solo: l.solo}
		then = after.scene(p.Rules)
	})
	if p.Refused != nil {
		return &view.Preview{Refused: p.Refused.Error()}
	}
	var notes []string
	for _, r := range p.Rules {
		switch {
		case r.Before == "":
			notes = append(notes, "New rule "+r.Number+" "+r.Title)
		case r.After == "":
			notes = append(notes, "Rule "+r.Number+" "+r.Title+" is repealed")
		default:
			notes = append(notes, "Rule "+r.Number+" "+r.Title+" reads differently")
		}
	}
	now := l.scene(p.Rules)
	notes = append(notes, actionsChanged(now, then)...)
	notes = append(notes, columnsChanged(now, then)...)
	changes := l.changes(p.Changes)
	if len(changes) == 0 && len(notes) == 0 {
		return &view.Preview{}
	}
	return &view.Preview{Outcomes: []view.Outcome{{Changes: changes, Notes: notes}}}
}

// scene is what a world lets somebody do and what it keeps, to be compared with what it would.
type scene struct {
	actions []rules.ActionView
	may     map[string]string // what may come of an open action, by its name
	columns []heldColumn
}

// heldColumn is a column of the tracker, and in how many rows it holds something.
type heldColumn struct {
	table, column, says, kind string
	values                    int
}

// scene describes the world. What may come of actions is told of those of the rules that change.
func (l *lens) scene(changed []game.RuleChange) *scene {
	s := &scene{actions: l.acts(), may: map[string]string{}}
	named := map[string]bool{} // as actions name their rules
	for _, section := range l.w.Rules() {
		for _, r := range section.Rules {
			if slices.ContainsFunc(changed, func(c game.RuleChange) bool { return c.Title == r.Title }) {
				named[r.Heading], named[r.Title] = true, true
			}
		}
	}
	for _, a := range s.actions {
		if len(s.may) == forecastsTold {
			break
		}
		if args, ok := sample(a, nil); ok && named[a.Rule] && a.Refused == nil {
			if out := game.Try(l.w, l.me, a.Name, args); out.Refused == nil && !out.Partial {
				f := l.forecast(out.Outcomes)
				s.may[a.Name] = strings.Join(f.Lines, "; ")
			}
		}
	}
	for _, t := range l.w.Tables() {
		for i, c := range t.Columns {
			if c.Derived {
				continue
			}
			held := heldColumn{table: t.Name, column: c.Name, says: cmp.Or(c.Title, c.Name) + " of " + cmp.Or(t.Title, t.Name), kind: string(c.Kind)}
			for _, r := range t.Rows {
				if i < len(r.Cells) && holds(r.Cells[i].Value) {
					held.values++
				}
			}
			s.columns = append(s.columns, held)
		}
	}
	return s
}

// holds says whether a cell holds more than nothing.
func holds(v state.Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case int64:
		return v != 0
	case string:
		return v != ""
	case bool:
		return v
	}
	return true
}

// sample is an action's values as somebody may give them beside those that are fixed, if they can be chosen
// without asking.
func sample(a rules.ActionView, fixed map[string]any) (args map[string]any, ok bool) {
	args = map[string]any{}
	for _, q := range a.Params {
		v, given := fixed[q.Name]
		switch {
		case given:
			args[q.Name] = v
		case q.Optional:
		case q.Listed && !q.Secret && len(q.Choices) > 0:
			args[q.Name] = q.Choices[0].Value
		default:
			return nil, false
		}
	}
	return args, true
}

// actionsChanged tells what can be done anew, no longer, or otherwise.
func actionsChanged(now, then *scene) []string {
	find := func(list []rules.ActionView, name string) *rules.ActionView {
		if i := slices.IndexFunc(list, func(a rules.ActionView) bool { return a.Name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	var lost, gained []rules.ActionView
	var notes []string
	for _, a := range now.actions {
		if b := find(then.actions, a.Name); b != nil {
			notes = append(notes, actionChanged(a, *b, now.may, then.may)...)
		} else {
			lost = append(lost, a)
		}
	}
	for _, b := range then.actions {
		if find(now.actions, b.Name) == nil {
			gained = append(gained, b)
		}
	}
	if len(lost) == 1 && len(gained) == 1 && lost[0].Rule == gained[0].Rule {
		return append(append([]string{"“" + lost[0].Title + "” becomes “" + gained[0].Title + "”"}, notes...),
			actionChanged(renamed(lost[0], gained[0]), gained[0], now.may, then.may)...)
	}
	for _, b := range gained {
		note := "Something new to do: " + b.Title
		if b.Help != "" {
			note += ": " + b.Help
		}
		if may := then.may[b.Name]; may != "" {
			note += " For you: " + may
		}
		notes = append(notes, note)
	}
	for _, a := range lost {
		notes = append(notes, "No longer to be done: "+a.Title)
	}
	return notes
}

// renamed is an action under the title that it gets, so that this is not told twice.
func renamed(a, b rules.ActionView) rules.ActionView {
	a.Title = b.Title
	return a
}

// actionChanged tells how an action would differ.
func actionChanged(a, b rules.ActionView, now, then map[string]string) []string {
	var notes []string
	note := func(format string, args ...any) {
		notes = append(notes, "“"+b.Title+"” "+fmt.Sprintf(format, args...))
	}
	if a.Title != b.Title {
		note("was called “%s”", a.Title)
	}
	if a.Help != b.Help {
		note("says of itself: %s", cmp.Or(b.Help, "nothing"))
	}
	if a.Every != b.Every {
		note("can be done %s; until now %s", cmp.Or(b.Every, "as often as one likes"), cmp.Or(a.Every, "as often as one likes"))
	}
	switch {
	case a.Refused == nil && b.Refused != nil:
		note("is not open to you any more: %s", fullReason(b.Refused))
		return notes
	case a.Refused != nil && b.Refused == nil:
		note("opens for you")
	case a.Refused != nil:
		return notes // what it asks for is known only of what is open
	}
	if a.Refused == nil {
		for _, q := range a.Params {
			i := slices.IndexFunc(b.Params, func(r rules.ParamView) bool { return r.Name == q.Name })
			if i < 0 {
				note("no longer asks for %s", cmp.Or(q.Label, q.Name))
			} else if was, is := asked(q), asked(b.Params[i]); was != is {
				note("asks for %s: %s; until now %s", cmp.Or(q.Label, q.Name), is, was)
			}
		}
		for _, r := range b.Params {
			if !slices.ContainsFunc(a.Params, func(q rules.ParamView) bool { return q.Name == r.Name }) {
				note("also asks for %s", cmp.Or(r.Label, r.Name))
			}
		}
	}
	if was, is := now[a.Name], then[b.Name]; was != is {
		note("now, by you: %s", cmp.Or(was, "nothing that could be told"))
		note("then: %s", cmp.Or(is, "nothing that could be told"))
	}
	return notes
}

// asked says what a parameter takes.
func asked(q rules.ParamView) string {
	text := string(q.Kind)
	if q.Min != nil {
		text += fmt.Sprintf(" from %d", *q.Min)
	}
	if q.Max != nil {
		text += fmt.Sprintf(" to %d", *q.Max)
	}
	if q.Listed {
		text = plural(len(q.Choices), "choice", "choices")
	}
	if q.Optional {
		text += ", if one likes"
	}
	return text
}

// columnsChanged tells which values are kept anew, no longer, or as something else.
func columnsChanged(now, then *scene) []string {
	find := func(list []heldColumn, c heldColumn) *heldColumn {
		if i := slices.IndexFunc(list, func(d heldColumn) bool { return d.table == c.table && d.column == c.column }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	var notes []string
	for _, c := range now.columns {
		switch d := find(then.columns, c); {
		case d == nil && c.values > 0:
			notes = append(notes, c.says+" is kept no longer: "+plural(c.values, "value", "values")+" would be lost")
		case d == nil:
			notes = append(notes, c.says+" is kept no longer")
		case d.kind != c.kind:
			notes = append(notes, c.says+" becomes "+d.kind+"; until now "+c.kind)
		case d.values < c.values:
			notes = append(notes, c.says+": "+plural(c.values-d.values, "value", "values")+" would be emptied")
		}
	}
	for _, d := range then.columns {
		if find(now.columns, d) == nil {
			notes = append(notes, "New: "+d.says)
		}
	}
	return notes
}
