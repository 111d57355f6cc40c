package cli

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"testing"

	"peernomic/engine/ledger"
)

var clauseNumber = regexp.MustCompile(`^\d+\.\d+$`)

// Whatever byte of a proof is changed, it is refused, and the refusal names a clause. A roll's proof does
// not bind how many sides its dice have (the dice's clause 5.11), and nothing else.
func TestChangedByteIsFoundOut(t *testing.T) {
	if testing.Short() {
		t.Skip("judges each file some thousand times")
	}
	s, err := makeSample(ledger.DiceBeacon)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		file []byte
		kind string // how the format names itself, at the beginning
		free []int  // bytes that are not bound: the sides of dice
	}{
		{"game", s.archive, "peernomic archive v1", nil},
		// It ends in two dice of less than 24 sides: 82 sides value 82 sides value.
		{"roll", s.transcript, "peernomic roll v1", []int{len(s.transcript) - 5, len(s.transcript) - 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			good, err := examine(test.file)
			if err != nil || !good.OK {
				t.Fatalf("the unchanged file: %+v, %v", good, err)
			}
			named := bytes.Index(test.file, []byte(test.kind)) + len(test.kind)
			for n := range test.file {
				changed := slices.Clone(test.file)
				changed[n] ^= 1 << (n % 8)
				f, err := examine(changed)
				switch {
				case err != nil && !(errors.Is(err, errNeither) && n < named) && !(errors.Is(err, errNewer) && n == named-1):
					t.Errorf("byte %d: %v", n, err)
				case err == nil && f.OK && !slices.Contains(test.free, n):
					t.Errorf("byte %d is changed, and the file is found good", n)
				case err == nil && !f.OK && (!clauseNumber.MatchString(f.Clause) || f.Text == ""):
					t.Errorf("byte %d: clause %q, %q", n, f.Clause, f.Text)
				}
			}
			for _, n := range test.free {
				good := 0
				for sides := range byte(24) {
					changed := slices.Clone(test.file)
					changed[n] = sides
					if f, err := examine(changed); err == nil && f.OK {
						good++
					}
				}
				if good == 0 || good == 24 {
					t.Errorf("byte %d is not the number of sides: %d of 24 are good", n, good)
				}
			}
		})
	}
}

func TestCutFileIsFoundOut(t *testing.T) {
	s, err := makeSample(ledger.DiceBeacon)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{s.archive, s.transcript} {
		for n := 32; n < len(file); n += 7 { // before, it does not say what it is
			if f, err := examine(file[:n]); err != nil || f.OK {
				t.Errorf("%d of %d bytes: %+v, %v", n, len(file), f, err)
			}
		}
		if f, err := examine(append(bytes.Clone(file), 0)); err != nil || f.OK {
			t.Errorf("one byte more: %+v, %v", f, err)
		}
	}
}
