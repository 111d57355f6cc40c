package rules

import (
	"encoding/hex"
	"fmt"
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

// titleIn returns the title that a rule's document gives it, or "".
func titleIn(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	title, _ := strings.CutPrefix(first, "# ")
	if title == first {
		return ""
	}
	return strings.TrimSpace(title)
}
