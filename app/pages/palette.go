package pages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// palette finds anything in the game by typing some of its name.
type palette struct {
	destinations []view.Destination
	text         string
	at           int // which of the places found is chosen
}

// paletteRows is how many places are offered at once.
const paletteRows = 10

// listen opens the palette by Ctrl-K or Cmd-K, wherever the keyboard is. It listens past
// go-app, which would draw the page anew for each key.
func (r *root) listen() (stop func()) {
	f := app.FuncOf(func(_ app.Value, args []app.Value) any {
		e := args[0]
		if e.Get("key").String() == "k" && (e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()) && r.f.Address.Room != "" {
			e.Call("preventDefault")
			r.f.Ctx.Dispatch(func(ctx app.Context) { r.openPalette(ctx, app.Event{}) })
		}
		return nil
	})
	app.Window().Call("addEventListener", "keydown", f)
	return func() {
		app.Window().Call("removeEventListener", "keydown", f)
		f.Release()
	}
}

func (r *root) openPalette(app.Context, app.Event) {
	g := r.f.Game
	if g == nil {
		return
	}
	r.menu = false
	r.palette = &palette{}
	r.f.Focus("find-anything")
	r.f.Async("palette", "Finding", func(c context.Context) (func(app.Context), error) {
		places, err := g.Destinations(c)
		return func(app.Context) {
			if r.palette != nil {
				r.palette.destinations = places
			}
		}, err
	})
}

func (r *root) closePalette(app.Context, app.Event) {
	r.palette = nil
	r.f.Focus("main")
}

// found are the places that have every word of what was typed, those whose title begins
// with it first. What cannot be done now comes after what can be read of the same words.
func (p *palette) found() []view.Destination {
	words := strings.Fields(strings.ToLower(p.text))
	type hit struct {
		view.Destination
		rank int
	}
	var hits []hit
	for _, q := range p.destinations {
		title := strings.ToLower(q.Title)
		all := title + " " + strings.ToLower(q.Kind)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) }) {
			continue
		}
		rank := 2
		switch whole := strings.Join(words, " "); {
		case strings.HasPrefix(title, whole):
			rank = 0
		case strings.Contains(" "+title, " "+whole):
			rank = 1
		}
		hits = append(hits, hit{q, rank})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.rank, b.rank), boolOrder(a.Shut, b.Shut)) })
	var out []view.Destination
	for _, h := range hits[:min(len(hits), paletteRows)] {
		out = append(out, h.Destination)
	}
	return out
}

// boolOrder puts what is not before what is.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (r *root) paletteView() app.UI {
	p := r.palette
	if p == nil {
		return nil
	}
	list := p.found()
	p.at = max(0, min(p.at, len(list)-1))
	rows := kit.Each(list, func(i int, q view.Destination) app.UI {
		return app.Li().ID("hit-"+kit.Itoa(i)).Role("option").Aria("selected", i == p.at).Body(
			app.A().Class("hit").Href(q.Href).TabIndex(-1).DataSet("test", "hit").Body(
				app.Span().Class("hit-kind").Text(q.Kind), kit.Alone(app.Span().Class("hit-title"), q.Title),
				app.If(q.Hint != "", app.Span().Class("quiet").Text(q.Hint))))
	})
	var end app.UI
	if len(list) == 0 && len(p.destinations) > 0 {
		end = app.P().Class("empty").Text("Nothing here is called that.")
	}
	in := app.Input().ID("find-anything").Type("search").Placeholder("A rule, a matter, a player, something to do…").AutoComplete(false).
		Role("combobox").Aria("label", "Find anything in this game").Aria("expanded", len(list) > 0).Aria("controls", "hits").
		DataSet("test", "find-anything").OnInput(r.onFind).OnKeyDown(r.onFindKey)
	if len(list) > 0 {
		in = in.Aria("activedescendant", "hit-"+kit.Itoa(p.at))
	}
	return app.Div().Class("palette").DataSet("test", "palette").Body(
		app.Button().Type("button").Class("palette-shade").Aria("label", "Close").TabIndex(-1).OnClick(r.closePalette),
		app.Div().Class("palette-box").Role("dialog").Aria("modal", true).Aria("label", "Find anything").Body(
			app.Div().Class("palette-line").Body(kit.Icon("find"), in,
				app.Button().Type("button").Class("btn", "btn-quiet").Aria("label", "Close").OnClick(r.closePalette).Body(kit.Icon("cross"))),
			app.Ul().ID("hits").Role("listbox").Aria("label", "Found").Body(rows...), end))
}

func (r *root) onFind(ctx app.Context, _ app.Event) {
	r.palette.text, r.palette.at = ctx.JSSrc().Get("value").String(), 0
}

// onFindKey moves through what was found without leaving the input.
func (r *root) onFindKey(ctx app.Context, e app.Event) {
	p := r.palette
	list := p.found()
	switch e.Get("key").String() {
	case "ArrowDown":
		p.at = (p.at + 1) % max(len(list), 1)
	case "ArrowUp":
		p.at = (p.at + len(list) - 1) % max(len(list), 1)
	case "Enter":
		if p.at < len(list) {
			r.palette = nil
			r.f.Ctx.Navigate(list[p.at].Href) // the input that ctx is of goes with the palette
		}
	case "Escape":
		r.closePalette(ctx, e)
	case "Tab":
		// The keyboard stays within until the palette is closed.
	default:
		return
	}
	e.PreventDefault()
}
