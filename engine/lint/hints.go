package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What the interpreter says of a script that it cannot read, in words that say what to do.

var (
	strange   = regexp.MustCompile(`^unexpected input character ('.*')$`)
	elsewhere = regexp.MustCompile(`^.*, line ([0-9]+): (.*)$`)
)

// plain are the characters that word processors put in the place of those that scripts have.
var plain = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‘': `'`, '’': `'`, '‚': `'`, '`': `'`,
	'−': "-", '–': "-", '—': "-", '×': "*", '÷': "//", '…': "...", '≤': "<=", '≥': ">=", '≠': "!=",
}

// inWords returns a problem of a document, and its line, as an author can use them.
func (b *book) inWords(file string, line int, message string) (int, string) {
	if m := elsewhere.FindStringSubmatch(message); m != nil && line == 0 {
		line, _ = strconv.Atoi(m[1])
		message = m[2]
	}
	i := slices.IndexFunc(b.pages, func(p *page) bool { return p.path == file })
	if i < 0 {
		return line, message
	}
	p := b.pages[i]
	if p.lines[0] == "---" && strings.HasPrefix(message, "the first line must be a heading") {
		return line, "there is no front matter: the first line is the heading, # Title, and the file's name has the number"
	}
	if line < 1 || line > len(p.lines) {
		return line, message
	}
	text := strings.TrimSpace(p.lines[line-1])
	if m := strange.FindStringSubmatch(message); m != nil {
		return line, inPlainCharacters(m[1])
	}
	switch {
	case strings.HasPrefix(message, "unindent does not match"), strings.HasPrefix(message, "got indent,"):
		if strings.Contains(strings.Join(p.lines[max(0, line-10):line], "\n"), "\n\t") {
			return line, "some lines here are indented with tabs and others with blanks: write four blanks everywhere"
		}
		if strings.HasPrefix(message, "got indent,") {
			return line, "this line is indented more than the one above it, and nothing there begins a block"
		}
		return line, "this line is indented like none of those above it"
	case message == "got string literal, want ','" && regexp.MustCompile(`\bf["']`).MatchString(text):
		return line, `there are no f-strings: write "%d eggs" % number`
	case strings.HasPrefix(message, "got import,"):
		return line, `there is no import: load("Title of a rule", "name") takes a name from another rule`
	case message == "got newline, want ':'":
		return line, "a colon is missing at the end of the line"
	case strings.HasPrefix(message, "got "):
		if bracket, at := p.openBracket(line); at > 0 {
			return line, fmt.Sprintf("%s (perhaps because the %c in line %d is not closed)", message, bracket, at)
		}
	}
	return line, message
}

// inPlainCharacters says what to write instead of a character, which is quoted as in Go.
func inPlainCharacters(quoted string) string {
	text, err := strconv.Unquote(quoted)
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case err != nil:
		return "the character " + quoted + " means nothing in a script"
	case plain[r] != "":
		return fmt.Sprintf("scripts have no %s: write %s", text, plain[r])
	case r == '\u00a0' || r == '\u2009' || r == '\u202f' || r == '\u200b' || r == '\ufeff':
		return fmt.Sprintf("a blank that is none (%U) stands here: write one of the space bar", r)
	}
	return fmt.Sprintf("the character %s (%U) means nothing in a script", text, r)
}

// openBracket returns the innermost bracket that stands open where a line begins, and its line, or 0.
func (p *page) openBracket(line int) (bracket rune, at int) {
	first := line - 1
	for first > 0 && !strings.HasPrefix(p.lines[first-1], "```") {
		first--
	}
	type open struct {
		bracket rune
		at      int
	}
	var stack []open
	for n, text := range p.lines[first : line-1] {
		quote := rune(0)
		escaped := false
	characters:
		for _, r := range text {
			switch {
			case escaped:
				escaped = false
			case quote != 0:
				if r == '\\' {
					escaped = true
				} else if r == quote {
					quote = 0
				}
			case r == '"' || r == '\'':
				quote = r
			case r == '#':
				break characters // the rest is a comment
			case strings.ContainsRune("([{", r):
				stack = append(stack, open{r, first + n + 1})
			case strings.ContainsRune(")]}", r) && len(stack) > 0:
				stack = stack[:len(stack)-1]
			}
		}
	}
	if len(stack) == 0 {
		return 0, 0
	}
	last := stack[len(stack)-1]
	return last.bracket, last.at
}

// otherScripts are names of languages that authors give to a block of script.
var otherScripts = regexp.MustCompile("^```\\s*(python|py|skylark|star|bzl|Starlark|STARLARK)\\s*$")

// writing reports documents that are not written as rules are: of bytes that are no text, or with a
// script that is marked as none.
func (c *checker) writing() {
	for _, p := range c.book.pages {
		for n, l := range p.lines {
			if !utf8.ValidString(l) {
				c.find(p.path, n+1, "", "this line is no text in UTF-8: save the file in that encoding")
			}
			if m := otherScripts.FindStringSubmatch(l); m != nil {
				c.find(p.path, n+1, "", "a block of %s is shown and never run: a script begins with ```starlark", m[1])
			}
		}
	}
}
