//go:build !js

package disk_test

import (
	"bytes"
	"context"
	"io/fs"
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

// What is written over again and again, as snapshots are, does not stay on the disk for ever.
func TestBadgerCollectsGarbage(t *testing.T) {
	folder := t.TempDir()
	const lives, writes, long = 5, 20, 2 << 20
	for range lives {
		b, err := disk.OpenBadger(folder)
		if err != nil {
			t.Fatal(err)
		}
		for i := range writes {
			if err := b.Write(t.Context(), disk.Put("long", bytes.Repeat([]byte{byte(i)}, long)), disk.Put("short", []byte{byte(i)})); err != nil {
				t.Fatal(err)
			}
		}
		if value, ok, err := b.Get(t.Context(), "long"); err != nil || !ok || len(value) != long || value[0] != writes-1 {
			t.Fatalf("%d bytes, %v, %v", len(value), ok, err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var size int64
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if most := int64(lives*writes*long) / 2; err != nil || size > most {
		t.Errorf("the folder has %d MiB after %d MiB were written over a value of %d, want at most %d: %v", size>>20, lives*writes*long>>20, long>>20, most>>20, err)
	}
}
