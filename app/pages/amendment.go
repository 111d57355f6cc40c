package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// amendmentView shows one change a matter would make.
func amendmentView(f *frame.Frame, a view.Amendment) app.UI {
	body := []app.UI{app.H3().Text(a.What)}
	if a.Problem != "" {
		body = append(body, kit.Note("bad", a.Problem))
	}
	switch {
	case a.Document:
		body = append(body, f.Diff(a.Old, a.New))
	case a.Old != "" || a.New != "":
		body = append(body, kit.Changes([]view.Change{{Column: "", Old: a.Old, New: a.New}}))
	}
	return app.Article().Class("amendment").DataSet("test", "amendment").Body(body...)
}
