package signal

import "testing"

func TestBudgetIsSharedInTurn(t *testing.T) {
	b := &budget{free: 10}
	never := make(chan struct{})
	if !b.take(6, never) || !b.take(4, never) {
		t.Fatal("what is free was not given")
	}
	over := make(chan struct{})
	close(over)
	if b.take(1, over) {
		t.Fatal("more was given than there is")
	}
	first, second := make(chan bool), make(chan bool)
	go func() { first <- b.take(8, never) }()
	for waits := 0; waits == 0; {
		b.mu.Lock()
		waits = len(b.waiting)
		b.mu.Unlock()
	}
	go func() { second <- b.take(1, never) }()
	b.put(6)
	b.put(4)
	if !<-first || !<-second {
		t.Fatal("who waited got nothing")
	}
	b.put(9)
	if b.free != 10 || len(b.waiting) != 0 {
		t.Errorf("%d are free in the end, %d wait", b.free, len(b.waiting))
	}
}
