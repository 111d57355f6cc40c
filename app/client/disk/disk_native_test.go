//go:build !js

package disk_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/app/client/disk/disktest"
)

func TestMemory(t *testing.T) {
	m := &disk.Memory{}
	err := disktest.Check(t.Context(), func(context.Context) (disk.Disk, error) {
		m = m.Reopen()
		return m, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadger(t *testing.T) {
	folder := t.TempDir()
	err := disktest.Check(t.Context(), func(context.Context) (disk.Disk, error) {
		return disk.OpenBadger(folder)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A crash between the making of a log file and its beginning leaves it empty.
func TestBadgerOpensAfterCrash(t *testing.T) {
	folder := t.TempDir()
	first, err := disk.OpenBadger(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Write(t.Context(), disk.Put("a", []byte("kept"))); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"00098.mem", "00099.mem", "000099.vlog"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second, err := disk.OpenBadger(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if b, ok, err := second.Get(t.Context(), "a"); err != nil || !ok || string(b) != "kept" {
		t.Errorf("got %q, %v, %v", b, ok, err)
	}
}

func TestBadgerHasOneWriter(t *testing.T) {
	folder := t.TempDir()
	first, err := disk.OpenBadger(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if second, err := disk.OpenBadger(folder); err == nil {
		second.Close()
		t.Fatal("two programs could open one database")
	}
}
