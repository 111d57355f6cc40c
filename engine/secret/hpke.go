package secret

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"

	"golang.org/x/crypto/chacha20poly1305"
)

// HPKE in base mode, for one message, with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
// ChaCha20-Poly1305 (RFC 9180). The standard library's crypto/hpke draws its ephemeral key from the
// system. The engine gets all randomness as a value: scenarios and golden games rely on equal bytes
// for equal input. The tests compare this code with that package and with the RFC's vectors.

const (
	kemX25519    = 0x0020
	kdfSHA256    = 0x0001
	aeadChaCha20 = 0x0003
	keySize      = 32 // of an X25519 key, public or private
)

// errOpen reports a ciphertext for another key, or one that was changed.
var errOpen = errors.New("it is not sealed for this key")

// labelled are the key derivations of one suite (RFC 9180, section 4).
type labelled string

var (
	kem   = labelled("KEM" + be(kemX25519))
	suite = labelled("HPKE" + be(kemX25519) + be(kdfSHA256) + be(aeadChaCha20))
)

func be(n uint16) string { return string(binary.BigEndian.AppendUint16(nil, n)) }

// hash and lengths are fixed, so deriving cannot fail.
func must(b []byte, err error) []byte {
	if err != nil {
		panic("secret: " + err.Error())
	}
	return b
}

func (l labelled) extract(salt []byte, label string, ikm []byte) []byte {
	return must(hkdf.Extract(sha256.New, append([]byte("HPKE-v1"+string(l)+label), ikm...), salt))
}

func (l labelled) expand(key []byte, label string, info []byte, size int) []byte {
	return must(hkdf.Expand(sha256.New, key, be(uint16(size))+"HPKE-v1"+string(l)+label+string(info), size))
}

// SealTo encrypts a message to a public key, bound to info. The result begins with the public half of
// an ephemeral key that it draws from random.
func SealTo(to *ecdh.PublicKey, info, message []byte, random io.Reader) ([]byte, error) {
	once := make([]byte, keySize)
	if _, err := io.ReadFull(random, once); err != nil {
		return nil, err
	}
	key, err := ecdh.X25519().NewPrivateKey(once)
	if err != nil {
		return nil, err
	}
	shared, err := key.ECDH(to)
	if err != nil {
		return nil, err
	}
	enc := key.PublicKey().Bytes()
	k, nonce := schedule(shared, enc, to.Bytes(), info)
	aead, err := chacha20poly1305.New(k)
	if err != nil {
		return nil, err
	}
	return aead.Seal(enc, nonce, message, nil), nil
}

// OpenWith is the inverse of [SealTo].
func OpenWith(key *ecdh.PrivateKey, info, sealed []byte) ([]byte, error) {
	if len(sealed) < keySize {
		return nil, errOpen
	}
	enc := sealed[:keySize]
	from, err := ecdh.X25519().NewPublicKey(enc)
	if err != nil {
		return nil, errOpen
	}
	shared, err := key.ECDH(from)
	if err != nil {
		return nil, errOpen
	}
	k, nonce := schedule(shared, enc, key.PublicKey().Bytes(), info)
	aead, err := chacha20poly1305.New(k)
	if err != nil {
		return nil, err
	}
	message, err := aead.Open(nil, nonce, sealed[keySize:], nil)
	if err != nil {
		return nil, errOpen
	}
	return message, nil
}

// schedule derives the key and the nonce of the first message (RFC 9180, sections 4.1 and 5.1).
func schedule(shared, enc, to, info []byte) (key, nonce []byte) {
	context := append(append([]byte{}, enc...), to...)
	secret := kem.expand(kem.extract(nil, "eae_prk", shared), "shared_secret", context, sha256.Size)
	const modeBase = 0
	context = append([]byte{modeBase}, suite.extract(nil, "psk_id_hash", nil)...)
	context = append(context, suite.extract(nil, "info_hash", info)...)
	root := suite.extract(secret, "secret", nil)
	return suite.expand(root, "key", context, chacha20poly1305.KeySize), suite.expand(root, "base_nonce", context, chacha20poly1305.NonceSize)
}
