package dice

import (
	"crypto/ed25519"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// witnessTable is a game of four in which Ana rolled at seal 5, and Kim and Bo witness it.
type witnessTable struct {
	*table
	bo, cy *ledger.Pen
	enrols map[*ledger.Pen]ledger.Entry
	roll   ledger.Entry
	placed wire.SignedSeal
}

func newWitnessTable() *witnessTable {
	w := &witnessTable{table: newTable(), enrols: map[*ledger.Pen]ledger.Entry{}}
	w.enrols[w.founder], w.enrols[w.guest] = w.genesis, w.enrol
	join := func(name, identity string) *ledger.Pen {
		p := must(ledger.NewPen(w.keys, must(ledger.NewDevice(source("device "+name)))))
		seed := make([]byte, 32)
		must(source("device " + name).Read(seed))
		w.signs[p] = ed25519.NewKeyFromSeed(seed)
		e := must(p.Enrol(must(ledger.NewIdentity(source(identity))), identity, w.replica.Game(), nil, w.now))
		w.add(e)
		w.seal(e)
		w.enrols[p] = e
		return p
	}
	w.bo = join("Bo", "Bo")
	w.cy = join("Ana's other device", "Ana")
	w.roll = w.act(w.guest, []ledger.ActionID{}...)
	w.placed = w.seal(w.roll)
	return w
}

// part signs and adds a witness's part in the roll, after a change of its body.
func (w *witnessTable) part(p *ledger.Pen, change func(b *WitnessBody)) ledger.Entry {
	b := WitnessBody{Action: w.roll.Action.ID(), Seal: w.placed.Hash}
	change(&b)
	at := w.replica.Position(p.Device().Key())
	at.Heads = nil
	e := must(p.Write(at, ledger.KindWitness, must(b.Encode()), w.now))
	w.add(e)
	return e
}

func (w *witnessTable) sealed(e ledger.Entry) Sealed {
	return Sealed{Envelope: e.Envelope(), Key: must(w.keys.EnvelopeKey(e.Envelope()))}
}

func (w *witnessTable) attest(p *ledger.Pen, e ledger.Entry, s wire.SignedSeal) Attest {
	return Attest{Device: w.sealed(w.enrols[p]), Action: w.sealed(e), Named: s.Bytes, Placed: s.Bytes}
}

// transcript is of the roll with these witnesses, without any check.
func (w *witnessTable) transcript(wanted uint64, witnesses []Attest, links []wire.Link, sides ...uint64) []byte {
	p := w.replica.Placed()[4]
	if p.Action.ID() != w.roll.Action.ID() {
		panic("another action")
	}
	x := must(ParseTranscript(must(NewTranscript(w.replica, p, w.dice(p, wanted, links, sides...), 0, nil))))
	x.Wanted, x.Witnesses = wanted, witnesses
	return must(wire.Encode(x))
}

func none(*WitnessBody) {}

// witnessed returns the vectors of the mode witnessed(k).
func witnessed() []transcriptVector {
	var out []transcriptVector
	put := func(clause, name, want string, b []byte) { out = append(out, vectorOf(clause, name, want, b)) }
	// cut seals entries at a time after the roll, in ms.
	cut := func(w *witnessTable, after int64, entries ...ledger.Entry) wire.SignedSeal {
		var hashes []wire.EnvelopeHash
		for _, e := range entries {
			hashes = append(hashes, wire.HashEnvelope(e.Envelope()))
		}
		s := w.cut(func(s *wire.Seal) { s.Envelopes, s.Time = hashes, w.placed.Time+after })
		if err := w.replica.AddSeal(s.Bytes); err != nil {
			panic(err)
		}
		w.last = s
		return s
	}
	links := func(entries ...ledger.Entry) []wire.Link {
		var l []wire.Link
		for _, e := range entries {
			l = append(l, e.Action.Action().Link)
		}
		return l
	}

	w := newWitnessTable()
	kim, bo := w.part(w.founder, none), w.part(w.bo, none)
	first := cut(w, 0, kim)
	second := cut(w, WitnessTime-1, bo)
	a, b := w.attest(w.founder, kim, first), w.attest(w.bo, bo, second)
	good := w.transcript(2, []Attest{b, a}, links(bo, kim), 6, 20)
	put("5.9", "two witnesses, one in the last moment", "", good)
	put("5.9", "one of two witnesses", "", w.transcript(2, []Attest{a}, links(kim), 6, 20))
	put("5.9", "none of two witnesses", "", w.transcript(2, []Attest{}, nil, 6, 20))
	put("5.11", "a roll with two witnesses shown as one without", "", w.transcript(0, []Attest{}, nil, 6, 20))
	put("5.11", "a roll with two witnesses shown in another order", "", w.transcript(2, []Attest{a, b}, links(kim, bo), 6, 20))

	// with changes the second witness, Kim, of the good one.
	with := func(change func(x *Attest)) []byte {
		x := must(ParseTranscript(good))
		change(&x.Witnesses[1])
		return must(wire.Encode(x))
	}
	flip := func(b []byte) []byte {
		b = slices.Clone(b)
		b[len(b)-1] ^= 1
		return b
	}
	put("5.1", "more witnesses than were wanted", "5.1", w.transcript(1, []Attest{b, a}, links(bo, kim), 6))
	put("5.1", "more than eight witnesses wanted", "5.1", w.transcript(9, []Attest{a}, links(kim), 6))
	put("5.9", "a witness's first action with one bit changed", "5.9", with(func(x *Attest) { x.Device.Envelope = flip(x.Device.Envelope) }))
	put("5.9", "a witness's part for its first action", "5.9", with(func(x *Attest) { x.Device = x.Action }))
	put("5.9", "a part with one bit changed", "5.9", with(func(x *Attest) { x.Action.Envelope = flip(x.Action.Envelope) }))
	put("5.9", "a part of another device", "5.9", with(func(x *Attest) { x.Action = b.Action }))
	put("5.9", "a seal that names another envelope", "5.9", with(func(x *Attest) { x.Named = second.Bytes }))
	put("5.9", "a place before the name", "5.9", with(func(x *Attest) { x.Placed = w.placed.Bytes }))
	put("5.9", "a placing seal with one bit changed", "5.9", with(func(x *Attest) { x.Placed = flip(x.Placed) }))
	put("5.9", "a witness twice", "5.9", w.transcript(2, []Attest{a, a}, links(kim, kim), 6))
	put("5.10", "the witnesses in another order", "5.10", w.transcript(2, []Attest{a, b}, links(bo, kim), 6, 20, 100, 100))
	put("5.10", "a witness left out", "5.10", w.transcript(2, []Attest{b}, links(bo, kim), 6, 20, 100, 100))
	put("5.10", "another number of wanted witnesses", "5.10", func() []byte {
		x := must(ParseTranscript(good))
		x.Wanted++
		return must(wire.Encode(x))
	}())
	put("5.10", "witnesses that the dice do not count", "5.10", w.transcript(2, []Attest{a}, nil, 6, 20, 100, 100))

	// Each of these is a table of its own, in which the founder's part is wrong.
	wrong := func(name string, after int64, make func(w *witnessTable) (*ledger.Pen, ledger.Entry), seal func(w *witnessTable, s *wire.Seal)) {
		w := newWitnessTable()
		p, e := make(w)
		s := w.cut(func(s *wire.Seal) {
			s.Envelopes, s.Time = []wire.EnvelopeHash{wire.HashEnvelope(e.Envelope())}, w.placed.Time+after
			seal(w, s)
		})
		put("5.9", name, "5.9", w.transcript(1, []Attest{w.attest(p, e, s)}, links(e), 6))
	}
	asIs := func(*witnessTable, *wire.Seal) {}
	byKim := func(change func(b *WitnessBody)) func(w *witnessTable) (*ledger.Pen, ledger.Entry) {
		return func(w *witnessTable) (*ledger.Pen, ledger.Entry) { return w.founder, w.part(w.founder, change) }
	}
	wrong("a part in another roll", 0, byKim(func(b *WitnessBody) { b.Action[0] ^= 1 }), asIs)
	wrong("a part that names another seal", 0, byKim(func(b *WitnessBody) { b.Seal[0] ^= 1 }), asIs)
	wrong("an act with a part's body", 0, func(w *witnessTable) (*ledger.Pen, ledger.Entry) {
		at := w.replica.Position(w.founder.Device().Key())
		e := must(w.founder.Write(at, ledger.KindAct, must(WitnessBody{Action: w.roll.Action.ID(), Seal: w.placed.Hash}.Encode()), w.now))
		return w.founder, e
	}, asIs)
	wrong("a part whose link is not on the chain", 0, func(w *witnessTable) (*ledger.Pen, ledger.Entry) {
		e := w.part(w.founder, none)
		forged := e.Action.Action()
		forged.Link = wire.Link{1}
		signed := must(wire.Sign(w.signs[w.founder], ledger.ActionLabel, must(wire.Encode(forged))))
		v := must(must(ledger.Parse(signed)).Verify())
		return w.founder, ledger.Entry{Action: v, Envelopes: [][]byte{must(w.keys.SealAction(v))}}
	}, asIs)
	wrong("a part in the first moment that is too late", WitnessTime, byKim(none), asIs)
	wrong("a part before the roll", -1, byKim(none), asIs)
	wrong("a part at an earlier seal", 0, byKim(none), func(w *witnessTable, s *wire.Seal) { s.Number, s.Link = 4, must(w.chain.Link(4)) })
	wrong("a seal's link out of nowhere", 0, byKim(none), func(_ *witnessTable, s *wire.Seal) { s.Link = wire.Link{1} })
	wrong("the roller by another device", 0, func(w *witnessTable) (*ledger.Pen, ledger.Entry) { return w.cy, w.part(w.cy, none) }, asIs)
	return out
}
