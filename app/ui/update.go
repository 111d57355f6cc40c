package ui

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// updateApp takes the new version of the app, in all tabs.
func updateApp(ctx app.Context, _ app.Event) {
	if f := app.Window().Get("peernomicUpdate"); f.Truthy() {
		app.Window().Call("peernomicUpdate")
		return
	}
	ctx.Reload()
}
