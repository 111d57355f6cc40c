package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
)

// remover removes games from this device, each once that was asked for twice.
type remover struct {
	f    *frame.Frame
	room string // of the game that is removed if that is said once more
}

// view asks about a game. The words say what is lost.
func (r *remover) view(room string, words ...app.UI) app.UI {
	body := words
	if r.room != room {
		body = append(body, app.P().Body(kit.IconButton("bin", "Remove this game…", func(app.Context, app.Event) { r.room = room }, room).DataSet("test", "remove-game")))
	} else {
		body = append(body, kit.Notice("bad", app.P().Text("It is removed at once, in all tabs of this browser. Nothing takes that back.")).Role("alert"),
			app.P().Class("row").Body(
				kit.IconButton("bin", "Remove it now", func(app.Context, app.Event) { r.remove(room) }, room).DataSet("test", "remove-game-now").Disabled(r.f.Busy("remove")),
				kit.Button("Keep it", func(app.Context, app.Event) { r.room = "" }, room).DataSet("test", "keep-game")))
	}
	return kit.Fold("Remove this game from this device", body...)
}

// remove removes a game and goes to the others, also if that did not work: its session has ended.
func (r *remover) remove(room string) {
	f := r.f
	f.Async("remove", "Removing the game", func(c context.Context) (func(app.Context), error) {
		kind, text := "good", "The game is removed from this device."
		if err := f.Host.Leave(c, room); err != nil {
			kind, text = "bad", "The game is still here: "+err.Error()+"."
		}
		return func(ctx app.Context) {
			r.room = ""
			if f.Address.Room != "" {
				ctx.Navigate("/")
			}
			f.Say(kind, text)
		}, nil
	})
}

// comingBack says what a game takes with it that others have, too.
const comingBack = "The game goes on with the others, and what you did in it stays, with your seat. This browser forgets its log, your drafts and the way into its room: " +
	"to come back you need the invite link, so keep it. If nobody else has that, the game is lost."

// goneForGood says it of a game that no relay has.
const goneForGood = "No relay has this game. Unless you keep it as a file, or somebody else has it, it is gone for good."

// removal says what of this game would be lost here, with the ways to save it.
func (p *settingsPage) removal() app.UI {
	v := p.view
	lost := comingBack
	if v.Invite == "" {
		lost = goneForGood
	}
	words := []app.UI{app.P().Text(lost)}
	if n := v.Net.Unsent; n > 0 && v.Invite != "" {
		words = append(words, kit.Note("bad", kit.Capital(kit.Plural(n, "action of yours has", "actions of yours have"))+" not been sent. Nobody else has them, and without them your key on this browser "+
			"cannot act in the game again. Let them be sent first."))
	}
	words = append(words, app.P().Text("Your key stays in this browser. Removing its last game makes room for another key, which then takes the place of "+
		"this one: so keep a copy of this one first."))
	if v.BackedUp {
		words = append(words, app.P().Class("quiet").Text("You have made a copy."))
	}
	words = append(words, app.P().Class("row").Body(
		kit.When(!v.BackedUp, func() app.UI {
			return kit.IconButton("key", "Back up my key first", func(ctx app.Context, _ app.Event) { kit.Focus(ctx, "backup-pass") }).DataSet("test", "remove-backup")
		}),
		kit.IconButton("down", "Export the game first", p.onExport).Disabled(p.f.Busy("export")).DataSet("test", "remove-export")))
	return p.remover.view(p.f.Address.Room, words...)
}
