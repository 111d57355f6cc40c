package kit

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// glyphs are our icons: strokes on a 24 by 24 field. A path that begins with "!" is
// filled instead.
var glyphs = map[string][]string{
	// The glyphs that rules name.
	"check":   {"M5 12.5l4.5 4.5L19 7"},
	"cross":   {"M6.5 6.5l11 11", "M17.5 6.5l-11 11"},
	"crown":   {"M4 17.5h16", "M4.5 14.5L4 7l4.5 3.5L12 5l3.5 5.5L20 7l-.5 7.5z"},
	"seal":    {"M12 3l2.2 1.7 2.8-.2.8 2.7 2.3 1.6-.9 2.7.9 2.7-2.3 1.6-.8 2.7-2.8-.2L12 20l-2.2-1.7-2.8.2-.8-2.7-2.3-1.6.9-2.7-.9-2.7 2.3-1.6.8-2.7 2.8.2z", "M9 11.5h6"},
	"arrow":   {"M5 12h14", "M13 6l6 6-6 6"},
	"comment": {"M5 5.5h14v10h-8l-4 3.5v-3.5H5z"},
	"star":    {"M12 4l2.5 5.2 5.6.8-4 4 .9 5.7-5-2.7-5 2.7.9-5.7-4-4 5.6-.8z"},
	"skull":   {"M7 17.5v-2.2A7 7 0 1 1 17 15.3v2.2z", "M9.5 17.5V20h5v-2.5", "!M9.4 10.4a1.4 1.4 0 1 0 .01 0z", "!M14.6 10.4a1.4 1.4 0 1 0 .01 0z"},
	"imp":     {"M7.2 8.3L5 4l4.6 2.3", "M16.8 8.3L19 4l-4.6 2.3", "M12 6a6.2 6.2 0 1 0 .01 0z", "!M9.8 10.6a1.1 1.1 0 1 0 .01 0z", "!M14.2 10.6a1.1 1.1 0 1 0 .01 0z", "M9.3 14.6c1.6 1.5 3.8 1.5 5.4 0"},
	// Places.
	"now":      {"M12 4a8 8 0 1 0 .01 0z", "M12 8v4.3l3 1.9"},
	"feed":     {"M5 5h14v14H5z", "M8 9h8", "M8 12h8", "M8 15h5"},
	"matters":  {"M12 4v15", "M8 19.5h8", "M5 7h14", "M5 7l-2.2 6h4.4z", "M19 7l-2.2 6h4.4z"},
	"rules":    {"M12 6.5C10 5 7.5 4.7 4.5 5v13c3-.3 5.5 0 7.5 1.5 2-1.5 4.5-1.8 7.5-1.5V5c-3-.3-5.5 0-7.5 1.5z", "M12 6.5v13"},
	"tracker":  {"M4.5 5.5h15v13h-15z", "M4.5 10h15", "M4.5 14.2h15", "M10 5.5v13"},
	"pages":    {"M7 4h7l4 4v12H7z", "M14 4v4h4"},
	"people":   {"M9 5.5a3 3 0 1 0 .01 0z", "M3.5 19c0-3.5 2.5-5 5.5-5s5.5 1.5 5.5 5", "M15.5 6a2.7 2.7 0 1 1 .6 5.3", "M16.5 14.2c2.5.3 4 1.8 4 4.8"},
	"dice":     {"M5.5 5.5h13v13h-13z", "!M9 8a1.1 1.1 0 1 0 .01 0z", "!M15 13.8a1.1 1.1 0 1 0 .01 0z", "!M12 10.9a1.1 1.1 0 1 0 .01 0z"},
	"history":  {"M5 12a7 7 0 1 0 2.2-5.1", "M4.5 4.5v3.7h3.7", "M12 8.5v4l2.7 1.6"},
	"settings": {"M4 8h9", "M17 8h3", "M15 5.8a2.2 2.2 0 1 0 .01 0z", "M4 16h3", "M11 16h9", "M9 13.8a2.2 2.2 0 1 0 .01 0z"},
	"more":     {"!M6 10.7a1.4 1.4 0 1 0 .01 0z", "!M12 10.7a1.4 1.4 0 1 0 .01 0z", "!M18 10.7a1.4 1.4 0 1 0 .01 0z"},
	"find":     {"M10.5 4.5a6 6 0 1 0 .01 0z", "M15 15l5 5"},
	"home":     {"M4.5 11L12 4.5 19.5 11", "M6.5 9.5v10h11v-10"},
	// Deeds and signs.
	"plus":    {"M12 5v14", "M5 12h14"},
	"pen":     {"M5 19l1-4L16 5l3 3L9 18z", "M14 7l3 3"},
	"undo":    {"M8 5L4.5 8.5 8 12", "M4.5 8.5H14a5 5 0 0 1 0 10H8"},
	"copy":    {"M9 9h10v10H9z", "M15 9V5H5v10h4"},
	"down":    {"M12 4v11", "M7 10.5l5 5 5-5", "M5 19.5h14"},
	"key":     {"M8 9.5a4 4 0 1 0 .01 0z", "M11.5 12L20 5.5", "M17 8l2.2 2.6"},
	"wait":    {"M7 4.5h10", "M7 19.5h10", "M8 4.5c0 4 1.8 5.5 4 7.5-2.2 2-4 3.5-4 7.5", "M16 4.5c0 4-1.8 5.5-4 7.5 2.2 2 4 3.5 4 7.5"},
	"warn":    {"M12 4.5l8.5 15h-17z", "M12 10v4.5", "M12 17v.2"},
	"direct":  {"M4.5 12h15", "M8 8.5L4.5 12 8 15.5", "M16 8.5l3.5 3.5-3.5 3.5"},
	"relay":   {"M5 17l7-10 7 10", "!M5 15.5a1.6 1.6 0 1 0 .01 0z", "!M19 15.5a1.6 1.6 0 1 0 .01 0z", "!M12 5a1.6 1.6 0 1 0 .01 0z"},
	"offline": {"M5 5l14 14", "M4.5 12.5a11 11 0 0 1 4-2.7", "M12.5 9c2.7.1 5.2 1.3 7 3.4", "M8 15.5a6 6 0 0 1 5.5-1.6", "!M12 17.3a1.3 1.3 0 1 0 .01 0z"},
	"scroll":  {"M7 5h11v11a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3h9a3 3 0 0 0 3 3", "M7 5a2 2 0 0 0-2 2v9", "M9 9h6", "M9 12h6"},
	"next":    {"M9 5l7 7-7 7"},
	"back":    {"M15 5l-7 7 7 7"},
	"up":      {"M6 15l6-6 6 6"},
	"fall":    {"M6 9l6 6 6-6"},
	"bin":     {"M5 7h14", "M9.5 7V4.5h5V7", "M7 7l.8 12.5h8.4L17 7"},
	"person":  {"M12 5a3.5 3.5 0 1 0 .01 0z", "M5 19.5c0-4 3-5.5 7-5.5s7 1.5 7 5.5"},
	"door":    {"M7 20V4.5h10V20", "M4.5 20h15", "!M14 11.5a1 1 0 1 0 .01 0z"},
	"none":    {"M7 12h10"},
}

// Icon draws one of our icons for the eye only: what it means is always said beside
// it. An unknown name draws a dash.
func Icon(name string) app.UI {
	paths, ok := glyphs[name]
	if !ok {
		paths = glyphs["none"]
	}
	body := make([]app.UI, 0, len(paths))
	for _, d := range paths {
		p := app.Elem("path").XMLNS(SVGNamespace)
		if d[0] == '!' {
			p = p.Attr("d", d[1:]).Attr("fill", "currentColor").Attr("stroke", "none")
		} else {
			p = p.Attr("d", d)
		}
		body = append(body, p)
	}
	return app.Span().Class("icon").Aria("hidden", "true").Body(
		app.Elem("svg").XMLNS(SVGNamespace).
			Attr("viewBox", "0 0 24 24").Attr("width", "24").Attr("height", "24").
			Attr("fill", "none").Attr("stroke", "currentColor").Attr("stroke-width", "1.8").
			Attr("stroke-linecap", "round").Attr("stroke-linejoin", "round").
			Attr("focusable", "false").
			Body(body...),
	)
}
