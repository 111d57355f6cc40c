package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Names keep the marks that languages need, and no stack of them that hides other lines.
func TestMarksDoNotStack(t *testing.T) {
	tower := strings.Repeat("\u0301\u0323", 20)
	for in, want := range map[string]string{
		"Ana":                                   "Ana",
		"":                                      "",
		"Vie\u0323\u0302t":                      "Vie\u0323\u0302t",
		"בּׁ":                                   "בּׁ",
		"กี่":                                   "กี่",
		"ကြွှု":                                 "ကြွှု",
		"1\ufe0f\u20e3":                         "1\ufe0f\u20e3",
		"Z" + tower + "a" + tower:               "Z\u0301\u0323a\u0301\u0323",
		"ส" + strings.Repeat("็", 9):            "ส็็็",
		tower + "Bo":                            "\u0301\u0323Bo",
		"Z" + strings.Repeat("\u0301\u200d", 9): "Z\u0301\u200d\u0301" + strings.Repeat("\u200d", 8),
		"o" + strings.Repeat("\u20dd", 9):       "o\u20dd\u20dd",
	} {
		if got := Unstacked(in); got != want {
			t.Errorf("%+q becomes %+q, want %+q", in, got, want)
		}
	}
}

// Wherever a name stands, alone or in a sentence, it is shown so.
func TestNamesAreShownUnstacked(t *testing.T) {
	name := "Z" + strings.Repeat("\u0301", 30)
	for what, ui := range map[string]app.UI{
		"byline":   person(name),
		"heading":  heading(name),
		"named":    named(name),
		"sentence": note("good", name+" says"),
		"list":     app.P().Text(names([]string{name, name})),
		"motion":   (&conventionPage{r: &root{busy: map[string]bool{}}, view: &Convention{}}).motion(0, Motion{Title: "The seat of " + name, By: name, Assents: []string{name}, Status: "done"}),
		"masthead": (&root{shell: &Shell{Title: name, Me: Person{Name: name}}}).masthead(),
	} {
		if html := app.HTMLString(ui); strings.Contains(html, "\u0301\u0301\u0301") || !strings.Contains(html, "Z\u0301") {
			t.Errorf("%s: %+q", what, html)
		}
	}
}
