package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"peernomic/app/ui"
	"peernomic/engine/game"
	"peernomic/engine/rules"
)

// matterView is one matter in full.
func (l *lens) matterView(id int64) (*ui.Matter, error) {
	p, err := l.written(id)
	if err != nil {
		return nil, err
	}
	m := matter{post: p}
	v := &ui.Matter{Post: l.post(p)}
	if p.Votable {
		view, err := l.w.Matter(id)
		if err != nil {
			view.Next = cannotSay(err)
		}
		view = local(view)
		m.view = view
		v.Tally, v.Quorum, v.Electorate, v.Next = l.tally(m), int(view.Quorum), int(view.Electorate), view.Next
		v.Status = cmp.Or(view.Status, v.Status)
		l.votes(v, m)
		l.ways(v, m)
	}
	l.composer(v, p)
	for _, a := range p.Amendments {
		v.Amendments = append(v.Amendments, l.amendment(a, v.Outcome))
	}
	v.Ahead = v.Outcome == "open" && len(p.Amendments) > 0 && !l.past // what it would do now says nothing about then
	return v, nil
}

func (p *play) Outlook(ctx context.Context, id int64) (*ui.Outlook, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*ui.Outlook, error) { return l.outlook(id) })
}

// outlook tries the amendments of a matter.
func (l *lens) outlook(id int64) (*ui.Outlook, error) {
	p, err := l.written(id)
	if err != nil {
		return nil, err
	}
	if r := l.w.Check(p.Amendments); r != nil {
		return &ui.Outlook{Problems: []ui.Problem{problem(r)}}, nil
	}
	return &ui.Outlook{Effects: l.effects(p.Amendments)}, nil
}

func problem(r *rules.Refusal) ui.Problem {
	return ui.Problem{Rule: r.Rule, Line: r.Line, Message: r.Reason}
}

func (l *lens) votes(v *ui.Matter, m matter) {
	for _, x := range m.view.Votes {
		glyph := l.icon(x.Icon).Glyph
		if x.Icon == "" {
			glyph = l.icon(x.Counts).Glyph
		}
		v.Votes = append(v.Votes, ui.Vote{PlayerID: x.Player, Player: l.name(x.Player), Icon: x.Icon, Glyph: glyph, Counts: x.Counts, Why: x.Why, You: x.Player == l.me})
		if x.Player == l.me {
			v.Mine = cmp.Or(x.Icon, x.Counts)
		}
	}
	// Who has voted comes first, by what it counts.
	slices.SortStableFunc(v.Votes, func(a, b ui.Vote) int { return strings.Compare(b.Counts, a.Counts) })
}

func (l *lens) ways(v *ui.Matter, m matter) {
	for _, w := range m.view.Ways {
		way := ui.Way{Can: w.Can, Why: w.Why, Rule: w.Rule, Open: w.Open, From: w.From}
		if a := l.wayAction(w.Can); a != nil {
			view := actionView(*a)
			if view.Open && !offers(a, m.post.ID) {
				view.Open, view.Reason = false, "it is not among those that you can resolve now"
			}
			view.Title = w.Can + " it"
			way.Action = &view
		}
		v.Ways = append(v.Ways, way)
	}
}

// composer says with what somebody can comment and vote, and what its author can do.
func (l *lens) composer(v *ui.Matter, p rules.PostView) {
	reply, replies := l.formOn("comment", p.ID)
	if replies || reply != nil && reply.Refused != nil {
		v.Reply = viewOf(reply)
	}
	if vote, votes := l.formOn("vote", p.ID); p.Votable && v.Outcome == "open" && vote != nil {
		v.Vote = viewOf(vote)
		if vote.Refused == nil && !votes {
			v.Vote.Open, v.Vote.Reason = false, "votes on it are closed"
		}
		for _, i := range p.Icons {
			ic := ui.VoteIcon{Word: i.Name, Title: cmp.Or(i.Title, i.Name), Glyph: i.Glyph}
			if !v.Vote.Open {
				ic.Reason = v.Vote.Reason
			} else if !acceptsIcon(*vote, i.Name) {
				ic.Reason = "not among your votes"
			}
			v.Icons = append(v.Icons, ic)
		}
	}
	if a, mine := l.formOn("remove-post", p.ID); mine {
		v.Remove = viewOf(a)
	}
	if a, mine := l.formOn("amend-proposal", p.ID); mine {
		v.Edit = viewOf(a)
	}
}

func acceptsIcon(a rules.ActionView, icon string) bool {
	for _, p := range a.Params {
		if p.Name == "icon" && p.Listed {
			return slices.ContainsFunc(p.Choices, func(c rules.Choice) bool { return c.Value == icon })
		}
	}
	return true
}

// amendment puts one amendment in words, with the text before and after.
func (l *lens) amendment(a any, outcome string) ui.Amendment {
	m, _ := a.(map[string]any)
	text := func(key string) string { s, _ := m[key].(string); return s }
	op := text("op")
	v := ui.Amendment{Op: op}
	switch op {
	case "enact":
		v.What, v.New, v.Document = "A new rule", text("text"), true
		if after := text("after"); after != "" {
			v.What += " after “" + after + "”"
		}
	case "amend":
		v.What, v.New, v.Document = "Changes the rule “"+text("rule")+"”", text("text"), true
		v.Old = l.textBefore(text("rule"), v.New, outcome)
	case "repeal":
		v.What, v.Document = "Repeals the rule “"+text("rule")+"”", true
		if r, ok := l.w.RuleTitled(text("rule")); ok {
			v.Old = r.Text
		}
	case "move":
		v.What = "Moves the rule “" + text("rule") + "”"
	case "keyword":
		v.What, v.Old, v.New = "Changes the word for “"+text("key")+"”", l.w.Word(text("key")), text("one")
	case "measure":
		v.What = "Carries out “" + text("name") + "”"
		if args, ok := m["args"].(map[string]any); ok {
			v.What += l.measureArgs(text("name"), args)
		}
	case "set", "create", "remove":
		l.cellAmendment(&v, m, op)
	default:
		v.What = "Something that this version of the app does not know: " + op
	}
	return v
}

// textBefore is what a rule said before an amendment: what it says now, or, once the
// amendment is carried out, what its history has.
func (l *lens) textBefore(title, after, outcome string) string {
	r, ok := l.w.RuleTitled(title)
	if !ok {
		return ""
	}
	if outcome == "open" || r.Text != after && len(r.Revisions) == 0 {
		return r.Text
	}
	for i := range r.Revisions {
		next := r.Text
		if i+1 < len(r.Revisions) {
			next = r.Revisions[i+1].Text
		}
		if next == after {
			return r.Revisions[i].Text
		}
	}
	return r.Text
}

func (l *lens) measureArgs(name string, args map[string]any) string {
	var parts []string
	for _, m := range l.w.Measures(l.me) {
		if m.Name != name {
			continue
		}
		for _, p := range m.Params {
			if v, ok := args[p.Name]; ok {
				parts = append(parts, l.text(rules.ColumnView{Kind: p.Kind, Table: p.Table}, v))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func (l *lens) cellAmendment(v *ui.Amendment, m map[string]any, op string) {
	table, _ := m["table"].(string)
	row, _ := m["row"].(int64)
	column, _ := m["column"].(string)
	label := cmp.Or(l.w.Label(table, row), fmt.Sprintf("%s %d", table, row))
	l.column("", "")
	one := cmp.Or(l.titles[table], table)
	switch op {
	case "create":
		v.What = "Makes a new " + one
	case "remove":
		v.What = "Removes " + label
	default:
		c, _ := l.column(table, column)
		old, _ := l.w.Cell(table, row, column)
		v.What = "Sets " + cmp.Or(c.Title, column) + " of " + label
		v.Old, v.New = l.text(c, old), l.text(c, m["value"])
	}
}
