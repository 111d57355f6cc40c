package simtest

import (
	"context"
	"errors"

	"peernomic/app/client/disk"
	"peernomic/signal/store"
)

// crashed is the panic that ends a program at one of its writes.
type crashed struct{}

var errFull = errors.New("disk full")

// fuse decides about the writes of one program.
type fuse struct {
	crash int // writes until it crashes; 0 for never
	after bool
	full  int // writes until one fails; 0 for never
}

// write passes a write on, or does not, or never returns.
func (f *fuse) write(do func() error) error {
	burnt := f.crash == 1
	f.crash = max(f.crash-1, 0)
	full := f.full == 1
	f.full = max(f.full-1, 0)
	if burnt && !f.after {
		panic(crashed{})
	}
	if full {
		return errFull
	}
	err := do()
	if burnt {
		panic(crashed{})
	}
	return err
}

// fragileDisk is a device's disk: what was written is there after a crash.
type fragileDisk struct {
	disk.Disk
	fuse *fuse
	note func(disk.Change)
}

// disk returns what a program of a device has of its disk.
func (w *World) disk(d *device, of disk.Disk, life uint64) fragileDisk {
	return fragileDisk{of, &d.fuse, func(c disk.Change) {
		w.note("writes", d.name+" "+c.Key, c.Value)
		if d.program != nil && d.life != life {
			w.fail("two-writers", "a tab of %s that reads along writes %s", d.name, c.Key)
		}
	}}
}

func (d fragileDisk) Write(ctx context.Context, changes ...disk.Change) error {
	for _, c := range changes {
		d.note(c)
	}
	return d.fuse.write(func() error { return d.Disk.Write(ctx, changes...) })
}

// fragileStore is the relay's disk.
type fragileStore struct {
	store.Store
	fuse *fuse
}

func (s fragileStore) Append(appends []store.Append) error {
	return s.fuse.write(func() error { return s.Store.Append(appends) })
}
