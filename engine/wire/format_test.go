package wire

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// Section 10 of engine/ledger/SPEC.md, to the byte. Cases may be added here, never changed.
func TestMessageBytes(t *testing.T) {
	z := func(n int) string { return strings.Repeat("00", n) }
	for _, c := range []struct {
		m    Message
		want string // type, array head, fields
	}{
		{Challenge{Nonce: [32]byte{1}, Host: "h"}, "01 82 582001" + z(31) + "6168"},
		{Hello{Protocol: 1, Room: RoomID{1}, Game: GameID{4}, Peer: PeerID{2}, Proof: []byte{3}}, "02 85 01 582001" + z(31) + "582004" + z(31) + "5002" + z(15) + "4103"},
		{Welcome{Notary: NotaryKey{1}, Anchor: Link{2}, Seals: 256, SealHash: SealHash{3}, Time: -1, Peers: []PeerID{{4}}},
			"03 86 582001" + z(31) + "582002" + z(31) + "190100 582003" + z(31) + "20 81 5004" + z(15)},
		{Want{FromSeal: 24, Feeds: []FeedPosition{{Device: [32]byte{1}, Seq: 2}}}, "04 82 1818 81 82 582001" + z(31) + "02"},
		{Have{Seals: 1, SealHash: SealHash{2}, Digest: [32]byte{3}}, "05 84 01 582002" + z(31) + "582003" + z(31) + "80"},
		{Envelopes{Envelopes: [][]byte{{1}, {}}}, "06 81 82 4101 40"},
		{Seals{}, "07 81 80"},
		{Ack{Hashes: []EnvelopeHash{{1}}}, "08 81 81 582001" + z(31)},
		{Signal{Peer: PeerID{1}, Data: []byte{2}}, "09 82 5001" + z(15) + "4102"},
		{Presence{}, "0a 81 80"},
		{Refusal{Code: "c", Text: "tt"}, "0b 83 6163 627474 5820" + z(32)},
		{Ping{}, "0c 80"},
		{Pong{Time: 1}, "0d 81 01"},
		{Found{Game: GameID{1}}, "0e 81 582001" + z(31)},
	} {
		got, err := EncodeMessage(c.m)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(c.want, " ", ""); hex.EncodeToString(got) != want {
			t.Errorf("%T is\n%x, want\n%s", c.m, got, want)
		}
	}
}

func TestEveryMessageComesBack(t *testing.T) {
	for _, m := range messages() {
		frame := must(EncodeMessage(m))
		got, err := DecodeMessage(frame)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%T came back as %+v, %v", m, got, err)
		}
	}
}

func TestFramesRefused(t *testing.T) {
	for name, frame := range map[string][]byte{
		"nothing":       nil,
		"a type only":   {12},
		"type 0":        {0, 0x80},
		"type 15":       {15, 0x81, 0x40},
		"no array":      {12, 0xa0},
		"bytes after":   {12, 0x80, 0},
		"a field more":  {12, 0x81, 0},
		"a field less":  {13, 0x80},
		"a long number": {13, 0x81, 0x18, 1},
		"null":          {7, 0x81, 0xf6},
		"endless array": {7, 0x81, 0x9f, 0xff},
		"a huge array":  {7, 0x81, 0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"a short id":    {10, 0x81, 0x81, 0x41, 1},
		"too long":      make([]byte, MaxFrame+1),
	} {
		if _, err := DecodeMessage(frame); !errors.Is(err, ErrMessage) {
			t.Errorf("%s: %v, want ErrMessage", name, err)
		}
	}
}

// Clause 10.2.
func TestProof(t *testing.T) {
	key := testKey(3)
	room := RoomID(key.Public().(ed25519.PublicKey))
	c := Challenge{Nonce: [32]byte{1}, Host: "relay.example"}
	h := Hello{Protocol: Protocol, Room: room, Game: GameID{5}, Peer: PeerID{2}}
	h.Prove(key, c)
	if !h.Proves(c) {
		t.Error("a good proof is refused")
	}
	for name, change := range map[string]func(h *Hello){
		"another peer": func(h *Hello) { h.Peer = PeerID{3} },
		"another room": func(h *Hello) { h.Room = RoomID{1} },
		"another game": func(h *Hello) { h.Game = GameID{6} },
		"another key":  func(h *Hello) { h.Prove(testKey(4), c) },
		"no proof":     func(h *Hello) { h.Proof = nil },
	} {
		bad := h
		change(&bad)
		if bad.Proves(c) {
			t.Errorf("%s is accepted", name)
		}
	}
	for name, other := range map[string]Challenge{
		"another nonce": {Nonce: [32]byte{9}, Host: c.Host},
		"another host":  {Nonce: c.Nonce, Host: "evil.example"},
		"no host":       {Nonce: c.Nonce},
	} {
		if h.Proves(other) {
			t.Errorf("a proof counts for %s", name)
		}
	}
}

// Clause 6.1 at its edges.
func TestSealLimits(t *testing.T) {
	good := Seal{Number: 1, Envelopes: make([]EnvelopeHash, MaxSealEnvelopes)}
	if s, err := SignSeal(testKey(1), good); err != nil {
		t.Fatal(err)
	} else if _, err := OpenSeal(s.Bytes); err != nil {
		t.Errorf("a seal over %d envelopes is refused: %v", MaxSealEnvelopes, err)
	}
	for name, bad := range map[string]Seal{
		"number 0":           {},
		"a negative time":    {Number: 1, Time: -1},
		"too many envelopes": {Number: 1, Envelopes: make([]EnvelopeHash, MaxSealEnvelopes+1)},
	} {
		s, err := SignSeal(testKey(1), bad)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := OpenSeal(s.Bytes); !errors.Is(err, ErrSeal) {
			t.Errorf("%s: %v, want ErrSeal", name, err)
		}
	}
}

// Clause 1.3: a label and its parts cannot be shifted into one another.
func TestDigest(t *testing.T) {
	if got, want := Digest("label", []byte("da"), []byte("ta")), sha256.Sum256([]byte("label\x00data")); got != want {
		t.Errorf("digest %x, want %x", got, want)
	}
	if Digest("label", []byte("x")) == Digest("labelx") {
		t.Error("labels are not told from data")
	}
}

func TestRoomIDText(t *testing.T) {
	id := RoomID{1, 2, 3}
	if got, err := ParseRoomID(id.String()); err != nil || got != id {
		t.Errorf("room id came back as %v, %v", got, err)
	}
	for _, bad := range []string{"", "00", id.String() + "00", "zz" + id.String()[2:]} {
		if _, err := ParseRoomID(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
