package tabs

import (
	"context"
	"sync"
)

// queue holds the messages that a tab has not received yet.
type queue struct {
	mu       sync.Mutex
	messages [][]byte
	arrived  chan struct{} // has one element after something was queued
	closed   chan struct{}
	once     sync.Once
}

func newQueue() *queue {
	return &queue{arrived: make(chan struct{}, 1), closed: make(chan struct{})}
}

func (q *queue) put(message []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.messages) >= maxWaiting {
		q.messages = q.messages[1:]
	}
	q.messages = append(q.messages, message)
	select {
	case q.arrived <- struct{}{}:
	default:
	}
}

func (q *queue) take() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.messages) == 0 {
		return nil
	}
	m := q.messages[0]
	q.messages = q.messages[1:]
	return m
}

func (q *queue) receive(ctx context.Context) ([]byte, error) {
	for {
		if m := q.take(); m != nil {
			return m, nil
		}
		select {
		case <-q.arrived:
		case <-q.closed:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (q *queue) close() { q.once.Do(func() { close(q.closed) }) }
