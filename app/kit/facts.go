package kit

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Facts shows names with values.
func Facts(facts []view.Fact) app.UI {
	return app.Dl().Class("facts").Body(Each(facts, func(_ int, f view.Fact) app.UI {
		dd := app.Dd()
		if f.Code {
			dd = dd.Class("hex")
		}
		return app.Div().DataSet("test", "fact-"+Slug(f.Name)).Body(app.Dt().Text(f.Name), dd.Text(f.Value),
			When(f.Help != "", func() app.UI { return app.Dd().Class("fact-help").Text(f.Help) }))
	})...)
}
