package client

import "sync"

// watchers calls functions when something changed, each on its own goroutine and
// never twice at once. The zero value is ready.
type watchers struct {
	mu   sync.Mutex
	next int
	all  map[int]chan struct{}
}

func (w *watchers) add(changed func()) (cancel func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int]chan struct{}{}
	}
	id, signal := w.next, make(chan struct{}, 1)
	w.next++
	w.all[id] = signal
	go func() {
		for range signal {
			changed()
		}
	}()
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, id)
		close(signal)
	})
}

func (w *watchers) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, signal := range w.all {
		select {
		case signal <- struct{}{}:
		default: // it is about to look anyway
		}
	}
}
