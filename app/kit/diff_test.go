package kit

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
	"golang.org/x/net/html"
)

// shown draws a comparison and gives its rows: sign, mark and text, with [-gone-] and
// {+new+}, but without what only ears hear.
func shown(t *testing.T, ui app.UI) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(app.HTMLString(ui)))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	var text func(n *html.Node) string
	text = func(n *html.Node) string {
		var b strings.Builder
		if n.Type == html.TextNode {
			b.WriteString(strings.Trim(n.Data, "\n"))
		}
		for _, a := range n.Attr {
			if a.Key == "class" && a.Val == "unseen" {
				return ""
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			b.WriteString(text(c))
		}
		switch n.Data {
		case "del":
			return "[-" + b.String() + "-]"
		case "ins":
			return "{+" + b.String() + "+}"
		}
		return b.String()
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for _, a := range n.Attr {
			if a.Key == "class" && strings.HasPrefix(a.Val, "diff-line") {
				rows = append(rows, strings.Join(strings.Fields(text(n)), " "))
				return
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return rows
}

func TestProseIsComparedAsItIsRead(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"a word in a list", "# Colors\n\n* **Red**: one more Flame.\n* **Black**: none.\n", "# Colors\n\n* **Red**: two more Flame.\n* **Black**: none.\n",
			[]string{"Colors", "±•Red: [-one-]{+two+} more Flame.", "•Black: none."}},
		{"several words become one mark", "The dragon rests for a whole day.", "The dragon sleeps until next morning day.",
			[]string{"±The dragon [-rests for a whole-]{+sleeps until next morning+} day."}},
		{"quite another paragraph", "Roll a die.", "Nobody may ever train again, says the law.", []string{"−Roll a die.", "+Nobody may ever train again, says the law."}},
		{"a new item", "1. one\n2. two\n", "1. one\n2. and a half\n3. two\n", []string{"1.one", "+2.and a half", "3.two"}},
		{"a row of a table", "|a|b|\n|-|-|\n|1|2|\n", "|a|b|\n|-|-|\n|1|3|\n", []string{"a │ b", "±1 │ [-2-]{+3+}"}},
		{"emphasis is no sign", "It is *so*.", "It is **so** now.", []string{"±It is so{+ now+}."}},
		{"tags of players stay letters", "x <b>y</b> one two three four", "x <b>z</b> one two three four", []string{"±x <b>[-y-]{+z+}</b> one two three four"}},
	} {
		if got := shown(t, proseDiff(c.before, c.after)); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestHostileTextDoesNothingInAComparison(t *testing.T) {
	for _, bad := range hostile {
		for _, pair := range [][2]string{{bad, "other words"}, {"other words", bad}, {bad, bad + " more"}, {"some " + bad, bad}} {
			doc, err := html.Parse(strings.NewReader(app.HTMLString(proseDiff(pair[0], pair[1]))))
			if err != nil {
				t.Fatal(err)
			}
			var walk func(n *html.Node)
			walk = func(n *html.Node) {
				if n.Type == html.ElementNode {
					switch n.Data {
					case "html", "head", "body", "div", "span", "em", "strong", "del", "ins", "code", "a", "br":
					default:
						t.Errorf("%.40q makes a <%s>", bad, n.Data)
					}
					for _, a := range n.Attr {
						if n.Data == "a" {
							checkAttribute(t, bad, n, a)
						} else if a.Key != "class" && a.Key != "data-kind" && a.Key != "data-depth" && a.Key != "aria-hidden" {
							t.Errorf("%.40q sets %s on <%s>", bad, a.Key, n.Data)
						}
					}
				}
				for c := n.FirstChild; c != nil; c = c.NextSibling {
					walk(c)
				}
			}
			walk(doc)
		}
	}
}

func TestScriptIsComparedByLines(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh"
	after := "a\nb\nc\nd\nE\nf2\ng\nh"
	got := shown(t, textDiff(before, after))
	// What stays stands twice, for the two sides.
	want := []string{"b", "b", "c", "c", "d", "d", "−e", "+E", "−f", "+f2", "g", "g", "h", "h"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, not %q", got, want)
	}
}

// What is marked as new never spans the end of what it stands in.
func TestMarksKeepTagsWhole(t *testing.T) {
	before, after := tokens("a c"), tokens("<strong>a x</strong> y c")
	if got, want := mergeWords(before, after, steps(before, after)), "<strong>a<ins> x</ins></strong><ins> y</ins> c"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
