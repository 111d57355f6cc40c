package kit

import (
	"bytes"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownLimit is how much text is formatted; what is longer is cut, as a page
// that stands still helps nobody.
const markdownLimit = 200_000

// markdownDepth is how deeply lists and quotes may be nested before a text is shown
// as it was typed.
const markdownDepth = 60

// formatter turns players' Markdown into HTML that cannot do anything: no HTML of
// theirs, no images, and links only to where a link may go. What looks like HTML is not even parsed:
// it is text.
var formatter = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough,
	),
	goldmark.WithParserOptions(
		parser.WithASTTransformers(util.Prioritized(tame{}, 999)),
	),
)

// tame changes the parsed text so that it is safe to show among others' pages.
type tame struct{}

// Transform takes images and doubtful links away, marks links, and lowers headings below
// those of the page.
func (tame) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var images []*ast.Image
	var links []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+2, 6)
		case *ast.Image:
			images = append(images, n)
		case *ast.Link, *ast.AutoLink:
			links = append(links, n)
		}
		return ast.WalkContinue, nil
	})
	for _, img := range images {
		link := ast.NewLink()
		link.Destination, link.Title = img.Destination, img.Title
		for c := img.FirstChild(); c != nil; {
			next := c.NextSibling()
			link.AppendChild(link, c)
			c = next
		}
		if !link.HasChildren() {
			link.AppendChild(link, ast.NewString([]byte("image")))
		}
		img.Parent().ReplaceChild(img.Parent(), img, link)
		links = append(links, link)
	}
	for _, n := range links {
		var dest []byte
		switch n := n.(type) {
		case *ast.Link:
			dest = n.Destination
		case *ast.AutoLink:
			dest = n.URL(reader.Source())
			if n.AutoLinkType == ast.AutoLinkEmail {
				dest = append([]byte("mailto:"), dest...)
			}
		}
		switch allowed, outside := linkTarget(string(dest)); {
		case !allowed:
			keepText(n, reader.Source())
		case outside:
			n.SetAttributeString("rel", []byte("noopener noreferrer nofollow"))
			n.SetAttributeString("target", []byte("_blank"))
		}
	}
}

// depth is how deeply a text is nested, counted up to a little above the limit.
func depth(doc ast.Node) int {
	deepest, now := 0, 0
	_ = ast.Walk(doc, func(_ ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			now--
			return ast.WalkContinue, nil
		}
		now++
		if deepest = max(deepest, now); deepest > markdownDepth {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return deepest
}

// linkTarget says whether a link may go there and whether it leaves the app.
func linkTarget(dest string) (allowed, outside bool) {
	d := strings.ToLower(strings.TrimSpace(dest))
	switch {
	case strings.HasPrefix(d, "#"):
		return true, false
	case strings.HasPrefix(d, "https://"), strings.HasPrefix(d, "http://"), strings.HasPrefix(d, "mailto:"):
		return true, true
	}
	return false, false
}

// keepText replaces a link by what it says.
func keepText(n ast.Node, source []byte) {
	parent := n.Parent()
	if a, ok := n.(*ast.AutoLink); ok {
		label := ast.NewString(a.Label(source))
		label.SetRaw(true)
		parent.ReplaceChild(parent, n, label)
		return
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		parent.InsertBefore(parent, n, c)
		c = next
	}
	parent.RemoveChild(parent, n)
}

// markdownHTML formats players' text. The result is one element.
func markdownHTML(source string) string {
	source = strings.ReplaceAll(source, "\x00", "\uFFFD")
	if len(source) > markdownLimit {
		source = strings.ToValidUTF8(source[:markdownLimit], "") + "\n\n(cut here: too long to show)"
	}
	var b bytes.Buffer
	b.WriteString(`<div class="prose" dir="auto">`)
	doc := formatter.Parser().Parse(text.NewReader([]byte(source)))
	if depth(doc) > markdownDepth || formatter.Renderer().Render(&b, []byte(source), doc) != nil {
		b.Reset()
		b.WriteString(`<div class="prose" dir="auto"><pre>`)
		b.Write(util.EscapeHTML([]byte(source)))
		b.WriteString("</pre>")
	}
	b.WriteString("</div>")
	return b.String()
}

// Markdowns keeps what was formatted lately. It is used on the UI goroutine only.
type Markdowns struct{ html map[string]string }

// Show formats players' text. Here and in inlineProse are the places that hand HTML to
// the page.
func (m *Markdowns) Show(source string) app.UI {
	html, ok := m.html[source]
	if !ok {
		if m.html == nil || len(m.html) > 300 {
			m.html = make(map[string]string)
		}
		html = markdownHTML(source)
		m.html[source] = html
	}
	return app.Raw(html)
}

// inlineProse shows a line that the formatter made, with the marks of a comparison.
func inlineProse(html string) app.UI { return app.Raw(`<span class="diff-text">` + html + `</span>`) }
