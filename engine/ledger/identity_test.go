package ledger

import (
	"bytes"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"peernomic/engine/wire"
)

// Clause 2.4, with the published vectors of BIP-39.
func TestWordsOfKnownSeeds(t *testing.T) {
	for _, c := range []struct {
		fill  byte
		words string
	}{
		{0x00, strings.Repeat("abandon ", 23) + "art"},
		{0x7f, strings.TrimSpace(strings.Repeat("legal winner thank year wave sausage worth useful ", 2)) + " legal winner thank year wave sausage worth title"},
		{0x80, strings.TrimSpace(strings.Repeat("letter advice cage absurd amount doctor acoustic avoid ", 2)) + " letter advice cage absurd amount doctor acoustic bless"},
		{0xff, strings.Repeat("zoo ", 23) + "vote"},
	} {
		id := IdentityFromSeed([32]byte(bytes.Repeat([]byte{c.fill}, 32)))
		if got := id.Words(); got != c.words {
			t.Errorf("words of %x… are %q, want %q", c.fill, got, c.words)
		}
	}
}

// Clause 2.4: the list is BIP-39's English one, in order, told apart by four letters.
func TestWordList(t *testing.T) {
	list := wordList()
	if got := crc32.ChecksumIEEE([]byte(wordsFile)); got != 0xc1dbd296 || len(list) != 2048 || !slices.IsSorted(list) {
		t.Errorf("the list has checksum %x and %d words", got, len(list))
	}
	seen := map[string]bool{}
	for _, w := range list {
		short := w[:min(4, len(w))]
		if seen[short] {
			t.Errorf("two words begin with %q", short)
		}
		seen[short] = true
	}
}

func TestWordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		words := IdentityFromSeed(seed).Words()
		got, err := ParseWords(words)
		if err != nil || got.Seed() != seed {
			t.Fatalf("%q gives %v", words, err)
		}
		var short []string
		for _, w := range strings.Fields(words) {
			short = append(short, strings.ToUpper(w[:min(4, len(w))]))
		}
		if got, err := ParseWords("1. " + strings.Join(short, "\n2. ")); err != nil || got.Seed() != seed {
			t.Fatalf("short words %v give %v", short, err)
		}
	})
}

func TestWordsRefused(t *testing.T) {
	good := strings.Fields(IdentityFromSeed([32]byte{1}).Words())
	for name, words := range map[string][]string{
		"a word too few":     good[:23],
		"a word too many":    append(slices.Clone(good), "zoo"),
		"an unknown word":    append(slices.Clone(good[:23]), "peernomic"),
		"three letters":      append(slices.Clone(good[:23]), "aba"),
		"two words swapped":  append([]string{good[2], good[1], good[0]}, good[3:]...),
		"another last word":  append(slices.Clone(good[:23]), "zoo"),
		"nothing whatsoever": nil,
	} {
		if _, err := ParseWords(strings.Join(words, " ")); !errors.Is(err, ErrWords) {
			t.Errorf("%s: %v, want ErrWords", name, err)
		}
	}
}

// Clause 2.5.
func TestBackup(t *testing.T) {
	id := must(NewIdentity(source("identity")))
	file := must(id.Backup("correct horse", source("backup")))
	got, err := RestoreBackup(bytes.ReplaceAll(file, []byte("\n"), []byte("\r\n")), "correct horse")
	if err != nil || got.Key() != id.Key() {
		t.Fatalf("restored %v, %v", got, err)
	}
	if _, err := RestoreBackup(file, "wrong horse"); !errors.Is(err, ErrPassphrase) {
		t.Errorf("wrong passphrase: %v, want ErrPassphrase", err)
	}
	seed := id.Seed()
	if bytes.Contains(file, seed[:]) {
		t.Error("the backup shows the seed")
	}
	for name, bad := range map[string][]byte{
		"nothing":        nil,
		"another header": append([]byte("x"), file...),
		"cut off":        file[:len(file)-10],
		"not base64":     append(slices.Clone(file[:len(file)-2]), "!\n"...),
		"far too long":   append(slices.Clone(file), bytes.Repeat([]byte("A"), 2000)...),
	} {
		if _, err := RestoreBackup(bad, "correct horse"); !errors.Is(err, ErrBackup) {
			t.Errorf("%s: %v, want ErrBackup", name, err)
		}
	}
}

// Clause 2.5: a file cannot make its reader spend more than the highest cost, nor trust one too low.
func TestBackupCostIsBounded(t *testing.T) {
	for _, cost := range []uint8{0, 9, 19, 63} {
		enc := must(wire.Encode(backup{Cost: cost, Sealed: make([]byte, 48)}))
		file := backupHeader + base64Of(enc)
		if _, err := RestoreBackup([]byte(file), ""); !errors.Is(err, ErrBackup) {
			t.Errorf("cost %d: %v, want ErrBackup", cost, err)
		}
	}
}

// Clause 2.6: a device comes back from its store as it was, with a chain of its own for each room.
func TestDeviceRoundTrip(t *testing.T) {
	dev := must(NewDevice(source("device")))
	stored := must(dev.MarshalBinary())
	back, err := UnmarshalDevice(stored)
	if err != nil || back.Key() != dev.Key() || !back.Box().Equal(dev.Box()) || back.chain != dev.chain {
		t.Fatalf("device came back as %v, %v", back, err)
	}
	if must(dev.Chain(wire.RoomID{1})).Anchor() == must(dev.Chain(wire.RoomID{2})).Anchor() {
		t.Error("two rooms share a chain")
	}
	for name, bad := range map[string][]byte{
		"nothing":          nil,
		"cut off":          stored[:len(stored)-1],
		"a byte too many":  append(slices.Clone(stored), 0),
		"another version":  append([]byte{stored[0], 2}, stored[2:]...),
		"not an array":     {0xa0},
		"an array of none": {0x80},
	} {
		if _, err := UnmarshalDevice(bad); !errors.Is(err, ErrDevice) {
			t.Errorf("%s: %v, want ErrDevice", name, err)
		}
	}
}
