// Package journal keeps on disk what a device knows of its rooms: each room's log, the mark of the device's newest
// action there, its record, and a snapshot. What [Journal.Append] has returned for is durable.
package journal

import (
	"context"
	"errors"
	"fmt"

	"peernomic/app/client/disk"
	"peernomic/app/client/sync"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// ErrNoGame reports a room that this device has no part in.
var ErrNoGame = errors.New("this device has no such game")

// Journal is the disks of a device. The keys, and what guards them, are on a disk of their own, so that clearing the
// games cannot take them along.
type Journal struct {
	Keys  disk.Disk
	Games disk.Disk
}

// Keys of the disk with the keys.
const keyOwn = "own/" // + room: [sync.Mark]

// Keys of the games' disk.
const (
	keyRoom     = "room/"     // + room: [Room]
	keyLog      = "log/"      // + room + "/" + number: []sync.Item
	keySnapshot = "snapshot/" // + room: [Snapshot]
	keyView     = "view/"     // + room: when the person last looked, Unix ms
	keyDraft    = "draft/"    // + room + "/" + name
)

// Room is what a device keeps of a room besides its log.
type Room struct {
	_        struct{} `cbor:",toarray"`
	Version  uint
	Secret   ledger.RoomSecret
	Title    string
	Relay    string // URL of the relay's endpoint; empty for none
	Name     string // what the person wants to be called; empty to only read
	Practice bool   // the device is its own notary
	Game     ledger.GameID
	Added    int64 // Unix ms
	Hidden   bool  // only looked at through an invite so far
	// Continues is the game that this one goes on from, the chapter before; zero for none, or if that is not known yet.
	Continues ledger.GameID
	Choice    Choice
	// Again are actions of the chapter before that are not offered to be done again here.
	Again []ledger.ActionID
}

// Choice is what the person has decided about a room in which a game goes on. It is in the record's format; only append.
type Choice uint8

// The choices.
const (
	Undecided Choice = iota
	GoesAlong        // the game of the chapter before is played here
	Stays            // it is not
	Apart            // both are played, as two games
)

// Get reads a value. It reports whether there is one.
func Get(ctx context.Context, d disk.Disk, key string, value any) (bool, error) {
	b, ok, err := d.Get(ctx, key)
	if err != nil || !ok {
		return false, err
	}
	if err := wire.Decode(b, value); err != nil {
		return false, fmt.Errorf("stored under %s: %w", key, err)
	}
	return true, nil
}

// Put stores a value.
func Put(ctx context.Context, d disk.Disk, key string, value any) error {
	b, err := wire.Encode(value)
	if err != nil {
		return err
	}
	return d.Write(ctx, disk.Put(key, b))
}

// Room returns the record of a room. It fails with [ErrNoGame].
func (j Journal) Room(ctx context.Context, id wire.RoomID) (Room, error) {
	var r Room
	ok, err := Get(ctx, j.Games, keyRoom+id.String(), &r)
	if err == nil && !ok {
		err = ErrNoGame
	}
	return r, err
}

// PutRoom stores the record of a room.
func (j Journal) PutRoom(ctx context.Context, r Room) error {
	r.Version = 1
	return Put(ctx, j.Games, keyRoom+r.Secret.Keys().ID.String(), r)
}

// Rooms returns the records of all rooms.
func (j Journal) Rooms(ctx context.Context) ([]Room, error) {
	var all []Room
	from, to := disk.Under(keyRoom)
	err := j.Games.Scan(ctx, from, to, func(key string, b []byte) error {
		var r Room
		if err := wire.Decode(b, &r); err != nil {
			return fmt.Errorf("stored under %s: %w", key, err)
		}
		all = append(all, r)
		return nil
	})
	return all, err
}

// Remove forgets a room, in one write. The mark stays with the keys: should the person come back, the device goes on
// from it.
func (j Journal) Remove(ctx context.Context, id wire.RoomID) error {
	var changes []disk.Change
	for _, key := range []string{keyRoom, keyView, keySnapshot} {
		changes = append(changes, disk.Delete(key+id.String()))
	}
	for _, prefix := range []string{keyLog, keyDraft} {
		from, to := disk.Under(prefix + id.String() + "/")
		err := j.Games.Scan(ctx, from, to, func(key string, _ []byte) error {
			changes = append(changes, disk.Delete(key))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return j.Games.Write(ctx, changes...)
}

// Viewed returns when the person last looked at a room, and View keeps that: Unix ms; 0 for never.
func (j Journal) Viewed(ctx context.Context, id wire.RoomID) (at int64, err error) {
	_, err = Get(ctx, j.Games, keyView+id.String(), &at)
	return at, err
}

// View notes when the person looked at a room.
func (j Journal) View(ctx context.Context, id wire.RoomID, at int64) error {
	return Put(ctx, j.Games, keyView+id.String(), at)
}

// Mark returns the mark of the device's newest action in a room; zero for none.
func (j Journal) Mark(ctx context.Context, id wire.RoomID) (m sync.Mark, err error) {
	_, err = Get(ctx, j.Keys, keyOwn+id.String(), &m)
	return m, err
}

// ForgetMarks returns the changes of the disk with the keys that remove the marks of all rooms.
func (j Journal) ForgetMarks(ctx context.Context) ([]disk.Change, error) {
	var changes []disk.Change
	from, to := disk.Under(keyOwn)
	err := j.Keys.Scan(ctx, from, to, func(key string, _ []byte) error {
		changes = append(changes, disk.Delete(key))
		return nil
	})
	return changes, err
}

// Draft returns the text kept under a name for a room, and PutDraft keeps one; an empty text removes it.
func (j Journal) Draft(ctx context.Context, id wire.RoomID, name string) (string, error) {
	return text(ctx, j.Games, keyDraft+id.String()+"/"+textKey(name))
}

// PutDraft keeps a text under a name.
func (j Journal) PutDraft(ctx context.Context, id wire.RoomID, name, content string) error {
	return putText(ctx, j.Games, keyDraft+id.String()+"/"+textKey(name), content)
}

// Setting returns a text that the device keeps under a name, and PutSetting keeps one; an empty text removes it.
func (j Journal) Setting(ctx context.Context, name string) (string, error) {
	return text(ctx, j.Keys, keySetting+textKey(name))
}

// PutSetting keeps a text under a name.
func (j Journal) PutSetting(ctx context.Context, name, content string) error {
	return putText(ctx, j.Keys, keySetting+textKey(name), content)
}

const keySetting = "setting/" // on the disk with the keys: + name

// text reads a text.
func text(ctx context.Context, d disk.Disk, key string) (string, error) {
	b, _, err := d.Get(ctx, key)
	return string(b), err
}

// putText keeps a text; an empty one is removed.
func putText(ctx context.Context, d disk.Disk, key, content string) error {
	if content == "" {
		return d.Write(ctx, disk.Delete(key))
	}
	return d.Write(ctx, disk.Put(key, []byte(content)))
}

// textKey makes any text usable as the end of a key.
func textKey(name string) string { return fmt.Sprintf("%x", name) }
