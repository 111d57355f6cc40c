package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// Wherever a name stands, alone or in a sentence, it is shown so.
func TestNamesAreShownUnstacked(t *testing.T) {
	name := "Z" + strings.Repeat("\u0301", 30)
	for what, ui := range map[string]app.UI{
		"byline":   kit.Person(name),
		"heading":  kit.Heading(name),
		"named":    kit.Named(name),
		"sentence": kit.Note("good", name+" says"),
		"list":     app.P().Text(kit.Names([]string{name, name})),
		"motion":   (&conventionPage{f: &frame.Frame{}, view: &view.Convention{}}).motion(0, view.Motion{Title: "The seat of " + name, By: name, Assents: []string{name}, Status: "done"}),
		"masthead": (&root{f: &frame.Frame{Shell: &view.Shell{Title: name, Me: view.Person{Name: name}}}}).masthead(),
	} {
		if html := app.HTMLString(ui); strings.Contains(html, "\u0301\u0301\u0301") || !strings.Contains(html, "Z\u0301") {
			t.Errorf("%s: %+q", what, html)
		}
	}
}
