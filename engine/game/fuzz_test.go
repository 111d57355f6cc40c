package game

import (
	"bytes"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// FuzzAct: the body of an act that decodes encodes to the same bytes, and any body is carried
// out alike by everybody, or refused.
func FuzzAct(f *testing.F) {
	for _, args := range []map[string]any{
		nil, {"n": int64(1)}, {"text": "x", "list": []any{int64(1), "two", true}, "map": map[string]any{"a": int64(-1)}},
	} {
		b, err := EncodeAct("Dig", args)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("no act"))
	first := newTable(f, 1) // growing chains takes far longer than an act
	f.Fuzz(func(t *testing.T, body []byte) {
		var act ActBody
		if wire.Decode(body, &act) == nil {
			if again, err := wire.Encode(act); err != nil || !bytes.Equal(again, body) {
				t.Errorf("encodes to %x: %v", again, err)
			}
		}
		if len(body) > ledger.MaxInline {
			return
		}
		tb := first.copy(t)
		entry, err := tb.pens[0].Write(tb.full.Replica().Position(tb.pens[0].Device().Key()), ledger.KindAct, body, tb.now)
		must(t, err)
		tb.send(entry)
		tb.seal()
		other := tb.copy(t).full
		_, want := tb.full.Confirmed()
		if _, got := other.Confirmed(); got != want {
			t.Error("two replicas carry it out differently")
		}
	})
}
