package direct

import (
	"bytes"
	"testing"

	"peernomic/engine/wire"
)

// What is read as a note is exactly what that note encodes to.
func FuzzNote(f *testing.F) {
	for _, n := range []note{
		{Version: noteVersion, Kind: noteHello, From: Instance{1}, Card: []byte("card")},
		{Version: noteVersion, Kind: noteOffer, From: Instance{1}, To: Instance{2}, Attempt: 3, Card: []byte{}, SDP: "v=0"},
	} {
		b, err := wire.Encode(n)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := decodeNote(b); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := decodeNote(b)
		if err != nil {
			return
		}
		again, err := wire.Encode(n)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x was read, but encodes to %x, %v", b, again, err)
		}
	})
}
