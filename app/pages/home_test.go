package pages

import (
	"errors"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// A game that is not open has a card all the same, which says how far it is.
func TestCardsOfGamesThatAreNotOpen(t *testing.T) {
	p := &homePage{f: &frame.Frame{}, opening: "second", far: &view.Opening{Done: 3, Total: 10}, failed: map[string]error{"fourth": errors.New("the disk is full")},
		view: &view.Home{Games: []view.GameLine{
			{Room: "first", Title: "The Farm", Ruleset: "Dragons", Players: 1},
			{Room: "second", Title: "Sunday Republic", Shut: true},
			{Room: "third", Title: "The Ship", Shut: true},
			{Room: "fourth", Title: "The Tower", Shut: true},
			{Room: "fifth", Title: "A game on its way", Practice: true, Line: "The game is on its way"},
		}}}
	cards := strings.Split(app.HTMLString(p.Render()), "<li")[1:]
	for i, c := range []struct{ says, not string }{
		{"Dragons · 1 player", "<progress"},
		{"Opening…", "player"},
		{"Not open yet", "<progress"},
		{"It cannot be opened: the disk is full", "Not open yet"},
		{"The game is on its way", "player"},
	} {
		if !strings.Contains(cards[i], c.says) || strings.Contains(cards[i], c.not) {
			t.Errorf("card %d does not say %q, or says %q: %s", i, c.says, c.not, cards[i])
		}
	}
	for i, card := range cards { // what cannot be opened has no settings where it could be removed
		if got, want := strings.Contains(card, "remove-game"), i >= 3; got != want {
			t.Errorf("card %d lets its game be removed: %v", i, got)
		}
	}
	if !strings.Contains(cards[3], "you need the invite link") || !strings.Contains(cards[4], "gone for good") {
		t.Error("a card does not say what is lost")
	}
	if !strings.Contains(cards[1], `max="10"`) || !strings.Contains(cards[1], `value="3"`) {
		t.Errorf("the card of the game that is being opened does not say how far it is: %s", cards[1])
	}
}
