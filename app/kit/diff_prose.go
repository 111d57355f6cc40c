package kit

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/maxence-charriere/go-app/v9/pkg/app"
	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// proseLine is what stands on its own in a text: a paragraph, a heading, an item of a
// list or a row of a table, as it is read and without Markdown's signs.
type proseLine struct {
	kind  string // p, h, li, row or code
	depth int    // how many lists and quotes it stands in
	mark  string // of an item: a bullet or its number
	html  string
}

// key is what makes two lines the same; numbers of items are not part of it.
func (l proseLine) key() string {
	return l.kind + strconv.Itoa(l.depth) + strings.ReplaceAll(l.html, "\n", " ")
}

// proseLines takes a text apart.
func proseLines(source string) []proseLine {
	src := []byte(source)
	doc := formatter.Parser().Parse(text.NewReader(src))
	if depth(doc) > markdownDepth {
		return []proseLine{{kind: "code", html: string(util.EscapeHTML(src))}}
	}
	var out []proseLine
	var walk func(n ast.Node, depth int, mark string)
	walk = func(n ast.Node, depth int, mark string) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			switch c := c.(type) {
			case *ast.List:
				number := c.Start
				for item := c.FirstChild(); item != nil; item = item.NextSibling() {
					sign := "•"
					if c.IsOrdered() {
						sign = strconv.Itoa(number) + "."
						number++
					}
					walk(item, depth+1, sign)
				}
			case *ast.Blockquote, *extension.Table:
				walk(c, depth+1, "")
			case *ast.FencedCodeBlock, *ast.CodeBlock:
				out = append(out, proseLine{"code", depth, mark, string(util.EscapeHTML(c.Lines().Value(src)))})
			default:
				out = append(out, proseLine{kindOf(c, mark), depth, mark, inlineHTML(c, src)})
			}
			mark = ""
		}
	}
	walk(doc, 0, "")
	return out
}

func kindOf(n ast.Node, mark string) string {
	switch n.(type) {
	case *ast.Heading:
		return "h"
	case *extension.TableHeader, *extension.TableRow:
		return "row"
	}
	if mark != "" {
		return "li"
	}
	return "p"
}

// inlineHTML is what a paragraph holds; cells of a row are put beside each other.
func inlineHTML(n ast.Node, src []byte) string {
	var b bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if cell, ok := c.(*extension.TableCell); ok {
			if cell.PreviousSibling() != nil {
				b.WriteString(" │ ")
			}
			b.WriteString(inlineHTML(cell, src))
			continue
		}
		if formatter.Renderer().Render(&b, src, c) != nil {
			return "?"
		}
	}
	return strings.TrimSpace(b.String())
}

// step is one step from an old sequence to a new one; at is where it stands in the old
// one if it is deleted, and else in the new one.
type step struct {
	kind udiff.OpKind
	at   int
}

// steps leads from one sequence to another; items hold no line breaks.
func steps(before, after []string) []step {
	join := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return strings.Join(list, "\n") + "\n"
	}
	old, now := join(before), join(after)
	var out []step
	i, j := 0, 0
	u, _ := udiff.ToUnifiedDiff("", "", old, udiff.Lines(old, now), len(before)+1) // fails for edits of another text only
	for _, h := range u.Hunks {
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Delete:
				out = append(out, step{udiff.Delete, i})
				i++
			case udiff.Insert:
				out = append(out, step{udiff.Insert, j})
				j++
			default:
				out = append(out, step{udiff.Equal, j})
				i++
				j++
			}
		}
	}
	// Without a change there is no hunk.
	for ; j < len(after); j++ {
		out = append(out, step{udiff.Equal, j})
	}
	return out
}

// tokens takes a line apart into tags, words, spaces and single signs.
func tokens(html string) []string {
	var out []string
	for html = strings.ReplaceAll(html, "\n", " "); html != ""; {
		n := 1
		switch c := html[0]; {
		case c == '<':
			n = strings.IndexByte(html, '>') + 1
		case c == '&':
			n = strings.IndexByte(html, ';') + 1
		case WordByte(c):
			for n < len(html) && WordByte(html[n]) {
				n++
			}
		}
		if n < 1 {
			n = len(html)
		}
		out = append(out, html[:n])
		html = html[n:]
	}
	return out
}

// WordByte reports whether a byte is part of a word: a letter, a digit, an apostrophe, an underscore
// or any byte of a letter beyond ASCII.
func WordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c == '\'' || c == '_'
}

func isTag(token string) bool { return strings.HasPrefix(token, "<") }

// similarity is how much of two lines is the same, from 0 to 100.
func similarity(before, after []string, way []step) int {
	count := func(list []string) (n int) {
		for _, t := range list {
			if t != " " && !isTag(t) {
				n++
			}
		}
		return n
	}
	same := 0
	for _, s := range way {
		if s.kind == udiff.Equal && after[s.at] != " " && !isTag(after[s.at]) {
			same++
		}
	}
	return 200 * same / max(count(before)+count(after), 1)
}

// mergeWords is the new line with what is gone and what is new marked in it. Its tags are
// those of the new line, so it is as well formed as that is.
func mergeWords(before, after []string, way []step) string {
	var b, gone, fresh strings.Builder
	open := false
	shut := func() {
		if open {
			fresh.WriteString("</ins>")
			open = false
		}
	}
	flush := func() {
		shut()
		if gone.Len() > 0 {
			b.WriteString("<del>" + gone.String() + "</del>")
		}
		b.WriteString(fresh.String())
		gone.Reset()
		fresh.Reset()
	}
	add := func(t string) {
		if isTag(t) {
			shut()
			fresh.WriteString(t)
			return
		}
		if !open {
			fresh.WriteString("<ins>")
			open = true
		}
		fresh.WriteString(t)
	}
	for i, s := range way {
		switch {
		case s.kind == udiff.Delete:
			if !isTag(before[s.at]) {
				gone.WriteString(before[s.at])
			}
		case s.kind == udiff.Insert:
			add(after[s.at])
		case after[s.at] == " " && i > 0 && i+1 < len(way) && way[i-1].kind != udiff.Equal && way[i+1].kind != udiff.Equal:
			// A space between changed words changes with them.
			gone.WriteByte(' ')
			add(" ")
		default:
			flush()
			b.WriteString(after[s.at])
		}
	}
	flush()
	return b.String()
}

// similarEnough is the similarity from which two lines are shown as one that was changed.
const similarEnough = 40

// proseDiff shows a text as it is read, with the words that change marked.
func proseDiff(before, after string) app.UI {
	old, now := proseLines(before), proseLines(after)
	keys := func(list []proseLine) []string {
		out := make([]string, len(list))
		for i, l := range list {
			out[i] = l.key()
		}
		return out
	}
	way := steps(keys(old), keys(now))
	near := nearChange(way)
	var rows []app.UI
	for i := 0; i < len(way); {
		if way[i].kind == udiff.Equal {
			if near[i] {
				rows = append(rows, proseRow("", now[way[i].at], ""))
			} else if i == 0 || near[i-1] {
				rows = append(rows, diffGap())
			}
			i++
			continue
		}
		var gone, fresh []proseLine
		for ; i < len(way) && way[i].kind != udiff.Equal; i++ {
			if way[i].kind == udiff.Delete {
				gone = append(gone, old[way[i].at])
			} else {
				fresh = append(fresh, now[way[i].at])
			}
		}
		rows = append(rows, proseRun(gone, fresh)...)
	}
	return app.Div().Class("diff", "diff-prose").Body(rows...)
}

// proseRun shows lines that give way to others: those that are much alike as one, what is
// gone before what is new.
func proseRun(gone, fresh []proseLine) []app.UI {
	var rows []app.UI
	at := 0 // how many of gone are shown
	leave := func(end int) {
		for ; at < end; at++ {
			rows = append(rows, proseRow("out", gone[at], ""))
		}
	}
	pairs, merged := pairLines(gone, fresh)
	for i, f := range fresh {
		end := len(gone)
		for _, k := range pairs[i:] {
			if k >= 0 {
				end = k
				break
			}
		}
		leave(end)
		if pairs[i] < 0 {
			rows = append(rows, proseRow("in", f, ""))
			continue
		}
		rows = append(rows, proseRow("both", f, merged[i]))
		at = end + 1
	}
	leave(len(gone))
	return rows
}

// pairLines finds for each new line the old one that it is much like, or -1, in order, and
// what the two give together.
func pairLines(gone, fresh []proseLine) (pairs []int, merged []string) {
	from := 0
	for _, f := range fresh {
		pair, text := -1, ""
		b := tokens(f.html)
		for k := from; k < len(gone) && pair < 0; k++ {
			a := tokens(gone[k].html)
			if way := steps(a, b); gone[k].kind == f.kind && similarity(a, b, way) >= similarEnough {
				pair, text, from = k, mergeWords(a, b, way), k+1
			}
		}
		pairs, merged = append(pairs, pair), append(merged, text)
	}
	return pairs, merged
}

// nearChange tells which steps are shown: changes and a few lines around them.
func nearChange(way []step) []bool {
	near := make([]bool, len(way))
	for i, s := range way {
		if s.kind == udiff.Equal {
			continue
		}
		for j := max(0, i-diffContext); j <= min(len(way)-1, i+diffContext); j++ {
			near[j] = true
		}
	}
	return near
}

// proseRow is one line: kept, out, in or both, then with what was merged.
func proseRow(kind string, l proseLine, merged string) app.UI {
	html := l.html
	if merged != "" {
		html = merged
	}
	class := "diff-line"
	if kind != "" {
		class += " diff-" + kind
	}
	return app.Div().Class(class).DataSet("kind", l.kind).DataSet("depth", min(l.depth, 4)).Body(
		diffSign(kind),
		app.If(l.mark != "", app.Span().Class("diff-mark").Text(l.mark)),
		inlineProse(html))
}
