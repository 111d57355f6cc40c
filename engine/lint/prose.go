package lint

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// the rule "Duels", the rules "Duels", "Challenges" and “System”
	ruleTitles = regexp.MustCompile(`(?i)\brules?\s+((?:["“][^"”]{1,120}["”](?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)?)+)`)
	quotedText = regexp.MustCompile(`["“]([^"”]+)["”]`)
	ruleNumber = regexp.MustCompile(`\b[Rr]ules?\s+([0-9]+(?:\.[0-9]+)+)\b`)
	braces     = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
)

// prose reports what the prose of rules refers to that is not there.
func (c *checker) prose() {
	x := c.index()
	known := slices.Concat(x.keys, x.lives)
	for _, p := range c.book.pages {
		text := strings.Join(p.prose, "\n")
		at := func(offset int) int { return 1 + strings.Count(text[:offset], "\n") }
		for _, m := range ruleTitles.FindAllStringSubmatchIndex(text, -1) {
			for _, q := range quotedText.FindAllStringSubmatchIndex(text[m[2]:m[3]], -1) {
				title := strings.Join(strings.Fields(text[m[2]+q[2]:m[2]+q[3]]), " ")
				meant := near(title, x.titles)
				if _, _, ok := c.survey.RuleTitled(title); !ok && (meant != "" || !c.book.untitled()) {
					c.find(p.path, at(m[2]+q[2]), meant, "there is no rule %q", title)
				}
			}
		}
		for _, m := range ruleNumber.FindAllStringSubmatchIndex(text, -1) {
			if number := text[m[2]:m[3]]; !c.numbered(number) {
				c.find(p.path, at(m[2]), "", "there is no rule %s", number)
			}
		}
		for n, l := range p.lines {
			for _, m := range braces.FindAllStringSubmatch(l, -1) {
				if !slices.Contains(known, m[1]) && !c.book.unread() {
					c.find(p.path, n+1, near(m[1], known), "{{%s}} is no word and no live text of these rules", m[1])
				}
			}
		}
	}
}

func (c *checker) numbered(number string) bool {
	_, ok := c.survey.RuleNumbered(number)
	return ok
}
