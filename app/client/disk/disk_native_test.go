//go:build !js

package disk_test

import (
	"context"
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
