package kit

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
	"rsc.io/qr"
)

// QR draws a QR code as one SVG path.
func QR(text string) app.UI {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil
	}
	const quiet = 3
	var d strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			w := 1
			for x+w < code.Size && code.Black(x+w, y) {
				w++
			}
			d.WriteString("M" + Itoa(x+quiet) + " " + Itoa(y+quiet) + "h" + Itoa(w) + "v1h-" + Itoa(w) + "z")
			x += w
		}
	}
	side := Itoa(code.Size + 2*quiet)
	return app.Div().Class("qr").Role("img").Aria("label", "The same link as a QR code").Body(
		app.Elem("svg").XMLNS(SVGNamespace).Attr("viewBox", "0 0 "+side+" "+side).Attr("width", "176").Attr("height", "176").
			Attr("shape-rendering", "crispEdges").Body(
			app.Elem("rect").XMLNS(SVGNamespace).Attr("width", side).Attr("height", side).Attr("fill", "#fff"),
			app.Elem("path").XMLNS(SVGNamespace).Attr("d", d.String()).Attr("fill", "#000")))
}
