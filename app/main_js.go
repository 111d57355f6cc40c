//go:build js && wasm

package main

import "github.com/maxence-charriere/go-app/v9/pkg/app"

func main() {
	app.RouteFunc("/", func() app.Composer { return &placeholder{} })
	app.RunWhenOnBrowser()
}

// placeholder stands in until the pages exist.
type placeholder struct{ app.Compo }

func (p *placeholder) Render() app.UI {
	return app.Main().DataSet("test", "home").Body(app.H1().Text("peernomic"))
}
