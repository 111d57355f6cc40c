package pages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// boardPage is a page that a rule makes of cards, meters, threads and actions. It knows no rule.
type boardPage struct {
	f         *frame.Frame
	name      string // of the board, or the table if all its cards are shown
	gallery   bool
	view      *view.Board
	forms     map[string]*kit.Form
	opened    string // key of the deed whose form is open
	forecasts map[string]*view.Forecast
}

func (p *boardPage) Title() string {
	if p.view == nil {
		return "Board"
	}
	return p.view.Title
}

func (p *boardPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Board(ctx, p.name, p.gallery)
	if err != nil {
		return nil, err
	}
	return func() {
		p.view = v
		p.forecasts = nil // they were made for what was there before
		p.keep(v.Parts)
		p.foresee()
	}, nil
}

// keep makes the forms of deeds, or brings them up to date.
func (p *boardPage) keep(parts []view.Part) {
	if p.forms == nil {
		p.forms = map[string]*kit.Form{}
	}
	for _, d := range deedsIn(parts) {
		key := deedKey(d)
		if f := p.forms[key]; f != nil {
			f.Fixed = d.Fixed
			f.Renew(d.Action)
			continue
		}
		f := kit.NewForm(p.f, key, d.Action)
		f.Fixed = d.Fixed
		f.Done = func(app.Context, *view.Result) { p.opened = "" }
		p.forms[key] = f
	}
}

// deedsIn returns all deeds of a page, in their order.
func deedsIn(parts []view.Part) []view.Deed {
	var out []view.Deed
	for _, q := range parts {
		out = append(append(out, q.Deeds...), deedsIn(q.Parts)...)
		if q.Card != nil {
			out = append(out, deedsIn(q.Card.Parts)...)
		}
	}
	return out
}

// deedKey tells the deeds of a page apart: by what they do, and to what.
func deedKey(d view.Deed) string {
	key := "deed-" + d.Action.Name
	for _, q := range d.Action.Params {
		if v, ok := d.Fixed[q.Name]; ok {
			key += "-" + keyText(v)
		}
	}
	return key
}

// keyText writes an argument for a key.
func keyText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return kit.Itoa(v)
	}
	return ""
}

// foresee asks what the open deeds that roll may do, one after the other: it takes a while.
func (p *boardPage) foresee() {
	g, life, ctx := p.f.Game, p.f.Life, p.f.Ctx
	if g == nil || ctx == nil {
		return
	}
	board := p.view
	var wanted []view.Deed
	for _, d := range deedsIn(board.Parts) {
		if d.Action.Open && d.Action.Dice != "" {
			wanted = append(wanted, d)
		}
	}
	if len(wanted) == 0 {
		return
	}
	ctx.Async(func() {
		for _, d := range wanted {
			f, err := g.Forecast(life, d.Action.Name, d.Fixed)
			if err != nil {
				return
			}
			ctx.Dispatch(func(app.Context) {
				if p.view != board {
					return
				}
				if p.forecasts == nil {
					p.forecasts = map[string]*view.Forecast{}
				}
				p.forecasts[deedKey(d)] = f
			})
		}
	})
}

func (p *boardPage) Render() app.UI {
	v := p.view
	head := []app.UI{app.P().Class("kicker").Body(kit.Link(v.UnderHref, v.Under)), kit.Alone(app.H1().ID("page-title").TabIndex(-1), v.Title)}
	body := []app.UI{app.Header().Class("page-head").Body(head...)}
	body = append(body, kit.Each(v.Decisions, func(_ int, d view.Decision) app.UI { return decisionCard(p.f, d) })...)
	if v.Problem != "" {
		body = append(body, kit.Note("bad", "The rule that makes this page fails: "+v.Problem))
	} else if len(v.Parts) == 0 && len(v.Decisions) == 0 {
		body = append(body, kit.Empty("Nothing is here yet."))
	}
	body = append(body, kit.Each(v.Parts, func(_ int, q view.Part) app.UI { return p.part(q) })...)
	if v.Rule != "" {
		body = append(body, app.P().Class("quiet").Body(app.Text("Made by the rule "), kit.Link(p.f.Path("rules", v.Rule), v.Rule)))
	}
	return app.Article().Class("board").DataSet("test", "board").Body(body...)
}

func (p *boardPage) part(q view.Part) app.UI {
	switch q.Kind {
	case "card":
		return p.card(*q.Card)
	case "meter":
		return meter(*q.Meter)
	case "place":
		return p.place(q)
	case "thread":
		return p.thread(q)
	case "deeds":
		return p.deeds(q, false)
	}
	return p.f.Markdown(q.Text)
}

// place draws parts together.
func (p *boardPage) place(q view.Part) app.UI {
	var body []app.UI
	if q.Title != "" {
		title := []app.UI{kit.Named(q.Title)}
		body = append(body, app.H2().Class("place-title").Body(title...))
	}
	if q.Until != 0 {
		body = append(body, app.P().Class("quiet", "card-until").Body(kit.Icon("wait"), app.Span().Body(app.Text("Time is up "), kit.Until(q.Until, p.f.Now()))))
	}
	parts := kit.Each(q.Parts, func(_ int, s view.Part) app.UI {
		if q.Shape == "ladder" {
			return app.Li().Body(p.part(s))
		}
		return app.Div().Class("spot").Body(p.part(s))
	})
	if q.Shape == "ladder" {
		body = append(body, app.Ol().Class("place-parts").Body(parts...))
	} else {
		body = append(body, app.Div().Class("place-parts").Body(parts...))
	}
	return app.Section().Class("board-place", "place-"+q.Shape).Body(body...)
}

// card draws a card.
func (p *boardPage) card(c view.Card) app.UI {
	title := app.UI(kit.Named(c.Title))
	if c.Href != "" {
		title = kit.Alone(app.A().Href(c.Href), c.Title)
	}
	var body []app.UI
	heads := []app.UI{app.H3().Class("board-card-title").Body(title)}
	if c.Subtitle != "" {
		heads = append(heads, app.P().Class("board-card-sub").Text(c.Subtitle))
	}
	if c.Owner != "" {
		owner := c.Owner
		if c.Mine {
			owner = "you"
		}
		heads = append(heads, app.P().Class("board-card-owner").Body(kit.Person(c.Owner), kit.When(c.Mine, func() app.UI { return app.Span().Class("quiet").Text(" (" + owner + ")") })))
	}
	head := []app.UI{app.Div().Class("board-card-heads").Body(heads...)}
	if c.Swatch != "" || c.Glyph != "" {
		head = append([]app.UI{emblem(c)}, head...)
	}
	body = append(body, app.Header().Class("board-card-head").Body(head...))
	body = append(body, kit.Each(c.Meters, func(_ int, m view.Meter) app.UI { return meter(m) })...)
	for _, g := range c.Stats {
		if g.Title != "" {
			body = append(body, app.H4().Text(g.Title))
		}
		body = append(body, app.Dl().Class("stats").Body(kit.Each(g.Stats, func(_ int, s view.Stat) app.UI {
			return app.Div().Body(app.Dt().Text(s.Title), app.Dd().DataSet("test", "stat-"+kit.Slug(s.Title)).Text(s.Value))
		})...))
	}
	if c.Text != "" {
		body = append(body, p.f.Markdown(c.Text))
	}
	body = append(body, kit.Each(c.Parts, func(_ int, q view.Part) app.UI {
		if q.Kind == "deeds" {
			return p.deeds(q, true)
		}
		return p.part(q)
	})...)
	mine := ""
	if c.Mine {
		mine = "board-mine"
	}
	return app.Article().Class("board-card", mine).DataSet("test", "card-"+kit.Slug(c.Title)).Body(body...)
}

// emblem is a shield in the colour of a card. What the colour says stands in words beside it.
func emblem(card view.Card) app.UI {
	glyph := card.Glyph
	if glyph == "" && card.Title != "" {
		glyph = string([]rune(card.Title)[0])
	}
	shield := app.Elem("path").XMLNS(kit.SVGNamespace).Attr("d", "M4 4h40v22c0 12-9 18-20 22C13 44 4 38 4 26z").Attr("data-part", "shield")
	if c := safeColour(card.Swatch); c != "" {
		shield = shield.Attr("fill", c)
	}
	return app.Span().Class("emblem").Aria("hidden", "true").Body(
		app.Elem("svg").XMLNS(kit.SVGNamespace).Attr("viewBox", "0 0 48 52").Attr("width", "48").Attr("height", "52").Body(shield),
		app.Span().Class("emblem-glyph").Text(glyph))
}

// safeColour returns a colour that may stand in the page: "#rrggbb" or a plain word.
func safeColour(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	hex := strings.HasPrefix(s, "#") && (len(s) == 4 || len(s) == 7)
	for i, c := range s {
		letter := c >= 'a' && c <= 'z'
		if hex && (i == 0 || c >= '0' && c <= '9' || c >= 'a' && c <= 'f') || !hex && letter {
			continue
		}
		return ""
	}
	return s
}

// meter draws a value between two ends.
func meter(m view.Meter) app.UI {
	text := cmp.Or(m.Exact, kit.Itoa(m.Value)) + " of " + kit.Itoa(m.Max)
	part := "fill"
	if m.Low {
		part = "low"
		text += ", low"
	}
	return app.Div().Class("meter").Body(
		app.Span().Class("meter-title").Text(m.Title),
		app.Span().Class("meter-value").DataSet("test", "meter-"+kit.Slug(m.Title)).DataSet("value", m.Value).Text(text),
		app.Elem("svg").XMLNS(kit.SVGNamespace).Attr("viewBox", "0 0 1000 20").Attr("preserveAspectRatio", "none").Attr("width", "100%").Attr("height", "10").Attr("aria-hidden", "true").
			Body(kit.SVGRect("0", "0", 1000, 20, "track"), kit.SVGRect("0", "0", int(m.Fill), 20, part)))
}

// thread draws comments, newest first.
func (p *boardPage) thread(q view.Part) app.UI {
	body := []app.UI{kit.When(q.Title != "", func() app.UI { return app.H2().Class("place-title").Text(q.Title) })}
	if len(q.Lines) == 0 {
		body = append(body, kit.Empty("Nothing has been said."))
	}
	body = append(body, app.Ol().Class("blows").DataSet("test", "thread").Body(kit.Each(q.Lines, func(_ int, l view.ThreadLine) app.UI {
		return app.Li().Class(kit.TentativeClass(l.Tentative)).Body(
			app.Div().Class("byline").Body(kit.Person(l.Who), kit.Moment(l.Time, p.f.Now())),
			p.f.Markdown(l.Text),
			kit.When(len(l.Rolls) > 0, func() app.UI { return app.Div().Class("dice-row").Body(p.f.Chips(l.Rolls)...) }))
	})...))
	return app.Section().Class("board-thread").Body(body...)
}

// deeds draws actions that can be done right there; in brief on a card.
func (p *boardPage) deeds(q view.Part, brief bool) app.UI {
	if len(q.Deeds) == 0 {
		return app.Div()
	}
	var list []app.UI
	for i, d := range q.Deeds {
		if d.Action.Open {
			list = append(list, p.deed(d, brief))
			continue
		}
		alike := func(o view.Deed) bool { return !o.Action.Open && reasonKey(o.Action) == reasonKey(d.Action) }
		if first := slices.IndexFunc(q.Deeds, alike); first == i { // the others stand with it
			list = append(list, p.shut(q.Deeds, alike))
		}
	}
	return app.Section().Class("board-deeds").Body(
		kit.When(q.Title != "", func() app.UI { return app.H3().Class("deeds-title").Text(q.Title) }),
		app.Ul().Class("action-list").Body(list...))
}

// shut tells which deeds are closed for one reason, and why.
func (p *boardPage) shut(deeds []view.Deed, alike func(view.Deed) bool) app.UI {
	var titles []string
	var first view.Action
	for _, d := range deeds {
		if !alike(d) {
			continue
		}
		if len(titles) == 0 {
			first = d.Action
		}
		titles = append(titles, d.Action.Title)
	}
	why := []app.UI{app.Strong().Text(kit.Names(titles)), app.Text(": " + first.Reason)}
	if first.Until != 0 {
		why = append(why, app.Text(" · opens "), kit.Until(first.Until, p.f.Now()))
	}
	return app.Li().Class("action", "action-shut").DataSet("test", "closed-"+kit.Slug(first.Name)).Body(app.P().Class("quiet").Body(why...))
}

// deed draws an open action. In brief, on a card that tells what it is about, its help stands in the
// form alone.
func (p *boardPage) deed(d view.Deed, brief bool) app.UI {
	a, key := d.Action, deedKey(d)
	open := p.opened == key
	head := app.Button().Type("button").Class("action-head").Aria("expanded", open).DataSet("test", "deed-"+kit.Slug(a.Name)).
		OnClick(func(app.Context, app.Event) {
			if p.opened = key; open {
				p.opened = ""
			}
		}, key, open).
		Body(app.Span().Class("action-title").Text(a.Title),
			app.Span().Class("action-left").Body(app.If(a.Dice != "", app.Span().Class("dice-hint").Body(kit.Icon("dice"), app.Text(a.Dice)))),
			kit.Icon(kit.FoldGlyph(open)))
	body := []app.UI{head}
	if a.Help != "" && (open || !brief) {
		body = append(body, app.P().Class("action-help").Text(a.Help))
	}
	body = append(body, p.forecast(d))
	if open {
		body = append(body, app.Div().Class("action-body").Body(p.forms[key].Render()))
	}
	return app.Li().Class("action").Body(kit.Keyed(key, body...))
}

// forecast tells what a deed may do before the dice fall.
func (p *boardPage) forecast(d view.Deed) app.UI {
	if d.Action.Dice == "" {
		return nil
	}
	f := p.forecasts[deedKey(d)]
	switch {
	case f == nil:
		return app.P().Class("forecast", "quiet").Text("Working out what it may do…")
	case f.None != "":
		return app.P().Class("forecast", "quiet").Text(f.None)
	}
	return app.Ul().Class("forecast").DataSet("test", "forecast-"+kit.Slug(d.Action.Name)).Body(kit.Each(f.Lines, func(_ int, s string) app.UI { return app.Li().Text(s) })...)
}
