//go:build js

package disk_test

import (
	"context"
	"syscall/js"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/app/client/disk/disktest"
)

func TestIndexedDB(t *testing.T) {
	if !js.Global().Get("indexedDB").Truthy() {
		t.Skip("no browser")
	}
	err := disktest.Check(t.Context(), func(ctx context.Context) (disk.Disk, error) {
		return disk.OpenIndexedDB(ctx, "peernomic-test")
	})
	if err != nil {
		t.Fatal(err)
	}
}
