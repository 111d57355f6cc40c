package kit

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// hostile texts are what a player might try against the others.
var hostile = []string{
	"<script>alert(1)</script>",
	"<img src=x onerror=alert(1)>",
	"text <b onmouseover=alert(1)>bold</b>",
	"[click](javascript:alert(1))",
	"[click](JaVaScRiPt:alert(1))",
	"[click](  javascript:alert(1))",
	"[click](data:text/html;base64,PHNjcmlwdD4=)",
	"[click](vbscript:x)",
	"[click](//evil.example/x)",
	"[click](/g/room/now)",
	"[click](java&#115;cript:alert(1))",
	"[click](java\tscript:alert(1))",
	"![pixel](https://evil.example/pixel.png)",
	"![pixel](javascript:alert(1))",
	"[![a](x)](javascript:alert(1))",
	"<javascript:alert(1)>",
	"<https://evil.example/\"onmouseover=alert(1)>",
	"[a](https://x.example/\"onclick=alert(1))",
	"[a](https://x.example \"title\\\" onclick=alert(1)\")",
	"[r]: javascript:alert(1)\n\n[r]",
	"<div style=\"position:fixed\">over everything</div>",
	"<!-- comment --><style>body{display:none}</style>",
	"</div></div><h1>outside</h1>",
	"| a |\n|:-:|\n| <svg onload=alert(1)> |",
	"```html\n<script>alert(1)</script>\n```",
	"# heading one",
	strings.Repeat("> ", 3000) + "deep",
	strings.Repeat("[", 5000),
	strings.Repeat("*a **b ", 3000),
	"\x00\x01 nul \ufffe",
}

func TestHostileTextDoesNothing(t *testing.T) {
	allowed := map[string]bool{}
	for _, tag := range strings.Fields("html head body div p em strong del code pre blockquote ul ol li a h3 h4 h5 h6 hr br table thead tbody tr th td") {
		allowed[tag] = true
	}
	for _, text := range hostile {
		out := markdownHTML(text)
		doc, err := html.Parse(strings.NewReader(out))
		if err != nil {
			t.Errorf("%.40q: %v", text, err)
			continue
		}
		var roots int
		var walk func(*html.Node)
		walk = func(n *html.Node) {
			if n.Type == html.ElementNode {
				if n.Parent != nil && n.Parent.Data == "body" {
					roots++
				}
				if !allowed[n.Data] {
					t.Errorf("%.40q makes a <%s>", text, n.Data)
				}
				for _, a := range n.Attr {
					checkAttribute(t, text, n, a)
				}
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
		}
		walk(doc)
		if roots != 1 {
			t.Errorf("%.40q makes %d elements, not one", text, roots)
		}
	}
}

func checkAttribute(t *testing.T, text string, n *html.Node, a html.Attribute) {
	t.Helper()
	switch a.Key {
	case "class", "dir", "align", "title", "start", "rel", "target":
	case "href":
		if !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") &&
			!strings.HasPrefix(a.Val, "mailto:") && !strings.HasPrefix(a.Val, "#") {
			t.Errorf("%.40q links to %q", text, a.Val)
		}
		rel := ""
		for _, b := range n.Attr {
			if b.Key == "rel" {
				rel = b.Val
			}
		}
		if !strings.HasPrefix(a.Val, "#") && !strings.Contains(rel, "noopener") {
			t.Errorf("%.40q links out without noopener", text)
		}
	default:
		t.Errorf("%.40q sets %s=%q on <%s>", text, a.Key, a.Val, n.Data)
	}
}

func TestMarkdownKeepsWhatPeopleWrite(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"*a* **b** ~~c~~", "<p><em>a</em> <strong>b</strong> <del>c</del></p>"},
		{"# Top", "<h3>Top</h3>"},
		{"see [here](https://example.org/x)", `<p>see <a href="https://example.org/x" rel="noopener noreferrer nofollow" target="_blank">here</a></p>`},
		{"[rule](#aerobics)", `<a href="#aerobics">rule</a>`},
		{"![a cat](https://example.org/cat.png)", `<a href="https://example.org/cat.png" rel="noopener noreferrer nofollow" target="_blank">a cat</a>`},
		{"[x](javascript:1) & <y>", "<p>x &amp; &lt;y&gt;</p>"},
		{"<ftp://example.org/a&b>", "<p>ftp://example.org/a&amp;b</p>"},
		{"|a|b|\n|---|--:|\n|1|2|", `<td align="right">2</td>`},
	} {
		if got := markdownHTML(c.in); !strings.Contains(got, c.want) {
			t.Errorf("%q gives\n%s\nwithout\n%s", c.in, got, c.want)
		}
	}
}

func TestLongTextIsCut(t *testing.T) {
	got := markdownHTML(strings.Repeat("ä", markdownLimit))
	if len(got) > markdownLimit+200 || !strings.Contains(got, "too long to show") {
		t.Errorf("%d bytes, ending %q", len(got), got[len(got)-80:])
	}
}
