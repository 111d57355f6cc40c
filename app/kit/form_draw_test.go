package kit

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// What is too long is said while it is typed and refused when it is sent; nothing is cut.
func TestLongTextsAreRefusedAndNotCut(t *testing.T) {
	f := NewForm(idle{}, "test", view.Action{Name: "Adopt", Params: []view.Param{{Name: "name", Kind: "text", MaxLen: 40}, {Name: "why", Kind: "prose", MaxLen: 100}}})
	for _, c := range []struct{ typed, says, not string }{
		{"Smaug", "", " of 40"},
		{strings.Repeat("ö", 38), "38 of 40 characters", "At most"},
		{strings.Repeat("ö", 45), "At most 40 characters; this has 45.", " of 40"},
	} {
		f.Typed["name"], f.Typed["why"] = c.typed, "x"
		text := app.HTMLString(f.Render())
		if !strings.Contains(text, c.says) || strings.Contains(text, c.not) || strings.Contains(text, "maxlength") {
			t.Errorf("%q: says %s", c.typed, text)
		}
		args, ok := f.Args()
		if long := len([]rune(c.typed)) > 40; ok == long || !long && args["name"] != c.typed {
			t.Errorf("%q is sent as %v (%v)", c.typed, args["name"], f.wrong)
		}
	}
}

// The name said on coming in is not asked for a second time, and can be changed.
func TestWhatWasSaidBeforeIsShownAndNotAsked(t *testing.T) {
	f := NewForm(idle{}, "now", view.Action{Name: "Apply", Params: []view.Param{{Name: "name", Label: "Name", Kind: "text", MaxLen: 40, Default: "Ana"}}})
	f.Given = []string{"name"}
	if text := app.HTMLString(f.Render()); strings.Contains(text, "<input") || !strings.Contains(text, "Change") || !strings.Contains(text, "Ana") {
		t.Errorf("the form is %s", text)
	}
	if args, ok := f.Args(); !ok || args["name"] != "Ana" {
		t.Errorf("it gives %v", args)
	}
	f.Given = nil
	if text := app.HTMLString(f.Render()); !strings.Contains(text, "<input") {
		t.Errorf("changing it shows %s", text)
	}
}
