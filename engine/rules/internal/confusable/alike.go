// Package confusable tells which names people could take for one another (UTS #39, 4 Confusable Detection), and writes
// names as they are compared.
package confusable

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxAlike is the longest text that is compared by what it looks like, in bytes: names are short, and to look every
// character up has its price.
const MaxAlike = 400

// Alike reports whether one name could be taken for another: if they differ at most by capitals and blanks, or if they
// look the same, such as an "А" from the Cyrillic letters beside an "A" (UTS #39, 4 Confusable Detection). Of texts longer than
// MaxAlike only the former is said.
func Alike(a, b string) bool {
	theirs := Looks(b)
	return slices.ContainsFunc(Looks(a), func(look string) bool { return slices.Contains(theirs, look) })
}

// Fold writes a name as it is compared: in small letters, with single blanks.
func Fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// Looks returns what a name can be taken for another by: two names are alike if they have one of these in common.
func Looks(name string) []string {
	folded := Fold(name)
	all := []string{"folded " + folded}
	if max(len(name), len(folded)) <= MaxAlike {
		// Two ways, as some letters look like others only when they are capitals, and some only when they are small.
		all = append(all, "small "+skeleton(folded), "capital "+Fold(skeleton(name)))
	}
	return all
}

// Numbered returns the [Looks] of a name with a number behind it, from those of the name. Together they must not be longer than
// [MaxAlike].
func Numbered(looks []string, number int) []string {
	digits := strconv.Itoa(number)
	bones := skeleton(digits)
	return []string{looks[0] + " " + digits, looks[1] + " " + bones, Fold(looks[2] + " " + bones)}
}

// skeleton writes a text with one character for all that look like it, letters and accents apart. It is for comparing
// and not for showing.
func skeleton(s string) string {
	var bones []rune
	for _, r := range strings.Join(strings.Fields(s), " ") {
		bones = bone(bones, r)
	}
	// Accents on one letter come in one order.
	for i := 0; i < len(bones); i++ {
		marks := i
		for i < len(bones) && unicode.Is(unicode.Mn, bones[i]) {
			i++
		}
		slices.Sort(bones[marks:i])
	}
	return string(bones)
}

// bone adds one character's part of a skeleton.
func bone(bones []rune, r rune) []rune {
	switch {
	case isSelector(r):
		return bones
	case r < utf8.RuneSelf:
	case r >= 0xFF01 && r <= 0xFF5E: // fullwidth forms
		r -= 0xFEE0
	case r >= 0x24B6 && r <= 0x24E9: // letters in circles
		r = ofAlphabet(int(r - 0x24B6))
	case r >= 0x1D400 && r <= 0x1D6A3: // 13 mathematical alphabets
		r = ofAlphabet(int(r-0x1D400) % 52)
	case r >= 0x1D7CE && r <= 0x1D7FF: // and 5 of digits
		r = '0' + (r-0x1D7CE)%10
	default:
		if i := strings.IndexRune(composed, r); i >= 0 && !unicode.Is(unicode.Mn, r) {
			mark, _ := utf8.DecodeRuneInString(composed[strings.LastIndexByte(composed[:i], ' ')+1:])
			bones = bone(bones, []rune(bare)[utf8.RuneCountInString(composed[:i])])
			r = mark
		}
		if i := strings.IndexRune(lookalikes, r); i >= 0 {
			r, _ = utf8.DecodeRuneInString(lookalikes[strings.LastIndexByte(lookalikes[:i], ' ')+1:])
		}
	}
	switch r {
	case 'I', '1', '|':
		r = 'l'
	case '0':
		r = 'O'
	case 'm':
		bones, r = append(bones, 'r'), 'n'
	}
	return append(bones, r)
}

// ofAlphabet is the letter at a place of an alphabet that has the capitals before the small ones.
func ofAlphabet(at int) rune {
	if at < 26 {
		return rune('A' + at)
	}
	return rune('a' + at - 26)
}

// isSelector reports whether a character only says how its neighbours are drawn: joiners and variation selectors, which
// a name may hold.
func isSelector(r rune) bool {
	return r == 0x200C || r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}
