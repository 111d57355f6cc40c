package rules

import (
	"fmt"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
)

// checkTables reports a column or parameter that refers to a table that no rule declares.
func (d *declarations) checkTables() error {
	check := func(at origin, name string, t *typeValue) error {
		if t.typ.Kind == state.Ref && d.tables[t.typ.Table] == nil {
			return &document.Problem{Rule: at.rule, Line: at.line, Message: fmt.Sprintf("%s refers to the table %q, which no rule declares", name, t.typ.Table)}
		}
		return nil
	}
	for _, table := range d.tableOrder {
		for _, c := range d.tables[table].columns {
			if err := check(c.origin, c.name, c.typ); err != nil {
				return err
			}
		}
	}
	for _, a := range d.actions {
		for _, p := range a.params {
			if err := check(a.origin, a.name+": "+p.name, p.typ); err != nil {
				return err
			}
		}
	}
	return nil
}
