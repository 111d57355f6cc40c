package ui

import (
	"errors"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// A game that is not open has a card all the same, which says how far it is.
func TestCardsOfGamesThatAreNotOpen(t *testing.T) {
	p := &homePage{r: &root{busy: map[string]bool{}}, opening: "second", far: &Opening{Done: 3, Total: 10}, failed: map[string]error{"fourth": errors.New("the disk is full")},
		view: &Home{Games: []GameCard{
			{Room: "first", Title: "The Farm", Ruleset: "Dragons", Players: 1},
			{Room: "second", Title: "Sunday Republic", Shut: true},
			{Room: "third", Title: "The Ship", Shut: true},
			{Room: "fourth", Title: "The Tower", Shut: true},
		}}}
	cards := strings.Split(app.HTMLString(p.render()), "<li")[1:]
	for i, c := range []struct{ says, not string }{
		{"Dragons · 1 player", "<progress"},
		{"Opening…", "player"},
		{"Not open yet", "<progress"},
		{"It cannot be opened: the disk is full", "Not open yet"},
	} {
		if !strings.Contains(cards[i], c.says) || strings.Contains(cards[i], c.not) {
			t.Errorf("card %d does not say %q, or says %q: %s", i, c.says, c.not, cards[i])
		}
	}
	if !strings.Contains(cards[1], `max="10"`) || !strings.Contains(cards[1], `value="3"`) {
		t.Errorf("the card of the game that is being opened does not say how far it is: %s", cards[1])
	}
}
