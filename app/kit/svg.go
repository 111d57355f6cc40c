package kit

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// SVGNamespace is the XML namespace that every SVG element is made in.
const SVGNamespace = "http://www.w3.org/2000/svg"

// SVGRect draws a bar. SVG elements take no class through go-app, so what it is
// stands in data-part, where the style sheet finds it.
func SVGRect(x, y string, w, h int, part string) app.UI {
	return app.Elem("rect").XMLNS(SVGNamespace).Attr("x", x).Attr("y", y).
		Attr("width", Itoa(w)).Attr("height", Itoa(h)).Attr("data-part", part)
}

func svgPath(d, part string) app.UI {
	return app.Elem("path").XMLNS(SVGNamespace).Attr("d", d).Attr("data-part", part)
}

func svgText(x, y int, anchor, text, part string) app.UI {
	return app.Elem("text").XMLNS(SVGNamespace).Attr("x", Itoa(x)).Attr("y", Itoa(y)).Attr("text-anchor", anchor).Attr("data-part", part).Text(text)
}

// TallyBar is a bar with a mark, drawn in SVG as no element may carry a style.
// Parts are counts drawn from the left; the whole is how many there could be.
func TallyBar(label string, parts []view.TallyPart, notch, whole int) app.UI {
	whole = max(whole, 1)
	const width = 1000
	at := func(n int) int { return min(n, whole) * width / whole }
	body := []app.UI{SVGRect("0", "12", width, 16, "track")}
	x := 0
	for i, p := range parts {
		if p.Count <= 0 {
			continue
		}
		w := at(p.Count)
		body = append(body, SVGRect(Itoa(x), "12", w, 16, "part-"+Itoa(min(i, 3))+" part-"+Slug(p.Word)))
		x += w
	}
	if notch > 0 {
		n := at(notch)
		body = append(body, SVGRect(Itoa(max(n-3, 0)), "2", 6, 36, "notch"))
	}
	return app.Div().Class("tally-bar").Role("img").Aria("label", label).Body(
		app.Elem("svg").XMLNS(SVGNamespace).Attr("viewBox", "0 0 1000 40").
			Attr("preserveAspectRatio", "none").Attr("width", "100%").Attr("height", "20").
			Body(body...))
}
