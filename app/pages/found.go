package pages

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// foundPage founds a game. Everything has a default: two clicks suffice.
type foundPage struct {
	f      *frame.Frame
	view   *view.Home
	sets   []view.Ruleset
	chosen int
	in     view.Founding
	wrong  string
	cutOff bool // the relay was not reached
}

func newFoundPage(f *frame.Frame) *foundPage { return &foundPage{f: f} }

func (p *foundPage) Title() string { return "Found a game" }

func (p *foundPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := p.f.Host.Home(ctx)
	if err != nil {
		return nil, err
	}
	sets := p.sets
	if sets == nil {
		if sets, err = p.f.Host.Rulesets(ctx); err != nil {
			return nil, err
		}
	}
	return func() {
		first := p.view == nil
		p.view, p.sets = v, sets
		if first {
			p.in.Name = v.Name
			p.choose(0)
		}
	}, nil
}

func (p *foundPage) choose(i int) {
	p.chosen = i
	p.in.Options = map[string]string{}
	if i < len(p.sets) {
		p.in.Ruleset = p.sets[i].Name
		for _, o := range p.sets[i].Options {
			p.in.Options[o.Name] = o.Default
		}
	}
}

func (p *foundPage) Render() app.UI {
	v := p.view
	if len(p.sets) == 0 {
		return app.Div().Body(kit.Heading("Found a game"), kit.Note("bad", "This version of the app holds no ruleset."))
	}
	set := p.sets[p.chosen]
	fields := []app.UI{
		kit.Bounded("found-name", "Your name in the game", "What the others will see.", p.in.Name, view.NameLimit,
			app.Input().ID("found-name").Type("text").Value(v.Name).Required(true).
				DataSet("test", "found-name").OnInput(kit.Into(&p.in.Name), "name")),
		kit.Bounded("found-title", "The game's name (optional)", "", p.in.Title, view.TitleLimit,
			app.Input().ID("found-title").Type("text").Placeholder(set.Title).
				DataSet("test", "found-title").OnInput(kit.Into(&p.in.Title), "title")),
	}
	return app.Div().Class("found").Body(
		kit.Heading("Found a game"),
		app.Form().Class("form").OnSubmit(p.onSubmit).Body(
			app.FieldSet().Class("rulesets").Body(
				app.Legend().Text("Which rules to begin with"),
				app.Div().Body(kit.Each(p.sets, p.ruleset)...)),
			app.Div().Body(fields...),
			kit.When(len(set.Options) > 0, func() app.UI {
				return kit.Keyed("options-"+set.Name, app.Details().Class("options").Body(
					app.Summary().Text("More choices (all have sensible defaults)"),
					app.Div().Body(kit.Each(set.Options, p.option)...)))
			}),
			kit.When(p.wrong != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong) }),
			kit.When(p.cutOff, func() app.UI {
				return kit.Notice("wait", app.P().Text("The relay is not reached: this device seems to be offline. A game with others begins there, so that nobody can choose "+
					"its order or its dice; found it when you are online."),
					app.P().Text("Alone you can begin now: the same rules, on this device only, with dice that nobody witnesses. Such a game can go on later "+
						"in a room with others, from any point of it.")).Role("alert").DataSet("test", "found-offline")
			}),
			app.Div().Class("row").Body(
				app.Button().Type("submit").Class("btn", "btn-main").Disabled(p.f.Busy("found")).
					DataSet("test", "found-submit").Body(kit.Icon("plus"), app.Span().Text("Found "+cmp.Or(p.in.Title, set.Title))),
				kit.IconButton("home", "Practise alone", p.onPractise).Class("btn-quiet").Disabled(p.f.Busy("found")).
					Title("On this device only, with dice that nobody witnesses").DataSet("test", "found-practice"),
				kit.Link("/", "Back")),
		))
}

func (p *foundPage) ruleset(i int, s view.Ruleset) app.UI {
	return app.Label().Class("ruleset").DataSet("accent", s.Accent).Body(
		app.Input().Type("radio").Name("ruleset").Value(s.Name).Checked(p.chosen == i).
			DataSet("test", "ruleset-"+kit.Slug(s.Name)).
			OnChange(func(app.Context, app.Event) { p.choose(i) }, i),
		app.Span().Class("ruleset-body").Body(
			app.Span().Class("ruleset-title").Text(s.Title),
			app.Span().Class("ruleset-text").Text(s.Summary),
			app.If(s.Mood != "" || s.Learn != "", app.Span().Class("quiet").Text(kit.JoinWords(s.Mood, s.Learn))),
		))
}

func (p *foundPage) option(_ int, o view.Option) app.UI {
	id := "option-" + kit.Slug(o.Name)
	name := o.Name
	set := func(ctx app.Context, _ app.Event) { p.in.Options[name] = ctx.JSSrc().Get("value").String() }
	if len(o.Choices) > 0 {
		return kit.Field(id, o.Label, o.Help, app.Select().ID(id).OnChange(set, id).Body(
			kit.Each(o.Choices, func(_ int, c view.Choice) app.UI {
				v, _ := c.Value.(string)
				return app.Option().Value(v).Selected(v == o.Default).Text(c.Label)
			})...))
	}
	return kit.Field(id, o.Label, o.Help, app.Input().ID(id).Type("text").Value(o.Default).OnInput(set, id))
}

func (p *foundPage) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	p.found(ctx, false)
}

func (p *foundPage) onPractise(ctx app.Context, _ app.Event) { p.found(ctx, true) }

func (p *foundPage) found(ctx app.Context, practice bool) {
	p.wrong, p.cutOff = "", false
	if name := strings.TrimSpace(p.in.Name); name == "" {
		p.wrong = "The others need a name to call you by."
		kit.Focus(ctx, "found-name")
		return
	}
	if p.f.TooLong("found-name", strings.TrimSpace(p.in.Name), view.NameLimit) ||
		p.f.TooLong("found-title", strings.TrimSpace(p.in.Title), view.TitleLimit) {
		return
	}
	in := p.in
	in.Title = cmp.Or(strings.TrimSpace(in.Title), p.sets[p.chosen].Title)
	in.Name = strings.TrimSpace(in.Name)
	in.Practice = practice
	p.f.Async("found", "Founding the game", func(c context.Context) (func(app.Context), error) {
		room, err := p.f.Host.Found(c, in)
		if errors.Is(err, view.ErrNoRelay) {
			return func(app.Context) { p.cutOff = true }, nil
		}
		return func(ctx app.Context) { ctx.Navigate(view.Path(room, "now")) }, err
	})
}
