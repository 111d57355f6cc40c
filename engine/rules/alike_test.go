package rules

import (
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
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%q, %q) = %v; skeletons %q and %q", c.a, c.b, got, skeleton(c.a), skeleton(c.b))
		}
		if alike(c.a, c.b) != alike(c.b, c.a) {
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

// Who comes with a name that looks like somebody's gets a number, so that nobody is taken for another.
func TestKnockWithALookalikeGetsANumber(t *testing.T) {
	w := found(t, "")
	for _, c := range []struct{ name, want string }{{"Аna", "Аna 2"}, {"Ane", "Ane"}, {"ana", "ana 3"}} {
		if as, err := w.ComesAs(c.name); err != nil || as != c.want {
			t.Errorf("%v: %q would come as %q, want %q", err, c.name, as, c.want)
		}
		id, out := w.Knock("key of "+c.name, c.name, w.Now())
		if out.Refused != nil {
			t.Fatal(out.Refused)
		}
		if got := w.text(tablePlayers, id, "name"); got != c.want {
			t.Errorf("%q came as %q, want %q", c.name, got, c.want)
		}
	}
	if as, err := w.ComesAs(strings.Repeat("a", MaxName+1)); err == nil {
		t.Errorf("a name beyond all bounds comes as %q", as)
	}
}

// The number behind a name that is as long as a name may be stays when the rules change.
func TestALongNameKeepsItsNumber(t *testing.T) {
	w := found(t, "")
	name := strings.Repeat("a", MaxName)
	if _, out := w.Knock("key 1", name, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	id, _ := w.Knock("key 2", name, w.Now())
	if out := w.Repair([]any{map[string]any{"op": "enact", "section": int64(1), "text": "# Flag\n\nA flag."}}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	if got := w.text(tablePlayers, id, "name"); got != name+" 2" {
		t.Errorf("the name is %q", got)
	}
}
