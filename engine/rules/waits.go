package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// WaitView is something that waits for somebody.
type WaitView struct {
	Title, Text string
	Rule        string // that says so
	Until       int64  // Unix ms, or 0
	Board       string // where it is done, or empty
	BoardRow    int64
	Holds       bool // the game stands still until then
}

// due is what due() returns: a [WaitView] before its words are filled in. It does not change.
type due struct {
	title, text string
	until       int64
	on          starlark.Value // a row, the name of a board, or None
	holds       bool
}

func (d *due) String() string        { return d.title }
func (d *due) Type() string          { return "due" }
func (d *due) Freeze()               {}
func (d *due) Truth() starlark.Bool  { return true }
func (d *due) Hash() (uint32, error) { return 0, fmt.Errorf("what is due cannot be a key") }

func makeDue(call *sandbox.Invocation) (starlark.Value, error) {
	d := &due{on: starlark.None}
	var until starlark.Value = starlark.None
	if err := call.Unpack("title", &d.title, "text?", &d.text, "until?", &until, "on?", &d.on, "holds?", &d.holds); err != nil {
		return nil, err
	}
	if d.title == "" || len(d.title) > MaxLabel || len(d.text) > MaxQuestion {
		return nil, call.Wrong("a title of at most %d bytes is needed, and the text may have %d", MaxLabel, MaxQuestion)
	}
	switch d.on.(type) {
	case starlark.NoneType, starlark.String, *row:
	default:
		return nil, call.Wrong("on is a row or the name of a board, not %s", d.on.Type())
	}
	var err error
	if until != starlark.None {
		if d.until, err = convert.Int64(until); err != nil {
			return nil, call.Wrong("until: %w", err)
		}
	}
	return d, nil
}

// Waits returns what waits for somebody, in the rules' order. The problem tells why one of the
// rules cannot say; it is empty if all can.
func (w *World) Waits(player int64) (waits []WaitView, problem string) {
	for _, h := range w.decl.Waits {
		w.tryOn(sandbox.NewMeter(sandbox.PageBudget), func(*run) {
			some, err := w.waitsBy(h, player)
			waits = append(waits, some...)
			if err != nil {
				r := refuse(err, h.Rule)
				if r.Line == 0 { // what was returned is wrong
					r.Rule, r.Line = h.Rule, h.Line
				}
				problem = r.Error()
			}
		})
	}
	return waits, problem
}

// waitsBy returns what waits for somebody by one rule.
func (w *World) waitsBy(h declare.Hook, player int64) ([]WaitView, error) {
	v, err := w.look(h.Fn, nil, &row{w: w, table: tablePlayers, id: player})
	if err != nil {
		return nil, err
	}
	list, ok := v.(*starlark.List)
	if !ok || list.Len() > MaxDecisionsEach {
		return nil, fmt.Errorf("waits: a list of at most %d due() is needed", MaxDecisionsEach)
	}
	var out []WaitView
	for e := range starlark.Elements(list) {
		d, ok := e.(*due)
		if !ok {
			return nil, fmt.Errorf("waits: a list of due() is needed, and there is a %s in it", e.Type())
		}
		view := WaitView{Title: w.expandWords(convert.Mend(d.title)), Text: w.expandWords(convert.Mend(d.text)), Rule: w.expandWords(h.Rule), Until: d.until, Holds: d.holds}
		switch on := d.on.(type) {
		case *row:
			view.Board, view.BoardRow = w.boardOf(on)
		case starlark.String:
			view.Board = string(on)
			if !slices.ContainsFunc(w.decl.Boards, func(b *declare.Board) bool { return b.Name == view.Board }) {
				return nil, fmt.Errorf("waits: there is no board %q", view.Board)
			}
		}
		out = append(out, view)
	}
	return out, nil
}
