package live

import (
	"context"
	"strings"
	"testing"

	"peernomic/app/ui"
	"peernomic/engine/dice"
)

// Whatever file is dropped on the page Verify, it says in a sentence what it is and whether it is good.
func TestVerdictOnFiles(t *testing.T) {
	h, ctx := device(t), context.Background()
	room, err := h.Found(ctx, ui.Founding{Ruleset: "dragons", Title: "שלום \u202emaet a 3", Name: "Ana"})
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
		want ui.Verdict
		says string
	}{
		{"good", file, ui.Verdict{OK: true, What: "The exported game “שלום [U+202E]maet a 3”"}, "every action was carried out again"},
		{"changed", changed, ui.Verdict{What: "An exported game", Clause: "3.5"}, "which is refused: decrypt: the envelope does not open"},
		{"cut off", file[:len(file)-1], ui.Verdict{What: "An exported game", Clause: "8.2"}, "cut off"},
		{"empty", nil, ui.Verdict{None: true}, "The file is empty."},
		{"text", []byte("Roses are red"), ui.Verdict{None: true}, "neither an exported game nor the proof of a roll"},
		{"key", []byte("peernomic identity backup v1\n"), ui.Verdict{None: true}, "the backup of a key"},
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

// A proof that is pasted into a message holds nothing that turns the message around.
func TestProofInAMessageHidesNothing(t *testing.T) {
	v := &ui.Roll{RollLine: ui.RollLine{Who: "\u202ebO", For: "שלום"}, Facts: []ui.Fact{{Name: "Witness", Value: "שרה"}}}
	text := proofText(v, dice.Report{Title: "a\u2066b"})
	for _, want := range []string{"[U+202E]bO: \u2068שלום\u2069, in “a[U+2066]b”\n", "Witness: \u2068שרה\u2069\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}
