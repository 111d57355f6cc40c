// Package amendment is what a proposal can change: a closed set of typed operations, and the form in which scripts,
// posts and the log hold them.
//
// That form is a map with the operation's name under "op" and its parts by their names, such as
//
//	{"op": "repeal", "rule": "Taxes"}
//
// [Decode] is the only reader of this form and [Encode] its only writer. Package rules carries amendments out. This
// package knows no world: that an amendment decodes does not mean that there is such a rule or row.
package amendment

import (
	"strconv"

	"peernomic/engine/state"
)

// Amendment is one change that a proposal carries. It is one of the types of this package.
type Amendment interface {
	// Op is the operation's name in scripts.
	Op() string
	// parts are the amendment's parts, each with the place that it is decoded to and encoded from.
	parts() []part
}

// Ref names a rule or a section: by its title, if that is not empty, or else by a number. A rule's title is as it is
// written or as it reads, and its number is its row's id. Sections are numbered from 1.
type Ref struct {
	Title  string
	Number int64
}

// String is the name as an error has it.
func (r Ref) String() string {
	if r.Title == "" && r.Number != 0 {
		return strconv.FormatInt(r.Number, 10)
	}
	return strconv.Quote(r.Title)
}

// Place is where a rule is to stand: below the rule Parent or, if that is empty, at the top of a section. It comes
// behind its sibling After, or last if that is empty.
type Place struct {
	Section       Ref
	Parent, After string // titles of rules
}

// Cells are cells of one column: that of one row or, if Where is not nil, those of all rows that fit it.
type Cells struct {
	Table  string
	Row    int64
	Where  map[string]any // what a row has in other columns, by column; empty for every row
	Column string
}

// The operations.
type (
	// Enact adds a rule.
	Enact struct {
		Place
		Text string // the rule's document
	}
	// Amend changes a rule as its text changes an earlier one of the rule's.
	Amend struct {
		Rule Ref
		Base string // fingerprint of that earlier text
		Text string // the rule's document
	}
	// Replace replaces words of a rule's text as it is when the amendment is carried out. They must stand there once.
	Replace struct {
		Rule     Ref
		Old, New string
	}
	// Repeal takes a rule out, with those below it.
	Repeal struct{ Rule Ref }
	// Move puts a rule elsewhere, with those below it.
	Move struct {
		Rule Ref
		Place
	}
	// Set writes cells.
	Set struct {
		Cells
		Value state.Value
	}
	// Adjust changes numbers by what they are when the amendment is carried out. Its operation is How.
	Adjust struct {
		How string // "gain", "lose" or "multiply"
		Cells
		By state.Value // a number
	}
	// Create makes a row of a table that a rule declares.
	Create struct {
		Table  string
		Values map[string]any // by column
	}
	// Remove takes such a row out.
	Remove struct {
		Table string
		Row   int64
	}
	// Keyword changes this game's word for a thing.
	Keyword struct {
		Key       string // "Player"
		One, Many string // an empty Many is One with an s
	}
	// Measure carries out what a rule declares with measure().
	Measure struct {
		Name string
		Args map[string]any // by parameter
	}
	// Seat gives a seat to another identity. Only a convention carries it out.
	Seat struct{ From, To string } // identities, in hexadecimal
)

// blank returns an amendment of each operation without parts, in the order in which people are told of them.
func blank() []Amendment {
	return []Amendment{&Enact{}, &Amend{}, &Replace{}, &Repeal{}, &Move{}, &Set{}, &Adjust{How: "gain"}, &Adjust{How: "lose"}, &Adjust{How: "multiply"},
		&Create{}, &Remove{}, &Keyword{}, &Measure{}, &Seat{}}
}

func (*Enact) Op() string    { return "enact" }
func (*Amend) Op() string    { return "amend" }
func (*Replace) Op() string  { return "replace" }
func (*Repeal) Op() string   { return "repeal" }
func (*Move) Op() string     { return "move" }
func (*Set) Op() string      { return "set" }
func (a *Adjust) Op() string { return a.How }
func (*Create) Op() string   { return "create" }
func (*Remove) Op() string   { return "remove" }
func (*Keyword) Op() string  { return "keyword" }
func (*Measure) Op() string  { return "measure" }
func (*Seat) Op() string     { return "seat" }

func (p *Place) parts() []part {
	return []part{{"section", &p.Section}, {"parent", &p.Parent}, {"after", &p.After}}
}

func (a *Enact) parts() []part { return append(a.Place.parts(), part{"text", &a.Text}) }
func (a *Amend) parts() []part {
	return []part{{"rule", &a.Rule}, {"base", &a.Base}, {"text", &a.Text}}
}
func (a *Replace) parts() []part { return []part{{"rule", &a.Rule}, {"old", &a.Old}, {"new", &a.New}} }
func (a *Repeal) parts() []part  { return []part{{"rule", &a.Rule}} }
func (a *Move) parts() []part    { return append(a.Place.parts(), part{"rule", &a.Rule}) }
func (c *Cells) parts() []part {
	return []part{{"table", &c.Table}, {"row", &c.Row}, {"where", &c.Where}, {"column", &c.Column}}
}
func (a *Set) parts() []part     { return append(a.Cells.parts(), part{"value", &a.Value}) }
func (a *Adjust) parts() []part  { return append(a.Cells.parts(), part{"by", &a.By}) }
func (a *Create) parts() []part  { return []part{{"table", &a.Table}, {"values", &a.Values}} }
func (a *Remove) parts() []part  { return []part{{"table", &a.Table}, {"row", &a.Row}} }
func (a *Keyword) parts() []part { return []part{{"key", &a.Key}, {"one", &a.One}, {"many", &a.Many}} }
func (a *Measure) parts() []part { return []part{{"name", &a.Name}, {"args", &a.Args}} }
func (a *Seat) parts() []part    { return []part{{"from", &a.From}, {"to", &a.To}} }
