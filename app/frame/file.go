package frame

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// fileLimit is the largest file that is read from the person's disk.
const fileLimit = 512 << 20

// ReadFile reads the file chosen in a file input and hands it over on the UI
// goroutine.
func (f *Frame) ReadFile(input app.Value, use func(app.Context, []byte)) {
	files := input.Get("files")
	if !files.Truthy() || files.Get("length").Int() == 0 {
		return
	}
	file := files.Index(0)
	if file.Get("size").Int() > fileLimit {
		f.Say("bad", "That file is too large to be a game.")
		return
	}
	file.Call("arrayBuffer").Then(func(buffer app.Value) {
		view := app.Window().Get("Uint8Array").New(buffer)
		data := make([]byte, view.Get("length").Int())
		app.CopyBytesToGo(data, view)
		f.Ctx.Dispatch(func(ctx app.Context) { use(ctx, data) })
	})
}

// CopyText puts text on the clipboard and says so.
func (f *Frame) CopyText(what, text string) {
	clip := app.Window().Get("navigator").Get("clipboard")
	if !clip.Truthy() {
		f.Say("bad", "This browser gives no clipboard here; mark the text and copy it by hand.")
		return
	}
	clip.Call("writeText", text)
	f.Say("good", what+" copied.")
}

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
