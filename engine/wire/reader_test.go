package wire

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"reflect"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// everything is a value of every kind that a [Reader] takes.
type everything struct {
	_     struct{} `cbor:",toarray"`
	Small uint8
	Large uint64
	Time  int64
	Hash  Link
	Bytes []byte
	List  []SealHash
}

func readEverything(b []byte) (e everything, err error) {
	r := NewReader(b)
	r.Array(6)
	e = everything{Small: uint8(r.Uint(255)), Large: r.Uint(1<<64 - 1), Time: r.Int(), Hash: r.Hash(), Bytes: r.Bytes()}
	e.List = make([]SealHash, r.List())
	for i := range e.List {
		e.List[i] = r.Hash()
	}
	return e, r.End()
}

// FuzzReader: a reader accepts exactly what [Decode] does, and makes the same of it.
func FuzzReader(f *testing.F) {
	for _, n := range []uint64{0, 23, 24, 255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		for _, time := range []int64{int64(n), -int64(n), -int64(n) - 1} {
			b, err := Encode(everything{Small: uint8(n), Large: n, Time: time, Bytes: make([]byte, n%300), List: make([]SealHash, n%30)})
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
			f.Add(b[:len(b)-1])
			f.Add(append(b, 0))
		}
	}
	for _, b := range []string{
		"\x86\x18\x17\x00\x00\x58\x20" + zeros + "\x40\x80",                             // a number that fits a shorter head
		"\x86\x00\x00\x3b\x80\x00\x00\x00\x00\x00\x00\x00\x58\x20" + zeros + "\x40\x80", // below the least number
		"\x86\x00\x00\x00\x58\x20" + zeros + "\xf6\x80",                                 // null for bytes
		"\x86\x00\x00\x00\x58\x20" + zeros + "\x60\x80",                                 // text for bytes
		"\x86\x00\x00\x00\x58\x20" + zeros + "\x40\x9f\xff",                             // an indefinite list
		"\x86\x00\x00\x00\x58\x20" + zeros + "\x40\xa0",                                 // a map for a list
		"\x86\x19\x01\x00\x00\x00\x58\x20" + zeros + "\x40\x80",                         // too large for its place
		"\x86\x00\x00\x00\x58\x1f" + zeros[1:] + "\x40\x80",                             // too short a hash
		"\xc1\x86\x00\x00\x00\x58\x20" + zeros + "\x40\x80",                             // a tag
		"\x87\x00\x00\x00\x58\x20" + zeros + "\x40\x80\x00",                             // too many elements
		"\x86\x00\x00\x00\x58\x20" + zeros + "\x40\x81\x58",                             // ends within
	} {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want everything
		wantErr := Decode(b, &want)
		got, err := readEverything(b)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("read: %v, decoded: %v", err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, decoded %+v", got, want)
		}
	})
}

const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// A seal and a COSE_Sign1 message as the CBOR library reads them.
type (
	coseHeader struct {
		Alg int64  `cbor:"1,keyasint"`
		Kid []byte `cbor:"4,keyasint"`
	}
	coseSign1 struct {
		_           struct{} `cbor:",toarray"`
		Protected   []byte
		Unprotected struct{}
		Payload     []byte
		Signature   []byte
	}
)

func decodeSigned(b []byte) (s Signed, ok bool) {
	var m coseSign1
	var h coseHeader
	if len(b) == 0 || b[0] != 0xd2 || Decode(b[1:], &m) != nil || Decode(m.Protected, &h) != nil ||
		h.Alg != -8 || len(h.Kid) != ed25519.PublicKeySize || len(m.Signature) != ed25519.SignatureSize {
		return Signed{}, false
	}
	return Signed{Key: [32]byte(h.Kid), Payload: m.Payload}, true
}

// FuzzParseSigned: what parses is what the CBOR library takes for a COSE_Sign1 message in its one form, and so
// is a seal in it.
func FuzzParseSigned(f *testing.F) {
	s, err := SignSeal(testKey(1), Seal{Room: RoomID{1}, Number: 2, Prev: SealHash{3}, Time: 4, Envelopes: []EnvelopeHash{{5}, {6}}, Link: Link{7}})
	if err != nil {
		f.Fatal(err)
	}
	late, err := SignSeal(testKey(1), Seal{Room: RoomID{1}, Number: 2, Time: MaxTime + 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(late.Bytes)
	f.Add(s.Bytes)
	for i := range s.Bytes {
		for _, flip := range []byte{1, 0x20, 0x80} {
			b := bytes.Clone(s.Bytes)
			b[i] ^= flip
			f.Add(b)
		}
		f.Add(s.Bytes[:i])
	}
	for _, payload := range []int{0, 23, 24, 255, 256, 65535, 65536} {
		b, err := Sign(testKey(1), "label", make([]byte, payload))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want, ok := decodeSigned(b)
		got, err := ParseSigned(b)
		if ok != (err == nil) || err != nil && !errors.Is(err, ErrNotSigned) {
			t.Fatalf("parsed: %v, decoded: %v", err, ok)
		}
		if ok && !(got.Key == want.Key && bytes.Equal(got.Payload, want.Payload)) {
			t.Errorf("parsed %+v, decoded %+v", got, want)
		}
		if !ok {
			return
		}
		var seal Seal
		wantErr := Decode(want.Payload, &seal)
		if wantErr == nil && (seal.Version != SealVersion || seal.Number == 0 || seal.Time < 0 || seal.Time > MaxTime || len(seal.Envelopes) > MaxSealEnvelopes) {
			wantErr = ErrSeal
		}
		parsed, err := ParseSeal(b)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(parsed.Seal, seal) {
			t.Errorf("the seal parsed: %v, decoded: %v", err, wantErr)
		}
	})
}

// A signature is of what the CBOR library makes of a Sig_structure.
func TestSignedMessage(t *testing.T) {
	for _, size := range []int{0, 23, 24, 255, 256, 65535, 65536} {
		b, err := Sign(testKey(1), "label", make([]byte, size))
		if err != nil {
			t.Fatal(err)
		}
		m, err := parseSign1(b)
		if err != nil {
			t.Fatal(err)
		}
		c := m.claim("label")
		protected, err := Encode(coseHeader{Alg: -8, Kid: c.Key[:]})
		if err != nil {
			t.Fatal(err)
		}
		want, err := cbor.Marshal([]any{"Signature1", protected, []byte("label"), make([]byte, size)})
		if err != nil || !bytes.Equal(c.Message, want) {
			t.Errorf("%d bytes: another message: %v", size, err)
		}
		if !c.Holds() {
			t.Errorf("%d bytes: the signature does not hold", size)
		}
	}
	if _, err := Sign(nil, "label", nil); !errors.Is(err, ErrBadKey) {
		t.Errorf("signed without a key: %v", err)
	}
}

// AtMost counts what a decoder would have to hold, and takes nothing for short that it cannot count.
func TestAtMostCountsValues(t *testing.T) {
	for name, c := range map[string]struct {
		hex    string
		values int // 0 if it cannot be counted
	}{
		"a number":              {"00", 1},
		"a long number":         {"1b0000000100000000", 1},
		"a text":                {"6161", 1},
		"bytes that look alike": {"4480808080", 1},
		"empty lists":           {"83808080", 4},
		"a map":                 {"a2616101616280", 5},
		"words":                 {"82f5f6", 3},
		"a tag":                 {"c24101", 2},
		"floating point":        {"82fb000000000000000000", 0},
		"a text cut off":        {"6261", 0},
		"a head cut off":        {"19ff", 0},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		if c.values > 0 && !AtMost(b, c.values) {
			t.Errorf("%s: more than %d values", name, c.values)
		}
		if AtMost(b, c.values-1) || c.values == 0 && AtMost(b, 1000) {
			t.Errorf("%s: fewer than %d values", name, c.values)
		}
	}
}
