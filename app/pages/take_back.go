package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
)

// takeBack unfolds what taking back does before it is done, as nothing brings a post back.
func takeBack(f *kit.Form) app.UI {
	return app.Details().Class("take-back").DataSet("test", "take-back-"+kit.Slug(f.Key)).Body(
		app.Summary().Text(f.Action.Title),
		app.If(f.Action.Help != "", app.P().Class("help").Text(f.Action.Help)), f.Render())
}
