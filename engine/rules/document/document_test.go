package document

import (
	"reflect"
	"testing"
)

func TestPlaceholdersAreFilled(t *testing.T) {
	known := func(name string) (string, bool) { return "<" + name + ">", name != "unknown" }
	for text, want := range map[string]string{
		"{{a}} and {{Z_7}}":     "<a> and <Z_7>",
		"{{unknown}}{{{a}}}":    "{{unknown}}{<a>}",
		"{{}} {{7a}} {{_}}":     "{{}} {{7a}} {{_}}",
		"{{ä}} {{a b}} {{a} {a": "{{ä}} {{a b}} {{a} {a",
	} {
		if got := Expand(text, known); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

func TestPathsThatAreNoDocuments(t *testing.T) {
	for _, path := range []string{
		"", "1-core", "1-core/section", "1/section.md", "x-core/section.md", "1-/section.md", "-a/section.md", "1-A/section.md", "1-ä/section.md",
		"1-core//section.md", "1-core/sections.md", "1-core/8.-x.md", "1-core/.8-x.md", "1-core/8..1-x.md", "1-core/8.md", "1-core/8-.md",
		"1-core/8-X.md", "1-core/8/9-x.md", "1-core/8-x.md ", "1-core/8-x.md.md", "1-core/8-x.md\n",
	} {
		if got, err := ParsePath(path); err == nil {
			t.Errorf("%q is %v", path, got)
		}
	}
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
