package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Wherever a person's name, a title or a text of others stands, it has its own direction.
func TestWhatOthersWroteHasItsOwnDirection(t *testing.T) {
	const name = "שרה"
	r := &root{md: &markdowns{}, addr: view.Address{Room: "demo"}, shell: &view.Shell{Title: name, Me: view.Person{Name: name}, Net: view.Net{Relay: "connected", Writer: true}}}
	now := &nowPage{r: r, view: &view.Now{Cards: []view.Card{{Kind: "vote", Title: "Vote on “" + name + "”: 3"}}}}
	for what, ui := range map[string]app.UI{
		"byline":     person(name),
		"heading":    heading(name),
		"matter":     r.matterLine(view.MatterLine{Title: name, Author: name}),
		"post":       (&feedPage{r: r, view: &view.Feed{}}).entry(0, view.Post{Title: name, Author: name, Body: name}),
		"log":        (&trackerPage{r: r}).entry(0, view.Entry{Who: name, About: name, Comment: name, Changes: []view.Change{{Row: name, Column: "x", Old: name, New: name}}}),
		"card":       now.render(),
		"masthead":   r.masthead(),
		"saying":     note("good", name+": 3"),
		"missing":    r.missingView(view.NoSuch{What: "rule", ID: name}),
		"rule":       (&bookPage{r: r}).line(view.RuleLine{Number: "1.2", Title: name}),
		"invitation": (&joinPage{r: r, view: &view.Invitation{Title: name, Inviter: name}}).render(),
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
