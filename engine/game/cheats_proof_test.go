//go:build !js

package game

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file checks the part of the threat table of engine/dice/SPEC.md, section 7, that is about a stranger who has
// only the proof of a roll: the roller alone makes proofs, with a notary that is honest, and shows the one that
// pleases.

// A claim is a proof that the roller could make: what its die shows, and how it differs from the proof of the roll that
// counted.
type claim struct {
	shows  uint64
	change func(x *dice.Transcript)
}

// judged makes the proof and returns what a stranger's verifier says: whatever the roller claims, it passes.
func (d *den) judged(e ledger.Entry, c claim) dice.Report {
	d.t.Helper()
	b, err := d.game.Transcript(e.Action.ID())
	must(d.t, err)
	x, err := dice.ParseTranscript(b)
	must(d.t, err)
	c.change(&x)
	x.Rolls = []dice.Roll{{Sides: 6, Value: c.shows}}
	r := dice.VerifyTranscript(need(wire.Encode(x)))
	must(d.t, r.Error())
	return r
}

// counted is the claim that is true.
func (d *den) counted(e ledger.Entry) claim {
	return claim{uint64(d.find(e).Outcome.Rolls[0].Value), func(*dice.Transcript) {}}
}

// laterSeal claims the newest seal as the place.
func (d *den) laterSeal(e ledger.Entry) claim {
	seal := d.last
	return claim{d.shows(e, seal.Link, 0), func(x *dice.Transcript) { x.Placed = seal.Bytes }}
}

// again has an action sealed once more, in another envelope: the n-th. For the room it is junk.
func (d *den) again(e ledger.Entry, n byte) claim {
	d.t.Helper()
	env := need(wire.ParseEnvelope(e.Envelope()))
	key := need(d.keys.EnvelopeKey(e.Envelope()))
	box := need(chacha20poly1305.New(key[:]))
	nonce := func() []byte { return append(make([]byte, 4), env.Nonce[16:]...) }
	plain := need(box.Open(nil, nonce(), env.Ciphertext, env.AAD()))
	env.Nonce[23] ^= n // the key comes from the first 16 bytes
	env.Ciphertext = box.Seal(nil, nonce(), plain, env.AAD())
	if _, err := d.game.Receive(env.Bytes()); err == nil {
		d.t.Fatal("the room takes an envelope with another nonce")
	}
	d.name(wire.HashEnvelope(env.Bytes()))
	return d.sealedAs(e, dice.Sealed{Envelope: env.Bytes(), Key: key})
}

// rival has another action with the same number sealed, which is void.
func (d *den) rival(other ledger.Entry) claim {
	d.t.Helper()
	d.seal(other)
	return d.sealedAs(other, dice.Sealed{Envelope: other.Envelope(), Key: need(d.keys.EnvelopeKey(other.Envelope()))})
}

// sealedAs claims an action in an envelope that the newest seal names.
func (d *den) sealedAs(e ledger.Entry, as dice.Sealed) claim {
	seal := d.last
	return claim{d.shows(e, seal.Link, 0), func(x *dice.Transcript) { x.Action, x.Named, x.Placed = as, seal.Bytes, seal.Bytes }}
}

// inMode claims that a roll at a seal was to have so many witnesses, and none came.
func (d *den) inMode(e ledger.Entry, seal wire.SignedSeal, wanted uint64) claim {
	return claim{d.shows(e, seal.Link, wanted), func(x *dice.Transcript) { x.Wanted, x.Witnesses = wanted, []dice.Attest{} }}
}

// A proofCheat makes proofs of one roll until one shows a six. The first is of the roll that counted, unless never is set.
type proofCheat struct {
	line      string // of the threat table
	witnesses int
	tries     int // how many proofs they can choose among
	never     bool
	refused   string // what the game says of a proof that is not of the roll that counted
	// begin lets a roll be decided, and returns it with the n-th other claim.
	begin func(d *den) (e ledger.Entry, other func(n int) claim)
}

func proofCheats() []proofCheat {
	sealed := func(d *den) ledger.Entry {
		e := d.throw("")
		d.seal(e)
		return e
	}
	return []proofCheat{
		{line: "the roller shows a later seal as the place", tries: 4, refused: "has its place by seal", begin: func(d *den) (ledger.Entry, func(int) claim) {
			e := sealed(d)
			return e, func(int) claim {
				d.seal()
				return d.laterSeal(e)
			}
		}},
		{line: "the roller has the same action sealed again", tries: 4, refused: "has its place by seal", begin: func(d *den) (ledger.Entry, func(int) claim) {
			e := sealed(d)
			return e, func(n int) claim { return d.again(e, byte(n)) }
		}},
		{line: "the roller shows another mode", witnesses: 2, tries: 9, never: true, refused: "witnesses", begin: func(d *den) (ledger.Entry, func(int) claim) {
			e := sealed(d)
			placed := d.last
			d.seal(d.parts(e, d.allAsked())...)
			return e, func(n int) claim { return d.inMode(e, placed, uint64(n-1)) }
		}},
		{line: "the roller signs more actions with one number", tries: 4, refused: "is void: the device signed another action", begin: func(d *den) (ledger.Entry, func(int) claim) {
			var others []ledger.Entry
			for n := range 3 {
				others = append(others, d.throw(fmt.Sprint("other ", n)))
			}
			return sealed(d), func(n int) claim { return d.rival(others[n-1]) }
		}},
	}
}

// play returns what the verifier says of the proof that is shown, and whether it is of the roll that counted.
func (c proofCheat) play(d *den) (r dice.Report, counted bool) {
	e, other := c.begin(d)
	shown, n := d.counted(e), 1
	if c.never {
		shown = other(n)
		n++
	}
	for more := c.tries - 1; more > 0 && shown.shows != 6; more-- {
		shown = other(n)
		n++
	}
	return d.judged(e, shown), n == 1
}

// TestCheatsTowardsAStranger measures the lines about a stranger with a proof: all that is shown passes every check,
// the verifier says what would have to be known, and the game tells which roll counted.
func TestCheatsTowardsAStranger(t *testing.T) {
	for i, c := range proofCheats() {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			want := among(c.tries)
			n := trials(want)
			var d *den
			sixes := 0
			for roll := range n {
				if roll%denTrials == 0 {
					d = newDen(t, (100+i)*fairTrials+roll, 5, c.witnesses)
				}
				d.now += 1000
				r, counted := c.play(d)
				if r.Rolls[0].Value == 6 {
					sixes++
				}
				switch err := d.game.Counted(r, nil); {
				case counted && err != nil:
					t.Fatalf("the roll that counted: %v", err)
				case !counted && (err == nil || !strings.Contains(err.Error(), c.refused)):
					t.Fatalf("of a roll that did not count, the game says %v", err)
				case r.Text != dice.Follows:
					t.Fatalf("the verifier says %q", r.Text)
				}
			}
			measure(t, "sixes", sixes, n, want)
			if low, _ := limits(n, want); float64(low) <= 0.185*float64(n) {
				t.Errorf("%d sixes in %d rolls would pass: no more than are fair", low, n)
			}
		})
	}
}

// The last of these lines: who makes all these proofs, and shows one that passes together with the game, gains nothing.
func TestCheatsTowardsAStrangerWithTheGame(t *testing.T) {
	n := trials(fair)
	var d *den
	sixes, tried := 0, 0
	for roll := range n {
		if roll%denTrials == 0 {
			d = newDen(t, 200*fairTrials+roll, 5, 0)
		}
		d.now += 1000
		e, other := d.throw(""), d.throw("other")
		d.seal(e)
		placed := d.last
		shown := d.counted(e)
		d.seal()
		for _, c := range []claim{shown, d.laterSeal(e), d.again(e, 1), d.inMode(e, placed, 1), d.rival(other)} {
			if c.shows == 6 {
				if tried++; d.game.Counted(d.judged(e, c), nil) == nil {
					shown = c
				}
			}
		}
		if shown.shows == 6 {
			sixes++
		}
	}
	measure(t, "sixes", sixes, n, fair)
	if tried < n/2 {
		t.Errorf("only %d proofs with a six were tried on the game", tried)
	}
}
