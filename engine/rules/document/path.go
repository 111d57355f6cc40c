package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Path is the place that a document's path names.
type Path struct {
	Section int
	Numbers []int // empty: the section's own page; {8, 1}: first sub-rule of rule 8
}

// ParsePath reads a path such as "1-core/08.1-metadynasties.md". The error is a [*Problem].
func ParsePath(path string) (p Path, err error) {
	section, numbers, ok := splitPath(path)
	if !ok {
		return Path{}, &Problem{Rule: path, Message: `the path must look like "1-core/section.md" or "1-core/08.1-some-title.md"`}
	}
	if p.Section, err = strconv.Atoi(section); err != nil {
		return Path{}, &Problem{Rule: path, Message: "the section's number is too large"}
	}
	if numbers == "" {
		return p, nil
	}
	for n := range strings.SplitSeq(numbers, ".") {
		i := 0
		for _, d := range n {
			i = i*10 + int(d-'0')
			if i > MaxRules {
				return Path{}, &Problem{Rule: path, Message: "the rule's number is too large"}
			}
		}
		p.Numbers = append(p.Numbers, i)
	}
	return p, nil
}

// splitPath takes the numbers out of a path: that of the section, and those of the rule, which are
// missing in the path of a section's own page.
func splitPath(path string) (section, numbers string, ok bool) {
	folder, file, _ := strings.Cut(path, "/")
	section, name, _ := strings.Cut(folder, "-")
	file, ok = strings.CutSuffix(file, ".md")
	if !ok || !allOf(section, digit) || !allOf(name, slugged) {
		return "", "", false
	}
	if file == "section" {
		return section, "", true
	}
	numbers, name, _ = strings.Cut(file, "-")
	for n := range strings.SplitSeq(numbers, ".") {
		ok = ok && allOf(n, digit)
	}
	return section, numbers, ok && allOf(name, slugged)
}

func slugged(c byte) bool { return c >= 'a' && c <= 'z' || digit(c) || c == '-' }

// allOf reports whether a text is not empty and consists of such bytes alone.
func allOf(text string, such func(byte) bool) bool {
	for i := range len(text) {
		if !such(text[i]) {
			return false
		}
	}
	return text != ""
}

// Folder returns the folder of a section's documents.
func Folder(number int, title string) string { return fmt.Sprintf("%d-%s", number, slug(title)) }

// File returns the file name of a rule with a number within its section, such as "8.1".
func File(number, title string) string { return number + "-" + slug(title) + ".md" }

// slug writes a title with small letters, digits and hyphens alone.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	if len(words) == 0 {
		return "rule"
	}
	return strings.Join(words, "-")
}
