package ui

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// keyed wraps elements in one whose tag carries a key. Go-app matches children by
// position and tag; under another key it makes new elements instead of giving old
// ones, with what was typed in them, a new meaning.
func keyed(key string, body ...app.UI) app.UI {
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

// button makes a plain button. The scope tells handlers of the same code apart and
// is needed whenever the handler is a closure over more than its page.
func button(label string, h app.EventHandler, scope ...any) app.HTMLButton {
	return app.Button().Type("button").Class("btn").OnClick(h, scope...).Body(app.Span().Text(label))
}

// iconButton makes a button with an icon before its label.
func iconButton(glyph, label string, h app.EventHandler, scope ...any) app.HTMLButton {
	return app.Button().Type("button").Class("btn").OnClick(h, scope...).
		Body(icon(glyph), app.Span().Text(label))
}

// link makes a link within the app.
func link(href, label string) app.HTMLA {
	return app.A().Href(href).Text(label)
}

// notice is a paragraph that must not be missed. Its kind is "good", "bad", "wait"
// or "note".
func notice(kind string, body ...app.UI) app.HTMLDiv {
	glyph := map[string]string{"good": "check", "bad": "warn", "wait": "wait"}[kind]
	if glyph == "" {
		glyph = "comment"
	}
	return app.Div().Class("notice", "notice-"+kind).
		Body(icon(glyph), app.Div().Class("notice-text").Body(body...))
}

// note is a notice of one sentence.
func note(kind, text string) app.HTMLDiv { return notice(kind, app.P().Text(view.Isolated(text))) }

// waits says what something tentative waits for.
func waits(text string) app.UI {
	if text == "" {
		text = "not yet in its place: waiting for the relay"
	}
	return app.P().Class("waits").DataSet("test", "tentative").Body(icon("wait"), app.Span().Text("Tentative: "+view.Isolated(text)))
}

// heading is the head of a page.
func heading(title string, under ...app.UI) app.UI {
	body := []app.UI{alone(app.H1().ID("page-title").TabIndex(-1), title)}
	if len(under) > 0 {
		body = append(body, app.P().Class("under").Body(under...))
	}
	return app.Header().Class("page-head").Body(body...)
}

// empty says that a list has nothing in it and why that is fine.
func empty(text string) app.UI {
	return app.P().Class("empty").Text(view.Isolated(text))
}

// when builds an element only if it is wanted; app.If builds both of its branches.
func when(yes bool, f func() app.UI) app.UI {
	if yes {
		return f()
	}
	return nil
}

// each builds one element for each item.
func each[T any](items []T, f func(i int, item T) app.UI) []app.UI {
	out := make([]app.UI, len(items))
	for i, item := range items {
		out[i] = f(i, item)
	}
	return out
}

// field is a labelled control with help under it.
func field(id, label, help string, control app.UI) app.UI {
	body := []app.UI{app.Label().For(id).Text(label), control}
	if help != "" {
		body = append(body, app.P().Class("help").ID(id+"-help").Text(help))
	}
	return app.Div().Class("field").Body(body...)
}

// setValue writes into an input from outside, which rendering never does.
func setValue(id, value string) {
	if e := app.Window().GetElementByID(id); e.Truthy() {
		e.Set("value", value)
	}
}

// focus moves the keyboard to an element once the page has been drawn.
func focus(ctx app.Context, id string) {
	ctx.Defer(func(app.Context) {
		if e := app.Window().GetElementByID(id); e.Truthy() {
			e.Call("focus")
		}
	})
}

// focused is the id of the element that the keyboard is at, or empty.
func focused() string {
	if e := app.Window().Get("document").Get("activeElement"); e.Truthy() {
		return e.Get("id").String()
	}
	return ""
}

// meter is a bar with a mark, drawn in SVG as no element may carry a style.
// Parts are counts drawn from the left; the whole is how many there could be.
func meter(label string, parts []view.TallyPart, notch, whole int) app.UI {
	whole = max(whole, 1)
	const width = 1000
	at := func(n int) int { return min(n, whole) * width / whole }
	body := []app.UI{svgRect("0", "12", width, 16, "track")}
	x := 0
	for i, p := range parts {
		if p.Count <= 0 {
			continue
		}
		w := at(p.Count)
		body = append(body, svgRect(itoa(x), "12", w, 16, "part-"+itoa(min(i, 3))+" part-"+slug(p.Word)))
		x += w
	}
	if notch > 0 {
		n := at(notch)
		body = append(body, svgRect(itoa(max(n-3, 0)), "2", 6, 36, "notch"))
	}
	return app.Div().Class("meter").Role("img").Aria("label", label).Body(
		app.Elem("svg").XMLNS(svgNS).Attr("viewBox", "0 0 1000 40").
			Attr("preserveAspectRatio", "none").Attr("width", "100%").Attr("height", "20").
			Body(body...))
}

// svgRect draws a bar. SVG elements take no class through go-app, so what it is
// stands in data-part, where the style sheet finds it.
func svgRect(x, y string, w, h int, part string) app.UI {
	return app.Elem("rect").XMLNS(svgNS).Attr("x", x).Attr("y", y).
		Attr("width", itoa(w)).Attr("height", itoa(h)).Attr("data-part", part)
}

// slug makes a word fit for an identifier.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// named is a name within a sentence.
func named(name string) app.UI { return app.Elem("bdi").Text(view.Unstacked(name)) }

// alone gives an element nothing but what somebody wrote, in its own direction.
func alone[T interface {
	Text(v any) T
	Attr(n string, v any) T
}](e T, text string) T {
	return e.Attr("dir", "auto").Text(view.Unstacked(text))
}

// itoa writes a whole number.
func itoa[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }
