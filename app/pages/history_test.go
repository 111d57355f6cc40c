package pages

import (
	"net/url"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// Every press of a key moves the slider one on, and only where it rests is gone to.
func TestSliderGoesWhereItRests(t *testing.T) {
	f := &frame.Frame{Address: view.Address{Room: "demo", Page: "history"}}
	p := &historyPage{f: f, pos: 4, view: &view.History{At: 4, Lines: make([]view.HistoryLine, 4)}}
	first := p.move("3")
	second := p.move("2")
	if text := app.HTMLString(p.slider(4)); !strings.Contains(text, `value="2"`) || !strings.Contains(text, "After action 2 of 4") {
		t.Errorf("two presses do not move it by two:\n%s", text)
	}
	if first() || !second() {
		t.Error("it goes to a moment that it has left, or not to the one where it rests")
	}
	if back := p.move("4"); back() {
		t.Error("it goes to the moment that is shown")
	}
}

// The keyboard stays where it is when a page is seen at another moment, and only then.
func TestSamePlace(t *testing.T) {
	at := func(path string) view.Address { return view.ParseAddress(&url.URL{Path: path}) }
	for path, want := range map[string]bool{"/g/demo@3/history": true, "/g/demo/history": false, "/g/demo@3/rules": false, "/g/other@3/history": false} {
		if at("/g/demo/history").SamePlace(at(path)) != want {
			t.Errorf("%s: not %v", path, want)
		}
	}
}

// Whoever looks at the past stays on the page and at the moment, and finds the way back.
func TestMoments(t *testing.T) {
	for _, room := range []string{"ab", "ab@12"} {
		f := &frame.Frame{Address: view.Address{Room: room, Page: "rules", Arg: "Duels"}}
		for at, want := range map[int]string{3: "/g/ab@3/rules/Duels", 20: "/g/ab/rules/Duels"} {
			if got := atMoment(f.Address, at, 20); got != want {
				t.Errorf("from %s to %d is %s", room, at, got)
			}
		}
	}
	for text, want := range map[string]int{"ab": 0, "ab@7": 7, "ab@x": 0, "ab@-2": 0} {
		if id, at := view.SplitRoom(text); id != "ab" || at != want {
			t.Errorf("%s is %s at %d", text, id, at)
		}
	}
}
