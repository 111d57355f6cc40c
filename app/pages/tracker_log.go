package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// log is everything that was done, newest first, with undo where the rules give it.
func (p *trackerPage) log() app.UI {
	list := p.view.Log
	more := len(list) - p.logEnd
	if more > 0 {
		list = list[:p.logEnd]
	}
	body := []app.UI{app.H2().Text("Log")}
	if len(list) == 0 {
		body = append(body, kit.Empty("Nothing has happened yet."))
	}
	body = append(body, app.Ol().Class("log").DataSet("test", "log").Body(kit.Each(list, p.entry)...))
	if more > 0 {
		body = append(body, kit.Button(kit.Plural(more, "earlier entry", "earlier entries"),
			func(app.Context, app.Event) { p.logEnd += logStep }))
	}
	return app.Section().Class("log-block").Body(body...)
}

func (p *trackerPage) entry(_ int, e view.Entry) app.UI {
	head := []app.UI{kit.Person(e.Who), app.Strong().Text(e.Action)}
	if e.Icon != "" {
		head = append(head, app.Span().Class("vote-icon", "vote-"+kit.Slug(e.Icon)).Body(kit.Icon(e.Glyph), app.Span().Text(e.Icon)))
	}
	if e.About != "" {
		head = append(head, app.Span().Class("about").Body(app.Text("“"), kit.Named(e.About), app.Text("”")))
	}
	head = append(head, p.f.Chips(e.Rolls)...)
	head = append(head, kit.Moment(e.Time, p.f.Now()))
	body := []app.UI{app.P().Class("byline").Body(head...)}
	if e.Comment != "" {
		body = append(body, app.P().Class("log-comment").Body(app.Text("“"), kit.Named(e.Comment), app.Text("”")))
	}
	body = append(body, kit.Changes(e.Changes))
	if len(e.Notes) > 0 {
		body = append(body, app.Ul().Class("notes").Body(kit.Each(e.Notes, func(_ int, n string) app.UI { return app.Li().Text(view.Isolated(n)) })...))
	}
	switch {
	case e.Refused != "":
		text, class := "Refused: "+e.Refused, "wrong"
		if e.Tentative {
			text, class = "Would be refused as things are: "+e.Refused, "waits"
		}
		if e.RefusedBy != "" {
			text += " (" + e.RefusedBy + ")"
		}
		body = append(body, app.P().Class(class).DataSet("test", "refused").Body(kit.Icon("cross"), app.Span().Text(text)))
	}
	if e.Tentative {
		body = append(body, kit.Waits(e.Waits))
	}
	if e.CanUndo && p.f.Shell.Undo != nil {
		n := e.Number
		body = append(body, kit.IconButton("undo", "Undo", func(app.Context, app.Event) { p.f.Undo(n) }, n).
			Class("btn-quiet").DataSet("test", "undo-"+kit.Itoa(n)))
	}
	class := kit.TentativeClass(e.Tentative)
	return kit.Keyed("e-"+e.Ref, app.Li().Class("entry").Class(class).DataSet("test", "entry").
		DataSet("action", e.Action).DataSet("tentative", e.Tentative).DataSet("refused", e.Refused != "").Body(body...))
}
