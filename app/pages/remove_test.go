package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// A game is removed only by a second press; the words say what is lost, and what to save first.
func TestRemovingAGameIsAskedTwice(t *testing.T) {
	for _, c := range []struct {
		name      string
		view      view.Settings
		says, not []string
	}{
		{"with others", view.Settings{Invite: "https://nomic.example/#/join/x"}, []string{"you need the invite link", "Back up my key first", "Export the game first"}, []string{"gone for good", "sent first"}},
		{"with a copy of the key", view.Settings{Invite: "https://nomic.example/#/join/x", BackedUp: true}, []string{"You have made a copy"}, []string{"Back up my key first"}},
		{"with unsent actions", view.Settings{Invite: "https://nomic.example/#/join/x", Net: view.Net{Unsent: 2}}, []string{"2 actions of yours have not been sent", "sent first"}, nil},
		{"alone", view.Settings{Net: view.Net{Unsent: 2}}, []string{"gone for good", "Export the game first"}, []string{"invite link", "sent first"}},
	} {
		f := &frame.Frame{Address: view.Address{Room: "demo", Page: "settings"}}
		p := &settingsPage{f: f, view: &c.view, remover: remover{f: f}}
		first := app.HTMLString(p.removal())
		for _, says := range append(c.says, "Remove this game from this device", `data-test="remove-game"`) {
			if !strings.Contains(first, says) {
				t.Errorf("%s: does not say %q: %s", c.name, says, first)
			}
		}
		for _, not := range append(c.not, "remove-game-now") {
			if strings.Contains(first, not) {
				t.Errorf("%s: says %q: %s", c.name, not, first)
			}
		}
		p.remover.room = "another"
		if again := app.HTMLString(p.removal()); strings.Contains(again, "remove-game-now") {
			t.Errorf("%s: asked for another game, this one would be removed", c.name)
		}
		p.remover.room = "demo"
		if again := app.HTMLString(p.removal()); !strings.Contains(again, `data-test="remove-game-now"`) || !strings.Contains(again, `data-test="keep-game"`) {
			t.Errorf("%s: asked for once, it cannot be removed or kept: %s", c.name, again)
		}
	}
}
