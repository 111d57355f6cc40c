package pages

import (
	"context"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// historyPage is the whole game: a slider to go anywhere in it, a line for each action,
// and how values went.
type historyPage struct {
	f     *frame.Frame
	view  *view.History
	pos   int // where the slider is while it is moved
	moves int // counts its moves, to know when it rests
	limit int

	plotted string // table and column
	plot    *view.Plot
}

// historyStep is how many lines are shown at a time.
const historyStep = 60

// sliderRest is how long the slider must lie still before the moment it points at is shown:
// longer than the pause between two presses of a key.
const sliderRest = 700 * time.Millisecond

func (p *historyPage) Title() string { return "History" }

func (p *historyPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.History(ctx)
	return func() {
		p.view = v
		if p.limit == 0 {
			p.limit, p.pos = historyStep, v.At
		}
	}, err
}

func (p *historyPage) Render() app.UI {
	n := len(p.view.Lines)
	body := []app.UI{kit.Heading("History", app.Text("Every action, and the game as it was after each. What you look at elsewhere is then of that moment, too."))}
	if n == 0 {
		return app.Div().Body(append(body, kit.Empty("Nothing has its place in the game yet."))...)
	}
	body = append(body, p.slider(n), p.plots(), app.Section().Body(app.H2().Text("Action by action"), p.lines(n)))
	return app.Div().Class("history-page").DataSet("test", "history").Body(body...)
}

// slider goes anywhere in the game: what it points at is told while it moves, and shown
// when it rests.
func (p *historyPage) slider(n int) app.UI {
	at := min(max(p.pos, 1), n)
	l := p.view.Lines[at-1]
	return app.Div().Class("time-slider").Body(
		app.Label().For("moment-slider").Text("Moment"),
		app.Input().ID("moment-slider").Type("range").Min(1).Max(n).Step(1).Value(at).DataSet("test", "slider").
			Aria("valuetext", "after action "+kit.Itoa(at)+": "+l.Who+" "+l.What).
			OnInput(func(ctx app.Context, _ app.Event) { p.point(ctx.JSSrc().Get("value").String(), n) }, n),
		app.P().DataSet("test", "slider-says").Body(app.Strong().Text("After action "+kit.Itoa(at)+" of "+kit.Itoa(n)+": "),
			app.Text(view.Isolated(l.Who+", "+l.What)+" "), kit.Moment(l.Time, p.f.Now())))
}

// point moves the slider, and goes to the moment it points at unless it moves again.
func (p *historyPage) point(value string, n int) {
	rests := p.move(value)
	p.f.Ctx.After(sliderRest, func(ctx app.Context) {
		if rests() && p.f.Page == frame.Page(p) {
			ctx.Navigate(atMoment(p.f.Address, p.pos, n))
		}
	})
}

// move moves the slider. What it returns says later whether it rests there, away from what is shown.
func (p *historyPage) move(value string) (rests func() bool) {
	if at, err := strconv.Atoi(value); err == nil {
		p.pos = at
	}
	p.moves++
	moves := p.moves
	return func() bool { return moves == p.moves && p.pos != p.view.At }
}

func (p *historyPage) lines(n int) app.UI {
	shown := min(p.limit, n)
	var rows []app.UI
	for i := n - 1; i >= n-shown; i-- {
		rows = append(rows, p.line(p.view.Lines[i], n))
	}
	return app.Div().Body(app.Ol().Class("moments").Body(rows...), kit.When(n > shown, func() app.UI {
		return kit.Button(kit.Plural(n-shown, "earlier action", "earlier actions"), func(app.Context, app.Event) { p.limit += 4 * historyStep })
	}))
}

func (p *historyPage) line(l view.HistoryLine, n int) app.UI {
	what := []app.UI{kit.Person(l.Who), app.Strong().Text(l.What)}
	if l.About != "" {
		what = append(what, app.Span().Class("about").Body(app.Text("“"), kit.Named(l.About), app.Text("”")))
	}
	what = append(what, p.f.Chips(l.Rolls)...)
	switch {
	case l.Refused:
		what = append(what, app.Span().Class("quiet").Text("refused"))
	case l.Changes > 0:
		what = append(what, app.Span().Class("quiet").Text(kit.Plural(l.Changes, "change", "changes")))
	}
	a := app.A().Class("moment-link").Href(atMoment(p.f.Address, l.N, n)).DataSet("test", "moment-"+kit.Itoa(l.N)).
		Aria("label", "The game after action "+kit.Itoa(l.N)).Text(kit.Itoa(l.N))
	if l.N == p.view.At {
		a = a.Aria("current", "true")
	}
	return kit.Keyed("h-"+kit.Itoa(l.N), app.Li().Class("moment-line").Body(a, app.Div().Class("byline").Body(append(what, kit.Moment(l.Time, p.f.Now()))...)))
}
