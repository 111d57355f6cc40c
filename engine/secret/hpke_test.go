package secret

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/hex"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The standard library's implementation opens what is sealed here, and the other way round.
func TestHPKEAgreesWithTheStandardLibrary(t *testing.T) {
	for n := range byte(20) {
		_, key := reader(t, n)
		message, info := bytes.Repeat([]byte{n}, int(n)*7), []byte("info")
		private, err := hpke.NewDHKEMPrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := SealTo(key.PublicKey(), info, message, newSource(n+100))
		if err != nil {
			t.Fatal(err)
		}
		got, err := hpke.Open(private, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), info, sealed)
		if err != nil || !bytes.Equal(got, message) {
			t.Fatalf("message %d: %x, %v", n, got, err)
		}
		if sealed, err = hpke.Seal(private.PublicKey(), hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), info, message); err != nil {
			t.Fatal(err)
		}
		if got, err = OpenWith(key, info, sealed); err != nil || !bytes.Equal(got, message) {
			t.Fatalf("message %d: %x, %v", n, got, err)
		}
		if _, err := OpenWith(key, []byte("other"), sealed); err == nil {
			t.Fatal("opened for another purpose")
		}
		if _, err := OpenWith(key, info, sealed[:len(sealed)-1]); err == nil {
			t.Fatal("opened though cut")
		}
	}
}

// RFC 9180, appendix A.2.1 (DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305, base).
func TestHPKEVector(t *testing.T) {
	key, err := ecdh.X25519().NewPrivateKey(unhex(t, "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"))
	if err != nil {
		t.Fatal(err)
	}
	once, err := ecdh.X25519().NewPrivateKey(unhex(t, "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"))
	if err != nil {
		t.Fatal(err)
	}
	shared, err := once.ECDH(key.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	k, nonce := schedule(shared, once.PublicKey().Bytes(), key.PublicKey().Bytes(), unhex(t, "4f6465206f6e2061204772656369616e2055726e"))
	if got := hex.EncodeToString(k); got != "ad2744de8e17f4ebba575b3f5f5a8fa1f69c2a07f6e7500bc60ca6e3e3ec1c91" {
		t.Errorf("key %s", got)
	}
	if got := hex.EncodeToString(nonce); got != "5c4d98150661b848853b547f" {
		t.Errorf("nonce %s", got)
	}
}
