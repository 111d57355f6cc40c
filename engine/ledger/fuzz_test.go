package ledger

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/veraison/go-cose"

	"peernomic/engine/wire"
)

// seeds returns the vectors, which every fuzzer starts from. Failures that fuzzing finds go to
// testdata/fuzz and stay there.
func seeds(f *testing.F) vectors {
	f.Helper()
	file, err := os.ReadFile(vectorsFile)
	if err != nil {
		f.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(file, &v); err != nil {
		f.Fatal(err)
	}
	if len(v.Messages) < 50 || len(v.Archives) < 10 {
		f.Fatal("the fuzzer has no seeds")
	}
	return v
}

func bytesOf(f *testing.F, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

func fuzzKeys() RoomKeys { return must(NewRoomSecret(source("room"))).Keys() }

// FuzzOpenEnvelope: an envelope that opens is the one that its content gives.
func FuzzOpenEnvelope(f *testing.F) {
	for _, m := range seeds(f).Messages {
		if m.Type == "envelope" {
			f.Add(bytesOf(f, m.Bytes))
		}
	}
	keys := fuzzKeys()
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := keys.Open(b)
		if err != nil {
			if CodeOf(err).Clause() == "" {
				t.Errorf("refused without a clause: %v", err)
			}
			return
		}
		again, err := keys.sealContent(o.Content, o.Data)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("the content's envelope is another: %v", err)
		}
	})
}

// FuzzParseAction: what parses encodes to the same bytes and has one id.
func FuzzParseAction(f *testing.F) {
	keys := fuzzKeys()
	for _, m := range seeds(f).Messages {
		if o, err := keys.Open(bytesOf(f, m.Bytes)); err == nil {
			f.Add(o.Data)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if signed, err := wire.ParseSigned(b); err == nil {
			var want Action
			wantErr := wire.Decode(signed.Payload, &want)
			if got, err := decodeAction(signed.Payload); (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("read %+v, %v; decoded %+v, %v", got, err, want, wantErr)
			}
		}
		p, err := Parse(b)
		if err != nil {
			if CodeOf(err).Clause() == "" {
				t.Errorf("refused without a clause: %v", err)
			}
			return
		}
		payload, err := wire.Encode(p.Action())
		if err != nil || !bytes.Contains(b, payload) || actionID(payload) != p.ID() {
			t.Errorf("the action encodes to other bytes: %v", err)
		}
	})
}

// FuzzDecodeBodies: genesis, enrolment and split bodies.
func FuzzDecodeBodies(f *testing.F) {
	keys := fuzzKeys()
	for _, m := range seeds(f).Messages {
		if o, err := keys.Open(bytesOf(f, m.Bytes)); err == nil {
			if p, err := Parse(o.Data); err == nil {
				f.Add(p.action.Body)
			} else if o.Content == ContentPart {
				f.Add(o.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := DecodeGenesis(b); err == nil {
			head, ruleset, err := g.encode()
			if err != nil || !bytes.Equal(append(head, ruleset...), b) {
				t.Errorf("the genesis encodes to other bytes: %v", err)
			}
		}
		if e, err := DecodeEnrolment(b); err == nil {
			if again, err := wire.Encode(e); err != nil || !bytes.Equal(again, b) {
				t.Errorf("the enrolment encodes to other bytes: %v", err)
			}
		}
		if body, err := joinBody(Action{Kind: KindGenesis}, [][]byte{b}); err == nil && len(body) > min(MaxBody, MaxExpansion*len(b)) {
			t.Errorf("%d bytes expand to %d", len(b), len(body))
		}
	})
}

// FuzzReadArchive: an archive that is read is the one that its replica writes.
func FuzzReadArchive(f *testing.F) {
	for _, a := range seeds(f).Archives {
		f.Add(bytesOf(f, a.Bytes))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadArchive(b)
		if err != nil {
			if err.(*ArchiveError).Clause == "" {
				t.Errorf("refused without a clause: %v", err)
			}
			return
		}
		if again, err := WriteArchive(r...); err != nil || !bytes.Equal(again, b) {
			t.Errorf("the archive is written otherwise: %v", err)
		}
	})
}

// FuzzRestoreSecrets: what people and stores give back.
func FuzzRestoreSecrets(f *testing.F) {
	id := IdentityFromSeed([32]byte{1})
	f.Add([]byte(id.Words()))
	f.Add(must(must(NewDevice(source("device"))).MarshalBinary()))
	f.Add([]byte(must(NewRoomSecret(source("room"))).String()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if id, err := ParseWords(string(b)); err == nil {
			if again, err := ParseWords(id.Words()); err != nil || again.Seed() != id.Seed() {
				t.Errorf("words give another identity: %v", err)
			}
		}
		if d, err := UnmarshalDevice(b); err == nil {
			if again := must(d.MarshalBinary()); !bytes.Equal(again, b) {
				t.Error("a device is stored otherwise")
			}
		}
		if s, err := ParseRoomSecret(string(b)); err == nil && s.String() != string(b) {
			t.Error("a secret is written otherwise")
		}
	})
}

// FuzzParseBackup: a backup that is read is written to a file that reads the same, and that
// nothing but line breaks and spaces tells from the one read.
func FuzzParseBackup(f *testing.F) {
	good := must((backup{Cost: 16, Salt: [16]byte{1}, Nonce: [24]byte{2}, Sealed: make([]byte, 48)}).file())
	f.Add(good)
	f.Add(bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")))
	f.Add(append(good, ' '))
	f.Add(good[:len(good)-8])
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := parseBackup(file)
		if err != nil {
			if !errors.Is(err, ErrBackup) {
				t.Errorf("refused with %v", err)
			}
			return
		}
		again := must(b.file())
		if !bytes.Equal(bytes.Join(bytes.Fields(again), nil), bytes.Join(bytes.Fields(file), nil)) {
			t.Errorf("it is written as %q", again)
		}
	})
}

// FuzzProofs: a proof that decodes encodes to the same bytes, and is judged.
func FuzzProofs(f *testing.F) {
	tab := newTable(2)
	first, second := tab.act(1, "one"), tab.act(1, "two")
	device := tab.people[1].pen.Device().Key()
	f.Add(must(wire.Encode(ForkProof{Device: device, Seq: 2, First: first.Action.Bytes(), Second: second.Action.Bytes()})))
	a, b := *tab.notary, *tab.notary
	one, two := must(a.Seal(tab.now, nil)), must(b.Seal(tab.now+1, nil))
	f.Add(must(wire.Encode(NotaryProof{Notary: tab.notary.Key(), Number: one.Number, First: one.Bytes, Second: two.Bytes})))
	f.Fuzz(func(t *testing.T, b []byte) {
		var fork ForkProof
		if wire.Decode(b, &fork) == nil {
			if again, err := wire.Encode(fork); err != nil || !bytes.Equal(again, b) {
				t.Errorf("the proof encodes to other bytes: %v", err)
			}
			if err := fork.Check(); err != nil && CodeOf(err).Clause() == "" {
				t.Errorf("refused without a clause: %v", err)
			}
		}
		var notary NotaryProof
		if wire.Decode(b, &notary) == nil {
			if again, err := wire.Encode(notary); err != nil || !bytes.Equal(again, b) {
				t.Errorf("the proof encodes to other bytes: %v", err)
			}
			if err := notary.Check(); err != nil && CodeOf(err).Clause() == "" {
				t.Errorf("refused without a clause: %v", err)
			}
		}
	})
}

// Clause 1.4: what we sign, an independent COSE library reads and verifies.
func TestCOSE(t *testing.T) {
	tab := newTable(2)
	for _, p := range tab.people[0].replica.Placed() {
		checkCOSE(t, p.Action.Bytes(), ActionLabel)
	}
	for _, s := range tab.seals {
		checkCOSE(t, s.Bytes, wire.SealLabel)
	}
}

func checkCOSE(t *testing.T, b []byte, label string) {
	t.Helper()
	var m cose.Sign1Message
	if err := m.UnmarshalCBOR(b); err != nil {
		t.Errorf("go-cose does not read it: %v", err)
		return
	}
	kid, ok := m.Headers.Protected[cose.HeaderLabelKeyID].([]byte)
	if !ok {
		t.Error("go-cose sees no key")
		return
	}
	v, err := cose.NewVerifier(cose.AlgorithmEdDSA, ed25519.PublicKey(kid))
	if err != nil {
		t.Error(err)
		return
	}
	if err := m.Verify([]byte(label), v); err != nil {
		t.Errorf("go-cose does not verify it: %v", err)
	}
	if err := m.Verify([]byte("peernomic/other/v1"), v); err == nil {
		t.Error("go-cose verifies it under another label")
	}
}
