package frame

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// UpdateApp takes the new version of the app, in all tabs.
func UpdateApp(ctx app.Context, _ app.Event) {
	if f := app.Window().Get("peernomicUpdate"); f.Truthy() {
		app.Window().Call("peernomicUpdate")
		return
	}
	ctx.Reload()
}
