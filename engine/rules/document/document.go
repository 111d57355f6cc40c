// Package document reads rule documents: Markdown files of which each is a rule's title, prose and script, and the paths
// that put them into sections. It knows neither the language of the scripts nor a game.
package document

import (
	"encoding/hex"
	"fmt"
	"strings"

	"peernomic/engine/wire"
)

// Document is one file of a ruleset, as a genesis holds it.
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
	Limit   bool // a limit was reached, of size or of what a script may use
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

// Parsed is a rule document taken apart.
type Parsed struct {
	Title  string
	Prose  string // Markdown without heading and script
	Script string // the document's lines with everything but script emptied, so that lines keep their numbers
}

// Parse takes a rule document apart: its first line is "# Title", and fenced blocks marked starlark are its script.
// The error is a [*Problem].
func Parse(text string) (Parsed, error) {
	if len(text) > MaxDocument {
		return Parsed{}, &Problem{Message: fmt.Sprintf("a rule may have %d bytes, this one has %d", MaxDocument, len(text))}
	}
	lines := strings.Split(text, "\n")
	title, ok := strings.CutPrefix(lines[0], "# ")
	title = strings.TrimSpace(title)
	if !ok || title == "" {
		return Parsed{}, &Problem{Line: 1, Message: "the first line must be a heading: # Title"}
	}
	if len(title) > MaxTitle {
		return Parsed{}, &Problem{Rule: title[:MaxTitle], Line: 1, Message: fmt.Sprintf("a title may have %d bytes", MaxTitle)}
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
		return Parsed{}, &Problem{Rule: title, Line: opened, Message: "the script block is not closed by ```"}
	}
	return Parsed{
		Title:  title,
		Prose:  strings.Trim(strings.Join(prose, "\n"), "\n"),
		Script: strings.Join(script, "\n"),
	}, nil
}

// TakeApart returns a rule document's title, its prose and its script, each with as many lines as
// the document, so that lines keep their numbers. The error is a [*Problem].
func TakeApart(text string) (title, prose, script string, err error) {
	doc, err := Parse(text)
	if err != nil {
		return "", "", "", err
	}
	lines := strings.Split(text, "\n")
	for i, line := range strings.Split(doc.Script, "\n") {
		if i == 0 || line != "" || strings.HasPrefix(lines[i], "```") {
			lines[i] = ""
		}
	}
	return doc.Title, strings.Join(lines, "\n"), doc.Script, nil
}

// Fingerprint names texts by their content: 16 hexadecimal digits. An amendment names by it the text it was written on.
func Fingerprint(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = fmt.Appendf(b, "%d:%s", len(p), p)
	}
	d := wire.Digest("peernomic/text/v1", b)
	return hex.EncodeToString(d[:8])
}

// TitleIn returns the title that a rule's document gives it, or "".
func TitleIn(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	title, _ := strings.CutPrefix(first, "# ")
	if title == first {
		return ""
	}
	return strings.TrimSpace(title)
}
