package store

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
)

// A removal that was interrupted is finished when the store is opened, and before
// the room can be made anew.
func TestBadgerFinishesRemovals(t *testing.T) {
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	open := func() *Badger {
		t.Helper()
		b, err := Open(dir, log)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	id, hash := wire.RoomID{1}, wire.EnvelopeHash{2}
	leave := func(b *Badger) { // what a crash after the first step leaves
		t.Helper()
		err := b.db.Update(func(txn *badger.Txn) error {
			return errors.Join(txn.Set(key(kindRemoved, id), nil), txn.Set(key(kindEnvelope, id, hash[:]...), []byte("x")), txn.Set(sealKey(id, 1), []byte("y")))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left := func(b *Badger) (n int) {
		b.db.View(func(txn *badger.Txn) error {
			n = len(keysOf(txn, kindEnvelope, id)) + len(keysOf(txn, kindSeal, id)) + len(keysOf(txn, kindRemoved, id))
			return nil
		})
		return n
	}
	b := open()
	leave(b)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = open()
	defer func() { b.Close() }()
	if n := left(b); n != 0 {
		t.Errorf("after opening, %d keys are left", n)
	}
	leave(b)
	secrets, marks := notary.NewSecrets(notary.Spacing)
	if err := b.Create(id, secrets, marks, 1); err != nil {
		t.Fatal(err)
	}
	if n := left(b); n != 0 {
		t.Errorf("a new room begins with %d old keys", n)
	}
	leave(b)
	if err := b.Remove(id); err != nil {
		t.Fatal(err)
	}
	if n := left(b); n != 0 {
		t.Errorf("after removing, %d keys are left", n)
	}
}

// Killing a program shows nothing about a power failure; syncing does, and nothing
// else in the tests would notice that it is off.
func TestBadgerSyncs(t *testing.T) {
	dir := t.TempDir()
	b, err := Open(dir, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if !b.db.Opts().SyncWrites {
		t.Error("writes are not synced")
	}
}

func TestBadgerRefusesAnotherFormat(t *testing.T) {
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	b, err := Open(dir, log)
	if err != nil {
		t.Fatal(err)
	}
	err = b.db.Update(func(txn *badger.Txn) error { return txn.Set([]byte{kindFormat}, []byte{format + 1}) })
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if b, err := Open(dir, log); err == nil {
		b.Close()
		t.Error("data of a later format was opened")
	}
}

// A crash between the making of a log file and its beginning leaves it empty.
func TestBadgerOpensAfterCrash(t *testing.T) {
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	for range 2 {
		b, err := Open(dir, log)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"00098.mem", "00099.mem"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
