// Package disktest holds the suite that every disk passes. It returns errors
// instead of using package testing, so that a page can run it in a browser.
package disktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"peernomic/app/client/disk"
)

// Opener opens the same disk again and again: what was written through one is there
// in the next. The disk is empty at first.
type Opener func(context.Context) (disk.Disk, error)

// Check runs the suite on an empty disk and returns what it found wrong, or nil.
func Check(ctx context.Context, open Opener) error {
	s := suite{ctx: ctx}
	for _, step := range []struct {
		name string
		run  func(disk.Disk) error
	}{
		{"missing keys", s.missing},
		{"round trip", s.roundTrip},
		{"batch", s.batch},
		{"order and ranges", s.ranges},
		{"values are copies", s.copies},
		{"visit can stop", s.stops},
		{"large values", s.large},
		{"many goroutines", s.concurrent},
		{"cancelled context", s.cancelled},
	} {
		d, err := open(ctx)
		if err != nil {
			return fmt.Errorf("%s: open: %w", step.name, err)
		}
		if err := errors.Join(step.run(d), s.clear(d), d.Close()); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return s.survives(open)
}

type suite struct{ ctx context.Context }

func (s suite) missing(d disk.Disk) error {
	if v, ok, err := d.Get(s.ctx, "no"); ok || err != nil || len(v) != 0 {
		return fmt.Errorf("get of a missing key: %q %v %w", v, ok, err)
	}
	if err := d.Write(s.ctx, disk.Delete("no")); err != nil {
		return fmt.Errorf("delete of a missing key: %w", err)
	}
	return d.Write(s.ctx)
}

func (s suite) roundTrip(d disk.Disk) error {
	for _, want := range [][]byte{{}, {0}, []byte("text"), {0xff, 0, 0x80}} {
		if err := d.Write(s.ctx, disk.Put("k", want)); err != nil {
			return err
		}
		if err := s.expect(d, "k", want); err != nil {
			return err
		}
	}
	if err := d.Write(s.ctx, disk.Delete("k")); err != nil {
		return err
	}
	if _, ok, err := d.Get(s.ctx, "k"); ok || err != nil {
		return fmt.Errorf("a deleted key is still there (%v, %w)", ok, err)
	}
	return nil
}

func (s suite) batch(d disk.Disk) error {
	err := d.Write(s.ctx, disk.Put("a", []byte("1")), disk.Put("b", []byte("1")), disk.Delete("a"), disk.Put("b", []byte("2")))
	if err != nil {
		return err
	}
	if _, ok, err := d.Get(s.ctx, "a"); ok || err != nil {
		return fmt.Errorf("changes of one write are not made in order (%v, %w)", ok, err)
	}
	return s.expect(d, "b", []byte("2"))
}

func (s suite) ranges(d disk.Disk) error {
	for _, k := range []string{"b/2", "a/9", "b/10", "b/1", "c", "b"} {
		if err := d.Write(s.ctx, disk.Put(k, []byte(k))); err != nil {
			return err
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{"a", "z", "a/9 b b/1 b/10 b/2 c"},
		{"b/", "b/\x7f", "b/1 b/10 b/2"},
		{"b/1", "b/2", "b/1 b/10"},
		{"x", "y", ""},
		{"z", "a", ""},
	} {
		var got []string
		err := d.Scan(s.ctx, c.from, c.to, func(key string, value []byte) error {
			if key != string(value) {
				return fmt.Errorf("key %q came with value %q", key, value)
			}
			got = append(got, key)
			return nil
		})
		if err != nil {
			return err
		}
		if strings.Join(got, " ") != c.want {
			return fmt.Errorf("scan %q..%q: got %q, want %q", c.from, c.to, got, c.want)
		}
	}
	return nil
}

func (s suite) copies(d disk.Disk) error {
	v := []byte("old")
	if err := d.Write(s.ctx, disk.Put("k", v)); err != nil {
		return err
	}
	v[0] = 'X'
	got, _, err := d.Get(s.ctx, "k")
	if err != nil {
		return err
	}
	if string(got) != "old" {
		return fmt.Errorf("the disk shares memory with what was written: %q", got)
	}
	got[0] = 'X'
	return s.expect(d, "k", []byte("old"))
}

func (s suite) stops(d disk.Disk) error {
	if err := d.Write(s.ctx, disk.Put("k1", nil), disk.Put("k2", nil)); err != nil {
		return err
	}
	stop, calls := errors.New("stop"), 0
	err := d.Scan(s.ctx, "a", "z", func(string, []byte) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		return fmt.Errorf("scan went on after visit's error: %d calls, %w", calls, err)
	}
	return nil
}

func (s suite) large(d disk.Disk) error {
	want := bytes.Repeat([]byte("0123456789abcdef"), 256<<10/16)
	var changes []disk.Change
	for i := range 8 {
		changes = append(changes, disk.Put(fmt.Sprintf("large/%d", i), want))
	}
	if err := d.Write(s.ctx, changes...); err != nil {
		return err
	}
	return s.expect(d, "large/7", want)
}

func (s suite) concurrent(d disk.Disk) error {
	var wg sync.WaitGroup
	failures := make([]error, 8)
	for i := range failures {
		wg.Go(func() {
			for j := range 8 {
				key := fmt.Sprintf("c/%d/%d", i, j)
				failures[i] = errors.Join(failures[i], d.Write(s.ctx, disk.Put(key, []byte(key))), s.expect(d, key, []byte(key)))
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}

func (s suite) cancelled(d disk.Disk) error {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if err := d.Write(ctx, disk.Put("k", nil)); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a cancelled write: %w", err)
	}
	if _, ok, err := d.Get(s.ctx, "k"); ok || err != nil {
		return fmt.Errorf("a cancelled write took place (%v, %w)", ok, err)
	}
	return nil
}

// survives opens the disk twice and looks for what the first wrote.
func (s suite) survives(open Opener) error {
	d, err := open(s.ctx)
	if err != nil {
		return err
	}
	err = errors.Join(d.Write(s.ctx, disk.Put("kept", []byte("yes"))), d.Close(), d.Close())
	if err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := d.Write(s.ctx, disk.Put("late", nil)); !errors.Is(err, disk.ErrClosed) {
		return fmt.Errorf("write to a closed disk: %w", err)
	}
	if _, _, err := d.Get(s.ctx, "kept"); !errors.Is(err, disk.ErrClosed) {
		return fmt.Errorf("get from a closed disk: %w", err)
	}
	if d, err = open(s.ctx); err != nil {
		return fmt.Errorf("open again: %w", err)
	}
	return errors.Join(s.expect(d, "kept", []byte("yes")), d.Close())
}

func (s suite) expect(d disk.Disk, key string, want []byte) error {
	got, ok, err := d.Get(s.ctx, key)
	if err != nil {
		return err
	}
	if !ok || !bytes.Equal(got, want) {
		return fmt.Errorf("key %q: got %.40q (there: %v), want %.40q", key, got, ok, want)
	}
	return nil
}

func (s suite) clear(d disk.Disk) error {
	var changes []disk.Change
	err := d.Scan(s.ctx, "", "\x7f", func(key string, _ []byte) error {
		changes = append(changes, disk.Delete(key))
		return nil
	})
	if err != nil {
		return err
	}
	return d.Write(s.ctx, changes...)
}
