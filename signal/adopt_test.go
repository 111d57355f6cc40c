package signal

import (
	"fmt"
	"path/filepath"
	"testing"

	"peernomic/engine/wire"
	"peernomic/signal/code"
)

// history is what a relay has of a room: its seals, and the envelopes that each names.
type history struct {
	seals     []wire.SignedSeal
	envelopes [][][]byte
}

// someHistory lets a relay seal n envelopes of room 1, one by one.
func someHistory(t *testing.T, n int) history {
	t.Helper()
	m := startRelay(t, Config{Limits: quick}, 0).join(1)
	m.send(wire.Want{FromSeal: 1})
	var h history
	for i := range n {
		content := fmt.Sprint("history ", i)
		m.until("acknowledgement", m.acks(m.post(content)))
		h.envelopes = append(h.envelopes, [][]byte{envelope(m.key, content)})
	}
	m.until("seals", func() bool { return len(m.sealed) == n })
	h.seals = m.sealed
	return h
}

func (h history) piece(from, to int) wire.Adopt {
	var a wire.Adopt
	for i := from; i < to; i++ {
		a.Seals = append(a.Seals, h.seals[i].Bytes)
		a.Envelopes = append(a.Envelopes, h.envelopes[i]...)
	}
	return a
}

// handOver gives a relay all of a history.
func (m *member) handOver(h history) {
	m.t.Helper()
	m.send(h.piece(0, len(h.seals)))
	m.until("acknowledgement of the history", m.acks([]wire.EnvelopeHash{wire.EnvelopeHash(h.seals[len(h.seals)-1].Hash)}))
}

func (m *member) wantRefusal(want code.Code) {
	m.t.Helper()
	for {
		message := m.receive()
		if r, ok := message.(wire.Refusal); ok {
			if r.Code != string(want) {
				m.t.Errorf("refused with %q, want %q", r.Code, want)
			}
			return
		}
		if _, ok := message.(wire.Ack); ok {
			m.t.Errorf("accepted, want refusal %q", want)
			return
		}
	}
}

// Clause 10.3: a relay takes over a room that another sealed, and goes on with a chain of its own, also
// after a restart in between.
func TestAnotherRelayGoesOn(t *testing.T) {
	h := someHistory(t, 5)
	config := Config{Limits: quick, Data: filepath.Join(t.TempDir(), "data")}
	var first wire.Welcome
	life := func(play func(m *member)) {
		r := startRelay(t, config, 0)
		m := r.join(1)
		if first.Notary == (wire.NotaryKey{}) {
			first = m.welcome
		}
		if m.welcome.Notary != first.Notary || m.welcome.Anchor != first.Anchor {
			t.Fatal("a restart changed the notary")
		}
		play(m)
		r.http.CloseClientConnections()
		if err := r.s.Close(patient(t)); err != nil {
			t.Fatal(err)
		}
	}
	life(func(m *member) {
		m.send(wire.Adopt{Envelopes: h.envelopes[2]}) // can come before its seal
		m.until("acknowledgement", m.acks([]wire.EnvelopeHash{wire.HashEnvelope(h.envelopes[2][0])}))
		m.send(h.piece(0, 2))
		m.until("acknowledgement", m.acks([]wire.EnvelopeHash{wire.EnvelopeHash(h.seals[1].Hash)}))
		m.post("too early")
		m.wantRefusal(code.Adopting)
	})
	life(func(m *member) {
		if m.welcome.Seals != 2 || m.welcome.SealHash != h.seals[1].Hash {
			t.Fatalf("the relay has %d seals, want 2", m.welcome.Seals)
		}
		m.send(wire.Adopt{Seals: [][]byte{h.seals[2].Bytes}})
		m.until("acknowledgement", m.acks([]wire.EnvelopeHash{wire.EnvelopeHash(h.seals[2].Hash)}))
		m.send(h.piece(3, 5))
		m.until("acknowledgement", m.acks([]wire.EnvelopeHash{wire.EnvelopeHash(h.seals[4].Hash)}))
		proof := envelope(m.key, "proof")
		m.send(wire.Continue{Base: h.seals[4].Hash, Envelopes: [][]byte{h.envelopes[1][0], proof}}) // one had to wait for what it depends on
		m.until("acknowledgement", m.acks([]wire.EnvelopeHash{wire.HashEnvelope(proof)}))
		m.until("acknowledgement", m.acks(m.post("played on")))
		m.send(h.piece(0, 1))
		m.wantRefusal(code.History)
		m.send(wire.Continue{Base: h.seals[4].Hash, Envelopes: [][]byte{envelope(m.key, "again")}})
		m.wantRefusal(code.History)
	})
	life(func(m *member) {
		m.until("acknowledgement", m.acks(m.post("and on")))
		m.send(wire.Want{FromSeal: 1})
		m.until("seals", func() bool { return len(m.sealed) == 8 })
		link := first.Anchor
		for i, s := range m.sealed {
			switch {
			case i < 5 && s.Hash != h.seals[i].Hash:
				t.Errorf("seal %d is not the old relay's", s.Number)
			case i >= 5:
				if s.Notary != first.Notary || s.Number != uint64(i+1) || s.Prev != m.sealed[i-1].Hash || s.Link.Parent() != link || s.Time < m.sealed[i-1].Time {
					t.Errorf("seal %d does not go on from the one before", s.Number)
				}
				link = s.Link
			}
			if i == 5 && (len(s.Envelopes) != 2 || s.Envelopes[0] != wire.HashEnvelope(h.envelopes[1][0])) {
				t.Errorf("the first seal names %d envelopes, want 2", len(s.Envelopes))
			}
		}
	})
}

// Clause 10.3, what is no history.
func TestHistoriesThatAreRefused(t *testing.T) {
	h := someHistory(t, 3)
	stores(t, func(t *testing.T, config Config) {
		r := startRelay(t, config, 0)
		m := r.join(1)
		m.send(wire.Adopt{Seals: [][]byte{h.seals[0].Bytes}})
		m.wantRefusal(code.History) // without its envelope
		m.send(h.piece(1, 2))
		m.wantRefusal(code.History) // not from the beginning
		forged := h.piece(0, 1)
		forged.Seals[0] = append([]byte{}, forged.Seals[0]...)
		forged.Seals[0][len(forged.Seals[0])-1] ^= 1
		m.send(forged)
		m.wantRefusal(code.History)
		m.send(wire.Adopt{Envelopes: [][]byte{envelope(roomKey(2), "elsewhere")}})
		m.wantRefusal(code.EnvelopeRoom)
		m.send(wire.Continue{Base: h.seals[2].Hash})
		m.wantRefusal(code.History) // nothing was handed over
		m.handOver(h)
		m.send(wire.Continue{Base: h.seals[1].Hash})
		m.wantRefusal(code.History) // not the end
		m.send(wire.Continue{Base: h.seals[2].Hash, Envelopes: [][]byte{envelope(m.key, "twice"), envelope(m.key, "twice")}})
		m.wantRefusal(code.History)

		own := r.join(2)
		own.until("acknowledgement", own.acks(own.post("own")))
		own.send(h.piece(0, 3))
		own.wantRefusal(code.EnvelopeRoom)
		own.send(wire.Adopt{Seals: [][]byte{h.seals[0].Bytes}})
		own.wantRefusal(code.History) // it has a history of its own
	})
}

// A room holds no more of a handed over history than of its own.
func TestHistoryCountsForTheQuota(t *testing.T) {
	h := someHistory(t, 3)
	limits := quick
	limits.RoomBytes = 1500
	m := startRelay(t, Config{Limits: limits}, 0).join(1)
	m.send(h.piece(0, 3))
	m.wantRefusal(code.RoomFull)
}
