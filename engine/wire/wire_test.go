package wire

import (
	"crypto/ed25519"
	"reflect"
	"testing"
)

func testKey(b byte) ed25519.PrivateKey {
	seed := make([]byte, 32)
	seed[0] = b
	return ed25519.NewKeyFromSeed(seed)
}

func TestSealRoundTrip(t *testing.T) {
	want, err := SignSeal(testKey(1), Seal{Room: RoomID{1}, Game: GameID{2}, Number: 7, Time: 1234, Envelopes: []EnvelopeHash{{1}, {2}}, Link: Link{3}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := OpenSeal(want.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i := range want.Bytes {
		b := append([]byte(nil), want.Bytes...)
		b[i] ^= 1
		if _, err := OpenSeal(b); err == nil {
			t.Fatalf("a seal with byte %d changed was accepted", i)
		}
	}
}

func TestMessageRoundTrip(t *testing.T) {
	for _, m := range []Message{
		Challenge{Nonce: [32]byte{1}, Host: "relay.example"},
		Hello{Protocol: 1, Room: RoomID{1}, Game: GameID{1}, Peer: PeerID{2}, Proof: []byte{3}},
		Welcome{Seals: 3, Peers: []PeerID{{1}}},
		Want{FromSeal: 3, Feeds: []FeedPosition{{Device: [32]byte{1}, Seq: 2}}},
		Have{Seals: 3, Feeds: []FeedPosition{}},
		Envelopes{Envelopes: [][]byte{{1}, {2}}},
		Seals{Seals: [][]byte{{1}}},
		Ack{Hashes: []EnvelopeHash{{1}}},
		Signal{Peer: PeerID{1}, Data: []byte{1}},
		Presence{Peers: []PeerID{{1}}},
		Refusal{Code: "x", Text: "y"},
		Ping{},
		Pong{Time: 1},
		Found{Game: GameID{1}},
	} {
		frame, err := EncodeMessage(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeMessage(frame)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("got %+v, want %+v", got, m)
		}
	}
}
