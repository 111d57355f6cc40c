package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// PartKind says what a part of a board is.
type PartKind string

// The kinds of parts.
const (
	PartText   PartKind = "text"
	PartCard   PartKind = "card"
	PartMeter  PartKind = "meter"
	PartPlace  PartKind = "place"
	PartThread PartKind = "thread"
	PartDeeds  PartKind = "deeds"
)

// PartView is a part of a board; which of the fields count depends on its kind.
type PartView struct {
	Kind  PartKind
	Title string
	Text  string // Markdown
	Card  *CardView
	Meter *MeterView
	// Of a place.
	Shape string // "stack", "row", "grid" or "ladder"
	Until int64  // Unix ms, or 0
	Parts []PartView
	// Of a thread.
	Post int64
	// Of deeds.
	Actions []string
	Fixed   map[string]any
}

// CardView is how something looks.
type CardView struct {
	Table                                string // of the row that it shows; empty if it shows none
	Row                                  int64
	Title, Subtitle, Swatch, Glyph, Text string
	Owner                                int64
	Stats                                []StatGroup
	Meters                               []MeterView
	Parts                                []PartView
	Board                                string // that it opens, or empty
	BoardRow                             int64
}

// StatGroup are values under a heading, which may be empty.
type StatGroup struct {
	Title string
	Stats []Stat
}

// Stat is a value with what it is called.
type Stat struct{ Title, Value string }

// MeterView is a value between two ends.
type MeterView struct {
	Title                string
	Value, Min, Max, Low int64
	Rest                 int64  // thousandths by which the value is more than Value
	Exact                string // the value as it is written, if it is not whole
}

// BoardView is a page that is made of parts.
type BoardView struct {
	Name, Title, Rule string
	Of                string // the table of whose rows each has its own
	Row               int64
	Parts             []PartView
	Problem           string // why it cannot be drawn, or empty
}

// GalleryView are all rows of a table that have a card.
type GalleryView struct {
	Table, Title, Rule string
	Cards              []PartView
	Problem            string
}

// Boards returns the boards that there are, without their parts.
func (w *World) Boards() []BoardView {
	var out []BoardView
	for _, b := range w.decl.Boards {
		out = append(out, BoardView{Name: b.Name, Title: w.expandWords(b.Title), Rule: w.expandWords(b.Rule), Of: b.Of})
	}
	return out
}

// Galleries returns the tables whose rows have cards, without the cards.
func (w *World) Galleries() []GalleryView {
	var out []GalleryView
	for _, c := range w.decl.Cards {
		out = append(out, GalleryView{Table: c.Table, Title: w.expandWords(c.Title), Rule: w.expandWords(c.Rule)})
	}
	return out
}

// Gallery returns the newest cards of a table, and reports whether its rows have cards. Of players it is
// all who play, in the order in which they came.
func (w *World) Gallery(table string) (GalleryView, bool) {
	c := w.decl.Card(table)
	if c == nil {
		return GalleryView{}, false
	}
	v := GalleryView{Table: c.Table, Title: w.expandWords(c.Title), Rule: w.expandWords(c.Rule)}
	ids := w.Rows(table)
	if table == tablePlayers {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return !w.Plays(id) })
		slices.Reverse(ids)
	}
	var rows []starlark.Value
	for i := len(ids) - 1; i >= 0 && len(rows) < MaxParts/2; i-- {
		rows = append(rows, &row{w: w, table: table, id: ids[i]})
	}
	v.Cards, v.Problem = w.draw(func() (starlark.Value, error) { return starlark.NewList(rows), nil })
	return v, true
}

// Board draws a board as somebody finds it now, and reports whether there is such a one. The row is
// that of a board which each row of a table has; without it all of these are shown by their cards.
func (w *World) Board(name string, id, player int64) (BoardView, bool) {
	for _, b := range w.decl.Boards {
		if b.Name != name {
			continue
		}
		v := BoardView{Name: b.Name, Title: w.expandWords(b.Title), Rule: w.expandWords(b.Rule), Of: b.Of, Row: id}
		var me starlark.Value = starlark.None
		if w.state.Has(tablePlayers, player) {
			me = &row{w: w, table: tablePlayers, id: player}
		}
		switch {
		case b.Of == "":
			v.Parts, v.Problem = w.draw(func() (starlark.Value, error) { return w.look(b.Fn, nil, me) })
		case id != 0 && !w.state.Has(b.Of, id):
			return BoardView{}, false
		case id != 0:
			on := &row{w: w, table: b.Of, id: id}
			v.Title = w.label(b.Of, id)
			v.Parts, v.Problem = w.draw(func() (starlark.Value, error) { return w.look(b.Fn, nil, on, me) })
		default:
			g, _ := w.Gallery(b.Of)
			v.Parts, v.Problem = g.Cards, g.Problem
		}
		return v, true
	}
	return BoardView{}, false
}

// draw works out parts within one budget, or tells why it cannot.
func (w *World) draw(of func() (starlark.Value, error)) (parts []PartView, problem string) {
	w.tryOn(sandbox.NewMeter(sandbox.PageBudget), func(*run) {
		v, err := of()
		if err == nil {
			d := &drawing{w: w}
			parts, err = d.all(v)
		}
		if err != nil {
			parts, problem = nil, refuse(err, "").Error()
		}
	})
	return parts, problem
}

// drawing is a board that is being worked out. The same part may stand in many places, so
// what comes out is counted.
type drawing struct {
	w     *World
	parts int
	bytes int
}

// all reads what a function that draws returned: a part, or a list of them.
func (d *drawing) all(v starlark.Value) ([]PartView, error) {
	list, ok := v.(*starlark.List)
	if !ok {
		p, err := d.part(v, 0)
		return []PartView{p}, err
	}
	var values []starlark.Value
	for e := range starlark.Elements(list) {
		values = append(values, e)
	}
	return d.list(values, 0)
}

func (d *drawing) list(values []starlark.Value, depth int) ([]PartView, error) {
	var out []PartView
	for _, v := range values {
		p, err := d.part(v, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// words takes a text into the drawing.
func (d *drawing) words(s string) string {
	s = d.w.expandWords(convert.Mend(s))
	d.bytes += len(s)
	return s
}

func (d *drawing) part(v starlark.Value, depth int) (PartView, error) {
	if d.parts++; d.parts > MaxParts {
		return PartView{}, &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a page may have %d parts", MaxParts)}
	}
	if depth > MaxPartDepth {
		return PartView{}, &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("parts may stand in each other %d deep", MaxPartDepth)}
	}
	out, err := d.plain(v, depth)
	if err == nil && d.bytes > MaxPageText {
		err = &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a page may have %d bytes of text", MaxPageText)}
	}
	return out, err
}

func (d *drawing) plain(v starlark.Value, depth int) (PartView, error) {
	switch v := v.(type) {
	case starlark.String:
		return PartView{Kind: PartText, Text: d.words(string(v))}, nil
	case *row:
		return d.row(v, depth)
	case *part:
		return d.made(v, depth)
	}
	return PartView{}, fmt.Errorf("a page is made of rows, texts, face(), meter(), place(), thread() and deeds(), not of %s", v.Type())
}

// row draws a row by the card of its table.
func (d *drawing) row(r *row, depth int) (PartView, error) {
	w := d.w
	decl := w.decl.Card(r.table)
	if decl == nil {
		return PartView{Kind: PartCard, Card: &CardView{Table: r.table, Row: r.id, Title: d.words(r.String())}}, nil
	}
	v, err := w.look(decl.Fn, nil, r)
	if err != nil {
		return PartView{}, err
	}
	face, ok := v.(*part)
	if !ok || face.kind != PartCard {
		return PartView{}, &Refusal{Code: CodeScript, Rule: decl.Rule, Reason: fmt.Sprintf("the card of %s must be a face(), not %s", r.table, v.Type())}
	}
	out, err := d.made(face, depth)
	if err != nil {
		return PartView{}, err
	}
	out.Card.Table, out.Card.Row = r.table, r.id
	if face.row == nil {
		out.Card.Board, out.Card.BoardRow = w.boardOf(r)
	}
	return out, nil
}

// boardOf returns the board that a row has of its own, or "".
func (w *World) boardOf(r *row) (string, int64) {
	for _, b := range w.decl.Boards {
		if b.Of == r.table {
			return b.Name, r.id
		}
	}
	return "", 0
}

func (d *drawing) made(p *part, depth int) (PartView, error) {
	var err error
	out := PartView{Kind: p.kind, Title: d.words(p.title), Shape: p.shape, Until: p.until, Meter: p.meter, Actions: p.actions, Fixed: p.fixed}
	switch p.kind {
	case PartMeter:
		m := d.meter(*p.meter)
		out.Meter = &m
	case PartThread:
		out.Post = p.row.id
		if !d.w.state.Has(tablePosts, out.Post) {
			return out, fmt.Errorf("the post of a thread is gone")
		}
	case PartPlace:
		out.Parts, err = d.list(p.parts, depth+1)
	case PartCard:
		c := *p.card
		c.Title, c.Subtitle, c.Swatch, c.Glyph, c.Text = d.words(c.Title), d.words(c.Subtitle), d.words(c.Swatch), d.words(c.Glyph), d.words(c.Text)
		c.Stats, c.Meters = nil, nil
		for _, g := range p.card.Stats {
			shown := StatGroup{Title: d.words(g.Title)}
			for _, s := range g.Stats {
				shown.Stats = append(shown.Stats, Stat{d.words(s.Title), d.words(s.Value)})
			}
			c.Stats = append(c.Stats, shown)
		}
		for _, m := range p.card.Meters {
			c.Meters = append(c.Meters, d.meter(m))
		}
		if p.row != nil {
			c.Board, c.BoardRow = d.w.boardOf(p.row)
		}
		c.Parts, err = d.list(p.parts, depth+1)
		out.Card = &c
	}
	return out, err
}

func (d *drawing) meter(m MeterView) MeterView {
	m.Title = d.words(m.Title)
	return m
}

// Fill returns how far a meter is filled, in thousandths.
func (m MeterView) Fill() int64 {
	value := min(max(m.Value, m.Min), m.Max)
	// The ends may lie so far apart that their distance has no 64 bits: halves have.
	span := m.Max/2 - m.Min/2
	if span < 1000 {
		if value < m.Max && value == m.Value {
			return ((value-m.Min)*1000 + m.Rest) / (m.Max - m.Min)
		}
		return (value - m.Min) * 1000 / (m.Max - m.Min)
	}
	return min((value/2-m.Min/2)/(span/1000), 1000)
}
