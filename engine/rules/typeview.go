package rules

import (
	"peernomic/engine/rules/declare"
	"peernomic/engine/state"
)

// HasTable reports whether there is a table with this name.
func (w *World) HasTable(name string) bool { return w.decl.Tables[name] != nil }

// ColumnType returns what a column holds and reports whether it is declared. Derived
// columns have no type.
func (w *World) ColumnType(table, column string) (state.Type, bool) {
	t := w.decl.Tables[table]
	if t == nil {
		return state.Type{}, false
	}
	c := t.Column(column)
	if c == nil {
		return state.Type{}, false
	}
	return c.Type.Plain, true
}

// ActionTypes returns the types of an action's parameters by their names; nil if there
// is no such action.
func (w *World) ActionTypes(name string) map[string]state.Type {
	a := w.decl.Action(name)
	if a == nil {
		return nil
	}
	return paramTypes(a.Params)
}

// MeasureTypes returns the types of a measure's parameters by their names; nil if
// there is no such measure.
func (w *World) MeasureTypes(name string) map[string]state.Type {
	m := w.decl.Measures[name]
	if m == nil {
		return nil
	}
	return paramTypes(m.Params)
}

func paramTypes(params []*declare.Param) map[string]state.Type {
	types := map[string]state.Type{}
	for _, p := range params {
		types[p.Name] = p.Type.Plain
	}
	return types
}
