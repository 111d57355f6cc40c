package ledger

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"

	"peernomic/engine/wire"
)

// Errors of [RestoreBackup].
var (
	ErrBackup     = errors.New("not an identity backup")
	ErrPassphrase = errors.New("wrong passphrase, or the backup is damaged")
)

const (
	backupHeader = "peernomic identity backup v1\n"
	backupLabel  = "peernomic/backup/v1"
	// scrypt with N = 2^16, r = 8, p = 1: 64 MiB, about a quarter of a second natively.
	backupCost    = 16
	maxBackupCost = 18
)

type backup struct {
	_      struct{} `cbor:",toarray"`
	Cost   uint8    // log2 of scrypt's N
	Salt   [16]byte
	Nonce  [24]byte
	Sealed []byte // the seed under XChaCha20-Poly1305
}

// Backup returns the identity in a text file that the passphrase opens. It holds no device
// key: restoring makes the person able to enrol new devices, never a copy of an old one.
func (id *Identity) Backup(passphrase string, rand io.Reader) ([]byte, error) {
	b := backup{Cost: backupCost}
	if _, err := io.ReadFull(rand, b.Salt[:]); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	if _, err := io.ReadFull(rand, b.Nonce[:]); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	key, err := backupKey(passphrase, b)
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	b.Sealed = aead.Seal(nil, b.Nonce[:], id.seed[:], []byte(backupLabel))
	return b.file()
}

func (b backup) file() ([]byte, error) {
	enc, err := wire.Encode(b)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	return []byte(backupHeader + base64.RawStdEncoding.EncodeToString(enc) + "\n"), nil
}

// RestoreBackup is the inverse of [Identity.Backup]. It fails with [ErrBackup] or
// [ErrPassphrase].
func RestoreBackup(file []byte, passphrase string) (*Identity, error) {
	b, err := parseBackup(file)
	if err != nil {
		return nil, err
	}
	key, err := backupKey(passphrase, b)
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	seed, err := aead.Open(nil, b.Nonce[:], b.Sealed, []byte(backupLabel))
	if err != nil || len(seed) != 32 {
		return nil, ErrPassphrase
	}
	return IdentityFromSeed([32]byte(seed)), nil
}

// parseBackup reads a backup. It accepts other line breaks and spaces around the text, because mail
// programs and editors change them. It fails with [ErrBackup].
func parseBackup(file []byte) (backup, error) {
	body, ok := bytes.CutPrefix(bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n")), []byte(backupHeader))
	if !ok || len(body) > 1024 {
		return backup{}, ErrBackup
	}
	enc, err := base64.RawStdEncoding.Strict().DecodeString(strings.TrimSpace(string(body)))
	if err != nil {
		return backup{}, fmt.Errorf("%w: %w", ErrBackup, err)
	}
	var b backup
	if err := wire.Decode(enc, &b); err != nil {
		return backup{}, fmt.Errorf("%w: %w", ErrBackup, err)
	}
	if b.Cost < 10 || b.Cost > maxBackupCost {
		return backup{}, fmt.Errorf("%w: cost %d", ErrBackup, b.Cost)
	}
	return b, nil
}

func backupKey(passphrase string, b backup) ([]byte, error) {
	key, err := scrypt.Key([]byte(passphrase), b.Salt[:], 1<<b.Cost, 8, 1, chacha20poly1305.KeySize)
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	return key, nil
}
