package frame

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// saying is one thing told to the person after what they did.
type saying struct {
	n     int
	at    time.Time
	kind  string // good, wait, bad, note
	about string // what was tried, of what is bad
	text  string
	more  []string
	rolls []view.Chip
	undo  int64 // entry of the log that one press takes back; 0 for none
}

const (
	sayingsKept = 3               // at once
	sayingStays = 9 * time.Second // what is not bad goes by itself, what is bad with the page
	sayingFresh = time.Second     // what was said just before a page is left belongs to the next
)

// Say tells the person something. The kind is good, wait, bad or note, see [notice].
func (f *Frame) Say(kind, text string) { f.say(saying{kind: kind, text: text}) }

// say tells the person something.
func (f *Frame) say(s saying) {
	if s.about != "" {
		f.unsayAbout(s.about)
	}
	f.sayings++
	s.text = view.Isolated(s.text)
	for i := range s.more {
		s.more[i] = view.Isolated(s.more[i])
	}
	s.n, s.at = f.sayings, time.Now()
	f.said = append(f.said, s)
	if len(f.said) > sayingsKept {
		f.said = f.said[len(f.said)-sayingsKept:]
	}
	if s.passing() {
		n := s.n
		f.Ctx.After(sayingStays, func(app.Context) { f.unsay(n) })
	}
}

// passing says whether it matters little if the person does not see it to the end.
func (s saying) passing() bool { return s.kind == "good" || s.kind == "wait" }

// unsay takes back what was said.
func (f *Frame) unsay(n int) {
	f.unsayAll(func(s saying) bool { return s.n == n })
}

// MoveOn puts away what has been read when another page is opened.
func (f *Frame) MoveOn() {
	f.unsayAll(func(s saying) bool {
		stays := sayingStays
		if s.passing() {
			stays = sayingFresh
		}
		return time.Since(s.at) > stays
	})
}

// unsayAbout puts away why something did not work that is tried again or has worked now.
func (f *Frame) unsayAbout(what string) {
	f.unsayAll(func(s saying) bool { return s.about == what })
}

// Hush puts everything away, so that nothing lies over a form that is opened.
func (f *Frame) Hush() { f.said = nil }

func (f *Frame) unsayAll(which func(saying) bool) {
	var left []saying
	for _, s := range f.said {
		if !which(s) {
			left = append(left, s)
		}
	}
	f.said = left
}

// Voice says what came of the person's deeds, to eyes and to screen readers. Where
// there is little room the style sheet shows only the last of it.
func (f *Frame) Voice() app.UI {
	var body []app.UI
	if f.UpdateReady {
		body = append(body, kit.Keyed("said-update", kit.Notice("note",
			app.P().Text("A new version of the app is ready. Nothing is lost by taking it now; all tabs take it together."),
			app.P().Body(kit.Button("Update now", UpdateApp).Class("btn-main").DataSet("test", "update"))).Class("saying")))
	}
	body = append(body, kit.Each(f.said, f.sayingView)...)
	return app.Div().Class("voice").Role("status").Aria("live", "polite").Body(body...)
}

func (f *Frame) sayingView(_ int, s saying) app.UI {
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
			f.unsay(n)
			f.Undo(entry)
		}, n).DataSet("test", "take-back")))
	}
	return kit.Keyed("said-"+kit.Itoa(n), kit.Notice(s.kind, parts...).Class("saying").DataSet("test", "said-"+s.kind),
		app.Button().Type("button").Class("unsay").Aria("label", "Dismiss").Title("Dismiss").
			OnClick(func(app.Context, app.Event) { f.unsay(n) }, n).Body(kit.Icon("cross")))
}

// Undo puts back what an entry of the log changed. It asks nothing, as it can be taken
// back itself.
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
	f.Act("undo", a.Title, a.Name, args, func(app.Context, *view.Result) { f.undone(entry) })
}

// undone puts away what offers to take back an entry that was taken back.
func (f *Frame) undone(entry int64) {
	f.unsayAll(func(s saying) bool { return s.undo == entry })
}
