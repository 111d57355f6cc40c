package kit

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Code shows a script with line numbers that are not part of its text.
func Code(code string, first int) app.UI {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	return app.Div().Class("code").TabIndex(0).Role("region").Aria("label", "Script").Body(
		app.Pre().Class("gutter").Aria("hidden", "true").Text(numbers(first, len(lines))),
		app.Pre().Class("code-text").DataSet("test", "script").Body(app.Code().Text(strings.Join(lines, "\n"))))
}

func numbers(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Itoa(first + i))
	}
	return b.String()
}
