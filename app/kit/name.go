package kit

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Named is a name within a sentence.
func Named(name string) app.UI { return app.Elem("bdi").Text(view.Unstacked(name)) }

// Alone gives an element nothing but what somebody wrote, in its own direction.
func Alone[T interface {
	Text(v any) T
	Attr(n string, v any) T
}](e T, text string) T {
	return e.Attr("dir", "auto").Text(view.Unstacked(text))
}

// Person shows a name with initials in a tinted disc, so that one finds people by
// eye; the name is always beside it.
func Person(name string) app.UI {
	return app.Span().Class("person").Body(Disc(name), Alone(app.Span(), name))
}

// Disc is the tinted disc with the initial of a name, which stands beside it.
func Disc(name string) app.UI {
	initial := "?"
	for _, r := range name {
		initial = Capital(string(r))
		break
	}
	sum := 0
	for _, b := range []byte(name) {
		sum = (sum*31 + int(b)) % 997
	}
	return app.Span().Class("face").DataSet("tint", sum%6).Aria("hidden", "true").Text(initial)
}
