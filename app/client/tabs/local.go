package tabs

import (
	"bytes"
	"context"
	"sync"
)

// Local is [Tabs] within one program. The zero value is ready.
type Local struct {
	mu       sync.Mutex
	locks    map[string]chan struct{} // holds an element while the lock is held
	channels map[string][]*localChannel
}

var _ Tabs = (*Local)(nil)

func (l *Local) lock(name string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.locks == nil {
		l.locks = map[string]chan struct{}{}
	}
	if l.locks[name] == nil {
		l.locks[name] = make(chan struct{}, 1)
	}
	return l.locks[name]
}

// Lock implements [Tabs].
func (l *Local) Lock(ctx context.Context, name string) (func(), error) {
	c := l.lock(name)
	select {
	case c <- struct{}{}:
		return sync.OnceFunc(func() { <-c }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TryLock implements [Tabs].
func (l *Local) TryLock(ctx context.Context, name string) (func(), bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	c := l.lock(name)
	select {
	case c <- struct{}{}:
		return sync.OnceFunc(func() { <-c }), true, nil
	default:
		return nil, false, nil
	}
}

// Open implements [Tabs].
func (l *Local) Open(name string) (Channel, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.channels == nil {
		l.channels = map[string][]*localChannel{}
	}
	c := &localChannel{tabs: l, name: name, queue: newQueue()}
	l.channels[name] = append(l.channels[name], c)
	return c, nil
}

type localChannel struct {
	tabs  *Local
	name  string
	queue *queue
}

func (c *localChannel) Post(message []byte) error {
	select {
	case <-c.queue.closed:
		return ErrClosed
	default:
	}
	c.tabs.mu.Lock()
	defer c.tabs.mu.Unlock()
	for _, other := range c.tabs.channels[c.name] {
		if other != c {
			other.queue.put(bytes.Clone(message))
		}
	}
	return nil
}

func (c *localChannel) Receive(ctx context.Context) ([]byte, error) { return c.queue.receive(ctx) }

func (c *localChannel) Close() error {
	c.queue.close()
	c.tabs.mu.Lock()
	defer c.tabs.mu.Unlock()
	var rest []*localChannel
	for _, other := range c.tabs.channels[c.name] {
		if other != c {
			rest = append(rest, other)
		}
	}
	c.tabs.channels[c.name] = rest
	return nil
}
