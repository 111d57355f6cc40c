package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// Wherever a person's name, a title or a text of others stands, it has its own direction.
func TestWhatOthersWroteHasItsOwnDirection(t *testing.T) {
	const name = "שרה"
	f := &frame.Frame{Address: view.Address{Room: "demo"}, Shell: &view.Shell{Title: name, Me: view.Person{Name: name}, Net: view.Net{Relay: "connected", Writer: true}}}
	now := &nowPage{f: f, view: &view.Now{Needs: []view.Need{{Kind: "vote", Title: "Vote on “" + name + "”: 3"}}}}
	for what, ui := range map[string]app.UI{
		"byline":     kit.Person(name),
		"heading":    kit.Heading(name),
		"matter":     matterLine(f, view.MatterLine{Title: name, Author: name}),
		"post":       (&feedPage{f: f, view: &view.Feed{}}).entry(0, view.Post{Title: name, Author: name, Body: name}),
		"log":        (&trackerPage{f: f}).entry(0, view.Entry{Who: name, About: name, Comment: name, Changes: []view.Change{{Row: name, Column: "x", Old: name, New: name}}}),
		"card":       now.Render(),
		"masthead":   (&root{f: f}).masthead(),
		"saying":     kit.Note("good", name+": 3"),
		"missing":    missingView(f, view.NoSuch{What: "rule", ID: name}),
		"rule":       (&bookPage{f: f}).line(view.RuleLine{Number: "1.2", Title: name}),
		"invitation": (&joinPage{f: f, view: &view.Invitation{Title: name, Inviter: name}}).Render(),
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
