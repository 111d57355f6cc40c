package disk

import (
	"context"
	"slices"
	"sync"
)

// Memory is a disk that forgets everything when the program ends.
// The zero value is empty and ready.
type Memory struct {
	mu     sync.Mutex
	values map[string][]byte
	closed bool
}

var _ Disk = (*Memory)(nil)

// Get implements [Disk].
func (m *Memory) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, false, ErrClosed
	}
	v, ok := m.values[key]
	return slices.Clone(v), ok, nil
}

// Scan implements [Disk].
func (m *Memory) Scan(ctx context.Context, from, to string, visit func(string, []byte) error) error {
	keys, values, err := m.snapshot(from, to)
	if err != nil {
		return err
	}
	for i, k := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(k, values[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) snapshot(from, to string) (keys []string, values [][]byte, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, ErrClosed
	}
	for k := range m.values {
		if from <= k && k < to {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		values = append(values, slices.Clone(m.values[k]))
	}
	return keys, values, nil
}

// Write implements [Disk].
func (m *Memory) Write(ctx context.Context, changes ...Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	for _, c := range changes {
		if c.Delete {
			delete(m.values, c.Key)
			continue
		}
		m.values[c.Key] = append([]byte{}, c.Value...)
	}
	return nil
}

// Close implements [Disk].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// Reopen returns a disk with what m holds, as after a restart of the program.
// It is for tests of crashes; m is closed.
func (m *Memory) Reopen() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	next := &Memory{values: map[string][]byte{}}
	for k, v := range m.values {
		next.values[k] = slices.Clone(v)
	}
	return next
}
