package confusable

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// UTS #39, 4 Confusable Detection: names that look the same are one.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Ana", "Ana", true},
		{"Ana", " ANA ", true},
		{"Ana", "Аna", true},         // Cyrillic А
		{"Ana", "аna", true},         // small Cyrillic а, whose capital is another's
		{"Ana", "Αna", true},         // Greek Α
		{"hans", "ΗANS", true},       // Greek Η, alike only as a capital
		{"Ian", "lan", true},         // a capital I and a small l
		{"Bo", "B0", true},           // a letter and a digit
		{"Bo", "Ｂｏ", true},           // fullwidth
		{"Bo", "𝐁𝗈", true},           // mathematical
		{"José", "Jose\u0301", true}, // composed and not
		{"Nguyễn", "Nguye\u0302\u0303n", true},
		{"Lệ", "Le\u0302\u0323", true}, // accents in another order
		{"Kim", "Kirn", true},
		{"Ana", "An\u200da", true},
		{"Пётр", "Πётρ", true}, // Greek letters in a Cyrillic name
		{"Ana", "Ane", false},
		{"José", "Jose", false}, // an accent can be seen
		{"Kai", "Kal", false},
		{"Bo", "Bob", false},
		{"Анна", "Anna", false}, // н is no n
		{"", "A", false},
		{strings.Repeat("a", 500), strings.Repeat("а", 500), false}, // too long for a name
	} {
		if got := Alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%q, %q) = %v; skeletons %q and %q", c.a, c.b, got, skeleton(c.a), skeleton(c.b))
		}
		if Alike(c.a, c.b) != Alike(c.b, c.a) {
			t.Errorf("alike(%q, %q) depends on the order", c.a, c.b)
		}
	}
}

// Each letter with an accent has its letter without at the same place.
func TestComposedLettersMatchBareOnes(t *testing.T) {
	if utf8.RuneCountInString(composed) != utf8.RuneCountInString(bare) {
		t.Fatal("the two tables have not the same length")
	}
	for _, c := range []struct{ whole, parts string }{{"À", "A\u0300"}, {"ế", "e\u0302\u0301"}, {"ῼ", "ῼ"}, {"й", "и\u0306"}, {"ΐ", "ι\u0308\u0301"}, {"ẓ", "z\u0323"}} {
		if a, b := skeleton(c.whole), skeleton(c.parts); a != b {
			t.Errorf("%q is %q, its parts are %q", c.whole, a, b)
		}
	}
}

// alikeByPair says of two names what [Alike] says, without a look in common.
func alikeByPair(a, b string) bool {
	x, y := Fold(a), Fold(b)
	if x == y {
		return true
	}
	if max(len(a), len(b), len(x), len(y)) > MaxAlike {
		return false
	}
	return skeleton(x) == skeleton(y) || Fold(skeleton(a)) == Fold(skeleton(b))
}

// oddName returns a name, or a longer text, of which many others are lookalikes.
func oddName(random *rand.Rand) string {
	letters := []string{"I", "l", "1", "i", "|", "L", "m", "rn", "M", "А", "a", "A", "0", "O", "o", "О", "Ⅰ", "\ufe0f", " ", "  ", "a\u0301\u0323", "a\u0323\u0301", "á", "2", " 2", " 3", " 4", " 5", " 1O", "Σ", "ς", "İ"}
	var b strings.Builder
	for range 1 + random.IntN(3) {
		b.WriteString(letters[random.IntN(len(letters))])
	}
	if random.IntN(40) == 0 {
		b.WriteString(strings.Repeat(" ", MaxAlike))
		b.WriteString(letters[random.IntN(len(letters))])
	}
	return b.String()
}

// Two names have a look in common exactly if one could be taken for the other, and a number behind a name
// adds to its looks what it adds to the name's.
func TestLooksAreWhatAlikeComparesBy(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 20_000 {
		a, b := oddName(random), oddName(random)
		if Alike(a, b) != alikeByPair(a, b) {
			t.Fatalf("%q and %q are alike: %v", a, b, Alike(a, b))
		}
		if Alike(a, b) {
			same++
		}
		if n := random.IntN(1200); len(a) < MaxAlike && strings.Join(strings.Fields(a), " ") != "" {
			if got, want := fmt.Sprintf("%q", Numbered(Looks(a), n)), fmt.Sprintf("%q", Looks(fmt.Sprintf("%s %d", a, n))); got != want {
				t.Fatalf("%q with %d looks like %s, want %s", a, n, got, want)
			}
		}
	}
	if same < 100 {
		t.Errorf("only %d pairs were alike", same)
	}
}
