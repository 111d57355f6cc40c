package workshop

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// entry is one thing that the scripts of rules can say.
type entry struct {
	group, signature, meaning string // signature such as "roll(sides)", meaning as Markdown
}

// reference is everything that scripts can say, to be looked up beside the editor.
type reference struct {
	entries []entry
	err     error // why there are none
}

// fetchReference gets the reference from where the app came from.
func fetchReference(ctx context.Context, h view.Host) *reference {
	text, err := h.Manual(ctx, "reference")
	return &reference{entries: readEntries(text), err: err}
}

// readEntries takes the lists of the reference apart: lines such as - **`roll(sides)`**: one die.
func readEntries(markdown string) []entry {
	var out []entry
	group := ""
	for line := range strings.SplitSeq(markdown, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			group = heading
		}
		if item, ok := strings.CutPrefix(line, "- **`"); ok {
			if signature, meaning, ok := strings.Cut(item, "`**: "); ok {
				out = append(out, entry{group, signature, meaning})
			}
		}
	}
	return out
}

// found returns the entries that are meant by what somebody types: those of that name, or, if there is
// no such name, those that speak of it.
func (r *reference) found(typed string) []entry {
	typed = strings.ToLower(strings.TrimSpace(typed))
	var named, speaking []entry
	for _, e := range r.entries {
		name, _, _ := strings.Cut(e.signature, "(")
		switch {
		case strings.Contains(strings.ToLower(name), typed):
			named = append(named, e)
		case strings.Contains(strings.ToLower(e.signature+" "+e.meaning), typed):
			speaking = append(speaking, e)
		}
	}
	if len(named) > 0 {
		return named
	}
	return speaking
}

// lookup is the reference beside the editor.
func (p *Page) lookup() app.UI {
	body := []app.UI{
		app.Summary().Text("What a script can say"),
		app.P().Class("quiet").Body(app.Text("New to this? "), kit.Link(p.f.Path("guide", "first-rule"), "Your first rule"),
			app.Text(" begins with a rule of plain words.")),
		kit.Field("lookup", "Look up a name", "", app.Input().ID("lookup").Type("search").Placeholder("roll, column, schedule…").
			DataSet("test", "lookup").OnInput(func(ctx app.Context, _ app.Event) { p.find = ctx.JSSrc().Get("value").String() })),
	}
	switch list := p.reference.found(p.find); {
	case p.reference.err != nil:
		body = append(body, kit.Note("bad", "The reference is not here: "+p.reference.err.Error()))
	case len(list) == 0:
		body = append(body, kit.Empty("Nothing is called that."))
	default:
		var items []app.UI
		for i, e := range list {
			if i == 0 || list[i-1].group != e.group {
				items = append(items, app.Div().Class("lookup-group").Body(app.Dt().Text(e.group)))
			}
			items = append(items, app.Div().Class("lookup-entry").Body(app.Dt().Body(app.Code().Text(e.signature)), app.Dd().Text(e.meaning)))
		}
		body = append(body, app.Dl().Class("lookup-list").DataSet("test", "lookup-list").Body(items...))
	}
	return app.Details().Class("lookup").DataSet("test", "lookup-fold").Body(body...)
}
