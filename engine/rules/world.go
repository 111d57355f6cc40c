package rules

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// World is a game at one moment: the rules in force, the gamestate, and the log
// of what led there. [Found] makes one. It is not safe for concurrent use.
//
// Invariants: decl is what the rules in the state declare. Outside of a call, run is nil, and everything since the last
// [World.Commit] can be taken back by [World.Revert]. Digest depends on state and log alone: whatever else is here
// follows from them, or is a cache.
type World struct {
	name, summary string // of the founding ruleset
	options       map[string]string
	founded       int64
	now           int64

	state    *state.State // set by keep
	people   people
	decl     *declare.Declarations
	earlier  int64    // entries of earlier chapters, which are not held
	log      []Entry  // those after them
	logHash  [32]byte // of all
	run      *run
	programs map[string]*sandbox.Program // a cache: what a text compiles to never changes

	predeclared starlark.StringDict
}

// Mark is a point to which a world can be reverted.
type Mark struct{ state state.Mark }

// Mark returns the present point.
func (w *World) Mark() Mark { return Mark{w.state.Mark()} }

// Revert takes back everything since the mark.
func (w *World) Revert(m Mark) { w.state.Revert(m.state) }

// Commit makes what was done final: marks taken so far must not be used any more.
func (w *World) Commit() { w.state.Forget() }

// Digest returns a hash of rules, gamestate and log. Two replicas have the same
// one exactly if they look at the same game.
func (w *World) Digest() [32]byte {
	d := w.state.Digest()
	return wire.Digest("peernomic/world/v1", d[:], w.logHash[:])
}

// Now returns the time of the newest thing that happened, Unix ms.
func (w *World) Now() int64 { return w.now }

// Name returns the name of the founding ruleset.
func (w *World) Name() string { return w.name }

// cells are values for several columns of one row.
type cells map[string]state.Value

// setAll writes cells of the kernel's tables, without log or events.
func (w *World) setAll(table string, id int64, c cells) error {
	for name, v := range c { // the order does not show: each cell is its own
		if err := w.state.Set(table, id, name, v); err != nil {
			return err
		}
	}
	return nil
}

// newRow makes a row of a kernel's table, without log or events.
func (w *World) newRow(table string, c cells) (int64, error) {
	id, err := w.state.Create(table)
	if err != nil {
		return 0, err
	}
	return id, w.setAll(table, id, c)
}

// index returns the first row of a table for which ok holds, or 0.
func (w *World) index(table string, ok func(id int64) bool) int64 {
	rows := w.state.Rows(table)
	if i := slices.IndexFunc(rows, ok); i >= 0 {
		return rows[i]
	}
	return 0
}

func (w *World) int(table string, id int64, column string) int64 {
	v, _ := w.state.Get(table, id, column)
	i, _ := v.(int64)
	return i
}

func (w *World) text(table string, id int64, column string) string {
	v, _ := w.state.Get(table, id, column)
	s, _ := v.(string)
	return s
}

func (w *World) setNow(t int64) {
	before := w.now
	w.now = t
	w.state.OnRevert(func() { w.now = before })
}

// label names a row for people.
func (w *World) label(table string, id int64) string {
	if !w.state.Has(table, id) {
		return ""
	}
	switch table {
	case tablePlayers:
		return w.text(table, id, "name")
	case tablePosts, tableRules, tableSections:
		return w.expandWords(w.text(table, id, "title"))
	case tableDecisions:
		return w.expandWords(w.text(table, id, "question"))
	}
	t := w.decl.Tables[table]
	if t == nil {
		return ""
	}
	if t.Label != nil {
		v, err := w.look(t.Label, nil, &row{w: w, table: table, id: id})
		if s, ok := starlark.AsString(v); err == nil && ok {
			return s
		}
		return ""
	}
	if t.Column("name") != nil {
		return w.text(table, id, "name")
	}
	return ""
}

// expandWords fills the {{Key}} and {{Keys}} of a text with this game's words.
func (w *World) expandWords(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	return document.Expand(text, w.word)
}

// word returns this game's word for a key such as Player, or Players.
func (w *World) word(key string) (string, bool) {
	for _, id := range w.state.Rows(tableKeywords) {
		switch k := w.text(tableKeywords, id, "key"); key {
		case k:
			return w.text(tableKeywords, id, "one"), true
		case k + "s":
			return w.text(tableKeywords, id, "many"), true
		}
	}
	for _, k := range w.decl.Keywords {
		switch key {
		case k.Key:
			return k.One, true
		case k.Key + "s":
			return k.Many, true
		}
	}
	return "", false
}
