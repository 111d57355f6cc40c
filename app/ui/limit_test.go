package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// What is too long is said while it is typed and refused when it is sent; nothing is cut.
func TestLongTextsAreRefusedAndNotCut(t *testing.T) {
	f := newForm(&Frame{}, "test", view.Action{Name: "Adopt", Params: []view.Param{{Name: "name", Kind: "text", MaxLen: 40}, {Name: "why", Kind: "prose", MaxLen: 100}}})
	for _, c := range []struct{ typed, says, not string }{
		{"Smaug", "", " of 40"},
		{strings.Repeat("ö", 38), "38 of 40 characters", "At most"},
		{strings.Repeat("ö", 45), "At most 40 characters; this has 45.", " of 40"},
	} {
		f.typed["name"], f.typed["why"] = c.typed, "x"
		text := app.HTMLString(f.render())
		if !strings.Contains(text, c.says) || strings.Contains(text, c.not) || strings.Contains(text, "maxlength") {
			t.Errorf("%q: says %s", c.typed, text)
		}
		args, ok := f.args()
		if long := len([]rune(c.typed)) > 40; ok == long || !long && args["name"] != c.typed {
			t.Errorf("%q is sent as %v (%v)", c.typed, args["name"], f.wrong)
		}
	}
}

// The name said on coming in is not asked for a second time, and can be changed.
func TestWhatWasSaidBeforeIsShownAndNotAsked(t *testing.T) {
	f := newForm(&Frame{}, "now", view.Action{Name: "Apply", Params: []view.Param{{Name: "name", Label: "Name", Kind: "text", MaxLen: 40, Default: "Ana"}}})
	f.given = []string{"name"}
	if text := app.HTMLString(f.render()); strings.Contains(text, "<input") || !strings.Contains(text, "Change") || !strings.Contains(text, "Ana") {
		t.Errorf("the form is %s", text)
	}
	if args, ok := f.args(); !ok || args["name"] != "Ana" {
		t.Errorf("it gives %v", args)
	}
	f.given = nil
	if text := app.HTMLString(f.render()); !strings.Contains(text, "<input") {
		t.Errorf("changing it shows %s", text)
	}
}

// stranger is the device of somebody whose name is taken.
type stranger struct {
	view.Host
	joined []string
}

func (s *stranger) ComesAs(_ context.Context, _, name string) (string, error) {
	if name == "Ana" {
		return "Ana 2", nil
	}
	return name, nil
}

func (s *stranger) Join(_ context.Context, _, name string) (string, error) {
	s.joined = append(s.joined, name)
	return "room", nil
}

// A taken name is announced before anything is sent: the first press tells, the second enters.
func TestTakenNameIsToldBeforeEntering(t *testing.T) {
	s := &stranger{}
	p := &joinPage{f: &Frame{Host: s}, invite: "secret", view: &view.Invitation{Title: "The Farm"}}
	p.name = "Ana"
	room, as, err := p.come(context.Background(), p.name, false)
	if err != nil || room != "" || len(s.joined) != 0 || as != "Ana 2" {
		t.Fatalf("%v: entered %q as %v, told %q", err, room, s.joined, as)
	}
	p.as = as
	if text := app.HTMLString(p.Render()); !strings.Contains(text, "Enter the game as Ana 2") || !strings.Contains(text, "choose another name") {
		t.Errorf("the page is %s", text)
	}
	if room, _, err = p.come(context.Background(), p.name, true); err != nil || room != "room" || len(s.joined) != 1 {
		t.Errorf("%v: the second press entered %q as %v", err, room, s.joined)
	}
	if room, as, err = p.come(context.Background(), "Bo", false); err != nil || room != "room" || as != "" || len(s.joined) != 2 {
		t.Errorf("%v: a free name entered %q", err, room)
	}
}
