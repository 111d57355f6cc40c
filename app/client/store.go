package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// ErrNoGame reports a room that this device has no part in.
var ErrNoGame = errors.New("this device has no such game")

// store keeps what the device knows. The identity is on a disk of its own, so that
// clearing the games cannot take it along.
type store struct {
	identity disk.Disk
	games    disk.Disk
}

// Keys of the identity's disk.
const (
	keyIdentity = "identity" // the identity's seed
	keyDevice   = "device"   // the device's keys
	keyOwn      = "own/"     // + room: newest own action
	keySetting  = "setting/" // + name
)

// Keys of the games' disk.
const (
	keyRoom  = "room/"  // + room: roomRecord
	keyLog   = "log/"   // + room + "/" + number: []logItem
	keyDraft = "draft/" // + room + "/" + name
	keyView  = "view/"  // + room: when the person last looked, Unix ms
)

// roomRecord is what a device keeps of a room besides its log.
type roomRecord struct {
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
}

// ownMark names the device's newest action in a room. It is written after the action
// and kept with the keys: a device that finds less in its log than the mark has lost
// something, and must not sign before it has it back.
type ownMark struct {
	_   struct{} `cbor:",toarray"`
	Seq uint64
	ID  ledger.ActionID
}

// logItem is one envelope or seal of a log.
type logItem struct {
	_     struct{} `cbor:",toarray"`
	Kind  itemKind
	Bytes []byte
}

// itemKind is in the log's format; only append.
type itemKind uint8

const (
	itemInvalid itemKind = iota
	itemEnvelope
	itemSeal
	itemNotaryProof // a [ledger.NotaryProof]
	itemJunk        // an envelope that was refused, kept because a seal may name it
)

// recordBytes is about how much one record of a log holds.
const recordBytes = 256 << 10

func (s *store) get(ctx context.Context, d disk.Disk, key string, value any) (bool, error) {
	b, ok, err := d.Get(ctx, key)
	if err != nil || !ok {
		return false, err
	}
	if err := wire.Decode(b, value); err != nil {
		return false, fmt.Errorf("stored under %s: %w", key, err)
	}
	return true, nil
}

func (s *store) put(ctx context.Context, d disk.Disk, key string, value any) error {
	b, err := wire.Encode(value)
	if err != nil {
		return err
	}
	return d.Write(ctx, disk.Put(key, b))
}

func (s *store) room(ctx context.Context, id wire.RoomID) (roomRecord, error) {
	var r roomRecord
	ok, err := s.get(ctx, s.games, keyRoom+id.String(), &r)
	if err == nil && !ok {
		err = ErrNoGame
	}
	return r, err
}

func (s *store) putRoom(ctx context.Context, r roomRecord) error {
	r.Version = 1
	return s.put(ctx, s.games, keyRoom+r.Secret.Keys().ID.String(), r)
}

func (s *store) rooms(ctx context.Context) ([]roomRecord, error) {
	var all []roomRecord
	from, to := disk.Under(keyRoom)
	err := s.games.Scan(ctx, from, to, func(key string, b []byte) error {
		var r roomRecord
		if err := wire.Decode(b, &r); err != nil {
			return fmt.Errorf("stored under %s: %w", key, err)
		}
		all = append(all, r)
		return nil
	})
	return all, err
}

// removeRoom forgets a game. The own mark stays with the keys: should the person
// come back, the device goes on from it.
func (s *store) removeRoom(ctx context.Context, id wire.RoomID) error {
	changes := []disk.Change{disk.Delete(keyRoom + id.String()), disk.Delete(keyView + id.String()), disk.Delete(keySnapshot + id.String())}
	for _, prefix := range []string{keyLog, keyDraft} {
		from, to := disk.Under(prefix + id.String() + "/")
		err := s.games.Scan(ctx, from, to, func(key string, _ []byte) error {
			changes = append(changes, disk.Delete(key))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.games.Write(ctx, changes...)
}

func (s *store) ownMark(ctx context.Context, id wire.RoomID) (ownMark, error) {
	var m ownMark
	_, err := s.get(ctx, s.identity, keyOwn+id.String(), &m)
	return m, err
}

// forgetOwnMarks returns the changes of the identity's disk that remove the marks of all rooms.
func (s *store) forgetOwnMarks(ctx context.Context) ([]disk.Change, error) {
	var changes []disk.Change
	from, to := disk.Under(keyOwn)
	err := s.identity.Scan(ctx, from, to, func(key string, _ []byte) error {
		changes = append(changes, disk.Delete(key))
		return nil
	})
	return changes, err
}

func (s *store) putOwnMark(ctx context.Context, id wire.RoomID, m ownMark) error {
	return s.put(ctx, s.identity, keyOwn+id.String(), m)
}

// readLog visits a room's log from a record on and returns the number of the record
// after its last. Visit is told how many bytes of how many have been read with the item. The items share
// memory with what was read.
func (s *store) readLog(ctx context.Context, id wire.RoomID, from uint64, visit func(item logItem, done, total int)) (next uint64, err error) {
	next = from
	start := logKey(id, from)
	_, end := disk.Under(keyLog + id.String() + "/")
	type record struct {
		key   string
		bytes []byte
	}
	var records []record // all of them first: visiting takes its time, and a disk is not kept waiting
	done, total := 0, 0
	err = s.games.Scan(ctx, start, end, func(key string, b []byte) error {
		records = append(records, record{key, b})
		total += len(b)
		return nil
	})
	if err != nil {
		return next, err
	}
	for _, r := range records {
		number, err := strconv.ParseUint(r.key[strings.LastIndexByte(r.key, '/')+1:], 16, 64)
		if err != nil {
			return next, fmt.Errorf("stored under %s: %w", r.key, err)
		}
		items, err := decodeItems(r.bytes)
		if err != nil {
			return next, fmt.Errorf("stored under %s: %w", r.key, err)
		}
		for _, item := range items {
			done += len(item.Bytes)
			visit(item, done, total)
		}
		next = number + 1
	}
	return next, nil
}

// decodeItems reads a record of a log. It accepts what [wire.Decode] does.
func decodeItems(b []byte) ([]logItem, error) {
	r := wire.NewReader(b)
	items := make([]logItem, r.List())
	for i := range items {
		r.Array(2)
		items[i] = logItem{Kind: itemKind(r.Uint(math.MaxUint8)), Bytes: r.Bytes()}
	}
	return items, r.End()
}

// appendLog adds items to a room's log as the records from number next on, and returns
// the number after them. All of it is on the disk when it returns.
func (s *store) appendLog(ctx context.Context, id wire.RoomID, next uint64, items []logItem) (uint64, error) {
	for len(items) > 0 {
		count, size := 0, 0
		for count < len(items) && count < wire.MaxElements && (count == 0 || size+len(items[count].Bytes) <= recordBytes) {
			size += len(items[count].Bytes)
			count++
		}
		if err := s.put(ctx, s.games, logKey(id, next), items[:count]); err != nil {
			return next, err
		}
		items = items[count:]
		next++
	}
	return next, nil
}

func logKey(id wire.RoomID, number uint64) string {
	return fmt.Sprintf("%s%s/%016x", keyLog, id, number)
}

func (s *store) text(ctx context.Context, d disk.Disk, key string) (string, error) {
	b, _, err := d.Get(ctx, key)
	return string(b), err
}

// putText keeps a text; an empty one is removed.
func (s *store) putText(ctx context.Context, d disk.Disk, key, text string) error {
	if text == "" {
		return d.Write(ctx, disk.Delete(key))
	}
	return d.Write(ctx, disk.Put(key, []byte(text)))
}

// textKey makes any text usable as the end of a key.
func textKey(name string) string { return fmt.Sprintf("%x", name) }
