package rules

import (
	"encoding/base64"
	"fmt"

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
func (w *World) Snapshot() (Document, error) {
	shot := worldSnapshot{Version: snapshotVersion, Name: w.name, Summary: w.summary, Options: w.options, Founded: w.founded, Now: w.now, State: w.state.Snapshot()}
	for _, e := range w.log {
		shot.Log = append(shot.Log, packEntry(e))
	}
	b, err := wire.Encode(shot)
	if err != nil {
		return Document{}, fmt.Errorf("snapshot: %w", err)
	}
	return Document{Path: SnapshotPath, Text: base64.RawStdEncoding.EncodeToString(b)}, nil
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
func restore(f Founding, doc Document) (*World, error) {
	wrong := func(err error) error {
		return &Problem{Rule: SnapshotPath, Message: fmt.Sprintf("not the snapshot of a game: %s", err)}
	}
	b, err := base64.RawStdEncoding.Strict().DecodeString(doc.Text)
	if err != nil {
		return nil, wrong(err)
	}
	var shot worldSnapshot
	if err := wire.Decode(b, &shot); err != nil {
		return nil, wrong(err)
	}
	if shot.Version != snapshotVersion {
		return nil, wrong(fmt.Errorf("unknown version %d", shot.Version))
	}
	f.Options = shot.Options
	w := newWorld(f)
	w.name, w.summary, w.founded, w.now = shot.Name, shot.Summary, shot.Founded, shot.Now
	if w.state, err = state.FromSnapshot(shot.State); err != nil {
		return nil, wrong(err)
	}
	if !w.state.Has(tableGame, gameRow) {
		return nil, wrong(fmt.Errorf("there is no game in it"))
	}
	if err := w.reload(); err != nil {
		return nil, err
	}
	if err := w.checkSealed(); err != nil {
		return nil, wrong(err)
	}
	for _, e := range shot.Log {
		if e, err = unpackEntry(e); err != nil {
			return nil, wrong(err)
		}
		w.record(e)
	}
	if w.PersonOf(f.FounderKey) == 0 {
		if _, out := w.Knock(f.FounderKey, f.Founder, max(f.Time, w.now)); out.Refused != nil {
			return nil, out.Refused
		}
	}
	w.Commit()
	return w, nil
}

// checkSealed reports a cell that only the kernel writes and that it would not have written.
func (w *World) checkSealed() error {
	for _, name := range w.decl.tableOrder {
		for _, c := range w.decl.tables[name].columns {
			if !c.sealed || c.compute != nil {
				continue
			}
			for _, id := range w.state.Rows(name) {
				if v, set := w.state.Get(name, id, c.name); set {
					if _, err := c.typ.typ.Check(v); err != nil {
						return fmt.Errorf("%s of %s %d: %w", c.name, name, id, err)
					}
				}
			}
		}
	}
	return nil
}
