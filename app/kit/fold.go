package kit

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Fold is a way out that is shown when somebody looks for it.
func Fold(title string, body ...app.UI) app.UI {
	return app.Details().Class("way-out").Body(append([]app.UI{app.Summary().DataSet("test", "way-"+Slug(title)).Text(title)}, body...)...)
}

// FoldGlyph names the icon of a control that unfolds something.
func FoldGlyph(open bool) string {
	if open {
		return "fall"
	}
	return "next"
}

// ShowWord labels a control that shows something and hides it again.
func ShowWord(open bool, what string) string {
	if open {
		return "Hide " + what
	}
	return "Show " + what
}

// Tab is one of a row of tabs. Its ID is part of the id of its element.
type Tab struct{ ID, Label string }

// Tabs is a row of tabs; arrows move between them.
func Tabs(list []Tab, now string, choose func(string)) app.UI {
	return app.Div().Class("tabs").Role("tablist").Body(Each(list, func(i int, t Tab) app.UI {
		index := -1
		if t.ID == now {
			index = 0
		}
		return app.Button().Type("button").Class("tab").Role("tab").ID("tab-"+t.ID).TabIndex(index).
			Aria("selected", t.ID == now).Aria("controls", "tab-body").DataSet("test", "tab-"+t.ID).
			OnClick(func(app.Context, app.Event) { choose(t.ID) }, t.ID).
			OnKeyDown(func(ctx app.Context, e app.Event) {
				step := map[string]int{"ArrowRight": 1, "ArrowLeft": len(list) - 1}[e.Get("key").String()]
				if step == 0 {
					return
				}
				to := list[(i+step)%len(list)].ID
				choose(to)
				Focus(ctx, "tab-"+to)
			}, t.ID, len(list)).
			Text(t.Label)
	})...)
}
