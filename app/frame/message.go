package frame

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// message tells the person what came of something that they did.
type message struct {
	n     int
	at    time.Time
	kind  string // good, wait, bad, note
	about string // what was tried, if that failed
	text  string
	more  []string
	rolls []view.Chip
	undo  int64 // entry of the log that one press takes back; 0 for none
}

const (
	messagesKept = 3               // at once
	messageStays = 9 * time.Second // after that good news goes by itself; bad news stays until the page is left
	messageFresh = time.Second     // a message that is younger when a page is left is shown on the next one, too
)

// Say shows a message of one sentence. The kind is "good", "wait", "bad" or "note", see [kit.Notice].
func (f *Frame) Say(kind, text string) { f.notify(message{kind: kind, text: text}) }

// notify shows a message.
func (f *Frame) notify(s message) {
	if s.about != "" {
		f.dismissAbout(s.about)
	}
	f.shown++
	s.text = view.Isolated(s.text)
	for i := range s.more {
		s.more[i] = view.Isolated(s.more[i])
	}
	s.n, s.at = f.shown, time.Now()
	f.messages = append(f.messages, s)
	if len(f.messages) > messagesKept {
		f.messages = f.messages[len(f.messages)-messagesKept:]
	}
	if s.passing() {
		n := s.n
		f.Ctx.After(messageStays, func(app.Context) { f.dismiss(n) })
	}
}

// passing reports whether a message goes by itself: it matters little if the person misses its end.
func (s message) passing() bool { return s.kind == "good" || s.kind == "wait" }

// dismiss removes a message by its number.
func (f *Frame) dismiss(n int) {
	f.dismissWhere(func(s message) bool { return s.n == n })
}

// DismissRead removes the messages that the person has had time to read, as another page is opened.
func (f *Frame) DismissRead() {
	f.dismissWhere(func(s message) bool {
		stays := messageStays
		if s.passing() {
			stays = messageFresh
		}
		return time.Since(s.at) > stays
	})
}

// dismissAbout removes the messages that something failed, as it is tried again or has worked.
func (f *Frame) dismissAbout(what string) {
	f.dismissWhere(func(s message) bool { return s.about == what })
}

// ClearMessages removes all messages, so that none lies over a form that is opened.
func (f *Frame) ClearMessages() { f.messages = nil }

func (f *Frame) dismissWhere(which func(message) bool) {
	var left []message
	for _, s := range f.messages {
		if !which(s) {
			left = append(left, s)
		}
	}
	f.messages = left
}

// Messages draws the messages, for eyes and for screen readers. Where there is little room the style
// sheet shows only the last one.
func (f *Frame) Messages() app.UI {
	var body []app.UI
	if f.UpdateReady {
		body = append(body, kit.Keyed("said-update", kit.Notice("note",
			app.P().Text("A new version of the app is ready. Nothing is lost by taking it now; all tabs take it together."),
			app.P().Body(kit.Button("Update now", UpdateApp).Class("btn-main").DataSet("test", "update"))).Class("saying")))
	}
	body = append(body, kit.Each(f.messages, f.messageView)...)
	return app.Div().Class("voice").Role("status").Aria("live", "polite").Body(body...)
}

func (f *Frame) messageView(_ int, s message) app.UI {
	n := s.n
	parts := []app.UI{app.P().Text(s.text)}
	if len(s.more) > 0 || len(s.rolls) > 0 {
		more := kit.Each(s.more, func(_ int, t string) app.UI { return app.Li().Text(t) })
		if len(s.rolls) > 0 {
			more = append([]app.UI{app.Li().Body(f.Chips(s.rolls)...)}, more...)
		}
		parts = append(parts, app.Ul().Body(more...))
	}
	if entry := s.undo; entry != 0 && f.Shell != nil && f.Shell.Undo != nil {
		parts = append(parts, app.P().Body(kit.IconButton("undo", "Take it back", func(app.Context, app.Event) {
			f.dismiss(n)
			f.Undo(entry)
		}, n).DataSet("test", "take-back")))
	}
	return kit.Keyed("said-"+kit.Itoa(n), kit.Notice(s.kind, parts...).Class("saying").DataSet("test", "said-"+s.kind),
		app.Button().Type("button").Class("unsay").Aria("label", "Dismiss").Title("Dismiss").
			OnClick(func(app.Context, app.Event) { f.dismiss(n) }, n).Body(kit.Icon("cross")))
}

// Undo puts back what an entry of the log changed. It does not ask first: what it does can be undone, too.
func (f *Frame) Undo(entry int64) {
	if f.Shell == nil || f.Shell.Undo == nil {
		return
	}
	a := f.Shell.Undo
	args := map[string]any{}
	for _, q := range a.Params {
		switch {
		case q.Kind == "integer":
			args[q.Name] = entry
		case !q.Optional && (q.Kind == "text" || q.Kind == "prose"):
			args[q.Name] = "undone"
		}
	}
	f.Act("undo", a.Title, a.Name, args, func(app.Context, *view.Result) { f.dismissUndo(entry) })
}

// dismissUndo removes the messages that offer to undo an entry, as that is done.
func (f *Frame) dismissUndo(entry int64) {
	f.dismissWhere(func(s message) bool { return s.undo == entry })
}
