package rules

import (
	"slices"
	"strings"

	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// try runs fn in a transaction of its own that leaves nothing behind.
func (w *World) try(fn func(*run)) { w.tryOn(sandbox.NewMeter(sandbox.LookBudget), fn) }

func (w *World) tryOn(m *sandbox.Meter, fn func(*run)) {
	r := &run{w: w, time: w.now, readOnly: true, meter: m}
	mark := w.state.Mark()
	w.run = r
	fn(r)
	w.run = nil
	w.state.Revert(mark)
}

// PlayerView is a person.
type PlayerView struct {
	ID             int64
	Key            string // identity, hex
	Name, Standing string
	Entity         bool // no person: only rules act for it
	Joined, Acted  int64
}

// Players returns everybody who ever made themselves known, by id.
func (w *World) Players() []PlayerView {
	var out []PlayerView
	for _, id := range w.state.Rows(tablePlayers) {
		out = append(out, PlayerView{
			ID: id, Key: w.text(tablePlayers, id, "key"), Name: w.text(tablePlayers, id, "name"), Standing: w.text(tablePlayers, id, "standing"),
			Entity: w.isEntity(id), Joined: w.int(tablePlayers, id, "joined"), Acted: w.int(tablePlayers, id, "acted"),
		})
	}
	return out
}

func (w *World) isEntity(player int64) bool { return w.text(tablePlayers, player, "entity") != "" }

// RowNamed returns the row of a table that people call by this name, or 0.
func (w *World) RowNamed(table, name string) int64 {
	want := confusable.Fold(name)
	return w.index(table, func(id int64) bool { return confusable.Fold(w.label(table, id)) == want })
}

// FindRow returns the first row of a table whose cells equal the values, or 0.
func (w *World) FindRow(table string, equal map[string]any) int64 {
	return w.index(table, func(id int64) bool {
		for name, want := range equal { // all must hold, in whatever order
			if got, ok := w.Cell(table, id, name); !ok || !state.Equal(got, want) {
				return false
			}
		}
		return true
	})
}

// Cell returns what a cell holds, derived ones included, and reports whether
// there is such a cell. Rows are given by their ids.
func (w *World) Cell(table string, id int64, name string) (state.Value, bool) {
	decl := w.decl.Tables[table]
	if decl == nil || !w.state.Has(table, id) {
		return nil, false
	}
	if c := decl.Column(name); c != nil {
		return w.cell(table, id, c), true
	}
	if d := decl.Derivation(name); d != nil {
		v, err := w.derive(d, &row{w: w, table: table, id: id})
		if err != nil {
			return nil, true
		}
		plain, err := convert.Plain(v)
		return plain, err == nil
	}
	return nil, false
}

// GameCell returns a game variable.
func (w *World) GameCell(name string) (state.Value, bool) { return w.Cell(tableGame, gameRow, name) }

// Witnesses returns how many other players' devices a roll waits for: the k of the dice mode
// witnessed(k), or 0 for the mode beacon (engine/dice/SPEC.md, clause 3.3).
func (w *World) Witnesses() int {
	return int(w.int(tableGame, gameRow, "witnesses"))
}

// Plays reports whether a person is a player, idle or not.
func (w *World) Plays(person int64) bool {
	return w.text(tablePlayers, person, "standing") == StandingPlayer
}

// Rows returns the ids of a table's rows.
func (w *World) Rows(table string) []int64 { return slices.Clone(w.state.Rows(table)) }

// Label names a row for people.
func (w *World) Label(table string, id int64) string { return w.label(table, id) }

// show writes a value for people.
func (w *World) show(v state.Value, t state.Type) string {
	if t.Kind == state.Secret && v != nil {
		return "sealed"
	}
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case int64:
		switch t.Kind {
		case state.Ref:
			return w.label(t.Table, v)
		case state.Moment:
			return calendar.Clock(v)
		}
	case string:
		return w.expandWords(v)
	}
	return strings.TrimSpace(convert.Starlark(v).String())
}

// ColumnView is a column of a table.
type ColumnView struct {
	Name, Title, Doc, Rule string
	Kind                   state.Kind
	Table                  string
	Choices                []string
	Min, Max               *int64
	Edit, Derived          bool
}

// CellView is a cell with its value written for people.
type CellView struct {
	Value state.Value
	Text  string
}

// RowView is a row of a table.
type RowView struct {
	ID    int64
	Label string
	Cells []CellView // as the table's columns
}

// TableView is a table of the tracker.
type TableView struct {
	Name, Title, One, Rule string
	Columns                []ColumnView
	Rows                   []RowView
}

// Tables returns the tables that the tracker shows: game variables, players, and those
// that the rules declare.
func (w *World) Tables() []TableView {
	var out []TableView
	for _, name := range w.decl.TableOrder {
		t := w.decl.Tables[name]
		if t.Hidden {
			continue
		}
		v := TableView{Name: name, Title: w.expandWords(t.Title), One: w.expandWords(t.One), Rule: w.expandWords(t.Rule)}
		if name == tablePlayers {
			v.Title, _ = w.wordOr("Players", v.Title)
			v.One, _ = w.wordOr("Player", v.One)
		}
		for _, c := range t.Columns {
			if c.Hidden || c.Computed {
				continue
			}
			typ, err := w.resolveType(c.Type)
			if err != nil {
				typ = c.Type.Plain
			}
			v.Columns = append(v.Columns, ColumnView{Name: c.Name, Title: w.expandWords(c.Title), Doc: w.expandWords(c.Doc), Rule: w.expandWords(c.Rule), Kind: typ.Kind, Table: typ.Table,
				Choices: typ.Choices, Min: typ.Min, Max: typ.Max, Edit: c.Edit})
		}
		for _, d := range t.Derived {
			v.Columns = append(v.Columns, ColumnView{Name: d.Name, Title: w.expandWords(d.Title), Rule: w.expandWords(d.Rule), Derived: true})
		}
		for _, id := range w.state.Rows(name) {
			r := RowView{ID: id, Label: w.label(name, id)}
			for _, c := range v.Columns {
				r.Cells = append(r.Cells, w.cellView(name, id, c))
			}
			v.Rows = append(v.Rows, r)
		}
		out = append(out, v)
	}
	return out
}

func (w *World) wordOr(key, otherwise string) (string, bool) {
	if v, ok := w.word(key); ok {
		return v, true
	}
	return otherwise, false
}

func (w *World) cellView(table string, id int64, c ColumnView) CellView {
	if c.Derived {
		v, err := w.derive(w.decl.Tables[table].Derivation(c.Name), &row{w: w, table: table, id: id})
		if err != nil {
			return CellView{Text: "?"}
		}
		if r, ok := v.(*row); ok {
			return CellView{r.id, w.label(r.table, r.id)}
		}
		plain, err := convert.Plain(v)
		if err != nil {
			return CellView{Text: "?"}
		}
		return CellView{plain, w.show(plain, state.Type{})}
	}
	v := w.cell(table, id, w.decl.Tables[table].Column(c.Name))
	return CellView{v, w.show(v, state.Type{Kind: c.Kind, Table: c.Table})}
}

// OptionView is a choice of the founder's.
type OptionView struct{ Name, Initial, Help string }

// Options returns what the founder could choose.
func (w *World) Options() []OptionView {
	var out []OptionView
	for _, o := range w.decl.Options {
		out = append(out, OptionView{o.Name, o.Initial, w.expandWords(o.Help)})
	}
	return out
}
