package ledger

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"peernomic/engine/wire"
)

// Clause 2.1.
func TestRoomSecretText(t *testing.T) {
	s := must(NewRoomSecret(source("secret")))
	got, err := ParseRoomSecret(s.String())
	if err != nil || got != s || len(s.String()) != 43 {
		t.Fatalf("%q gives %v, %v", s, got, err)
	}
	for _, bad := range []string{"", s.String()[1:], s.String() + "A", s.String() + "=", "+" + s.String()[1:], "\n" + s.String(), s.String()[:20] + "\n" + s.String()[20:]} {
		if _, err := ParseRoomSecret(bad); !errors.Is(err, ErrRoomSecret) {
			t.Errorf("%q: %v, want ErrRoomSecret", bad, err)
		}
	}
	// The last character holds four bits that must be zero.
	all := RoomSecret(bytes.Repeat([]byte{0xff}, 32)).String()
	if _, err := ParseRoomSecret(strings.TrimSuffix(all, "8") + "9"); !errors.Is(err, ErrRoomSecret) {
		t.Errorf("a secret with a loose bit: %v, want ErrRoomSecret", err)
	}
}

// Clause 2.7.
func TestSignalRoundTrip(t *testing.T) {
	keys := must(NewRoomSecret(source("room"))).Keys()
	other := must(NewRoomSecret(source("another room"))).Keys()
	plain := []byte("offer")
	sealed := must(keys.EncryptSignal(plain, source("nonce")))
	if got, err := keys.DecryptSignal(sealed); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("signal came back as %q, %v", got, err)
	}
	if _, err := other.DecryptSignal(sealed); CodeOf(err) != CodeDecrypt {
		t.Errorf("another room: %v, want %s", err, CodeDecrypt)
	}
	for i := range sealed {
		b := bytes.Clone(sealed)
		b[i] ^= 1
		if _, err := keys.DecryptSignal(b); err == nil {
			t.Fatalf("a signal with byte %d changed was accepted", i)
		}
	}
	if _, err := keys.DecryptSignal(sealed[:39]); CodeOf(err) != CodeSize {
		t.Errorf("a signal too short: %v, want %s", err, CodeSize)
	}
	longest := wire.MaxSignal - 40
	if b, err := keys.EncryptSignal(make([]byte, longest), source("")); err != nil || len(b) != wire.MaxSignal {
		t.Errorf("the longest signal: %d bytes, %v", len(b), err)
	}
	if _, err := keys.EncryptSignal(make([]byte, longest+1), source("")); CodeOf(err) != CodeSize {
		t.Errorf("a signal too long: %v, want %s", err, CodeSize)
	}
}

// Section 3: one content, one envelope; its length tells nothing but its class; the relay's side of it
// shows no word of the content.
func TestEnvelopes(t *testing.T) {
	keys := must(NewRoomSecret(source("room"))).Keys()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, MaxPart).Draw(t, "length")
		content := bytes.Repeat([]byte("known plaintext "), n/16+1)[:n]
		env := must(keys.SealPart(content))
		if again := must(keys.SealPart(content)); !bytes.Equal(env, again) {
			t.Fatal("one content has two envelopes")
		}
		if len(env)&(len(env)-1) != 0 || len(env) < smallest || len(env) > wire.MaxEnvelope {
			t.Fatalf("an envelope has %d bytes", len(env))
		}
		if bytes.Contains(env, []byte("known")) {
			t.Fatal("the envelope shows its content")
		}
		o, err := keys.Open(env)
		if err != nil || o.Content != ContentPart || !bytes.Equal(o.Data, content) {
			t.Fatalf("opened to %v, %v", o.Content, err)
		}
		if o, err := OpenWith(must(keys.EnvelopeKey(env)), env); err != nil || !bytes.Equal(o.Data, content) {
			t.Fatalf("opened with its own key to %v, %v", o.Content, err)
		}
	})
	for _, n := range []int{0, MaxPart + 1} {
		if _, err := keys.SealPart(make([]byte, n)); CodeOf(err) != CodePart {
			t.Errorf("a part of %d bytes: %v, want %s", n, err, CodePart)
		}
	}
}

// Clause 3.5: no byte of an envelope can be changed, for members and for strangers with its key.
func TestEveryByteOfAnEnvelopeCounts(t *testing.T) {
	keys := must(NewRoomSecret(source("room"))).Keys()
	env := must(keys.SealPart([]byte("content")))
	key := must(keys.EnvelopeKey(env))
	for i := range env {
		b := bytes.Clone(env)
		b[i] ^= 1
		if _, err := keys.Open(b); err == nil {
			t.Fatalf("an envelope with byte %d changed was opened", i)
		}
		if _, err := OpenWith(key, b); err == nil {
			t.Fatalf("an envelope with byte %d changed was opened with its key", i)
		}
	}
}
