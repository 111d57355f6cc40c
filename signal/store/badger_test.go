package store

import (
	"io"
	"log/slog"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

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
