package rules

import (
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// EntryKind is what set off a log entry.
type EntryKind string

// The kinds of entries.
const (
	EntryFounding EntryKind = "founding"
	EntryKnock    EntryKind = "knock" // somebody new made themselves known
	EntryAct      EntryKind = "act"
	EntryTimer    EntryKind = "timer"
	EntryForce    EntryKind = "force" // amendments from outside the rules
	// EntryConvention is what the players decided outside the rules.
	EntryConvention EntryKind = "convention"
)

// Entry is a line of the log: something that happened, or was refused.
type Entry struct {
	_       struct{} `cbor:",toarray"`
	Number  int64    // from 1
	Kind    EntryKind
	Time    int64 // Unix ms
	Player  int64 // who; 0 for timers
	Action  string
	Rule    string // title of the rule that declares the action
	Args    map[string]any
	Refused *Refusal
	Changes []Change
	Rolls   []Roll
	Notes   []string
}

// ChangeOp is what happened to a row.
type ChangeOp string

// The operations.
const (
	ChangeSet    ChangeOp = "set"
	ChangeCreate ChangeOp = "create"
	ChangeRemove ChangeOp = "remove"
)

// Change is one change of the gamestate.
type Change struct {
	_        struct{} `cbor:",toarray"`
	Op       ChangeOp
	Table    string
	Row      int64
	Column   string // of set
	Old, New state.Value
	Rule     string // title of the rule that made it
	Label    string // the row's name at that time
}

// Roll is one die.
type Roll struct {
	_     struct{} `cbor:",toarray"`
	Sides int64
	Value int64  // 1..Sides
	For   string // the dice word, if one was rolled
	Face  string // what the word's die shows
}

// Outcome is what came of an action.
type Outcome struct {
	Entry
}

// record appends an entry to the log. What was refused keeps its arguments only if they are short.
func (w *World) record(e Entry) Entry {
	n, hash := len(w.log), w.logHash
	w.state.OnRevert(func() { w.log, w.logHash = w.log[:n:n], hash })
	e.Number = w.nextEntry()
	b := e.encode()
	if e.Refused != nil && (len(b) > MaxRefused || !wire.AtMost(b, MaxRefusedValues)) {
		e.Args = nil
		b = e.encode()
	}
	w.logHash = wire.Digest("peernomic/log/v1", hash[:], b)
	w.log = append(w.log, e)
	return e
}

func (e Entry) encode() []byte {
	b, err := wire.Encode(e)
	if err != nil {
		panic(err) // entries hold normalized values only
	}
	return b
}

// nextEntry is the number that the next entry gets.
func (w *World) nextEntry() int64 { return w.earlier + int64(len(w.log)) + 1 }

// Log returns all entries so far, oldest first, but for those of earlier chapters. The caller must
// not change them.
func (w *World) Log() []Entry { return w.log[:len(w.log):len(w.log)] }

// LogEntry returns an entry by its number; ok is false if the world does not hold it.
func (w *World) LogEntry(number int64) (e Entry, ok bool) {
	if number <= w.earlier || number >= w.nextEntry() {
		return Entry{}, false
	}
	return w.log[number-w.earlier-1], true
}
