package dice

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

var everyByte = flag.Bool("every-byte", false, "change every byte of a transcript, not every seventh")

// Clauses 3.1, 4.1 and 4.2: every side is equally likely, for all dice of 2 to 100 sides, over more
// than a million rolls in many short streams, as actions roll them. The seeds are fixed, so this
// either always passes or shows a bias. The bounds are four and a half standard deviations of the
// chi-square distribution on either side, by the approximation of Wilson and Hilferty: dice that
// are too even are not fair either.
func TestDiceAreUniform(t *testing.T) {
	const streams, each = 500, 22
	rolls := 0
	all := 0.0 // sum of the normal deviates, which is one of 99 dice together
	for sides := uint64(2); sides <= 100; sides++ {
		count := make([]int, sides+1)
		for n := range uint64(streams) {
			var action [32]byte
			binary.BigEndian.PutUint64(action[:], n)
			s := NewStream(Seed([32]byte{byte(sides)}, action, wire.Link{1}, wire.Link{2}))
			for range each {
				count[s.Roll(sides)]++
				rolls++
			}
		}
		if count[0] > 0 {
			t.Fatalf("a die of %d sides showed 0", sides)
		}
		chi, want := 0.0, float64(streams*each)/float64(sides)
		for _, n := range count[1:] {
			chi += (float64(n) - want) * (float64(n) - want) / want
		}
		z := deviate(chi, float64(sides-1))
		all += z
		if math.Abs(z) > 4.5 {
			t.Errorf("a die of %d sides: chi-square %.1f, %.1f standard deviations off", sides, chi, z)
		}
	}
	if all /= math.Sqrt(99); math.Abs(all) > 4.5 {
		t.Errorf("all dice together are %.1f standard deviations off", all)
	}
	if rolls < 1_000_000 {
		t.Errorf("only %d rolls", rolls)
	}
	t.Logf("%d rolls; all dice together are %.2f standard deviations off", rolls, all)
}

// deviate makes a standard normal deviate of a chi-square with some degrees of freedom.
func deviate(chi, freedom float64) float64 {
	v := 2 / (9 * freedom)
	return (math.Cbrt(chi/freedom) - (1 - v)) / math.Sqrt(v)
}

// Clause 4.2: no side is likelier. All words are too many, so both ends of them are tried: what is
// accepted are whole rounds of the sides, from the first word to the last.
func TestFoldIsFair(t *testing.T) {
	for sides := uint64(1); sides <= 1000; sides++ {
		for w := range 2 * sides {
			if v, ok := fold(w, sides); !ok || v != 1+w%sides {
				t.Fatalf("word %d on %d sides gives %d, %v", w, sides, v, ok)
			}
		}
		rejected := uint64(0)
		for _, ok := fold(-rejected-1, sides); !ok; _, ok = fold(-rejected-1, sides) {
			if rejected++; rejected >= sides {
				t.Fatalf("%d sides: a whole round of words is rejected", sides)
			}
		}
		for i := range sides {
			if v, ok := fold(-rejected-1-i, sides); !ok || v != sides-i {
				t.Fatalf("%d sides: the last round ends with %d, %v at word %d from its end", sides, v, ok, i)
			}
		}
	}
}

// The largest words that fold accepts and the smallest that it rejects, for any number of sides.
func TestFoldEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.Uint64Range(1, 1<<64-1).Draw(t, "sides")
		over := (1<<64-1)%sides + 1 // 2^64 mod sides, or sides
		if over == sides {
			over = 0
		}
		last := -over - 1 // the last word that is accepted
		if v, ok := fold(last, sides); !ok || v != sides {
			t.Fatalf("the last accepted word gives %d, %v", v, ok)
		}
		if over == 0 {
			return
		}
		if _, ok := fold(last+1, sides); ok {
			t.Fatal("a word beyond the last multiple is accepted")
		}
	})
}

// Whatever byte is changed in a good transcript, it is refused. A normal run changes every
// seventh; -every-byte changes all.
func TestEveryByteOfATranscriptCounts(t *testing.T) {
	good := goodTranscript(t)
	want := VerifyTranscript(good)
	if !want.OK {
		t.Fatal(want.Error())
	}
	step := 7
	if *everyByte {
		step = 1
	}
	for i := 0; i < len(good); i += step {
		b := bytes.Clone(good)
		b[i] ^= 1
		if r := VerifyTranscript(b); r.OK {
			t.Fatalf("a transcript with byte %d changed was accepted", i)
		}
	}
}

func goodTranscript(tb testing.TB) []byte {
	tb.Helper()
	file, err := os.ReadFile(vectorsFile)
	if err != nil {
		tb.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(file, &v); err != nil {
		tb.Fatal(err)
	}
	b, err := hex.DecodeString(v.Transcripts[0].Bytes)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Whose roll it is stands by the key, and a name can hide nothing in the sentence.
func TestReportNamesTheRollerByTheKey(t *testing.T) {
	r := VerifyTranscript(goodTranscript(t))
	if key := ledger.Fingerprint(r.Identity.String()); r.Identity == (ledger.IdentityKey{}) || !strings.Contains(r.Roller(), key) {
		t.Errorf("%q does not say the key %s", r.Roller(), key)
	}
	if r.Name = "\u202eanA"; !strings.Contains(r.Roller(), `"\u202eanA"`) {
		t.Errorf("%q hides what turns the text around", r.Roller())
	}
}

// A transcript gives away the keys of its envelopes and no other.
func TestTranscriptDisclosesNothingElse(t *testing.T) {
	tab := newTable()
	e := tab.act(tab.guest)
	tab.seal(e)
	x := must(ParseTranscript(tab.roll(e, 6)))
	secret := tab.act(tab.founder)
	for _, s := range []Sealed{x.Genesis, x.Device, x.Action} {
		if _, err := ledger.OpenWith(s.Key, secret.Envelope()); err == nil {
			t.Error("a key of the transcript opens another envelope")
		}
	}
}

func TestTranscriptNeedsAPlace(t *testing.T) {
	tab := newTable()
	tab.act(tab.guest)
	if _, err := NewTranscript(tab.replica, tab.replica.Tentative()[0], nil, 0, nil); err == nil {
		t.Error("a tentative action has a transcript")
	}
}

// FuzzTranscript: whatever comes in, verification ends with a verdict, and what parses
// encodes to the same bytes.
func FuzzTranscript(f *testing.F) {
	file, err := os.ReadFile(vectorsFile)
	if err != nil {
		f.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(file, &v); err != nil {
		f.Fatal(err)
	}
	if len(v.Transcripts) == 0 {
		f.Fatal("no seeds")
	}
	for _, tv := range v.Transcripts {
		b, err := hex.DecodeString(tv.Bytes)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if r := VerifyTranscript(b); r.OK == (r.Clause != "") {
			t.Errorf("verdict %v with clause %q", r.OK, r.Clause)
		}
		x, err := ParseTranscript(b)
		if err != nil {
			return
		}
		again, err := wire.Encode(x)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("a transcript encodes to other bytes: %v", err)
		}
	})
}

func BenchmarkRoll(b *testing.B) {
	s := NewStream([32]byte{1})
	for b.Loop() {
		s.Roll(6)
	}
}

func BenchmarkVerifyTranscript(b *testing.B) {
	good := goodTranscript(b)
	for b.Loop() {
		VerifyTranscript(good)
	}
}
