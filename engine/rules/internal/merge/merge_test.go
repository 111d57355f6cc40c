package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const base = `# Tax

Each player pays 3 coins. The head pays none.

- Eggs are free.

` + "```starlark" + `
def pay(me):
    me.coins -= 3

action("Pay", run=pay)
` + "```\n"

// swap replaces texts of the base, in pairs of old and new.
func swap(t *testing.T, pairs ...string) string {
	t.Helper()
	text := base
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q does not stand there once", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestChangesMerge(t *testing.T) {
	for _, c := range []struct {
		name, now, amended, want string
	}{
		{"words of one line", swap(t, "3 coins", "4 coins"), swap(t, "none", "double"), swap(t, "3 coins", "4 coins", "none", "double")},
		{"neighbours", swap(t, "pays 3", "gives 3"), swap(t, "3 coins", "4 coins"), swap(t, "pays 3", "gives 4")},
		{"the title", swap(t, "# Tax", "# Toll"), swap(t, "3 coins", "4 coins"), swap(t, "# Tax", "# Toll", "3 coins", "4 coins")},
		{"the same change", swap(t, "3 coins", "4 coins"), swap(t, "3 coins", "4 coins", "none", "one"), swap(t, "3 coins", "4 coins", "none", "one")},
		{"added behind what is changed", swap(t, "3 coins", "4 coins"), swap(t, "none.", "none. The rest is free."), swap(t, "3 coins", "4 coins", "none.", "none. The rest is free.")},
		{"prose and script", swap(t, "3 coins", "4 coins"), swap(t, "-= 3", "-= 4"), swap(t, "3 coins", "4 coins", "-= 3", "-= 4")},
		{"lines of the script", swap(t, "-= 3", "-= 4"), swap(t, "run=pay", "run=pay, help=\"Pay.\""), swap(t, "-= 3", "-= 4", "run=pay", "run=pay, help=\"Pay.\"")},
		{"items of a list", swap(t, "free.\n", "free.\n- Hay is free.\n"), swap(t, "free.\n", "free.\n- Milk is free.\n"), swap(t, "free.\n", "free.\n- Hay is free.\n- Milk is free.\n")},
		{"lines at the end", base + "\nFirst.\n", base + "\nSecond.", base + "\nFirst.\n\nSecond."},
		{"one takes a line out", swap(t, "- Eggs are free.\n\n", ""), swap(t, "3 coins", "4 coins"), swap(t, "- Eggs are free.\n\n", "", "3 coins", "4 coins")},
	} {
		got, conflict := Documents(base, c.now, c.amended)
		if conflict != nil || got != c.want {
			t.Errorf("%s: %+v\n%s", c.name, conflict, got)
		}
	}
}

func TestChangesOfTheSameDoNotMerge(t *testing.T) {
	for _, c := range []struct {
		name, now, amended string
		want               Conflict
	}{
		{"a word", swap(t, "3 coins", "4 coins"), swap(t, "3 coins", "5 coins"), Conflict{"pays 3 coins.", "pays 4 coins.", "pays 5 coins."}},
		{"the title", swap(t, "# Tax", "# Toll"), swap(t, "# Tax", "# Duty"), Conflict{"# Tax", "# Toll", "# Duty"}},
		{"a word taken out", swap(t, " The head pays none.", ""), swap(t, "none", "double"), Conflict{"3 coins. The head pays none.", "3 coins.", "3 coins. The head pays double."}},
		{"words at one place", swap(t, "Each player", "Each young player"), swap(t, "Each player", "Each old player"), Conflict{"Each player", "Each young player", "Each old player"}},
		{"a number", swap(t, "3 coins", "3.5 coins"), swap(t, "3 coins", "4 coins"), Conflict{"pays 3 coins.", "pays 3.5 coins.", "pays 4 coins."}},
		{"a line of the script", swap(t, "me.coins -= 3", "me.coins -= 4"), swap(t, "me.coins -= 3", "me.money -= 3"),
			Conflict{"me.coins -= 3", "me.coins -= 4", "me.money -= 3"}},
	} {
		got, conflict := Documents(base, c.now, c.amended)
		if conflict == nil {
			t.Errorf("%s: merged to\n%s", c.name, got)
		} else if *conflict != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, *conflict, c.want)
		}
	}
}

// Changes of different words of any shipped rule merge, in either order to the same text, which has both.
func TestChangesOfDifferentWordsMerge(t *testing.T) {
	files, err := filepath.Glob("../../../rulesets/*/*/*.md")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d rules: %v", len(files), err)
	}
	for n, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for range 4 {
			all := words.FindAllStringIndex(text, -1)
			all = slices.DeleteFunc(all, func(at []int) bool { return strings.TrimSpace(text[at[0]:at[1]]) == "" || !inProse(text, at[0]) })
			picks := r.Perm(len(all))[:min(8, len(all)/2*2)]
			edited := func(picks []int, mark string) string {
				picks = slices.Sorted(slices.Values(picks))
				out := text
				for i, k := range slices.Backward(picks) {
					at := all[k]
					word := strings.TrimRight(text[at[0]:at[1]], " \t")
					blanks := text[at[0]+len(word) : at[1]]
					with := [...]string{fmt.Sprintf("%s%d%s", mark, i, blanks), fmt.Sprintf("%s %s%d%s", word, mark, i, blanks), ""}[r.IntN(2+min(1, len(blanks)))]
					out = out[:at[0]] + with + out[at[1]:]
				}
				return out
			}
			half := len(picks) / 2
			x, y := edited(picks[:half], "Qours"), edited(picks[half:], "Qtheirs")
			one, c1 := Documents(text, x, y)
			two, c2 := Documents(text, y, x)
			if c1 != nil || c2 != nil {
				t.Fatalf("%s: %+v, %+v", file, c1, c2)
			}
			if one != two {
				t.Fatalf("%s: the orders differ:\n%s\n%s", file, one, two)
			}
			if strings.Count(one, "Qours") != strings.Count(x, "Qours") || strings.Count(one, "Qtheirs") != strings.Count(y, "Qtheirs") {
				t.Fatalf("%s: a change is lost:\n%s", file, one)
			}
		}
	}
}

// Whatever the texts: a change merges with none and with itself, and what merges does so in both orders.
func TestAnyTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	pieces := []string{"a", "b", "c ", " ", "\n", "\n", "# T\n", "```starlark\n", "```\n", "é"}
	text := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 20_000 {
		base, x, y := text(), text(), text()
		for _, c := range [][3]string{{base, x, x}, {x, base, x}, {x, x, x}} {
			got, conflict := Documents(base, c[0], c[1])
			if conflict != nil || strings.TrimRight(got, "\n") != strings.TrimRight(c[2], "\n") {
				t.Fatalf("%q, %q, %q: %q, %+v", base, c[0], c[1], got, conflict)
			}
		}
		_, one := Documents(base, x, y)
		_, two := Documents(base, y, x)
		if (one == nil) != (two == nil) {
			t.Fatalf("%q, %q, %q: %+v in one order, %+v in the other", base, x, y, one, two)
		}
	}
}

// inProse tells whether a place of a document is prose.
func inProse(text string, at int) bool {
	return proseLines(strings.SplitAfter(text, "\n"))[strings.Count(text[:at], "\n")]
}
