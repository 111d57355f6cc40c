package signal

import "sync"

// budget is memory, in bytes, that many share: who wants some waits for its turn. So however
// many clients send long messages at once, the relay holds only so much of them.
type budget struct {
	mu      sync.Mutex
	free    int
	waiting []*share // the longest waiting first
}

// share is what somebody waits for. Ready is closed when it is theirs.
type share struct {
	bytes int
	ready chan struct{}
}

// take takes bytes, at most what the budget was made with, and reports whether it could
// before give was closed.
func (b *budget) take(bytes int, give <-chan struct{}) bool {
	b.mu.Lock()
	s := &share{bytes: bytes, ready: make(chan struct{})}
	b.waiting = append(b.waiting, s)
	b.hand()
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
			b.hand()
			return false
		}
	}
	return true // it came at the same moment
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

// short reports whether somebody waits.
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
	b.hand()
}

// hand gives what is free to those who wait; mu must be held.
func (b *budget) hand() {
	for len(b.waiting) > 0 && b.waiting[0].bytes <= b.free {
		b.free -= b.waiting[0].bytes
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
}
