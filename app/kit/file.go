package kit

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// SaveFile offers data to the person as a file.
func SaveFile(name, kind string, data []byte) {
	array := app.Window().Get("Uint8Array").New(len(data))
	app.CopyBytesToJS(array, data)
	parts := app.Window().Get("Array").New()
	parts.Call("push", array)
	blob := app.Window().Get("Blob").New(parts, map[string]any{"type": kind})
	url := app.Window().Get("URL").Call("createObjectURL", blob)
	a := app.Window().Get("document").Call("createElement", "a")
	a.Set("href", url)
	a.Call("setAttribute", "download", name)
	app.Window().Get("document").Get("body").Call("appendChild", a)
	a.Call("click")
	a.Call("remove")
	app.Window().Get("URL").Call("revokeObjectURL", url)
}
