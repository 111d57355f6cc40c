package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// saying is one thing told to the person after what they did.
type saying struct {
	n      int
	at     time.Time
	kind   string // good, wait, bad, note
	about  string // what was tried, of what is bad
	text   string
	more   []string
	rolls  []view.Chip
	href   string
	hrefTo string
	undo   int64 // entry of the log that one press takes back; 0 for none
}

const (
	sayingsKept = 3               // at once
	sayingStays = 9 * time.Second // what is not bad goes by itself, what is bad with the page
	sayingFresh = time.Second     // what was said just before a page is left belongs to the next
)

// say tells the person something.
func (r *root) say(ctx app.Context, s saying) {
	if s.about != "" {
		r.unsayAbout(s.about)
	}
	r.sayings++
	s.text = view.Isolated(s.text)
	for i := range s.more {
		s.more[i] = view.Isolated(s.more[i])
	}
	s.n, s.at = r.sayings, time.Now()
	r.said = append(r.said, s)
	if len(r.said) > sayingsKept {
		r.said = r.said[len(r.said)-sayingsKept:]
	}
	if s.passing() {
		n := s.n
		r.ctx.After(sayingStays, func(app.Context) { r.unsay(n) })
	}
}

// passing says whether it matters little if the person does not see it to the end.
func (s saying) passing() bool { return s.kind == "good" || s.kind == "wait" }

// unsay takes back what was said.
func (r *root) unsay(n int) {
	r.unsayAll(func(s saying) bool { return s.n == n })
}

// moveOn puts away what has been read when another page is opened.
func (r *root) moveOn() {
	r.unsayAll(func(s saying) bool {
		stays := sayingStays
		if s.passing() {
			stays = sayingFresh
		}
		return time.Since(s.at) > stays
	})
}

// unsayAbout puts away why something did not work that is tried again or has worked now.
func (r *root) unsayAbout(what string) {
	r.unsayAll(func(s saying) bool { return s.about == what })
}

// hush puts everything away, so that nothing lies over a form that is opened.
func (r *root) hush() { r.said = nil }

func (r *root) unsayAll(which func(saying) bool) {
	var left []saying
	for _, s := range r.said {
		if !which(s) {
			left = append(left, s)
		}
	}
	r.said = left
}

// voice says what came of the person's deeds, to eyes and to screen readers. Where
// there is little room the style sheet shows only the last of it.
func (r *root) voice() app.UI {
	var body []app.UI
	if r.updateHere {
		body = append(body, keyed("said-update", notice("note",
			app.P().Text("A new version of the app is ready. Nothing is lost by taking it now; all tabs take it together."),
			app.P().Body(button("Update now", r.onUpdate).Class("btn-main").DataSet("test", "update"))).Class("saying")))
	}
	body = append(body, each(r.said, r.sayingView)...)
	return app.Div().Class("voice").Role("status").Aria("live", "polite").Body(body...)
}

func (r *root) sayingView(_ int, s saying) app.UI {
	n := s.n
	parts := []app.UI{app.P().Text(s.text)}
	if len(s.more) > 0 || len(s.rolls) > 0 {
		more := each(s.more, func(_ int, t string) app.UI { return app.Li().Text(t) })
		if len(s.rolls) > 0 {
			more = append([]app.UI{app.Li().Body(r.chips(s.rolls)...)}, more...)
		}
		parts = append(parts, app.Ul().Body(more...))
	}
	if s.href != "" {
		parts = append(parts, app.P().Body(link(s.href, s.hrefTo)))
	}
	if entry := s.undo; entry != 0 && r.shell != nil && r.shell.Undo != nil {
		parts = append(parts, app.P().Body(iconButton("undo", "Take it back", func(ctx app.Context, _ app.Event) {
			r.unsay(n)
			r.undo(ctx, entry)
		}, n).DataSet("test", "take-back")))
	}
	return keyed("said-"+itoa(n), notice(s.kind, parts...).Class("saying").DataSet("test", "said-"+s.kind),
		app.Button().Type("button").Class("unsay").Aria("label", "Dismiss").Title("Dismiss").
			OnClick(func(app.Context, app.Event) { r.unsay(n) }, n).Body(icon("cross")))
}

// undo puts back what an entry of the log changed. It asks nothing, as it can be taken
// back itself.
func (r *root) undo(ctx app.Context, entry int64) {
	if r.shell == nil || r.shell.Undo == nil {
		return
	}
	a := r.shell.Undo
	args := map[string]any{}
	for _, q := range a.Params {
		switch {
		case q.Kind == "integer":
			args[q.Name] = entry
		case !q.Optional && (q.Kind == "text" || q.Kind == "prose"):
			args[q.Name] = "undone"
		}
	}
	r.act(ctx, "undo", a.Title, a.Name, args, func(app.Context, *view.Result) { r.undone(entry) })
}

// undone puts away what offers to take back an entry that was taken back.
func (r *root) undone(entry int64) {
	r.unsayAll(func(s saying) bool { return s.undo == entry })
}
