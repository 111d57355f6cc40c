package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// netState says in one word and one sentence how this device stands to the others, and how far the
// game has come from the relay.
func netState(n view.Net) (state, glyph, word, sentence string) {
	state, glyph, word, sentence = connection(n)
	if n.ToCheck > 0 {
		word = "checking " + kit.Itoa(100*n.Checked/n.ToCheck) + " %"
		sentence = "What the relay has of this game is coming and being checked: " + kit.Itoa(n.Checked) + " of " + kit.Plural(n.ToCheck, "seal", "seals") + ". " + sentence
	}
	return state, glyph, word, sentence
}

func connection(n view.Net) (state, glyph, word, sentence string) {
	waiting := ""
	if n.Unsent > 0 {
		waiting = kit.Plural(n.Unsent, "action waits", "actions wait") + " to be sent."
	}
	if n.Relay == "connected" && n.Refusal != "" {
		waiting = kit.Join(n.Refusal, waiting)
	}
	switch {
	case n.Relay == "none":
		return "practice", "home", "practice", "A game for practice: it lives on this device alone, and its dice are witnessed by nobody."
	case !n.Writer:
		return "reader", "copy", "second tab", "Another tab of this browser plays this game; what you do here is done by that one."
	case n.Relay != "connected" && len(n.Direct) > 0:
		sentence = kit.Join("Direct with "+kit.Names(n.Direct)+"; the relay is not reached.", n.Refusal)
		return "direct", "direct", "direct", kit.Join(sentence, waiting)
	case n.Relay != "connected":
		word := "offline"
		if n.Unsent > 0 {
			word = "offline, " + kit.Itoa(n.Unsent) + " waiting"
		}
		sentence = "Not connected. You can go on; it is sent when there is a connection."
		if n.Refusal != "" {
			sentence = n.Refusal + " What you do stays on this device."
		}
		return "offline", "offline", word, kit.Join(sentence, waiting)
	case len(n.Direct) > 0:
		sentence = "Direct with " + kit.Names(n.Direct)
		if len(n.ByRelay) > 0 {
			sentence += ", by relay with " + kit.Names(n.ByRelay)
		}
		return "direct", "direct", "direct", kit.Join(sentence+".", waiting)
	case len(n.ByRelay) > 0:
		return "relay", "relay", "by relay", kit.Join("By relay with "+kit.Names(n.ByRelay)+".", waiting)
	}
	return "relay", "relay", "by relay", kit.Join("The relay keeps what you do; nobody else is here now.", waiting)
}

// netMark is the small sign of the connection in the masthead.
func (r *root) netMark() app.UI {
	state, glyph, word, sentence := netState(r.f.Shell.Net)
	return app.Button().Type("button").Class("net", "net-"+state).Title(sentence).OnClick(r.onNet).
		Aria("expanded", r.netOpen).Aria("controls", "net-says").
		DataSet("test", "net-state").DataSet("state", state).DataSet("unsent", r.f.Shell.Net.Unsent).
		Body(kit.Icon(glyph), app.Span().Class("net-word").Text(word))
}

func (r *root) onNet(app.Context, app.Event) { r.netOpen = !r.netOpen }

// netSigns is what the sign of the connection can say.
var netSigns = []struct{ state, glyph, word, means string }{
	{"direct", "direct", "direct", "Your device and others' speak to each other without anybody between. The relay still gives each action its place and time."},
	{"relay", "relay", "by relay", "What you do goes through the relay, which cannot read it and keeps it for those who are away."},
	{"offline", "offline", "offline", "Nobody is reached. Go on: what you do waits on this device, marked as tentative, and is sent later."},
	{"reader", "copy", "second tab", "Another tab of this browser plays this game and does what you do here."},
	{"practice", "home", "practice", "The game lives on this device alone."},
}

// netSays explains the sign, and the others that there are.
func (r *root) netSays() app.UI {
	state, _, _, sentence := netState(r.f.Shell.Net)
	return app.Section().ID("net-says").Class("net-says").Aria("label", "Connection").DataSet("test", "net-says").Body(
		app.P().Body(app.Strong().Text(sentence)),
		app.Dl().Body(kit.Each(netSigns, func(_ int, s struct{ state, glyph, word, means string }) app.UI {
			div := app.Div().Class("net-sign")
			if s.state == state {
				div = div.Class("net-sign-now")
			}
			return div.Body(
				app.Dt().Class("net-"+s.state).Body(kit.Icon(s.glyph), app.Text(s.word)), app.Dd().Text(s.means))
		})...),
		app.P().Class("row").Body(kit.Link(r.f.Path("settings"), "More in Settings"), kit.Button("Close", r.onNet).Class("btn-quiet")))
}

// netLines is the connection in full.
func netLines(f *frame.Frame) app.UI {
	n := f.Shell.Net
	_, _, _, sentence := netState(n)
	parts := []app.UI{app.P().DataSet("test", "net-sentence").Text(sentence)}
	if list := f.Shell.Pending; len(list) > 0 {
		titles := make([]string, len(list))
		for i, p := range list {
			titles[i] = p.Title
		}
		parts = append(parts, app.P().Class("waits").DataSet("test", "pending").DataSet("count", len(list)).
			Body(kit.Icon("wait"), app.Span().Text("Tentative: "+kit.Names(titles))))
	}
	if n.SyncedAt != 0 && n.Relay != "none" {
		parts = append(parts, app.P().Class("quiet").Body(
			app.Text("Others hold everything I did, as of "), kit.Moment(n.SyncedAt, f.Present()), app.Text(".")))
	}
	return app.Div().DataSet("test", "net").DataSet("direct", n.FromDirect).DataSet("relay", n.FromRelay).Body(parts...)
}
