package kit

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Keyed wraps elements in one whose tag carries a key. Go-app matches children by
// position and tag; under another key it makes new elements instead of giving old
// ones, with what was typed in them, a new meaning.
func Keyed(key string, body ...app.UI) app.UI {
	var tag strings.Builder
	tag.WriteString("k-")
	for _, r := range strings.ToLower(key) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			tag.WriteRune(r)
		} else {
			tag.WriteByte('-')
		}
	}
	return app.Elem(tag.String()).Class("keyed").Body(body...)
}

// Button makes a plain button. The scope tells handlers of the same code apart and
// is needed whenever the handler is a closure over more than its page.
func Button(label string, h app.EventHandler, scope ...any) app.HTMLButton {
	return app.Button().Type("button").Class("btn").OnClick(h, scope...).Body(app.Span().Text(label))
}

// IconButton makes a button with an icon before its label.
func IconButton(glyph, label string, h app.EventHandler, scope ...any) app.HTMLButton {
	return app.Button().Type("button").Class("btn").OnClick(h, scope...).
		Body(Icon(glyph), app.Span().Text(label))
}

// Link makes a link within the app.
func Link(href, label string) app.HTMLA {
	return app.A().Href(href).Text(label)
}

// When builds an element only if it is wanted; app.If builds both of its branches.
func When(yes bool, f func() app.UI) app.UI {
	if yes {
		return f()
	}
	return nil
}

// Each builds one element for each item.
func Each[T any](items []T, f func(i int, item T) app.UI) []app.UI {
	out := make([]app.UI, len(items))
	for i, item := range items {
		out[i] = f(i, item)
	}
	return out
}

// Focus moves the keyboard to an element once the page has been drawn.
func Focus(ctx app.Context, id string) {
	ctx.Defer(func(app.Context) {
		if e := app.Window().GetElementByID(id); e.Truthy() {
			e.Call("focus")
		}
	})
}

// Focused is the id of the element that the keyboard is at, or empty.
func Focused() string {
	if e := app.Window().Get("document").Get("activeElement"); e.Truthy() {
		return e.Get("id").String()
	}
	return ""
}
