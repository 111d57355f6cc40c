package live

import (
	"cmp"
	"slices"

	"peernomic/app/view"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// decisions are the choices that rules have put before me.
func (l *lens) decisions() []view.Decision {
	a := l.form("decide")
	if a == nil || l.past {
		return nil
	}
	var out []view.Decision
	for _, d := range l.w.Decisions() {
		if d.Person != l.me {
			continue
		}
		v := view.Decision{ID: d.ID, Question: d.Question, Until: d.Until}
		if a.Refused != nil {
			v.Shut = capital(reason(a.Refused))
		}
		for _, o := range d.Options {
			v.Options = append(v.Options, view.Choice(o))
			if d.Until != 0 && state.Equal(o.Value, d.Otherwise) {
				v.Otherwise = o.Label
			}
		}
		out = append(out, v)
	}
	return out
}

// due is what the rules say waits for somebody, soonest first.
func (l *lens) due(player int64) []rules.WaitView {
	out, _ := l.w.Waits(player)
	slices.SortStableFunc(out, func(a, b rules.WaitView) int { return cmp.Compare(a.Until, b.Until) })
	return out
}

// dueCards put before me what waits for me by the rules: what has a time first, then the given cards,
// then what has none.
func (l *lens) dueNeeds(given []view.Need, path func(string, ...string) string) []view.Need {
	var timed, rest []view.Need
	for _, d := range l.due(l.me) {
		card := view.Need{Kind: "due", Title: d.Title, Text: d.Text, Until: d.Until}
		if d.Board != "" {
			card.Href, card.Go = boardPath(d, path), "Go there"
		}
		if d.Until != 0 {
			timed = append(timed, card)
		} else {
			rest = append(rest, card)
		}
	}
	return slices.Concat(timed, given, rest)
}

// boardPath leads to where something is done, or is empty.
func boardPath(d rules.WaitView, path func(string, ...string) string) string {
	switch {
	case d.Board == "":
		return ""
	case d.BoardRow == 0:
		return path("boards", d.Board)
	}
	return path("boards", d.Board, itoa(d.BoardRow))
}

// needs is how many things wait for me, and what the first of them is.
func needs(v *view.Now) (n int, first string) {
	for _, d := range v.Decisions {
		n, first = n+1, cmp.Or(first, d.Question)
	}
	for _, c := range v.Needs {
		if c.Kind != "wait" {
			n, first = n+1, cmp.Or(first, c.Title)
		}
	}
	return n, first
}
