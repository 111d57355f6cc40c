package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/document"
)

// matterView is one matter in full.
func (l *lens) matterView(id int64) (*view.Matter, error) {
	p, err := l.written(id)
	if err != nil {
		return nil, err
	}
	m := matter{post: p}
	v := &view.Matter{Post: l.post(p)}
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

func (p *play) Outlook(ctx context.Context, id int64) (*view.Outlook, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Outlook, error) { return l.outlook(id) })
}

// outlook tries the amendments of a matter.
func (l *lens) outlook(id int64) (*view.Outlook, error) {
	p, err := l.written(id)
	if err != nil {
		return nil, err
	}
	if r := l.w.Check(p.Amendments); r != nil {
		return &view.Outlook{Problems: []view.Problem{problem(r)}}, nil
	}
	return &view.Outlook{Effects: l.effects(p.Amendments)}, nil
}

func problem(r *rules.Refusal) view.Problem {
	return view.Problem{Rule: r.Rule, Line: r.Line, Message: r.Reason}
}

func (l *lens) votes(v *view.Matter, m matter) {
	for _, x := range m.view.Votes {
		glyph := l.icon(x.Icon).Glyph
		if x.Icon == "" {
			glyph = l.icon(x.Counts).Glyph
		}
		v.Votes = append(v.Votes, view.Vote{Player: l.name(x.Player), Icon: x.Icon, Glyph: glyph, Counts: x.Counts, Why: x.Why, You: x.Player == l.me})
		if x.Player == l.me {
			v.Mine = cmp.Or(x.Icon, x.Counts)
		}
	}
	// Who has voted comes first, by what it counts.
	slices.SortStableFunc(v.Votes, func(a, b view.Vote) int { return strings.Compare(b.Counts, a.Counts) })
}

func (l *lens) ways(v *view.Matter, m matter) {
	for _, w := range m.view.Ways {
		way := view.Way{Can: w.Can, Why: w.Why, Open: w.Open, From: w.From}
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
func (l *lens) composer(v *view.Matter, p rules.PostView) {
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
			ic := view.VoteIcon{Word: i.Name, Title: cmp.Or(i.Title, i.Name), Glyph: i.Glyph}
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
func (l *lens) amendment(carried any, outcome string) view.Amendment {
	decoded, err := amendment.Decode(carried)
	if err != nil {
		return view.Amendment{What: "This cannot be carried out: " + err.Error()}
	}
	v := view.Amendment{}
	switch a := decoded.(type) {
	case *amendment.Enact:
		v.What, v.New, v.Document = "A new rule", a.Text, true
		if a.After != "" {
			v.What += " after “" + a.After + "”"
		}
	case *amendment.Amend:
		v.What, v.Document = "Changes the rule "+l.ruleNamed(a.Rule), true
		l.textAmendment(&v, a, outcome)
	case *amendment.Replace:
		v.What, v.Old, v.New = "Replaces words in the rule "+l.ruleNamed(a.Rule), a.Old, a.New
	case *amendment.Repeal:
		v.What, v.Document = "Repeals the rule "+l.ruleNamed(a.Rule), true
		if r, ok := l.w.RuleOf(a.Rule); ok {
			v.Old = r.Text
		}
	case *amendment.Move:
		v.What = "Moves the rule " + l.ruleNamed(a.Rule)
	case *amendment.Keyword:
		v.What, v.Old, v.New = "Changes the word for “"+a.Key+"”", l.w.Word(a.Key), a.One
	case *amendment.Measure:
		v.What = "Carries out “" + a.Name + "”" + l.measureArgs(a.Name, a.Args)
	case *amendment.Set:
		l.cellAmendment(&v, a)
	case *amendment.Adjust:
		v.What = l.adjustment(a)
	case *amendment.Create:
		v.What = "Makes a new " + l.tableTitle(a.Table)
	case *amendment.Remove:
		v.What = "Removes " + l.rowLabel(a.Table, a.Row)
	case *amendment.Seat:
		v.What = "Gives the seat of " + l.keyed(a.From) + " to " + l.keyed(a.To)
	}
	return v
}

// ruleNamed is a rule that an amendment names, as it is written there.
func (l *lens) ruleNamed(name amendment.Ref) string {
	if r, ok := l.w.RuleOf(name); ok && name.Title == "" {
		return "“" + r.Title + "”"
	}
	return "“" + name.Title + "”"
}

// textAmendment shows what an amendment changes: while it is open in the rule as it is now, or else, and if it cannot be
// carried out, in the text that it was written on.
func (l *lens) textAmendment(v *view.Amendment, a *amendment.Amend, outcome string) {
	v.New = a.Text
	r, ok := l.w.RuleOf(a.Rule)
	if !ok {
		return
	}
	v.Old = r.Text
	text, err := l.w.TextAfter(a)
	if err == nil && outcome == "open" {
		v.New = text
		return
	}
	if err != nil && outcome == "open" {
		v.Problem = err.Error()
	}
	for _, rev := range r.Revisions {
		if document.Fingerprint(rev.Text) == a.Base {
			v.Old = rev.Text
		}
	}
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

func (l *lens) cellAmendment(v *view.Amendment, a *amendment.Set) {
	c, _ := l.column(a.Table, a.Column)
	v.What = "Sets " + l.cells(a.Cells)
	if a.Where == nil {
		old, _ := l.w.Cell(a.Table, a.Row, a.Column)
		v.Old = l.text(c, old)
	}
	v.New = l.text(c, a.Value)
}

// adjustment says how numbers change.
func (l *lens) adjustment(a *amendment.Adjust) string {
	switch by := fmt.Sprint(a.By); a.How {
	case "gain":
		return "Adds " + by + " to " + l.cells(a.Cells)
	case "lose":
		return "Takes " + by + " from " + l.cells(a.Cells)
	default:
		return "Multiplies " + l.cells(a.Cells) + " by " + by
	}
}

// cells names the cells that an amendment changes: "Cookies of Bo", or "Flame of each Dragon with Color Red".
func (l *lens) cells(c amendment.Cells) string {
	column, _ := l.column(c.Table, c.Column)
	name := cmp.Or(column.Title, c.Column) + " of "
	if c.Where == nil {
		return name + l.rowLabel(c.Table, c.Row)
	}
	var with []string
	for _, key := range slices.Sorted(maps.Keys(c.Where)) {
		column, _ := l.column(c.Table, key)
		with = append(with, cmp.Or(column.Title, key)+" "+cmp.Or(l.text(column, c.Where[key]), "empty"))
	}
	name += "each " + l.tableTitle(c.Table)
	if len(with) > 0 {
		name += " with " + strings.Join(with, " and ")
	}
	return name
}

// keyed names the person with an identity's key.
func (l *lens) keyed(key string) string {
	if id := l.w.PersonOf(key); id != 0 {
		return l.name(id)
	}
	return "the key " + ledger.Fingerprint(key)
}

func (l *lens) rowLabel(table string, row int64) string {
	return cmp.Or(l.w.Label(table, row), fmt.Sprintf("%s %d", table, row))
}

// tableTitle is what one row of a table is called.
func (l *lens) tableTitle(table string) string {
	l.column("", "") // fills l.titles
	return cmp.Or(l.titles[table], table)
}
