package pages

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Run shows the app in the browser and returns only when the tab closes. Natively
// it returns at once.
func Run(h view.Host) {
	app.RouteWithRegexpFunc("^/", func() app.Composer { return newRoot(h) })
	app.RunWhenOnBrowser()
}
