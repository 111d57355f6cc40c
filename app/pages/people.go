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
	"peernomic/app/workshop"
)

// peoplePage is the roster.
type peoplePage struct {
	f     *frame.Frame
	view  *view.People
	admit map[int64]*kit.Form
	forms map[string]*kit.Form
	all   bool  // shows everybody at the door
	open  int64 // whose details are open
	what  string
}

func (p *peoplePage) Title() string { return "People" }

func (p *peoplePage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.People(ctx)
	if err != nil {
		return nil, err
	}
	if p.open != 0 && p.view == nil && !slices.ContainsFunc(v.People, func(q view.Person) bool { return q.ID == p.open }) {
		return nil, view.ErrNone
	}
	return func() {
		p.view = v
		p.admit = make(map[int64]*kit.Form)
		for _, q := range v.People {
			if q.Admit == nil {
				continue
			}
			f := kit.NewForm(p.f, "admit-"+kit.Itoa(q.ID), *q.Admit)
			f.Fixed = map[string]any{kit.PlayerParam(*q.Admit): q.ID}
			p.admit[q.ID] = f
		}
		if p.forms == nil {
			p.forms = make(map[string]*kit.Form)
		}
		for _, a := range v.Actions {
			if f := p.forms[a.Name]; f != nil {
				f.Renew(a)
			} else {
				p.forms[a.Name] = kit.NewForm(p.f, "people-"+a.Name, a)
			}
		}
	}, nil
}

// doorShown is how many people who are not players are shown: anybody with the invite can make any number.
const doorShown = 20

func (p *peoplePage) Render() app.UI {
	v := p.view
	var knocking, playing, others []view.Person
	for _, q := range v.People {
		switch q.Standing {
		case "player":
			playing = append(playing, q)
		case "applicant", "stranger":
			knocking = append(knocking, q)
		default:
			others = append(others, q)
		}
	}
	slices.Reverse(knocking)
	slices.SortStableFunc(knocking, func(a, b view.Person) int { return strings.Compare(a.Standing, b.Standing) }) // applicants before strangers
	w := p.f.Shell.Words
	body := []app.UI{kit.Heading("People")}
	if n := len(knocking); n > 0 {
		var rest app.UI
		if n > doorShown && !p.all {
			knocking = knocking[:doorShown]
			rest = app.P().Body(kit.Button("Show all "+kit.Itoa(n), func(app.Context, app.Event) { p.all = true }).DataSet("test", "whole-door"))
		}
		body = append(body, app.Section().Body(app.H2().Text("At the door"),
			app.Ul().Class("people").Body(kit.Each(knocking, p.person)...), rest))
	}
	body = append(body, app.Section().Body(app.H2().Text(cmp.Or(w.Players, "Players")),
		app.Ul().Class("people").Body(kit.Each(playing, p.person)...)))
	if len(others) > 0 {
		body = append(body, app.Section().Body(app.H2().Text("Gone"),
			app.Ul().Class("people").Body(kit.Each(others, p.person)...)))
	}
	if len(v.Actions) > 0 {
		body = append(body, app.Section().Class("actions").Body(app.H2().Text("What you can do here"),
			app.Ul().Class("action-list").Body(kit.Each(v.Actions, p.action)...)))
	}
	body = append(body, conventionLink(p.f, "Has somebody lost every device, and comes back with a new key?"))
	if v.Invite != "" {
		body = append(body, app.Section().Body(app.H2().Text("Invite somebody"), inviteBox(p.f, v.Invite)))
	}
	return app.Div().Body(body...)
}

func (p *peoplePage) person(_ int, q view.Person) app.UI {
	id := q.ID
	var tags []app.UI
	tag := func(text string) { tags = append(tags, app.Span().Class("tag").Text(text)) }
	if q.You {
		tag("you")
	}
	if q.Head {
		tag(p.f.Shell.Words.Head)
	}
	if q.Admin {
		tag("admin")
	}
	if q.Idle {
		tag("idle")
	}
	switch q.Standing {
	case "applicant":
		tag("asks to be admitted")
	case "stranger":
		tag("looking around")
	case "left":
		tag("left")
	}
	if q.Here != "" && !q.You {
		tags = append(tags, app.Span().Class("tag", "tag-here").Body(app.Span().Class("dot").Aria("hidden", "true"), app.Text("here")))
	}
	acted := app.UI(app.Span().Class("quiet").Text("has not acted yet"))
	if q.Acted != 0 {
		acted = app.Span().Class("quiet").Body(app.Text("last acted "), kit.Moment(q.Acted, p.f.Now()))
	}
	body := []app.UI{
		app.Div().Class("person-line").Body(
			kit.Disc(q.Name),
			app.Div().Class("person-main").Body(
				app.P().Class("person-name").Body(append([]app.UI{kit.Alone(app.Strong(), q.Name)}, tags...)...),
				app.P().Body(acted, app.If(q.Note != "", app.Span().Class("quiet").Text(" · "+q.Note)))),
			app.Button().Type("button").Class("btn", "btn-quiet").Aria("expanded", p.open == id).
				Aria("label", "Keys of "+q.Name).DataSet("test", "keys-"+kit.Slug(q.Name)).OnClick(func(app.Context, app.Event) { p.toggle(id) }, id).
				Body(kit.Icon("key"), app.Span().Text("Keys"))),
	}
	for _, f := range q.Forks {
		body = append(body, kit.Note("bad", q.Name+"’s device "+f.Device+" has signed two different actions with the number "+kit.Itoa(f.Number)+
			". What the game ordered first counts; the other and all that follows it are void. The proof is under “Keys”.").DataSet("test", "fork"))
	}
	if f := p.admit[id]; f != nil {
		if q.Admit.Open {
			body = append(body, app.Div().Class("admit").DataSet("test", "admit-"+kit.Slug(q.Name)).Body(f.Render()))
		} else {
			body = append(body, app.P().Class("quiet").Text(q.Admit.Title+": "+q.Admit.Reason))
		}
	}
	if p.open == id {
		body = append(body, p.keys(q))
	}
	return app.Li().Class("person-item").DataSet("test", "person-"+kit.Slug(q.Name)).DataSet("standing", q.Standing).
		Body(kit.Keyed("person-"+kit.Itoa(id), body...))
}

// keys shows fingerprints to compare by another way, such as the telephone.
func (p *peoplePage) keys(q view.Person) app.UI {
	facts := []view.Fact{{Name: "Identity", Value: q.Fingerprint, Code: true}}
	for _, d := range q.Devices {
		name := "Device"
		if d.This {
			name = "This device"
		}
		facts = append(facts, view.Fact{Name: name, Value: d.Fingerprint + "  ·  " + kit.Plural(d.Actions, "action", "actions"), Code: true})
	}
	for _, f := range q.Forks {
		facts = append(facts, view.Fact{Name: "Number " + kit.Itoa(f.Number) + ", one action", Value: f.First, Code: true},
			view.Fact{Name: "Number " + kit.Itoa(f.Number) + ", the other", Value: f.Second, Code: true})
	}
	return app.Div().Class("keys").Body(
		app.P().Class("quiet").Text("Compare these with what "+view.Isolated(q.Name)+" sees under People, by another way than this app. If they are equal, you play with the same person's key."),
		kit.Facts(facts),
		kit.When(p.f.Shell.CanPropose && q.Standing == "player", func() app.UI {
			return app.P().Body(app.A().Class("btn", "btn-quiet").Href(workshop.SetPath(p.f.Address.Room, "players", q.ID, "")).
				Body(kit.Icon("pen"), app.Span().Text("Propose something about "+view.Isolated(q.Name))))
		}))
}

func (p *peoplePage) toggle(id int64) {
	if p.open == id {
		p.open = 0
		return
	}
	p.open = id
}

func (p *peoplePage) action(_ int, a view.Action) app.UI {
	name := a.Name
	open := p.what == name
	body := []app.UI{app.Button().Type("button").Class("action-head").Aria("expanded", open).
		DataSet("test", "action-"+kit.Slug(name)).
		OnClick(func(app.Context, app.Event) {
			if p.what == name {
				p.what = ""
			} else {
				p.what = name
				p.f.ClearMessages()
			}
		}, name).
		Body(app.Span().Class("action-title").Text(a.Title), kit.Icon(kit.FoldGlyph(open)))}
	if !a.Open {
		body = []app.UI{app.P().Class("action-title").Text(a.Title), app.P().Class("action-why").Text(kit.Capital(a.Reason))}
	} else if open {
		body = append(body, app.Div().Class("action-body").Body(
			app.If(a.Help != "", app.P().Class("help").Text(a.Help)), p.forms[name].Render()))
	}
	class := "action"
	if !a.Open {
		class += " action-shut"
	}
	return app.Li().Class(class).Body(kit.Keyed("pa-"+name, body...))
}
