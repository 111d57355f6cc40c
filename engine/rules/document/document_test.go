package document

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The browser's program has no regular expressions, so placeholders and paths are read by hand: as these
// expressions would.
var (
	placeholders = regexp.MustCompile(`\{\{([A-Za-z][A-Za-z0-9_]*)\}\}`)
	paths        = regexp.MustCompile(`^([0-9]+)-[a-z0-9-]+/(?:section|([0-9]+(?:\.[0-9]+)*)-[a-z0-9-]+)\.md$`)
)

func TestPlaceholdersAreFilled(t *testing.T) {
	known := func(name string) (string, bool) { return "<" + name + ">", len(name)%2 == 1 }
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"{", "{{", "}", "}}", "a", "Zz", "_", "7", "ä", " ", "{{a}}"})).Draw(t, "text"), "")
		want := placeholders.ReplaceAllStringFunc(text, func(m string) string {
			if v, ok := known(m[2 : len(m)-2]); ok {
				return v
			}
			return m
		})
		if got := Expand(text, known); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	})
}

func TestPathsAreTakenApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"1-core", "20-a-b7", "1", "x-core", "1-", "-a", "1-A", "1-ä", ""}).Draw(t, "folder") +
			rapid.SampledFrom([]string{"/", "/", "/", "", "//"}).Draw(t, "between") +
			rapid.SampledFrom([]string{"section", "08.1-x", "08-x-y7", "8.-x", ".8-x", "8..1-x", "8", "8-", "8-X", "8/9-x", "sections"}).Draw(t, "file") +
			rapid.SampledFrom([]string{".md", ".md", ".md", "", "md", ".md.md", ".md "}).Draw(t, "ending")
		var section, numbers string
		m := paths.FindStringSubmatch(path)
		if m != nil {
			section, numbers = m[1], m[2]
		}
		if s, n, ok := splitPath(path); ok != (m != nil) || s != section && ok || n != numbers && ok {
			t.Errorf("%q is taken apart to %q and %q (%v), not %q and %q", path, s, n, ok, section, numbers)
		}
	})
}

// The numbers of a path are decimal, zeros before them or not.
func TestPathsAreCountedInTens(t *testing.T) {
	for path, want := range map[string]Path{
		"08-late/section.md": {Section: 8},
		"010-later/09-x.md":  {Section: 10, Numbers: []int{9}},
		"2-b/010.08-x.md":    {Section: 2, Numbers: []int{10, 8}},
	} {
		if got, err := ParsePath(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, not %v (%v)", path, got, want, err)
		}
	}
	if _, err := ParsePath("99999999999999999999-x/section.md"); err == nil {
		t.Error("a number that is too large is taken")
	}
}
