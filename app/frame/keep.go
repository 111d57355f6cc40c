package frame

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Keep keeps something of a page on the device, such as a draft, under a key; nil removes what is
// kept. What it is called is said if it cannot be kept. The game is given as the page may have been
// left by then.
func (f *Frame) Keep(g view.DraftKeeper, key, called string, v any) {
	text := ""
	if v != nil {
		var err error
		if text, err = Kept(v); err != nil {
			return
		}
	}
	ctx, life := f.Ctx, f.Life
	ctx.Async(func() {
		if err := g.SaveDraft(life, key, text); err != nil {
			ctx.Dispatch(func(app.Context) { f.Say("bad", called+" could not be kept: "+err.Error()+".") })
		}
	})
}

// Kept writes something as it is kept.
func Kept(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// Recall reads what was kept, and reports whether there was anything to read.
func Recall(kept string, v any) bool { return json.Unmarshal([]byte(kept), v) == nil }
