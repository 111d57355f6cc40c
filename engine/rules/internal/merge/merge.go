// Package merge merges two changes of one rule document: its prose by words, its script by lines.
//
// Two changes merge if no word of the prose, and no line of the script, is changed by both. Lines that both add at one
// place are kept, those of the text as it is now first, because no order of them is wrong for prose and most scripts. Words
// that both add at one place of a line do not merge: "may" that becomes "may not" and "may never" would become both.
package merge

import (
	"regexp"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Conflict is a place that both changes change: what it was, and what each makes of it.
type Conflict struct{ Base, Now, Amended string }

// Documents returns base with what now and amended change in it. If they do not merge it returns the first conflict.
func Documents(base, now, amended string) (merged string, conflict *Conflict) {
	if !strings.HasSuffix(amended, "\n") {
		defer func() { merged = strings.TrimSuffix(merged, "\n") }()
	}
	base, now, amended = ended(base), ended(now), ended(amended)
	x, y := changes(base, now), changes(base, amended)
	var b strings.Builder
	done := 0 // how much of base is merged
	apply := func(e edit) {
		b.WriteString(base[done:e.start])
		b.WriteString(e.text)
		done = e.end
	}
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].before(y[0], base):
			apply(x[0])
			x = x[1:]
		case len(x) == 0 || y[0].before(x[0], base) && !x[0].before(y[0], base):
			apply(y[0])
			y = y[1:]
		case x[0] == y[0]:
			apply(x[0])
			x, y = x[1:], y[1:]
		default:
			return "", conflictOf(base, x, y)
		}
	}
	b.WriteString(base[done:])
	return b.String(), nil
}

// ended is a text whose last line ends as the others do, so that a line can be added behind it.
func ended(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// edit replaces a piece of a text; start and end are bytes.
type edit struct {
	start, end int
	text       string
}

// before reports whether the edit can be made before another, in base, and leaves it what it is.
func (e edit) before(f edit, base string) bool {
	if e.start == f.start && e.end == f.end && e.start == e.end { // both add at one place
		return e != f && e.addsLines(base) && f.addsLines(base)
	}
	return e.end <= f.start
}

// addsLines reports whether the edit adds whole lines and changes none.
func (e edit) addsLines(base string) bool {
	return e.start == e.end && (e.start == 0 || base[e.start-1] == '\n') && strings.HasSuffix(e.text, "\n")
}

// words are what prose is compared by: words with the blanks behind them, and line ends.
var words = regexp.MustCompile(`\S+[ \t]*|\s`)

// changes returns what makes after of before, in order. No two of them overlap.
func changes(before, after string) []edit {
	from, to := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	prose := proseLines(from)
	offset := offsets(from)
	var out []edit
	for _, d := range lcs.DiffLines(from, to) {
		old, now := from[d.Start:d.End], to[d.ReplStart:d.ReplEnd]
		if d.Start == d.End || !all(prose[d.Start:d.End]) {
			out = append(out, edit{offset[d.Start], offset[d.End], strings.Join(now, "")})
			continue
		}
		old, now = words.FindAllString(strings.Join(old, ""), -1), words.FindAllString(strings.Join(now, ""), -1)
		inside := offsets(old)
		for _, w := range lcs.DiffLines(old, now) {
			out = append(out, edit{offset[d.Start] + inside[w.Start], offset[d.Start] + inside[w.End], strings.Join(now[w.ReplStart:w.ReplEnd], "")})
		}
	}
	return out
}

// offsets returns where each piece of a text begins, and where the text ends.
func offsets(pieces []string) []int {
	out := make([]int, len(pieces)+1)
	for i, p := range pieces {
		out[i+1] = out[i] + len(p)
	}
	return out
}

// proseLines tells which lines of a document are prose.
func proseLines(lines []string) []bool {
	out := make([]bool, len(lines))
	script := false
	for i, line := range lines {
		fence := strings.HasPrefix(line, "```")
		script = script != fence
		out[i] = !script && !fence
	}
	return out
}

func all(list []bool) bool {
	for _, ok := range list {
		if !ok {
			return false
		}
	}
	return true
}

// conflictOf shows the place where the first edits of two changes meet, and a word to either side.
func conflictOf(base string, x, y []edit) *Conflict {
	from, to := min(x[0].start, y[0].start), max(x[0].end, y[0].end)
	if from > 0 && base[from-1] != '\n' { // a whole line needs no words around it
		from = strings.LastIndexAny(base[:from-1], " \n") + 1
	}
	if end := strings.IndexAny(base[to:], " \n"); end > 0 && !strings.HasSuffix(base[:to], "\n") {
		to += end
	}
	after := func(edits []edit) string {
		var b strings.Builder
		at := from
		for _, e := range edits {
			if e.end > to {
				break
			}
			b.WriteString(base[at:e.start] + e.text)
			at = e.end
		}
		return strings.TrimSpace(b.String() + base[at:to])
	}
	return &Conflict{strings.TrimSpace(base[from:to]), after(x), after(y)}
}
