// Package regexp stands in for the standard library's in the browser's program: it knows the few
// expressions that libraries use there, each as a function. One that is used and not known is a panic
// that says so; one that is only named costs nothing.
package regexp

import (
	"bytes"
	"io"
)

// Regexp is an expression that matches at the beginning of a text or not at all.
type Regexp struct{ expression string }

// MustCompile returns an expression.
func MustCompile(expression string) *Regexp { return &Regexp{expression} }

// Match reports whether the expression matches.
func (r *Regexp) Match(b []byte) bool { return r.end(b) >= 0 }

// MatchString reports whether the expression matches.
func (r *Regexp) MatchString(s string) bool { return r.end([]byte(s)) >= 0 }

// FindSubmatchIndex returns where the match begins and ends; nil if there is none.
func (r *Regexp) FindSubmatchIndex(b []byte) []int {
	if end := r.end(b); end >= 0 {
		return []int{0, end}
	}
	return nil
}

// FindStringSubmatch is not used in the browser.
func (r *Regexp) FindStringSubmatch(string) []string { panic(r.unknown()) }

// FindReaderSubmatchIndex is not used in the browser.
func (r *Regexp) FindReaderSubmatchIndex(io.RuneReader) []int { panic(r.unknown()) }

func (r *Regexp) unknown() string {
	return "the browser's program does not know the regular expression " + r.expression
}

// end returns where the match ends, or -1.
func (r *Regexp) end(b []byte) int {
	switch r.expression {
	// go-app's routes: the app has one, for every address.
	case `^/`:
		return ends(bytes.HasPrefix(b, []byte("/")), 1)
	// goldmark's tables: the line below the heads says how columns are aligned.
	case `^\s*\-+\s*$`:
		return ends(dashes(trim(b)), len(b))
	case `^\s*\:\-+\s*$`:
		rest, left := bytes.CutPrefix(trim(b), colon)
		return ends(left && dashes(rest), len(b))
	case `^\s*\-+\:\s*$`:
		rest, right := bytes.CutSuffix(trim(b), colon)
		return ends(right && dashes(rest), len(b))
	case `^\s*\:\-+\:\s*$`:
		rest, left := bytes.CutPrefix(trim(b), colon)
		rest, right := bytes.CutSuffix(rest, colon)
		return ends(left && right && dashes(rest), len(b))
	// goldmark's addresses of mail: what follows the @.
	case `^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*`:
		return domain(b)
	}
	panic(r.unknown())
}

func ends(matches bool, at int) int {
	if !matches {
		return -1
	}
	return at
}

var colon = []byte(":")

func trim(b []byte) []byte { return bytes.Trim(b, "\t\n\f\r ") }

func dashes(b []byte) bool { return len(b) > 0 && len(bytes.Trim(b, "-")) == 0 }

// domain returns where the name of a host ends that a text begins with, or -1.
func domain(b []byte) int {
	end := label(b)
	for end > 0 && end < len(b) && b[end] == '.' {
		next := label(b[end+1:])
		if next < 0 {
			break
		}
		end += 1 + next
	}
	return end
}

// label returns where the part of a host's name ends that a text begins with, or -1: at most 63 letters,
// digits and dashes, of which the first and the last are no dashes.
func label(b []byte) int {
	n := 0
	for n < min(len(b), 63) && (alphanumeric(b[n]) || b[n] == '-') {
		n++
	}
	for n > 0 && b[n-1] == '-' {
		n--
	}
	if n == 0 || b[0] == '-' {
		return -1
	}
	return n
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
