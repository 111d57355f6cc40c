// Package lint finds what authors of rules get wrong and the kernel cannot know to be wrong:
// names that mean nothing, actions that nobody can take, columns that nobody sees, prose that
// refers to rules that are not there, scenarios that do not hold.
//
// A [Finding] is something to look at, with its file, its line and, where a name was likely
// mistyped, the name that was meant. A ruleset without findings may still be a bad game.
package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/rules"
	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/scenario"
)

// Finding is one thing that is wrong, or useless.
type Finding struct {
	File    string // path of the rule's document or of the scenario
	Line    int    // from 1
	Message string
	Meant   string // a name that is like the wrong one; empty if there is none
	loading bool   // why a rule does not load
}

func (f Finding) String() string {
	text := fmt.Sprintf("%s:%d: %s", f.File, max(f.Line, 1), f.Message)
	if f.Meant != "" {
		text += fmt.Sprintf(" (did you mean %q?)", f.Meant)
	}
	return text
}

// Scenario is a file of steps, see package scenario.
type Scenario struct {
	Path   string
	Source []byte
}

// Report is what was looked at and what was found.
type Report struct {
	Findings                  []Finding // by file and line
	Rules, Actions, Scenarios int
}

// Ruleset checks a ruleset's documents and, if they load, runs its scenarios, for which load finds
// what they are founded with. If no scenario is given, none is missed.
func Ruleset(docs []document.Document, scenarios []Scenario, load scenario.Loader) Report {
	c := &checker{book: readBook(docs), survey: rules.Look(docs)}
	c.problems()
	c.writing()
	c.names()
	c.ownCalls()
	c.dicts()
	c.uses()
	c.columns()
	c.prose()
	c.reach()
	if len(c.survey.Problems) == 0 {
		c.scenarios(scenarios, load)
	}
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return Report{
		Findings:  slices.CompactFunc(c.found, func(a, b Finding) bool { return a.File == b.File && a.Line == b.Line && a.Message == b.Message }),
		Rules:     len(c.book.pages) - c.book.fronts,
		Actions:   len(c.declared("action")),
		Scenarios: len(scenarios),
	}
}

// checker collects what is found.
type checker struct {
	book   *book
	survey *rules.Survey
	found  []Finding
}

func (c *checker) find(file string, line int, meant, format string, args ...any) {
	c.found = append(c.found, Finding{File: file, Line: line, Message: fmt.Sprintf(format, args...), Meant: meant})
}

// in reports something about a declaration.
func (c *checker) in(d declare.Declared, meant, format string, args ...any) {
	c.find(c.book.file(d.Rule), d.Line, meant, format, args...)
}

// declared returns what the rules themselves declare with a function of the kernel.
func (c *checker) declared(what ...string) []declare.Declared {
	var out []declare.Declared
	for _, d := range c.survey.Declared {
		if d.Rule != "" && slices.Contains(what, d.What) {
			out = append(out, d)
		}
	}
	return out
}

// problems reports why rules do not load.
func (c *checker) problems() {
	for _, p := range c.survey.Problems {
		file := c.book.file(p.Rule)
		line, message := c.book.inWords(file, p.Line, p.Message)
		if strings.Contains(message, " to load from") && c.book.untitled() {
			continue // it may be the one that cannot be read; if another was meant, names() tells
		}
		c.found = append(c.found, Finding{File: file, Line: line, Message: message, loading: true})
	}
}

// better reports a finding in the place of a problem of loading that it explains.
func (c *checker) better(file string, line int, meant, format string, args ...any) {
	c.found = slices.DeleteFunc(c.found, func(f Finding) bool { return f.loading && f.File == file && f.Line == line })
	c.find(file, line, meant, format, args...)
}

// explains takes back a problem of loading about a name that is told in a line of its own.
func (c *checker) explains(file string, line int, name string) {
	c.found = slices.DeleteFunc(c.found, func(f Finding) bool {
		return f.loading && f.File == file && f.Line == line && strings.HasSuffix(f.Message, fmt.Sprintf("%q", name))
	})
}

// scenarios runs the scenarios; if all hold, it reports what none of them does.
func (c *checker) scenarios(list []Scenario, load scenario.Loader) {
	var acted []string
	var text []byte
	before := len(c.found)
	for _, s := range list {
		report, err := scenario.Run(s.Path, s.Source, load)
		acted = append(acted, report.Acted...)
		text = append(text, s.Source...)
		var failure *scenario.Failure
		var syntax *scenario.SyntaxError
		switch {
		case errors.As(err, &failure):
			c.failure(failure, s.Source)
		case errors.As(err, &syntax):
			c.find(s.Path, syntax.Line, stepMeant(syntax.Message), "cannot be read: %s", syntax.Message)
		case err != nil:
			c.find(s.Path, 1, "", "%s", err)
		case report.Checks == 0:
			c.find(s.Path, 1, "", "the scenario expects nothing: state what must follow with expect or refuse")
		}
	}
	if len(list) > 0 && len(c.found) == before {
		c.untried(acted, string(text))
	}
}
