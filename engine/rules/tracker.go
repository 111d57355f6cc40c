package rules

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/state"
)

func runEdit(call *invocation) (starlark.Value, error) {
	var on *row
	var name, comment string
	var value starlark.Value
	if err := call.Unpack("row", &on, "column", &name, "value", &value, "comment?", &comment); err != nil {
		return nil, err
	}
	decl := call.w.decl.Tables[on.table]
	if decl == nil || decl.Column(name) == nil {
		return nil, &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("there is no column %s in %s", name, on.table)}
	}
	c := decl.Column(name)
	if !c.Edit {
		return nil, &Refusal{Code: CodeClosed, Rule: c.Rule, Reason: fmt.Sprintf("%s is not changed by hand", call.w.expandWords(c.Title))}
	}
	plain, err := convert.Plain(value)
	if err != nil {
		return nil, err
	}
	if err := call.setCell(on.table, on.id, c, plain); err != nil {
		return nil, err
	}
	return call.rollWords(comment)
}

func runUndo(call *invocation) (starlark.Value, error) {
	var number int64
	if err := call.Unpack("entry", &number); err != nil {
		return nil, err
	}
	e, err := call.w.entry(number)
	if err != nil {
		return nil, err
	}
	undone := 0
	for _, c := range slices.Backward(e.Changes) {
		decl := call.w.decl.Tables[c.Table]
		if decl == nil || c.Op != ChangeSet || decl.Column(c.Column) == nil || !call.w.state.Has(c.Table, c.Row) {
			return nil, &Refusal{Code: CodeRefused, Reason: fmt.Sprintf("entry %d did more than set values: it cannot be undone by a click", number)}
		}
		column := decl.Column(c.Column)
		if !state.Equal(call.w.cell(c.Table, c.Row, column), c.New) {
			return nil, &Refusal{Code: CodeRefused, Reason: fmt.Sprintf("%s of %s has changed since entry %d", call.w.expandWords(column.Title), c.Label, number)}
		}
		if err := call.setCell(c.Table, c.Row, column, c.Old); err != nil {
			return nil, err
		}
		undone++
	}
	if undone == 0 {
		return nil, &Refusal{Code: CodeRefused, Reason: fmt.Sprintf("entry %d changed nothing", number)}
	}
	return starlark.None, nil
}

func (w *World) entry(number int64) (Entry, error) {
	e, ok := w.LogEntry(number)
	switch {
	case ok:
		return e, nil
	case number >= 1 && number <= w.earlier:
		return e, &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("entry %d of the log stands in an earlier chapter of the game", number)}
	}
	return e, &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("the log has no entry %d", number)}
}

func runLogEntry(call *invocation) (starlark.Value, error) {
	var number int64
	if err := call.Unpack("number", &number); err != nil {
		return nil, err
	}
	w := call.w
	e, err := w.entry(number)
	if err != nil {
		return nil, err
	}
	var changes []starlark.Value
	for _, c := range e.Changes {
		changes = append(changes, starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
			"op": starlark.String(c.Op), "table": starlark.String(c.Table), "row": starlark.MakeInt64(c.Row), "column": starlark.String(c.Column),
			"old": convert.Starlark(c.Old), "new": convert.Starlark(c.New),
		}))
	}
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"number": starlark.MakeInt64(e.Number), "player": w.toStarlark(e.Player, ref(tablePlayers)), "action": starlark.String(e.Action),
		"time": starlark.MakeInt64(e.Time), "refused": starlark.Bool(e.Refused != nil), "changes": starlark.NewList(changes),
	}), nil
}
