package live

import (
	"cmp"
	"slices"
	"strconv"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// logLimit is how many entries of the log a view carries.
const logLimit = 300

// tracker is all tables as they are, with what is new since a visit marked, and the log.
func (l *lens) tracker(since int64) *view.Tracker {
	v := &view.Tracker{Tables: l.tables(false), Edit: viewOf(l.form("edit"))}
	if since > 0 && !l.past {
		l.markCells(v, since)
	}
	for _, t := range l.w.Tables() {
		if t.Name != gameTable {
			continue
		}
		for i, c := range t.Columns {
			if len(t.Rows) > 0 {
				v.Variables = append(v.Variables, view.Variable{Name: c.Name, Title: cmp.Or(c.Title, c.Name), Text: l.text(c, t.Rows[0].Cells[i].Value), Doc: c.Doc})
			}
		}
	}
	v.Log = l.log()
	return v
}

// tables returns the tables that the rules declare, then people. All columns are
// editable in a proposal.
func (l *lens) tables(proposal bool) []view.Table {
	var out []view.Table
	for _, t := range l.w.Tables() {
		if t.Name == gameTable && !proposal {
			continue
		}
		v := view.Table{Name: t.Name, Title: t.Title, One: t.One}
		order := l.columnOrder(t, proposal)
		for _, i := range order {
			v.Columns = append(v.Columns, l.columnView(t.Columns[i]))
		}
		for _, r := range t.Rows {
			if t.Name == playersTable && l.standing(r.ID) != rules.StandingPlayer {
				continue
			}
			row := view.Row{ID: r.ID, Label: cmp.Or(r.Label, t.One+" "+itoa(r.ID)), Mine: l.mine(t, r)}
			if t.Name == gameTable {
				row.Label = "the game"
			}
			for _, i := range order {
				row.Cells = append(row.Cells, l.cell(t.Columns[i], r.Cells[i]))
			}
			v.Rows = append(v.Rows, row)
		}
		out = append(out, v)
	}
	// What the dynasty is about stands first, then people, and what is empty last.
	slices.SortStableFunc(out, func(a, b view.Table) int { return rank(a) - rank(b) })
	return out
}

// markCells marks what is new, and what is tentative.
func (l *lens) markCells(v *view.Tracker, since int64) {
	v.Since = since
	fresh, unplaced := l.fresh(since), l.unplaced()
	for _, t := range v.Tables {
		for _, r := range t.Rows {
			for i, c := range t.Columns {
				r.Cells[i].Tentative = has(unplaced, t.Name, r.ID, c.Name)
				r.Cells[i].Changed = !r.Cells[i].Tentative && has(fresh, t.Name, r.ID, c.Name)
			}
		}
	}
}

// columnOrder says which columns of a table are shown: those of the dynasty, and then
// those of the core rules.
func (l *lens) columnOrder(t rules.TableView, proposal bool) []int {
	core := l.coreRules()
	var first, last []int
	for i, c := range t.Columns {
		switch {
		case !proposal && hiddenColumn(t, i), proposal && c.Derived:
		case core[c.Rule]:
			last = append(last, i)
		default:
			first = append(first, i)
		}
	}
	return append(first, last...)
}

// hiddenColumn says whether a column of the tracker says nothing new: it repeats what
// the row is called, or is the kernel's own.
func hiddenColumn(t rules.TableView, i int) bool {
	name := t.Columns[i].Name
	if t.Name == playersTable && slices.Contains([]string{"name", "standing", "joined", "acted"}, name) {
		return true
	}
	return name == "name" && !slices.ContainsFunc(t.Rows, func(r rules.RowView) bool { return r.Cells[i].Text != r.Label })
}

func rank(t view.Table) int {
	switch t.Name {
	case playersTable:
		return 1
	case gameTable:
		return 3
	}
	if len(t.Rows) == 0 {
		return 2
	}
	return 0
}

// mine says whether a row is about me: I am it, or it says that I own it.
func (l *lens) mine(t rules.TableView, r rules.RowView) bool {
	if t.Name == playersTable {
		return r.ID == l.me
	}
	for i, c := range t.Columns {
		if c.Name == "owner" && r.Cells[i].Value == l.me {
			return true
		}
	}
	return false
}

func (l *lens) columnView(c rules.ColumnView) view.Column {
	v := view.Column{Name: c.Name, Title: cmp.Or(c.Title, c.Name), Doc: c.Doc, Kind: string(c.Kind), Edit: c.Edit, Derived: c.Derived, Min: c.Min, Max: c.Max}
	for _, s := range c.Choices {
		v.Choices = append(v.Choices, view.Choice{Value: s, Label: cmp.Or(s, "–")})
	}
	if c.Kind == state.Ref {
		v.Choices = append(v.Choices, view.Choice{Label: "nobody"})
		for _, id := range l.w.Rows(c.Table) {
			v.Choices = append(v.Choices, view.Choice{Value: id, Label: cmp.Or(l.w.Label(c.Table, id), itoa(id))})
		}
	}
	return v
}

func (l *lens) cell(c rules.ColumnView, cell rules.CellView) view.Cell {
	v := view.Cell{Text: l.text(c, cell.Value)}
	if c.Derived {
		v.Text = cell.Text
	}
	switch x := cell.Value.(type) {
	case int64:
		if c.Kind == state.Integer || c.Kind == "" {
			v.Number, v.Numeric = x, true
		}
		v.Raw = itoa(x)
	case bool:
		if x {
			v.Raw = "yes"
		}
	case string:
		v.Raw = x
	}
	switch c.Kind {
	case state.Choice:
		v.Raw = strconv.Itoa(max(slices.Index(c.Choices, v.Text), 0))
	case state.Ref:
		v.Raw = "0"
		if id, ok := cell.Value.(int64); ok {
			v.Raw = strconv.Itoa(slices.Index(l.w.Rows(c.Table), id) + 1)
		}
	}
	return v
}

// log is what was done, newest first.
func (l *lens) log() []view.Entry {
	byNumber := map[int64]game.Entry{}
	for _, e := range l.all {
		if e.Outcome != nil {
			byNumber[e.Outcome.Number] = e
		}
	}
	titles := map[string]rules.ActionView{}
	for _, a := range l.acts() {
		titles[a.Name] = a
	}
	log := l.w.Log()
	var out []view.Entry
	for i := len(log) - 1; i >= 0 && len(out) < logLimit; i-- {
		of, known := byNumber[log[i].Number]
		v := l.logEntry(log[i], titles)
		if known {
			l.placed(&v, of)
		}
		out = append(out, v)
	}
	return out
}

// doer names who did something, unless the rules keep that back.
func (l *lens) doer(e rules.Entry) string {
	if e.Kind == rules.EntryAct && e.Player == 0 {
		return "somebody"
	}
	return l.name(e.Player)
}

func (l *lens) logEntry(e rules.Entry, titles map[string]rules.ActionView) view.Entry {
	a, known := titles[e.Action]
	v := view.Entry{Number: e.Number, Ref: itoa(e.Number), Time: e.Time, Who: l.name(e.Player), Action: cmp.Or(a.Title, e.Action),
		Changes: l.changes(e.Changes), Notes: e.Notes}
	switch e.Kind {
	case rules.EntryAct:
		v.Who = l.doer(e)
	case rules.EntryFounding:
		v.Action = "founded the game"
	case rules.EntryKnock:
		v.Action = "came in"
	case rules.EntryTimer:
		v.Who, v.Action = "the clock", e.Action
	case rules.EntryForce, rules.EntryConvention:
		v.Who, v.Action = "a convention", "changed the game"
	}
	if s, ok := e.Args["comment"].(string); ok {
		v.Comment = s
	}
	if post, ok := e.Args["post"].(int64); ok {
		v.About = l.w.Label(postsTable, post)
	}
	if icon, ok := e.Args["icon"].(string); ok {
		v.Icon, v.Glyph = icon, l.icon(icon).Glyph
	}
	if r := e.Refused; r != nil {
		v.Refused, v.RefusedBy = fullReason(r), r.Rule
	}
	v.CanUndo = known && e.Kind == rules.EntryAct && e.Refused == nil && l.stands(e.Changes) && (a.Form == "" || reversible(a.Form))
	return v
}

// stands reports whether changes did nothing but set values, and all of these are still as they were set: nobody has put
// them back or gone on from them. What does not stand is not undone by a press.
func (l *lens) stands(changes []rules.Change) bool {
	type cell struct {
		table, column string
		row           int64
	}
	now := map[cell]state.Value{}
	for _, c := range slices.Backward(changes) {
		at := cell{c.Table, c.Column, c.Row}
		value, later := now[at]
		if !later {
			value, _ = l.w.Cell(c.Table, c.Row, c.Column)
		}
		if c.Op != rules.ChangeSet || !state.Equal(value, c.New) {
			return false
		}
		now[at] = c.Old
	}
	return len(changes) > 0
}

// reversible says whether what a form does is taken back by one press right after it:
// whoever edits by hand, or undoes, may have slipped. Everything else that can be undone
// is undone in the log.
func reversible(form string) bool { return form == "edit" || form == "undo" }

// placed adds what the ledger knows of an entry: its address, its dice with their
// proofs, and whether it has its place yet.
func (l *lens) placed(v *view.Entry, e game.Entry) {
	v.Ref, v.Rolls = refOf(e.Action), rollChips(e)
	if !e.Tentative {
		return
	}
	v.Tentative, v.CanUndo = true, false
	v.Waits = "waits for its place in the game's order"
	if r := e.Outcome.Refused; r != nil && r.Code == rules.CodeWaiting {
		v.Refused, v.RefusedBy = "", ""
		v.Waits = l.diceFall(e)
	}
}
