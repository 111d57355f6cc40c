package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/store/badgerdb"
)

// Keys: one byte for the kind, the room's id, and then
//
//	r           the room as created: version, secrets, time of opening
//	g           id of its game, once it is known
//	m           marks of the notary's chain, 32 bytes each
//	t           state
//	u           when it was used, Unix ms (big endian)
//	s number    seal (number big endian, so that seals lie in order)
//	e hash      envelope
//	d           the room is being removed: nothing else of it counts
//
// The format has a number of its own, so that a later program can tell.
const (
	kindFormat   = 'f'
	kindRoom     = 'r'
	kindGame     = 'g'
	kindMarks    = 'm'
	kindState    = 't'
	kindUsed     = 'u'
	kindSeal     = 's'
	kindEnvelope = 'e'
	kindRemoved  = 'd'
)

// format is the version of the layout above. 1: the first. 2: with games, in the seals, too.
const format = 2

// MaxAppend is how many bytes of envelopes and seals one [Store.Append] may carry:
// what surely fits a single transaction of Badger's. One message of a client's
// always does.
const MaxAppend = 3 << 19

// Badger is a store on disk. [Open] makes it.
type Badger struct{ db *badger.DB }

type roomRecord struct {
	_       struct{} `cbor:",toarray"`
	Secrets notary.Secrets
	Opened  int64
}

// Open opens the store in a folder, which it creates. Only one program can have a
// folder open at a time.
func Open(dir string, log *slog.Logger) (*Badger, error) {
	// Badger's defaults are for machines of another size: they reserve gigabytes
	// of disk and hundreds of megabytes of memory, and do not sync.
	o := badger.DefaultOptions(dir).
		WithSyncWrites(true).
		WithDetectConflicts(true).
		WithNumVersionsToKeep(1).
		WithMemTableSize(16 << 20). // a transaction may be 15 % of it
		WithNumMemtables(2).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(8 << 20).
		WithCompression(options.None). // envelopes are ciphertext
		WithBaseTableSize(4 << 20).
		WithBaseLevelSize(16 << 20).
		WithNumLevelZeroTables(2).
		WithNumLevelZeroTablesStall(6).
		WithNumCompactors(2).
		WithNumGoroutines(2).
		WithValueThreshold(wire.MaxEnvelope + 1024). // nothing goes to the value log
		WithValueLogFileSize(16 << 20).
		WithMetricsEnabled(false)
	db, err := badgerdb.Open(o, log)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	b := &Badger{db}
	if err = b.checkFormat(); err == nil {
		err = b.finishRemovals()
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("open store: %w", err)
	}
	return b, nil
}

func (b *Badger) checkFormat() error {
	return b.db.Update(func(txn *badger.Txn) error {
		v, err := get(txn, []byte{kindFormat})
		if errors.Is(err, badger.ErrKeyNotFound) {
			return txn.Set([]byte{kindFormat}, []byte{format})
		}
		if err == nil && !bytes.Equal(v, []byte{format}) {
			return fmt.Errorf("data has format %d, this program knows format %d", v, format)
		}
		return err
	})
}

func key(kind byte, room wire.RoomID, rest ...byte) []byte {
	k := make([]byte, 0, 1+len(room)+len(rest))
	k = append(k, kind)
	k = append(k, room[:]...)
	return append(k, rest...)
}

func sealKey(room wire.RoomID, number uint64) []byte {
	return binary.BigEndian.AppendUint64(key(kindSeal, room), number)
}

func get(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if err != nil {
		return nil, err
	}
	return item.ValueCopy(nil)
}

// getRoom reads what belongs to a room and always exists with it.
func getRoom(txn *badger.Txn, kind byte, id wire.RoomID) ([]byte, error) {
	v, err := get(txn, key(kind, id))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, ErrNoRoom
	}
	return v, err
}

func readState(txn *badger.Txn, id wire.RoomID) (State, error) {
	var s State
	v, err := getRoom(txn, kindState, id)
	if err != nil {
		return s, err
	}
	return s, wire.Decode(v, &s)
}

// readGame returns the game of a room, zero if it is not known yet.
func readGame(txn *badger.Txn, id wire.RoomID) (game wire.GameID, err error) {
	v, err := get(txn, key(kindGame, id))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return game, nil
	}
	copy(game[:], v)
	return game, err
}

func set(txn *badger.Txn, key []byte, v any) error {
	data, err := wire.Encode(v)
	if err != nil {
		return err
	}
	return txn.Set(key, data)
}

// report gives Badger's errors the store's names.
func report(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrDBClosed), errors.Is(err, badger.ErrBlockedWrites):
		return fmt.Errorf("%s: %w", doing, ErrClosed)
	case errors.Is(err, badger.ErrConflict):
		return fmt.Errorf("%s: %w", doing, ErrHead)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// view reads. Badger panics when read after its end; the relay stops reading
// before, so closed is only a courtesy.
func (b *Badger) view(doing string, f func(*badger.Txn) error) error {
	if b.db.IsClosed() {
		return fmt.Errorf("%s: %w", doing, ErrClosed)
	}
	return report(doing, b.db.View(f))
}

func (b *Badger) update(doing string, f func(*badger.Txn) error) error {
	if b.db.IsClosed() {
		return fmt.Errorf("%s: %w", doing, ErrClosed)
	}
	return report(doing, b.db.Update(f))
}

// Rooms implements [Store].
func (b *Badger) Rooms() (n int, err error) {
	err = b.view("count rooms", func(txn *badger.Txn) error {
		o := badger.IteratorOptions{Prefix: []byte{kindRoom}}
		it := txn.NewIterator(o)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			n++
		}
		return nil
	})
	return n, err
}

// Room implements [Store].
func (b *Badger) Room(id wire.RoomID) (room Room, err error) {
	err = b.view("read room", func(txn *badger.Txn) error {
		v, err := getRoom(txn, kindRoom, id)
		if err != nil {
			return err
		}
		var r roomRecord
		if err := wire.Decode(v, &r); err != nil {
			return err
		}
		room.Secrets, room.Opened = r.Secrets, r.Opened
		if room.State, err = readState(txn, id); err != nil {
			return err
		}
		if room.Game, err = readGame(txn, id); err != nil {
			return err
		}
		used, err := getRoom(txn, kindUsed, id)
		if err != nil {
			return err
		}
		room.Used = int64(binary.BigEndian.Uint64(used))
		return nil
	})
	return room, err
}

// Create implements [Store].
func (b *Badger) Create(id wire.RoomID, secrets notary.Secrets, marks []wire.Link, opened int64) error {
	if err := b.finishRemoval(id); err != nil {
		return err
	}
	return b.update("open room", func(txn *badger.Txn) error {
		_, err := txn.Get(key(kindRoom, id))
		if err == nil {
			return ErrRoomExists
		}
		if !errors.Is(err, badger.ErrKeyNotFound) {
			return err
		}
		joined := make([]byte, 0, len(marks)*32)
		for _, m := range marks {
			joined = append(joined, m[:]...)
		}
		if err := txn.Set(key(kindMarks, id), joined); err != nil {
			return err
		}
		if err := set(txn, key(kindState, id), State{}); err != nil {
			return err
		}
		if err := txn.Set(key(kindUsed, id), usedValue(opened)); err != nil {
			return err
		}
		return set(txn, key(kindRoom, id), roomRecord{Secrets: secrets, Opened: opened})
	})
}

// Found implements [Store].
func (b *Badger) Found(id wire.RoomID, game wire.GameID) error {
	return b.update("found game", func(txn *badger.Txn) error {
		if _, err := getRoom(txn, kindRoom, id); err != nil {
			return err
		}
		known, err := readGame(txn, id)
		switch {
		case err != nil:
			return err
		case known == game:
			return nil
		case known != (wire.GameID{}):
			return ErrOtherGame
		}
		return txn.Set(key(kindGame, id), game[:])
	})
}

// Marks implements [Store].
func (b *Badger) Marks(id wire.RoomID) (marks []wire.Link, err error) {
	err = b.view("read marks", func(txn *badger.Txn) error {
		v, err := getRoom(txn, kindMarks, id)
		if err != nil {
			return err
		}
		for ; len(v) >= 32; v = v[32:] {
			marks = append(marks, wire.Link(v[:32]))
		}
		return nil
	})
	return marks, err
}

// Has implements [Store].
func (b *Badger) Has(id wire.RoomID, hashes []wire.EnvelopeHash) (has []bool, err error) {
	err = b.view("look for envelopes", func(txn *badger.Txn) error {
		if _, err := txn.Get(key(kindState, id)); err != nil {
			if errors.Is(err, badger.ErrKeyNotFound) {
				return ErrNoRoom
			}
			return err
		}
		has = make([]bool, len(hashes))
		for i, h := range hashes {
			_, err := txn.Get(key(kindEnvelope, id, h[:]...))
			if err != nil && !errors.Is(err, badger.ErrKeyNotFound) {
				return err
			}
			has[i] = err == nil
		}
		return nil
	})
	return has, err
}

// Append implements [Store].
func (b *Badger) Append(appends []Append) error {
	return b.update("append", func(txn *badger.Txn) error {
		for _, a := range appends {
			if err := appendTo(txn, a); err != nil {
				return err
			}
		}
		return nil
	})
}

func appendTo(txn *badger.Txn, a Append) error {
	state, err := readState(txn, a.Room)
	if err != nil {
		return err
	}
	if state != a.Base {
		return ErrHead
	}
	for _, e := range a.Envelopes {
		if err := txn.Set(key(kindEnvelope, a.Room, e.Hash[:]...), e.Bytes); err != nil {
			return err
		}
	}
	for _, s := range a.Seals {
		if err := txn.Set(sealKey(a.Room, s.Number), s.Bytes); err != nil {
			return err
		}
	}
	return set(txn, key(kindState, a.Room), a.Next)
}

// Read implements [Store].
func (b *Badger) Read(id wire.RoomID, number uint64, f func(seal []byte, envelopes [][]byte) bool) error {
	return b.view("read log", func(txn *badger.Txn) error {
		if _, err := getRoom(txn, kindState, id); err != nil {
			return err
		}
		it := txn.NewIterator(badger.IteratorOptions{Prefix: key(kindSeal, id)})
		defer it.Close()
		for it.Seek(sealKey(id, max(number, 1))); it.Valid(); it.Next() {
			seal, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			envelopes, err := envelopesOf(txn, id, seal)
			if err != nil {
				return err
			}
			if !f(seal, envelopes) {
				return nil
			}
		}
		return nil
	})
}

func envelopesOf(txn *badger.Txn, id wire.RoomID, seal []byte) ([][]byte, error) {
	s, err := wire.ParseSeal(seal)
	if err != nil {
		return nil, err
	}
	envelopes := make([][]byte, len(s.Envelopes))
	for i, h := range s.Envelopes {
		envelopes[i], err = get(txn, key(kindEnvelope, id, h[:]...))
		if err != nil {
			return nil, fmt.Errorf("envelope %d of seal %d: %w", i, s.Number, err)
		}
	}
	return envelopes, nil
}

// Use implements [Store].
func (b *Badger) Use(id wire.RoomID, now int64) error {
	return b.update("use room", func(txn *badger.Txn) error {
		if _, err := getRoom(txn, kindUsed, id); err != nil {
			return err
		}
		return txn.Set(key(kindUsed, id), usedValue(now))
	})
}

// Close implements [Store].
func (b *Badger) Close() error {
	if err := b.db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
