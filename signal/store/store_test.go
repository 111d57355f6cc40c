package store_test

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"peernomic/signal/store"
	"peernomic/signal/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.NewMemory() }, nil)
}

func TestBadger(t *testing.T) {
	dirs := map[store.Store]string{}
	openAt := func(t *testing.T, dir string) store.Store {
		t.Helper()
		s, err := store.Open(dir, slog.New(slog.NewTextHandler(io.Discard, nil)))
		if err != nil {
			t.Fatal(err)
		}
		dirs[s] = dir
		t.Cleanup(func() { s.Close() })
		return s
	}
	open := func(t *testing.T) store.Store { return openAt(t, filepath.Join(t.TempDir(), "data")) }
	reopen := func(t *testing.T, s store.Store) store.Store {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return openAt(t, dirs[s])
	}
	storetest.Run(t, open, reopen)
}

func TestBadgerIsForOneProgram(t *testing.T) {
	dir := t.TempDir()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := store.Open(dir, log)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if second, err := store.Open(dir, log); err == nil {
		second.Close()
		t.Error("a folder was opened twice")
	}
}
