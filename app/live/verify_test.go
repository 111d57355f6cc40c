package live

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"peernomic/app/view"
	"peernomic/engine/dice"
	"peernomic/engine/wire"
)

// Whatever file is dropped on the page Verify, it says in a sentence what it is and whether it is good.
func TestVerdictOnFiles(t *testing.T) {
	h, ctx := device(t), context.Background()
	room, err := h.Found(ctx, view.Founding{Ruleset: "dragons", Title: "שלום \u202emaet a 3", Name: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Open(ctx, room)
	if err != nil {
		t.Fatal(err)
	}
	file, err := g.Export(ctx)
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(nil), file...)
	changed[len(changed)/2] ^= 1
	tests := []struct {
		name string
		file []byte
		want view.Verdict
		says string
	}{
		{"good", file, view.Verdict{OK: true, What: "The exported game “שלום [U+202E]maet a 3”"}, "every action was carried out again"},
		{"changed", changed, view.Verdict{What: "An exported game", Clause: "3.5"}, "which is refused: decrypt: the envelope does not open"},
		{"cut off", file[:len(file)-1], view.Verdict{What: "An exported game", Clause: "8.2"}, "cut off"},
		{"empty", nil, view.Verdict{None: true}, "The file is empty."},
		{"text", []byte("Roses are red"), view.Verdict{None: true}, "neither an exported game nor the proof of a roll"},
		{"newer", []byte("peernomic archive v2\n"), view.Verdict{None: true}, "of a newer version"},
		{"key", []byte("peernomic identity backup v1\n"), view.Verdict{None: true}, "the backup of a key"},
	}
	for _, test := range tests {
		v, err := h.Verify(ctx, test.file, func(int, int) {})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if v.OK != test.want.OK || v.None != test.want.None || v.What != test.want.What || v.Clause != test.want.Clause || !strings.Contains(v.Text, test.says) {
			t.Errorf("%s: %+v", test.name, v)
		}
		if broken := !v.OK && !v.None; broken != (len(v.Facts) > 0 && v.Facts[0].Name == "What this means") {
			t.Errorf("%s: what to make of it: %+v", test.name, v.Facts)
		}
	}
}

// The proof of a roll at the last seal that a notary can sign takes a million hashes: the page has its turn between them, is
// told how far that is, and can stop it. Time is virtual here, so that it does not matter how fast the machine hashes.
func TestLateProofIsCheckedInTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := device(t)
		proof := lateProof(t)
		told, last := 0, 0
		v, err := h.Verify(aging{t.Context()}, proof, func(done, total int) {
			if done <= last || done > total {
				t.Errorf("told %d of %d after %d", done, total, last)
			}
			told, last = told+1, done
		})
		if err != nil || !v.Alone || told < 100 {
			t.Errorf("%+v, %v, told %d times", v, err, told)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		stopped := 0
		if _, err := h.Verify(aging{ctx}, proof, func(int, int) { stopped++; stop() }); !errors.Is(err, context.Canceled) || stopped != 1 {
			t.Errorf("stopped, it says %v and was told %d times", err, stopped)
		}
	})
}

// aging is a context in a bubble of [synctest]: a second passes whenever somebody asks whether to go on.
type aging struct{ context.Context }

func (c aging) Err() error {
	time.Sleep(time.Second)
	return c.Context.Err()
}

// lateProof is the dice's vector of the last seal that a notary can sign.
func lateProof(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile("../../engine/dice/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Transcripts []struct{ Name, Bytes string }
	}
	if err := json.Unmarshal(file, &v); err != nil {
		t.Fatal(err)
	}
	for _, tr := range v.Transcripts {
		if tr.Name == "the last seal that a notary can sign" {
			b, err := hex.DecodeString(tr.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	t.Fatal("there is no such vector")
	return nil
}

// A proof that is pasted into a message holds nothing that turns the message around.
func TestProofInAMessageHidesNothing(t *testing.T) {
	v := &view.Roll{RollLine: view.RollLine{Who: "\u202ebO", For: "שלום"}, Facts: []view.Fact{{Name: "Witness", Value: "שרה"}}}
	text := proofText(v, dice.Report{Title: "a\u2066b"})
	for _, want := range []string{"[U+202E]bO: \u2068שלום\u2069, in “a[U+2066]b”\n", "Witness: \u2068שרה\u2069\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}

// The page says of a proof alone what it shows and what it does not, in sentences; with the exported game it says whether
// the roll counted.
func TestVerdictOnRoll(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	res, err := g.Act(ctx, "Roll dice", map[string]any{"comment": "for luck DICE6"})
	if err != nil {
		t.Fatal(err)
	}
	roll, err := g.Roll(ctx, res.Rolls[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := g.Export(ctx)
	if err != nil {
		t.Fatal(err)
	}
	otherMode := inMode(t, roll.Transcript, 2)

	alone, err := h.Verify(ctx, roll.Transcript, nil)
	if err != nil || !alone.OK || !alone.Alone {
		t.Fatalf("%v, %+v", err, alone)
	}
	says(t, alone.Text, dice.Follows, "Ask the player for the exported game")
	says(t, values(alone, "Mode"), "The proof says that the roll was to have no witnesses.")
	says(t, values(alone, neverShown), dice.NeverShown)
	says(t, values(alone, "Bound"), "this is practice, which nobody else witnessed")
	for _, text := range []string{dice.Follows, dice.NeverShown} {
		says(t, roll.JSON, text)
	}

	forged, err := h.Verify(ctx, otherMode, nil)
	if err != nil || !forged.Alone {
		t.Fatalf("%v, %+v", err, forged)
	}
	says(t, values(forged, "Mode"), "was to have 2 witnesses, and that 0 came")

	other, err := founded(t, h).Export(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name        string
		proof, game []byte
		ok, none    bool
		says        string
	}{
		{"the roll that counted", roll.Transcript, exported, true, false, "this is the roll that counted, with these dice and no others"},
		{"another mode", otherMode, exported, false, false, "it is not the roll that counted: the rules wanted 0 witnesses, and the proof shows the roll with 2"},
		{"a changed proof", roll.Transcript[:len(roll.Transcript)-1], exported, false, false, "transcript"},
		{"a changed game", roll.Transcript, exported[:len(exported)-1], false, false, "cut off"},
		{"another game", roll.Transcript, other, false, true, "the roll is from another, “"},
		{"no game", roll.Transcript, roll.Transcript, false, true, "This is no exported game."},
	}
	for _, test := range tests {
		v, err := h.VerifyRoll(ctx, test.proof, test.game, nil)
		if err != nil || v.OK != test.ok || v.None != test.none || v.Alone || !strings.Contains(v.Text, test.says) {
			t.Errorf("%s: %v, %+v", test.name, err, v)
		}
		if open := values(v, neverShown); test.ok && (strings.Contains(open, "its place") || !strings.Contains(open, "work together")) {
			t.Errorf("%s: not shown: %s", test.name, open)
		}
	}
}

func says(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}

// values are all that facts of a name say.
func values(v *view.Verdict, name string) string {
	var all []string
	for _, f := range v.Facts {
		if f.Name == name {
			all = append(all, f.Value)
		}
	}
	return strings.Join(all, "\n")
}

// inMode is the proof of a roll in the mode witnessed(k), with the dice that this gives.
func inMode(t *testing.T, proof []byte, wanted uint64) []byte {
	t.Helper()
	x, err := dice.ParseTranscript(proof)
	if err != nil {
		t.Fatal(err)
	}
	rolls := x.Rolls
	x.Wanted, x.Rolls = wanted, []dice.Roll{}
	encode := func() []byte {
		b, err := wire.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	s := dice.NewStream(dice.VerifyTranscript(encode()).Seed)
	for _, r := range rolls {
		x.Rolls = append(x.Rolls, dice.Roll{Sides: r.Sides, Value: s.Roll(r.Sides)})
	}
	return encode()
}
