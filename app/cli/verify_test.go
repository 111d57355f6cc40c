package cli

import (
	"bytes"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

var clauseNumber = regexp.MustCompile(`^\d+\.\d+$`)

// spare is how many bytes of a transcript say nothing: it discloses the keys of three envelopes, and the
// first 16 bytes of an envelope's nonce only serve to make that key. The one envelope that a seal names
// is bound by its hash all the same.
const spare = 2 * 16

// Whatever byte of a proof is changed, it is refused, and the refusal names a clause.
func TestChangedByteIsFoundOut(t *testing.T) {
	s, err := makeSample()
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"game": s.archive, "roll": s.transcript} {
		t.Run(name, func(t *testing.T) {
			good, err := examine(file)
			if err != nil || !good.OK {
				t.Fatalf("the unchanged file: %+v, %v", good, err)
			}
			silent := 0
			for n := range file {
				changed := slices.Clone(file)
				changed[n] ^= 0x04
				f, err := examine(changed)
				switch {
				case errors.Is(err, errNeither):
					// The change is in the name of the format.
					if n >= nameWithin {
						t.Errorf("byte %d: not recognised", n)
					}
				case err != nil:
					t.Errorf("byte %d: %v", n, err)
				case f.OK && name == "roll" && silent < spare && reflect.DeepEqual(f, good):
					silent++
				case f.OK && name == "roll" && !slices.EqualFunc(f.Roll.Dice, good.Roll.Dice, sameSides):
					// What the rules asked for is not in a transcript, which says so; a die with other
					// sides may show the same.
				case f.OK:
					t.Errorf("byte %d is changed, and the file is found good", n)
				case !clauseNumber.MatchString(f.Clause) || f.Text == "":
					t.Errorf("byte %d: clause %q, %q", n, f.Clause, f.Text)
				}
			}
		})
	}
}

func sameSides(a, b dieShown) bool { return a.Sides == b.Sides }

func TestCutFileIsFoundOut(t *testing.T) {
	s, err := makeSample()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{s.archive, s.transcript} {
		for n := nameWithin; n < len(file); n += 7 {
			if f, err := examine(file[:n]); err != nil || f.OK {
				t.Errorf("%d of %d bytes: %+v, %v", n, len(file), f, err)
			}
		}
		if f, err := examine(append(bytes.Clone(file), 0)); err != nil || f.OK {
			t.Errorf("one byte more: %+v, %v", f, err)
		}
	}
}
