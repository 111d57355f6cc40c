package wire

import (
	"crypto/ed25519"
	"encoding/hex"
	"math/big"
	"testing"

	"filippo.io/edwards25519"
	"pgregory.net/rapid"
)

// The eight points of small order, in every encoding that some library accepts for them, after
// "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko).
var smallOrder = []string{
	"0100000000000000000000000000000000000000000000000000000000000000", // 1
	"0100000000000000000000000000000000000000000000000000000000000080", // 1, sign of zero
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 2
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", // 2, sign of zero
	"0000000000000000000000000000000000000000000000000000000000000000", // 4
	"0000000000000000000000000000000000000000000000000000000000000080", // 4
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", // 8
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", // 8
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // 8
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", // 8
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 4, y = p
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", // 4, y = p
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 1, y = p+1
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", // 1, y = p+1
}

// engine/ledger/SPEC.md, clause 1.5.
func TestSmallOrderKeysAreRefused(t *testing.T) {
	for _, s := range smallOrder {
		if ValidKey(key32(t, s)) {
			t.Errorf("%s is accepted", s)
		}
	}
}

// Clause 1.5: a good key plus a point of small order is a point of mixed order, under which
// signatures can be good for one library and bad for another.
func TestMixedOrderKeysAreRefused(t *testing.T) {
	good := must(new(edwards25519.Point).SetBytes(testKey(1).Public().(ed25519.PublicKey)))
	if !ValidKey([32]byte(good.Bytes())) {
		t.Fatal("a good key is refused")
	}
	for _, s := range []string{smallOrder[2], smallOrder[4], smallOrder[6], smallOrder[8]} {
		b := key32(t, s)
		mixed := new(edwards25519.Point).Add(good, must(new(edwards25519.Point).SetBytes(b[:])))
		if ValidKey([32]byte(mixed.Bytes())) {
			t.Errorf("a good key plus %s is accepted", s)
		}
	}
}

// Clause 1.5: keys whose y is not reduced, and such that are no point at all.
func TestNonCanonicalKeysAreRefused(t *testing.T) {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	for i := range int64(19) {
		y := new(big.Int).Add(p, big.NewInt(i))
		var key [32]byte
		y.FillBytes(key[:])
		for a, b := 0, 31; a < b; a, b = a+1, b-1 {
			key[a], key[b] = key[b], key[a]
		}
		for _, sign := range []byte{0, 0x80} {
			key[31] = key[31]&0x7f | sign
			if ValidKey(key) {
				t.Errorf("y = p+%d is accepted", i)
			}
		}
	}
	if ValidKey([32]byte{2}) {
		t.Error("y = 2, which is no point, is accepted")
	}
}

// Every key that Ed25519 makes is valid, with and without a cache, again and again.
func TestMadeKeysAreValid(t *testing.T) {
	var cache KeyCache
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")
		key := ed25519.NewKeyFromSeed(seed)
		if !ValidKey([32]byte(key.Public().(ed25519.PublicKey))) {
			t.Fatal("a made key is refused")
		}
		b := must(Sign(key, "label", []byte("payload")))
		for range 2 {
			if _, err := cache.OpenSigned("label", b); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := cache.OpenSigned("other", b); err == nil {
			t.Fatal("a cached key excuses a wrong label")
		}
	})
}

func key32(t *testing.T, s string) [32]byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		t.Fatalf("bad key %q", s)
	}
	return [32]byte(b)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
