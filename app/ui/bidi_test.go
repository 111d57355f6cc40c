package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// UAX #9: a name from right to left does not take the marks and numbers beside it along.
func TestNamesFromRightToLeftAreSetApart(t *testing.T) {
	for in, want := range map[string]string{
		"Dee and Eli have not voted":   "Dee and Eli have not voted",
		"שרה: 3 of 4":                  "\u2068שרה\u2069: 3 of 4",
		"“עלה חדש” by Bo, 2 hours ago": "“\u2068עלה חדש\u2069” by Bo, 2 hours ago",
		"שרה, דן and 3 more":           "\u2068שרה\u2069, \u2068דן\u2069 and 3 more",
		"by بسمة ":                     "by \u2068بسمة\u2069 ",
		"Ana":                          "Ana",
		"":                             "",
	} {
		if got := Isolated(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// Wherever a person's name, a title or a text of others stands, it has its own direction.
func TestWhatOthersWroteHasItsOwnDirection(t *testing.T) {
	const name = "שרה"
	r := &root{md: &markdowns{}, addr: Address{Room: "demo"}, shell: &Shell{Title: name, Me: Person{Name: name}, Net: Net{Relay: "connected", Writer: true}}}
	now := &nowPage{r: r, view: &Now{Cards: []Card{{Kind: "vote", Title: "Vote on “" + name + "”: 3"}}}}
	for what, ui := range map[string]app.UI{
		"byline":     person(name),
		"heading":    heading(name),
		"matter":     r.matterLine(MatterLine{Title: name, Author: name}),
		"post":       (&feedPage{r: r, view: &Feed{}}).entry(0, Post{Title: name, Author: name, Body: name}),
		"log":        (&trackerPage{r: r}).entry(0, Entry{Who: name, About: name, Comment: name, Changes: []Change{{Row: name, Column: "x", Old: name, New: name}}}),
		"card":       now.render(),
		"masthead":   r.masthead(),
		"saying":     note("good", name+": 3"),
		"missing":    r.missingView(noSuch{"rule", name}),
		"rule":       (&bookPage{r: r}).line(RuleLine{Number: "1.2", Title: name}),
		"invitation": (&joinPage{r: r, view: &Invitation{Title: name, Inviter: name}}).render(),
	} {
		text := app.HTMLString(ui)
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				if at == 0 {
					t.Errorf("%s: the name is not there", what)
				}
				break
			}
			at += i
			before := text[:at]
			tag := before[strings.LastIndex(before, "<"):]
			if inTag := strings.LastIndex(before, "<") > strings.LastIndex(before, ">"); !inTag && !strings.Contains(tag, `dir="auto"`) &&
				!strings.HasPrefix(tag, "<bdi") && !strings.HasSuffix(before, "\u2068") && !strings.Contains(before[max(0, len(before)-120):], `class="prose" dir="auto"`) {
				t.Errorf("%s: the name stands in %q", what, before[max(0, len(before)-80):]+name)
			}
			at += len(name)
		}
	}
}
