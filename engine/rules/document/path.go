package document

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Path is the place that a document's path names.
type Path struct {
	Section int
	Numbers []int // empty: the section's own page; {8, 1}: first sub-rule of rule 8
}

var pathPattern = regexp.MustCompile(`^([0-9]+)-[a-z0-9-]+/(?:section|([0-9]+(?:\.[0-9]+)*)-[a-z0-9-]+)\.md$`)

// ParsePath reads a path such as "1-core/08.1-metadynasties.md". The error is a [*Problem].
func ParsePath(path string) (p Path, err error) {
	parts := pathPattern.FindStringSubmatch(path)
	if parts == nil {
		return Path{}, &Problem{Rule: path, Message: `the path must look like "1-core/section.md" or "1-core/08.1-some-title.md"`}
	}
	section, numbers := parts[1], parts[2]
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
