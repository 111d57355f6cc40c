// Package declare is what rules say that there is: tables and columns, actions, events, pages and the rest. From it the
// app draws its forms and tables, and the kernel knows what to call.
//
// A thread that loads a rule's script declares for that rule (see [Declarations.Begin]) by the [Functions] and the [Types] of
// this package. They look at nothing but their arguments and what was declared before, so that loading the same rules
// always gives the same declarations. Package rules makes a game of them.
package declare

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
)

// Declarations is everything that the rules in force declare. It is made anew whenever a rule changes, and does not change
// once all rules are loaded.
//
// Names are unique within their kind: an action, a table or a column has one declaration. Lists are in the order of the
// rules, and a map is only read by key or in the order of its keys, so that all replicas ask rules in the same order.
type Declarations struct {
	Tables     map[string]*Table
	TableOrder []string // the kernel's tables first
	Actions    []*Action
	Measures   map[string]*Measure
	Gates      []Hook            // asked before every action
	Events     map[string][]Hook // by event
	Changes    map[string][]Hook // by "table.column"
	Handlers   map[string]Hook   // by the name that timers and decisions keep
	Matters    map[string]Hook   // by category
	Categories []*Category
	Icons      []*Icon
	Dice       map[string][]string // dice words; "DICE" has none of its own
	Pages      []*Page
	Cards      []*Card
	Boards     []*Board
	Lives      map[string]Hook // texts in prose, by placeholder
	Closings   map[string]Hook // by the title of the rule above
	Recognise  []Hook          // what changes are taken for
	Waits      []Hook          // what waits for somebody
	Keywords   []*Keyword
	Options    []*Option
	Entities   []*Entity
	Answers    map[string][]Hook // by question
}

// The tables of the kernel that rules add columns and variables to.
const (
	PlayersTable = "players"
	GameTable    = "game"
)

// ActionDecide is the action of the kernel that answers what a rule put before somebody with offer(). Rules cannot declare
// one of this name.
const ActionDecide = "Decide"

// Origin is where something is declared.
type Origin struct {
	Rule string // title; empty for the kernel's own
	Line int    // of the rule's document, from 1
}

// Hook is a function of a rule that the kernel calls. Fn is frozen: it holds no state between calls.
type Hook struct {
	Fn starlark.Callable
	Origin
}

// Action is something that people can do. Its functions may be nil, except Run.
type Action struct {
	Name, Title, Group, Help, Dice, Form string
	Origin
	Run     starlark.Callable // run(me, **params)
	Who     starlark.Value    // "player", "anyone" or a function of me
	Guard   starlark.Callable // guard(me) returns None or why it is closed
	Private starlark.Callable // asked on the acting device only, with secrets as they were said
	// Discreet tells, of me and the parameters, whether the log names nobody; nil if it always names who acts.
	Discreet starlark.Callable
	Params   []*Param
	Every    *Cadence // nil if it is as often as one likes
}

// Param is what an action or a measure asks for.
type Param struct {
	Name, Label, Help string
	Type              *Type
	Initial           starlark.Value    // a value, a function of me, or nil
	Choices           starlark.Callable // of me: what a form offers; nil if it offers all that the type takes
	Optional          bool
}

// Measure is something that only an enacted proposal can do.
type Measure struct {
	Name, Help string
	Origin
	Run, Check starlark.Callable
	Params     []*Param
}

// Category is a kind of post. Comments on its posts carry the Icons, named; none if the list is empty.
type Category struct {
	Name, Title string
	Official    bool
	Icons       []string
	Origin
}

// Icon is a mark that a comment can carry.
type Icon struct {
	Name, Glyph, Title string
	Origin
}

// Page is a page whose text the hook returns, as Markdown.
type Page struct {
	Name, Title string
	Hook
}

// Card says how the rows of a table look.
type Card struct {
	Table, Title string
	Hook
}

// Board is a page that is made of cards and other parts.
type Board struct {
	Name, Title string
	Of          string // the table of whose rows each has its own, or empty
	Hook
}

// Entity is somebody who counts as a player and is no person: no key acts as it.
type Entity struct {
	Name string
	Origin
}

// Keyword is this game's word for a thing, until an amendment changes it.
type Keyword struct {
	Key, One, Many string
	Origin
}

// Option is a choice of the founder's.
type Option struct {
	Name, Help, Initial string
	Origin
}

// New returns declarations of the kernel's tables alone.
func New(kernel []*Table) *Declarations {
	d := &Declarations{
		Tables:   map[string]*Table{},
		Measures: map[string]*Measure{},
		Events:   map[string][]Hook{},
		Changes:  map[string][]Hook{},
		Handlers: map[string]Hook{},
		Matters:  map[string]Hook{},
		Dice:     map[string][]string{},
		Lives:    map[string]Hook{},
		Closings: map[string]Hook{},
		Answers:  map[string][]Hook{},
	}
	for _, t := range kernel {
		d.Tables[t.Name] = t
		d.TableOrder = append(d.TableOrder, t.Name)
	}
	return d
}

// Action returns the action with a name, or nil.
func (d *Declarations) Action(name string) *Action {
	for _, a := range d.Actions {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Card returns how the rows of a table look, or nil.
func (d *Declarations) Card(table string) *Card {
	for _, c := range d.Cards {
		if c.Table == table {
			return c
		}
	}
	return nil
}

// CheckTables reports a column or parameter that refers to a table that no rule declares.
func (d *Declarations) CheckTables() error {
	check := func(at Origin, name string, t *Type) error {
		if t.Plain.Kind == state.Ref && d.Tables[t.Plain.Table] == nil {
			return &document.Problem{Rule: at.Rule, Line: at.Line, Message: fmt.Sprintf("%s refers to the table %q, which no rule declares", name, t.Plain.Table)}
		}
		return nil
	}
	for _, table := range d.TableOrder {
		for _, c := range d.Tables[table].Columns {
			if err := check(c.Origin, c.Name, c.Type); err != nil {
				return err
			}
		}
	}
	for _, a := range d.Actions {
		for _, p := range a.Params {
			if err := check(a.Origin, a.Name+": "+p.Name, p.Type); err != nil {
				return err
			}
		}
	}
	return nil
}
