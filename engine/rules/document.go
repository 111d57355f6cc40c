package rules

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"peernomic/engine/wire"
)

// Document is one file of a ruleset.
type Document struct {
	_    struct{} `cbor:",toarray"`
	Path string   // "1-core/08.1-metadynasties.md"
	Text string
}

// Problem is what is wrong with a rule or an amendment, for its author.
type Problem struct {
	Rule    string // title, or path while it has no title
	Line    int    // line of the document, from 1; 0 if none in particular
	Message string
	limit   bool // a limit was reached
}

// refusal makes a refusal of a problem; its code is that given, unless a limit was reached.
func (p *Problem) refusal(code Code) *Refusal {
	if p.limit {
		code = CodeLimit
	}
	return &Refusal{Code: code, Rule: p.Rule, Line: p.Line, Reason: p.Message}
}

func (p *Problem) Error() string {
	switch {
	case p.Rule == "":
		return p.Message
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.Rule, p.Message)
	default:
		return fmt.Sprintf("%s, line %d: %s", p.Rule, p.Line, p.Message)
	}
}

// parsed is a rule document taken apart.
type parsed struct {
	title  string
	prose  string // Markdown without heading and script
	script string // the document's lines with everything but script emptied, so that lines keep their numbers
}

// parseDocument takes a rule document apart: its first line is "# Title", and
// fenced blocks marked starlark are its script.
func parseDocument(text string) (parsed, error) {
	if len(text) > MaxDocument {
		return parsed{}, &Problem{Message: fmt.Sprintf("a rule may have %d bytes, this one has %d", MaxDocument, len(text))}
	}
	lines := strings.Split(text, "\n")
	title, ok := strings.CutPrefix(lines[0], "# ")
	title = strings.TrimSpace(title)
	if !ok || title == "" {
		return parsed{}, &Problem{Line: 1, Message: "the first line must be a heading: # Title"}
	}
	if len(title) > MaxTitle {
		return parsed{}, &Problem{Rule: title[:MaxTitle], Line: 1, Message: fmt.Sprintf("a title may have %d bytes", MaxTitle)}
	}
	var prose []string
	script := make([]string, len(lines))
	inside, opened := false, 0
	for i, line := range lines[1:] {
		fence := strings.TrimRight(line, " \t\r")
		switch {
		case !inside && fence == "```starlark":
			inside, opened = true, i+2
		case inside && fence == "```":
			inside = false
		case inside:
			script[i+1] = line
		default:
			prose = append(prose, line)
		}
	}
	if inside {
		return parsed{}, &Problem{Rule: title, Line: opened, Message: "the script block is not closed by ```"}
	}
	return parsed{
		title:  title,
		prose:  strings.Trim(strings.Join(prose, "\n"), "\n"),
		script: strings.Join(script, "\n"),
	}, nil
}

// TakeApart returns a rule document's title, its prose and its script, each with as many lines as
// the document, so that lines keep their numbers. The error is a [*Problem].
func TakeApart(text string) (title, prose, script string, err error) {
	doc, err := parseDocument(text)
	if err != nil {
		return "", "", "", err
	}
	lines := strings.Split(text, "\n")
	for i, line := range strings.Split(doc.script, "\n") {
		if i == 0 || line != "" || strings.HasPrefix(lines[i], "```") {
			lines[i] = ""
		}
	}
	return doc.title, strings.Join(lines, "\n"), doc.script, nil
}

// fingerprint names a text by its content.
func fingerprint(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = fmt.Appendf(b, "%d:%s", len(p), p)
	}
	d := wire.Digest("peernomic/text/v1", b)
	return hex.EncodeToString(d[:8])
}

// expand fills the {{name}} placeholders of a text. Unknown names stay as they are.
func expand(text string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "{{")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		text = text[at:]
		name := placeholder(text)
		if name == "" {
			b.WriteString(text[:1])
			text = text[1:]
			continue
		}
		whole := text[:len(name)+4]
		text = text[len(whole):]
		if v, ok := value(name); ok {
			whole = v
		}
		b.WriteString(whole)
	}
}

// placeholder returns the name of the placeholder that a text begins with: a letter of ASCII, then letters,
// digits and underscores. It is empty if there is none.
func placeholder(text string) string {
	name, _, found := strings.Cut(text[2:], "}}")
	if !found || name == "" || !letter(name[0]) {
		return ""
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && !digit(c) && c != '_' {
			return ""
		}
	}
	return name
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// documentPath is the place that a document's path names.
type documentPath struct {
	section int
	numbers []int // empty: the section's own page; {8, 1}: first sub-rule of rule 8
}

// parsePath reads a path such as "1-core/08.1-metadynasties.md".
func parsePath(path string) (p documentPath, err error) {
	section, numbers, ok := splitPath(path)
	if !ok {
		return documentPath{}, &Problem{Rule: path, Message: `the path must look like "1-core/section.md" or "1-core/08.1-some-title.md"`}
	}
	if p.section, err = strconv.Atoi(section); err != nil {
		return documentPath{}, &Problem{Rule: path, Message: "the section's number is too large"}
	}
	if numbers == "" {
		return p, nil
	}
	for n := range strings.SplitSeq(numbers, ".") {
		i := 0
		for _, d := range n {
			i = i*10 + int(d-'0')
			if i > MaxRules {
				return documentPath{}, &Problem{Rule: path, Message: "the rule's number is too large"}
			}
		}
		p.numbers = append(p.numbers, i)
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
