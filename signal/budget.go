package signal

import "sync"

// budget is an amount of memory, in bytes, that connections share. A connection that wants
// more than is free waits for its turn. So the memory of the relay is bounded, however many
// clients send long messages at once.
type budget struct {
	mu      sync.Mutex
	free    int
	waiting []*waiter // the longest waiting first
}

// waiter is a connection that waits for bytes. ready is closed when it has them.
type waiter struct {
	bytes int
	ready chan struct{}
}

// take takes bytes, at most what the budget was made with. It waits until they are free or
// give is closed, and reports whether it has them.
func (b *budget) take(bytes int, give <-chan struct{}) bool {
	b.mu.Lock()
	s := &waiter{bytes: bytes, ready: make(chan struct{})}
	b.waiting = append(b.waiting, s)
	b.grant()
	b.mu.Unlock()
	select {
	case <-s.ready:
		return true
	case <-give:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, other := range b.waiting {
		if other == s {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			b.grant()
			return false
		}
	}
	return true // it got them at the same moment
}

// try takes bytes if they are free and nobody waits for them.
func (b *budget) try(bytes int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) > 0 || b.free < bytes {
		return false
	}
	b.free -= bytes
	return true
}

// short reports whether a connection waits.
func (b *budget) short() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) > 0
}

// put gives bytes back.
func (b *budget) put(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	b.grant()
}

// grant gives what is free to the connections that wait; mu must be held.
func (b *budget) grant() {
	for len(b.waiting) > 0 && b.waiting[0].bytes <= b.free {
		b.free -= b.waiting[0].bytes
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
}
