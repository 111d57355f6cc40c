package rules

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// SnapshotPath is the path of the document that a game is founded with, instead of rules, if it
// goes on from another: the whole world that it goes on from, but for the log.
const SnapshotPath = "world.snapshot"

const snapshotVersion = 1

// maxEarlier bounds how many entries earlier chapters had: far more than there can be, and far less than a
// number of an entry has room for.
const maxEarlier = 1 << 48

type worldSnapshot struct {
	_             struct{} `cbor:",toarray"`
	Version       uint
	Name, Summary string
	Options       map[string]string
	Founded, Now  int64
	State         state.Snapshot
	Earlier       int64    // how many entries its log has that are not here
	LogHash       [32]byte // of the whole log
}

// Snapshot returns the document from which [Found] makes a world with the same digest.
func (w *World) Snapshot() (document.Document, error) {
	shot := w.shoot()
	shot.Earlier = w.nextEntry() - 1
	b, err := wire.Encode(shot)
	if err != nil {
		return document.Document{}, fmt.Errorf("snapshot: %w", err)
	}
	return document.Document{Path: SnapshotPath, Text: base64.RawStdEncoding.EncodeToString(b)}, nil
}

// shoot returns a world's snapshot, to which the log that it holds has to be added.
func (w *World) shoot() worldSnapshot {
	return worldSnapshot{Version: snapshotVersion, Name: w.name, Summary: w.summary, Options: w.options, Founded: w.founded, Now: w.now, State: w.state.Snapshot(), Earlier: w.earlier, LogHash: w.logHash}
}

// packLog returns entries of the log as they are encoded: values packed, see [state.Pack], and
// numbers left out.
func (w *World) packLog(from, to int) []Entry {
	var out []Entry
	for _, e := range w.log[from:to] {
		out = append(out, packEntry(e))
	}
	return out
}

// chunk is how many entries of the log stand together in an encoded world: few enough that one is decoded
// in a millisecond or two.
const chunk = 64

// keptWorld is a world as [World.Encode] gives it.
type keptWorld struct {
	_     struct{} `cbor:",toarray"`
	World worldSnapshot
	Log   [][]byte // of each chunk, its entries as a list
}

// Encode returns the world as it is, as bytes for [DecodeWorld]: for a device's own disk. What is to be
// sent to others is [World.Snapshot].
func (w *World) Encode() ([]byte, error) {
	kept := keptWorld{World: w.shoot()}
	for from := 0; from < len(w.log); from += chunk {
		b, err := wire.Encode(w.packLog(from, min(from+chunk, len(w.log))))
		if err != nil {
			return nil, err
		}
		kept.Log = append(kept.Log, b)
	}
	return wire.Encode(kept)
}

// DecodeWorld is the inverse of [World.Encode]. It fails on what no world encodes to, but takes the log's
// hash as it stands there: that is left to those who compare.
func DecodeWorld(b []byte) (*World, error) { return DecodeWorldInTurns(b, func() {}) }

// DecodeWorldInTurns is [DecodeWorld], and calls pause after every few entries of the log, so that something
// else can be done in between.
func DecodeWorldInTurns(b []byte, pause func()) (*World, error) {
	var kept keptWorld
	if err := wire.Decode(b, &kept); err != nil {
		return nil, err
	}
	w, err := worldFrom(kept.World)
	if err != nil {
		return nil, err
	}
	for i, some := range kept.Log {
		var entries []Entry
		if err := wire.Decode(some, &entries); err != nil {
			return nil, err
		}
		if len(entries) == 0 || len(entries) > chunk || len(entries) < chunk && i < len(kept.Log)-1 {
			return nil, fmt.Errorf("the log is not in the chunks that it is written in")
		}
		pause()
		for _, e := range entries {
			if e, err = unpackEntry(e); err != nil {
				return nil, err
			}
			e.Number = w.nextEntry()
			w.log = append(w.log, e)
		}
	}
	w.Commit()
	return w, nil
}

func packEntry(e Entry) Entry {
	e.Number = 0
	if e.Args != nil {
		e.Args, _ = state.Pack(e.Args).(map[string]any)
	}
	changes := make([]Change, len(e.Changes))
	for i, c := range e.Changes {
		c.Old, c.New = state.Pack(c.Old), state.Pack(c.New)
		changes[i] = c
	}
	e.Changes = changes
	return e
}

func unpackEntry(e Entry) (Entry, error) {
	if e.Number != 0 {
		return e, fmt.Errorf("an entry of the log has a number")
	}
	args, err := state.Unpack(e.Args)
	if err != nil {
		return e, err
	}
	e.Args, _ = args.(map[string]any)
	for i := range e.Changes {
		c := &e.Changes[i]
		if c.Old, err = state.Unpack(c.Old); err != nil {
			return e, err
		}
		if c.New, err = state.Unpack(c.New); err != nil {
			return e, err
		}
	}
	return e, nil
}

// restore makes the world that a game goes on from. The founder has the place that they have in
// it, or comes in as a stranger.
func restore(f Founding) (*World, error) {
	if len(f.Documents) != 1 || f.Documents[0].Path != SnapshotPath {
		return nil, noSnapshot(fmt.Errorf("it is not the only document"))
	}
	w, err := fromSnapshot(f.Documents[0].Text)
	if err != nil {
		return nil, err
	}
	if w.Digest() != *f.Digest {
		return nil, noSnapshot(fmt.Errorf("it gives another world than the one that the game says it goes on from"))
	}
	if w.PersonOf(f.FounderKey) == 0 {
		if _, out := w.Knock(f.FounderKey, f.Founder, max(f.Time, w.now)); out.Refused != nil {
			return nil, out.Refused
		}
	}
	w.Commit()
	return w, nil
}

func noSnapshot(err error) error {
	if problem := (*document.Problem)(nil); errors.As(err, &problem) {
		return err // a rule in it does not load
	}
	return &document.Problem{Rule: SnapshotPath, Message: fmt.Sprintf("not the snapshot of a game: %s", err)}
}

// fromSnapshot is the inverse of [World.Snapshot].
func fromSnapshot(text string) (*World, error) {
	b, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, noSnapshot(err)
	}
	var shot worldSnapshot
	if err := wire.Decode(b, &shot); err != nil {
		return nil, noSnapshot(err)
	}
	w, err := worldFrom(shot)
	if err != nil {
		return nil, noSnapshot(err)
	}
	return w, nil
}

// worldFrom makes the world of a snapshot, without its log.
func worldFrom(shot worldSnapshot) (*World, error) {
	if shot.Version != snapshotVersion {
		return nil, fmt.Errorf("unknown version %d", shot.Version)
	}
	if shot.Earlier < 0 || shot.Earlier > maxEarlier {
		return nil, fmt.Errorf("its log has %d entries", shot.Earlier)
	}
	w := newWorld(Founding{Options: shot.Options, Time: shot.Founded})
	w.name, w.summary, w.now = shot.Name, shot.Summary, shot.Now
	w.earlier, w.logHash = shot.Earlier, shot.LogHash
	s, err := state.FromSnapshot(shot.State)
	if err != nil {
		return nil, err
	}
	w.keep(s)
	if !w.state.Has(tableGame, gameRow) {
		return nil, fmt.Errorf("there is no game in it")
	}
	if err := w.reload(nil); err != nil {
		return nil, err
	}
	if err := w.checkSealed(); err != nil {
		return nil, err
	}
	return w, w.checkData()
}

// checkSealed reports a cell that only the kernel writes and that it would not have written.
func (w *World) checkSealed() error {
	for _, name := range w.decl.TableOrder {
		for _, c := range w.decl.Tables[name].Columns {
			if !c.Sealed || c.Computed {
				continue
			}
			for _, id := range w.state.Rows(name) {
				if v, set := w.state.Get(name, id, c.Name); set {
					if _, err := c.Type.Plain.Check(v); err != nil {
						return fmt.Errorf("%s of %s %d: %w", c.Name, name, id, err)
					}
				}
			}
		}
	}
	return nil
}

// checkData reports data that only the kernel writes, in a form that it would not have given it.
func (w *World) checkData() error {
	text := func(v any) bool { _, ok := v.(string); return ok }
	other := func(v any) bool { return !text(v) }
	for _, id := range w.state.Rows(tableComments) {
		if icons, ok := w.iconsOf(id).([]any); !ok || slices.ContainsFunc(icons, other) {
			return fmt.Errorf("the icons of comment %d are no list of texts", id)
		}
	}
	noPair := func(v any) bool { pair, ok := v.([]any); return !ok || len(pair) != 2 || !text(pair[1]) }
	for _, id := range w.state.Rows(tableDecisions) {
		args, _ := w.state.Get(tableDecisions, id, "args")
		if _, ok := args.(map[string]any); !ok || slices.ContainsFunc(w.optionsAt(id), noPair) {
			return fmt.Errorf("decision %d cannot be made", id)
		}
	}
	for _, id := range w.state.Rows(tableTimers) {
		decision := w.int(tableTimers, id, "decision")
		otherwise, _ := w.state.Get(tableDecisions, decision, "otherwise")
		if decision != 0 && optionAt(w.optionsAt(decision), otherwise) < 0 {
			return fmt.Errorf("timer %d ends no decision", id)
		}
	}
	return nil
}
