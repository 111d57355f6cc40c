package rules

import (
	"encoding/base64"
	"errors"
	"fmt"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// SnapshotPath is the path of the one document that a forked game is founded with instead of
// rules: the whole world that it goes on from, rules and log included.
const SnapshotPath = "world.snapshot"

const snapshotVersion = 1

type worldSnapshot struct {
	_             struct{} `cbor:",toarray"`
	Version       uint
	Name, Summary string
	Options       map[string]string
	Founded, Now  int64
	State         state.Snapshot
	Log           []Entry // values packed, see [state.Pack]; numbers left out
}

// Snapshot returns the document from which [Found] makes a world with the same digest.
func (w *World) Snapshot() (document.Document, error) {
	shot := w.shoot()
	shot.Log = w.packLog(0, len(w.log))
	b, err := wire.Encode(shot)
	if err != nil {
		return document.Document{}, fmt.Errorf("snapshot: %w", err)
	}
	return document.Document{Path: SnapshotPath, Text: base64.RawStdEncoding.EncodeToString(b)}, nil
}

// shoot returns a world's snapshot without its log.
func (w *World) shoot() worldSnapshot {
	return worldSnapshot{Version: snapshotVersion, Name: w.name, Summary: w.summary, Options: w.options, Founded: w.founded, Now: w.now, State: w.state.Snapshot()}
}

// packLog returns entries of the log as a snapshot holds them.
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
	_       struct{} `cbor:",toarray"`
	World   worldSnapshot
	Log     [][]byte // of each chunk, its entries as a list
	LogHash [32]byte
}

// Encode returns the world as it is, as bytes for [DecodeWorld]: for a device's own disk. What is to be
// sent to others is [World.Snapshot].
func (w *World) Encode() ([]byte, error) {
	kept := keptWorld{World: w.shoot(), LogHash: w.logHash}
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

// DecodeWorldInTurns is [DecodeWorld], and calls rest after every few entries of the log, so that something
// else can be done in between.
func DecodeWorldInTurns(b []byte, rest func()) (*World, error) {
	var kept keptWorld
	if err := wire.Decode(b, &kept); err != nil {
		return nil, err
	}
	if len(kept.World.Log) > 0 {
		return nil, fmt.Errorf("the log is not where it belongs")
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
		rest()
		for _, e := range entries {
			if e, err = unpackEntry(e); err != nil {
				return nil, err
			}
			e.Number = int64(len(w.log) + 1)
			w.log = append(w.log, e)
		}
	}
	w.logHash = kept.LogHash
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

// restore makes the world of a forked game: the one of the snapshot. The founder has the place that
// they have in it, or comes in as a stranger.
func restore(f Founding, doc document.Document) (*World, error) {
	wrong := func(err error) error {
		if problem := (*document.Problem)(nil); errors.As(err, &problem) {
			return err // a rule in it does not load
		}
		return &document.Problem{Rule: SnapshotPath, Message: fmt.Sprintf("not the snapshot of a game: %s", err)}
	}
	b, err := base64.RawStdEncoding.Strict().DecodeString(doc.Text)
	if err != nil {
		return nil, wrong(err)
	}
	var shot worldSnapshot
	if err := wire.Decode(b, &shot); err != nil {
		return nil, wrong(err)
	}
	w, err := worldFrom(shot)
	if err != nil {
		return nil, wrong(err)
	}
	if err := w.replayLog(shot.Log); err != nil {
		return nil, wrong(err)
	}
	if w.PersonOf(f.FounderKey) == 0 {
		if _, out := w.Knock(f.FounderKey, f.Founder, max(f.Time, w.now)); out.Refused != nil {
			return nil, out.Refused
		}
	}
	w.Commit()
	return w, nil
}

// worldFrom makes the world of a snapshot, without its log.
func worldFrom(shot worldSnapshot) (*World, error) {
	if shot.Version != snapshotVersion {
		return nil, fmt.Errorf("unknown version %d", shot.Version)
	}
	w := newWorld(Founding{Options: shot.Options, Time: shot.Founded})
	w.name, w.summary, w.now = shot.Name, shot.Summary, shot.Now
	s, err := state.FromSnapshot(shot.State)
	if err != nil {
		return nil, err
	}
	w.keep(s)
	if !w.state.Has(tableGame, gameRow) {
		return nil, fmt.Errorf("there is no game in it")
	}
	if err := w.reload(); err != nil {
		return nil, err
	}
	return w, w.checkSealed()
}

// replayLog appends entries that [World.packLog] packed.
func (w *World) replayLog(entries []Entry) error {
	for _, e := range entries {
		e, err := unpackEntry(e)
		if err != nil {
			return err
		}
		w.record(e)
	}
	return nil
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
