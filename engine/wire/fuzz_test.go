package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"
)

// messages is one of each, with every list filled.
func messages() []Message {
	return []Message{
		Challenge{Nonce: [32]byte{1}, Host: "relay.example:8080"},
		Hello{Protocol: Protocol, Room: RoomID{1}, Game: GameID{3}, Peer: PeerID{2}, Proof: make([]byte, 64)},
		Welcome{Notary: NotaryKey{1}, Anchor: Link{2}, Seals: 1 << 40, SealHash: SealHash{3}, Time: 1767607200000, Peers: []PeerID{{1}, {2}}},
		Want{FromSeal: 300, Feeds: []FeedPosition{{Device: [32]byte{1}, Seq: 70000}}},
		Have{Seals: 3, SealHash: SealHash{1}, Digest: [32]byte{2}, Feeds: []FeedPosition{{Device: [32]byte{1}}, {Device: [32]byte{2}, Seq: 1}}},
		Envelopes{Envelopes: [][]byte{{1}, {}, bytes.Repeat([]byte{2}, 300)}},
		Seals{Seals: [][]byte{{1}}},
		Ack{Hashes: []EnvelopeHash{{1}, {2}}},
		Signal{Peer: PeerID{1}, Data: []byte("offer")},
		Presence{Peers: []PeerID{{1}}},
		Refusal{Code: "rate", Text: "Slow down.", Subject: EnvelopeHash{1}},
		Ping{},
		Pong{Time: -1},
		Found{Game: GameID{1}},
	}
}

// FuzzDecodeMessage: whatever comes in, a frame that is a message encodes to the same bytes.
func FuzzDecodeMessage(f *testing.F) {
	for _, m := range messages() {
		frame, err := EncodeMessage(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame)
		f.Add(frame[:len(frame)-1])
		f.Add(append(frame, 0))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := DecodeMessage(frame)
		if err != nil {
			if !errors.Is(err, ErrMessage) {
				t.Errorf("refused with %v", err)
			}
			return
		}
		again, err := EncodeMessage(m)
		if err != nil || !bytes.Equal(again, frame) {
			t.Errorf("%T encodes to other bytes: %v", m, err)
		}
	})
}

// FuzzOpenSeal: a seal that opens encodes to the same payload, and has one hash with and
// without judging its signature.
func FuzzOpenSeal(f *testing.F) {
	s, err := SignSeal(testKey(1), Seal{Room: RoomID{1}, Game: GameID{8}, Number: 2, Prev: SealHash{3}, Time: 4, Envelopes: []EnvelopeHash{{5}, {6}}, Link: Link{7}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s.Bytes)
	f.Add(s.Bytes[1:])
	f.Fuzz(func(t *testing.T, b []byte) {
		parsed, err := ParseSeal(b)
		if err != nil {
			if !errors.Is(err, ErrSeal) {
				t.Errorf("refused with %v", err)
			}
			return
		}
		payload, err := Encode(parsed.Seal)
		if err != nil || SealHash(Digest(SealLabel, payload)) != parsed.Hash || !bytes.Contains(b, payload) {
			t.Errorf("the seal encodes to other bytes: %v", err)
		}
		if opened, err := OpenSeal(b); err == nil && opened.Hash != parsed.Hash {
			t.Error("one seal has two hashes")
		}
	})
}

// FuzzParseEnvelope: an envelope's parts put together give the envelope.
func FuzzParseEnvelope(f *testing.F) {
	e := Envelope{Room: RoomID{1}, Epoch: 0, Nonce: [24]byte{2}, Ciphertext: make([]byte, 20)}
	f.Add(e.Bytes())
	f.Add(e.Bytes()[:EnvelopeHeader+15])
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ParseEnvelope(b)
		if err == nil && !bytes.Equal(e.Bytes(), b) {
			t.Error("an envelope is put together otherwise")
		}
	})
}

// FuzzDecode: what decodes encodes to the same bytes, for a value with every kind of field.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"87016161420102818101a161620205f4", "80", "9f", "a0", "f6", "1800", "fb3ff0000000000000", "c101", "ff", "81818181818181818181",
	} {
		b, err := hex.DecodeString(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	type record struct {
		_    struct{} `cbor:",toarray"`
		N    uint64
		S    string
		B    []byte
		L    [][]int64
		M    map[string]uint8
		I    int64
		Flag bool
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r record
		if err := Decode(b, &r); err != nil {
			return
		}
		if again, err := Encode(r); err != nil || !bytes.Equal(again, b) {
			t.Errorf("encodes to %x: %v", again, err)
		}
	})
}
