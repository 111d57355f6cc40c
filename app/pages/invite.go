package pages

import (
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
)

// invitePrefix begins the fragment of an invite link. The fragment holds the room's
// secret and is never sent to a server.
const invitePrefix = "/join/"

// inviteSecret returns what the fragment of an invite link says: the room's secret and its game.
func inviteSecret(u *url.URL) (string, bool) {
	s, ok := strings.CutPrefix(u.Fragment, invitePrefix)
	s = strings.TrimSpace(s)
	return s, ok && s != ""
}

// inviteOf returns what was pasted as the host takes it: a whole link, which says where the game's
// relay is, as it is, else the secret.
func inviteOf(text string) string {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Host != "" && strings.HasPrefix(u.Fragment, invitePrefix) {
		return text
	}
	return secretOf(text)
}

// secretOf takes an invitation as people paste it: a whole link or the bare secret.
func secretOf(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "#"+invitePrefix); i >= 0 {
		text = text[i+len("#"+invitePrefix):]
	}
	return strings.Trim(text, " /\n\t")
}

// inviteBox shows the invite link to copy and to scan. A game for practice has none.
func inviteBox(f *frame.Frame, invite string) app.UI {
	if invite == "" {
		return app.P().Body(app.Text("This game is for practice: it lives on this device, and nobody can come. "),
			kit.Link(f.Path("convention"), "Go on in another room"), app.Text(" to play it with others."))
	}
	return app.Div().Class("invite").Body(
		app.Div().Class("invite-words").Body(
			app.P().Text("Whoever opens this link can read the game and ask to play. Send it to people you trust, not to a public place."),
			app.Div().Class("copy-line").Body(
				app.Label().For("invite-out").Class("unseen").Text("Invite link"),
				app.Input().ID("invite-out").Type("text").ReadOnly(true).Value(invite).DataSet("test", "invite").
					OnFocus(func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }),
				kit.IconButton("copy", "Copy", func(app.Context, app.Event) { f.CopyText("The link", invite) }, invite).
					DataSet("test", "invite-copy"))),
		kit.QR(invite))
}
