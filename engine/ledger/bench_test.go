package ledger

import (
	"fmt"
	"testing"

	"peernomic/engine/wire"
)

// longGame writes n acts by four people in turn, each naming the heads it saw, and seals
// them one by one.
func longGame(n int) (*table, [][]byte, []wire.SignedSeal) {
	t := newTable(4)
	writer := NewReplica(t.keys, t.game)
	for _, env := range t.all {
		must(writer.AddEnvelope(env))
	}
	for _, s := range t.seals {
		if err := writer.AddSeal(s.Bytes); err != nil {
			panic(err)
		}
	}
	for i := range n {
		p := t.people[i%len(t.people)]
		e := must(p.pen.Write(writer.Position(p.pen.Device().Key()), KindAct, []byte(fmt.Sprint("act ", i)), t.now))
		must(writer.AddEnvelope(e.Envelope()))
		t.all = append(t.all, e.Envelope())
		t.now += 1000
		s := must(t.notary.Seal(t.now, []wire.EnvelopeHash{wire.HashEnvelope(e.Envelope())}))
		t.seals = append(t.seals, s)
	}
	return t, t.all, t.seals
}

func BenchmarkVerifyAction(b *testing.B) {
	tab := newTable(2)
	bytes := tab.act(1, "act").Action.Bytes()
	for b.Loop() {
		if _, err := must(Parse(bytes)).Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenEnvelope(b *testing.B) {
	tab := newTable(2)
	env := tab.act(1, "act").Envelope()
	for b.Loop() {
		must(tab.keys.Open(env))
	}
}

func BenchmarkWriteAction(b *testing.B) {
	tab := newTable(2)
	p := tab.people[1]
	at := p.replica.Position(p.pen.Device().Key())
	for b.Loop() {
		must(p.pen.Write(at, KindAct, []byte("act"), tab.now))
	}
}

// BenchmarkPlace10000 takes in a game of 10,000 sealed acts that others sent.
func BenchmarkPlace10000(b *testing.B) {
	place(b, 10_000, (*Replica).AddEnvelope, (*Replica).AddSeal)
}

// BenchmarkRestore10000 takes in the same from the device's own store.
func BenchmarkRestore10000(b *testing.B) {
	place(b, 10_000, (*Replica).RestoreEnvelope, (*Replica).RestoreSeal)
}

func place(b *testing.B, n int, addEnvelope func(*Replica, []byte) (wire.EnvelopeHash, error), addSeal func(*Replica, []byte) error) {
	tab, envelopes, seals := longGame(n)
	for b.Loop() {
		r := NewReplica(tab.keys, tab.game)
		for _, env := range envelopes {
			must(addEnvelope(r, env))
		}
		for _, s := range seals {
			if err := addSeal(r, s.Bytes); err != nil {
				b.Fatal(err)
			}
		}
		if got := len(r.Placed()); got != len(seals) {
			b.Fatalf("placed %d, want %d", got, len(seals))
		}
	}
}
