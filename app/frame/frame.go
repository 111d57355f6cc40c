package frame

import (
	"context"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// Page is one page of the app. Load runs off the UI goroutine and returns what to
// do on it with the result; Render draws and changes nothing.
type Page interface {
	Title() string
	Load(ctx context.Context, g view.Game) (apply func(), err error)
	Render() app.UI
}

// Frame is what a page stands in: where the person is, the open game and its time, and the ways to
// do something and to say what came of it. There is one. The app sets its fields and pages read
// them, both on the UI goroutine only.
type Frame struct {
	Host    view.Host
	Game    view.Game    // nil while none is open
	Shell   *view.Shell  // nil until it is loaded; see [Frame.SetShell]
	Address view.Address // of the page shown
	Page    Page         // the page shown

	// Ctx is the app's own. What comes back later is dispatched through it: go-app
	// drops what is dispatched for an element that has gone meanwhile, and the form
	// that began something is often gone when it is done. It is nil in tests.
	Ctx app.Context
	// Life ends when the app in this tab does.
	Life context.Context

	// Show makes a page the one shown, under an address that need not be in the address bar.
	Show func(a view.Address, key string, p Page)
	// Reload asks for the page's view again, as it may have changed.
	Reload func()
	// UpdateReady says that a new version of the app waits for the person's click.
	UpdateReady bool

	shellAt  time.Time
	prose    kit.Markdowns
	busy     map[string]bool          // what is being done, by the key of its control
	pending  map[string]pendingAction // my tentative actions, by reference
	reported map[string]bool          // actions whose end was reported, by reference
	messages []message
	shown    int // counts the messages ever shown, which gives them their numbers
}

// SetShell takes in the shell of the open game, and reports what became of the person's actions.
func (f *Frame) SetShell(s *view.Shell) {
	f.Shell, f.shellAt = s, time.Now()
	f.reportPlaced(s)
}

// LeaveGame lets go of the open game.
func (f *Frame) LeaveGame() {
	f.Game, f.Shell, f.pending, f.reported = nil, nil, nil, nil
}

// Now returns the game's time: what the last shell said plus what has passed since.
func (f *Frame) Now() int64 {
	if f.Shell == nil || f.Shell.Clock == 0 {
		return time.Now().UnixMilli()
	}
	return f.Shell.Clock + time.Since(f.shellAt).Milliseconds()
}

// Present returns the time now, also where the past is shown. It is for what the device does meanwhile.
func (f *Frame) Present() int64 {
	if f.Shell != nil && f.Shell.Moment != nil {
		return time.Now().UnixMilli()
	}
	return f.Now()
}

// Path returns the path of a page of the open game, at the moment that is shown.
func (f *Frame) Path(page string, arg ...string) string {
	return view.Path(f.Address.Room, page, arg...)
}

// Focus moves the keyboard to an element once the page has been drawn.
func (f *Frame) Focus(id string) {
	if f.Ctx != nil {
		kit.Focus(f.Ctx, id)
	}
}

// Markdown shows what players wrote.
func (f *Frame) Markdown(source string) app.UI { return f.prose.Show(source) }

// Chips shows rolls that open their proof.
func (f *Frame) Chips(rolls []view.Chip) []app.UI { return kit.Chips(f.Address.Room, rolls) }

// Diff shows how a rule document changes, in the words of the open game.
func (f *Frame) Diff(before, after string) app.UI { return kit.DocumentDiff(before, after, f.inWords) }

// inWords puts the dynasty's words where a rule's prose has their names.
func (f *Frame) inWords(prose string) string {
	if f.Shell == nil {
		return prose
	}
	w := f.Shell.Words
	return strings.NewReplacer("{{Player}}", w.Player, "{{Players}}", w.Players, "{{Head}}", w.Head).Replace(prose)
}

// TooLong reports whether a text exceeds its limit, and then moves the keyboard to its field, which says so.
func (f *Frame) TooLong(id, text string, most int) bool {
	wrong := kit.OverLong(text, most) != ""
	if wrong {
		f.Focus(id)
	}
	return wrong
}
