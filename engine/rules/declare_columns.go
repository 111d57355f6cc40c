package rules

import (
	"go.starlark.net/starlark"

	"peernomic/engine/state"
)

// column is a column of a table.
type column struct {
	name, title, doc string
	typ              *typeValue
	initial          state.Value // of a cell that was never set
	clamp            bool        // illegal numbers are brought into range instead of refused
	edit             bool        // players may edit it by hand
	sealed           bool        // only the kernel sets it
	hidden           bool        // not shown in the tracker
	computed         bool        // by the kernel, whenever it is read
	origin
}

// derivation is a column that is computed when it is read.
type derivation struct {
	name, title string
	hook
}

// tableDecl is a table as the rules declare it.
type tableDecl struct {
	name, title, one string
	columns          []*column
	derived          []*derivation
	label            starlark.Callable // of a row, may be nil
	kernel           bool
	hidden           bool
	origin
}

func (t *tableDecl) column(name string) *column {
	for _, c := range t.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (t *tableDecl) derivation(name string) *derivation {
	for _, d := range t.derived {
		if d.name == name {
			return d
		}
	}
	return nil
}
