package ui

import (
	"net/url"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Every press of a key moves the slider one on, and only where it rests is gone to.
func TestSliderGoesWhereItRests(t *testing.T) {
	r := &root{addr: Address{Room: "demo", Page: "history"}}
	p := &historyPage{r: r, pos: 4, view: &History{At: 4, Lines: make([]HistoryLine, 4)}}
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
	at := func(path string) Address { return ParseAddress(&url.URL{Path: path}) }
	for path, want := range map[string]bool{"/g/demo@3/history": true, "/g/demo/history": false, "/g/demo@3/rules": false, "/g/other@3/history": false} {
		if at("/g/demo/history").samePlace(at(path)) != want {
			t.Errorf("%s: not %v", path, want)
		}
	}
}
