package store

import (
	"encoding/binary"
	"errors"

	"github.com/dgraph-io/badger/v4"

	"peernomic/engine/wire"
)

// A room may hold more than one transaction can remove. So removing begins with one
// that marks the room as removed and takes away what makes it a room; the rest
// follows in pieces, the mark last. After a crash, the mark shows which rooms to
// remove further. (An envelope left behind under a new room of the same id would be
// acknowledged and never sealed.)

// removePiece is how many keys one transaction removes.
const removePiece = 2000

func usedValue(now int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(now)) }

// Unused implements [Store].
func (b *Badger) Unused(used, empty int64) (ids []wire.RoomID, err error) {
	err = b.view("find unused rooms", func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{kindUsed}})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			id := wire.RoomID(it.Item().Key()[1:])
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			state, err := readState(txn, id)
			if err != nil {
				return err
			}
			room := Room{State: state, Used: int64(binary.BigEndian.Uint64(value))}
			if room.unused(used, empty) {
				ids = append(ids, id)
			}
		}
		return nil
	})
	return ids, err
}

// Remove implements [Store].
func (b *Badger) Remove(id wire.RoomID) error {
	err := b.update("remove room", func(txn *badger.Txn) error {
		if _, err := getRoom(txn, kindRoom, id); err != nil {
			return err
		}
		for _, kind := range []byte{kindRoom, kindGame, kindMarks, kindState, kindUsed} {
			if err := txn.Delete(key(kind, id)); err != nil {
				return err
			}
		}
		return txn.Set(key(kindRemoved, id), nil)
	})
	if err != nil {
		return err
	}
	return b.finishRemoval(id)
}

// finishRemovals removes what earlier removals have left.
func (b *Badger) finishRemovals() error {
	var ids []wire.RoomID
	err := b.view("find removed rooms", func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{kindRemoved}})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			ids = append(ids, wire.RoomID(it.Item().Key()[1:]))
		}
		return nil
	})
	for _, id := range ids {
		err = errors.Join(err, b.finishRemoval(id))
	}
	return err
}

// finishRemoval does nothing for a room that is not marked as removed.
func (b *Badger) finishRemoval(id wire.RoomID) error {
	for {
		done := false
		err := b.update("remove room", func(txn *badger.Txn) error {
			_, err := txn.Get(key(kindRemoved, id))
			if errors.Is(err, badger.ErrKeyNotFound) {
				done = true
				return nil
			}
			if err != nil {
				return err
			}
			keys := append(keysOf(txn, kindSeal, id), keysOf(txn, kindEnvelope, id)...)
			if done = len(keys) == 0; done {
				return txn.Delete(key(kindRemoved, id))
			}
			for _, k := range keys {
				if err := txn.Delete(k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || done {
			return err
		}
	}
}

// keysOf lists up to removePiece keys of a kind.
func keysOf(txn *badger.Txn, kind byte, id wire.RoomID) (keys [][]byte) {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: key(kind, id)})
	defer it.Close()
	for it.Rewind(); it.Valid() && len(keys) < removePiece; it.Next() {
		keys = append(keys, it.Item().KeyCopy(nil))
	}
	return keys
}
