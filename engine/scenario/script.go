package scenario

import (
	"fmt"
	"time"
)

// Script is a parsed scenario.
type Script struct {
	Steps []Step
}

// Step is one line of a scenario, with the blocks that belong to it.
type Step struct {
	Line int    // from 1
	Text string // the line as written, for messages
	Do   any    // one of the types below
}

// The steps.
type (
	found   struct{ ruleset string }
	option  struct{ args []argument }
	clock   struct{ at time.Time }
	passing struct {
		for_ time.Duration
		dice []uint64
	}
	seats    struct{ names []string }
	stranger struct{ name string }
	act      struct {
		who, action string
		args        []argument
		dice        []uint64
		refused     bool
		cheat       bool // by a device that does not ask what only it could judge
		because     []string
		keep        string // name for the entry's number
	}
	change struct{ draft draft }
	let    struct {
		name string
		cell cell
	}
	expectCell struct {
		cell  cell
		tests []test
	}
	expectCount struct {
		cell cell
		test test
	}
	// expectView tests one thing that the rules show: a post, comment, rule, tally …
	expectView struct {
		kind  string // "post", "comment", "rule", "tally", "vote", "next", "page", "board", "waits", "recognised", "log"
		no    bool
		name  value
		who   string
		tests []test
	}
	expectWay struct {
		post, can string
		open      bool
		because   []string
	}
	expectAction struct {
		who, action string
		open        bool
		because     []string
	}
	expectChoices struct {
		who, action, param string
		op                 string // = or ~
		want               value
	}
	expectRolls    struct{ rolls []rolled }
	expectDecision struct {
		no            bool
		who, question string // the question contains this
		tests         []test // of options, until and otherwise
	}
)

// rolled is a die that was rolled; sides is 0 if any will do.
type rolled struct{ value, sides uint64 }

func (r rolled) String() string {
	if r.sides == 0 {
		return fmt.Sprint(r.value)
	}
	return fmt.Sprintf("%d/%d", r.value, r.sides)
}

// argument is key=value.
type argument struct {
	key string
	val value
}

// test compares a named thing with a value.
type test struct {
	key string
	op  string // = != < <= > >= ~ !~
	val value
}

// value is a value as written. What a bare word means depends on where it stands.
type value struct {
	kind       valueKind
	text       string
	number     int64
	list       []value
	amendments []draft
}

type valueKind byte

const (
	word valueKind = iota + 1
	quoted
	number
	variable
	listing
	block
)

func (v value) String() string {
	switch v.kind {
	case quoted, block:
		return fmt.Sprintf("%q", v.text)
	case variable:
		return "$" + v.text
	case number:
		return fmt.Sprint(v.number)
	case listing:
		return fmt.Sprint(v.list)
	default:
		return v.text
	}
}

// cell names a cell, or a row if column is empty.
type cell struct {
	table  string // empty: root is a person or "game"
	root   string
	where  []argument
	column string
}

// draft is one line of a block of amendments, before it is known which rows and values its names mean.
type draft struct {
	op            string
	title         string // of a rule, key of a keyword, name of a measure
	args          []argument
	cell          cell
	val           value
	text          string // a rule's document
	hasText       bool
	again         bool // the document of the rule with this title, once more
	replace, with string
	replacing     bool
	each          bool // the cells of all rows that fit
}

// SyntaxError is a line that cannot be read.
type SyntaxError struct {
	Line    int
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }
