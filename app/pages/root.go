package pages

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// loadState is how far the page's view has come.
type loadState int

const (
	notAsked loadState = iota
	loading
	loaded
	failed
)

// root is the app's one component: it opens the game of the address, makes the page, loads it, and
// draws it in its frame.
type root struct {
	app.Compo

	f     *frame.Frame
	key   string // of the page shown
	state loadState
	err   error

	opening    string // the room that is being opened
	openingFar *view.Opening
	unwatch    func()
	stale      bool // something changed while loading
	busyLoad   bool
	focusNext  string // id of the element that the keyboard goes back to once the page is there

	menu       bool     // the phone's menu is open
	netOpen    bool     // the sign of the connection is explained
	palette    *palette // open if not nil
	stopKeys   func()   // stops listening for keys
	dismounted context.CancelFunc
}

// newRoot makes the component for a device.
func newRoot(h view.Host) *root {
	r := &root{f: &frame.Frame{Host: h}}
	r.f.Show, r.f.Reload = r.show, r.changed
	return r
}

var (
	_ app.Mounter    = (*root)(nil)
	_ app.Navigator  = (*root)(nil)
	_ app.AppUpdater = (*root)(nil)
	_ app.Dismounter = (*root)(nil)
)

// OnMount begins the life of the app in this tab.
func (r *root) OnMount(ctx app.Context) {
	r.f.Ctx = ctx
	r.f.Life, r.dismounted = context.WithCancel(context.Background())
	r.f.UpdateReady = ctx.AppUpdateAvailable()
	r.stopKeys = r.listen()
	r.tick()
}

// OnDismount ends it.
func (r *root) OnDismount() {
	if r.stopKeys != nil {
		r.stopKeys()
	}
	r.leaveGame()
	if r.dismounted != nil {
		r.dismounted()
	}
}

// OnAppUpdate learns that a new version waits for the person's click.
func (r *root) OnAppUpdate(app.Context) { r.f.UpdateReady = true }

// tick redraws now and then so that relative times stay true.
func (r *root) tick() {
	r.f.Ctx.After(15*time.Second, func(app.Context) { r.tick() })
}

// OnNav goes to the page of the address in the address bar.
func (r *root) OnNav(ctx app.Context) {
	u := ctx.Page().URL()
	if secret, ok := inviteSecret(u); ok {
		// The secret must not stay where a shoulder or a synced history sees it.
		u.Fragment = ""
		u.Path = "/join"
		ctx.Page().ReplaceURL(u)
		r.show(view.Address{Page: "join"}, "join", newJoinPage(r.f, secret))
		return
	}
	a := view.ParseAddress(u)
	key := strings.Join([]string{a.Room, a.Page, a.Arg, a.Query.Encode()}, "|")
	if key == r.key && r.f.Page != nil {
		return
	}
	if a.Room != r.f.Address.Room {
		r.leaveGame()
	}
	r.show(a, key, makePage(r.f, a))
}

// show makes p the page and loads it, after the game it belongs to.
func (r *root) show(a view.Address, key string, p frame.Page) {
	fresh := r.f.Page != nil
	r.focusNext = ""
	if fresh && r.f.Address.SamePlace(a) {
		r.focusNext = kit.Focused()
	}
	r.f.DismissRead()
	r.palette, r.netOpen, r.menu = nil, false, false
	r.f.Address, r.f.Page = a, p
	r.key, r.state, r.err = key, notAsked, nil
	if a.Room != "" && r.f.Game == nil {
		r.openGame(a.Room)
	} else {
		if a.Room == "" {
			r.watchHome()
		}
		r.reload()
	}
	if fresh && r.focusNext == "" {
		r.f.Ctx.Defer(func(app.Context) {
			app.Window().Call("scrollTo", 0, 0)
			if e := app.Window().GetElementByID("main"); e.Truthy() {
				e.Call("focus", map[string]any{"preventScroll": true})
			}
		})
	}
}

// watchHome follows the games of this device while a page outside a game is open.
func (r *root) watchHome() {
	if r.unwatch != nil {
		return
	}
	ctx := r.f.Ctx
	r.unwatch = r.f.Host.Watch(func() { ctx.Dispatch(func(app.Context) { r.changed() }) })
}

// openGame opens a room and then loads the page that waits for it.
func (r *root) openGame(room string) {
	r.state = loading
	if r.opening == room {
		return // the page that waits for it now is loaded when it is there
	}
	r.leaveGame()
	r.opening = room
	life, ctx := r.f.Life, r.f.Ctx
	r.unwatch = r.f.Host.Watch(func() {
		ctx.Dispatch(func(app.Context) {
			if r.opening == room {
				r.openingFar = r.f.Host.Opening(room)
			}
		})
	})
	ctx.Async(func() {
		g, err := r.f.Host.Open(life, room)
		ctx.Dispatch(func(ctx app.Context) {
			if r.f.Address.Room != room || r.opening != room {
				return
			}
			r.leaveGame()
			if err != nil {
				r.state, r.err = failed, err
				return
			}
			r.f.Game = g
			r.unwatch = g.Watch(func() { ctx.Dispatch(func(app.Context) { r.changed() }) })
			r.reload()
		})
	})
}

// leaveGame lets go of the open game.
func (r *root) leaveGame() {
	if r.unwatch != nil {
		r.unwatch()
	}
	r.unwatch, r.opening, r.openingFar = nil, "", nil
	r.f.LeaveGame()
}

// changed loads again, or notes that it must once the present load is done.
func (r *root) changed() {
	if r.busyLoad {
		r.stale = true
		return
	}
	r.reload()
}

// reload asks for the page's view. What is shown stays until the new one is there.
func (r *root) reload() {
	p, g, life, ctx := r.f.Page, r.f.Game, r.f.Life, r.f.Ctx
	if p == nil || r.busyLoad {
		r.stale = r.busyLoad
		return
	}
	if r.f.Address.Room != "" && g == nil {
		return
	}
	r.busyLoad, r.stale = true, false
	if r.state != loaded {
		r.state = loading
	}
	ctx.Async(func() {
		var shell *view.Shell
		var err error
		if g != nil {
			shell, err = g.Shell(life)
		}
		var apply func()
		if err == nil {
			apply, err = p.Load(life, g)
		}
		ctx.Dispatch(func(ctx app.Context) {
			r.busyLoad = false
			if r.f.Game == g && shell != nil {
				r.f.SetShell(shell)
			}
			switch {
			case r.f.Page != p:
				r.stale = true
			case err != nil && errors.Is(err, context.Canceled):
			case err != nil:
				r.state, r.err = failed, err
				r.nameTab(ctx)
			default:
				if apply != nil {
					apply()
				}
				r.state = loaded
				r.nameTab(ctx)
				if r.focusNext != "" {
					kit.Focus(ctx, r.focusNext)
					r.focusNext = ""
				}
			}
			if r.stale {
				r.reload()
			}
		})
	})
}

// nameTab gives the tab its title.
func (r *root) nameTab(ctx app.Context) {
	title := r.f.Page.Title()
	if m, ok := missing(r.f.Address, r.err); ok && r.state == failed {
		title = "No such " + m.What
	}
	if r.f.Shell != nil {
		title += " · " + r.f.Shell.Title
		if r.f.Shell.Needs > 0 {
			title = "(" + kit.Itoa(r.f.Shell.Needs) + ") " + title
		}
	}
	ctx.Page().SetTitle(title + " · peernomic")
}

// Run shows the app in the browser and returns only when the tab closes. Natively
// it returns at once.
func Run(h view.Host) {
	app.RouteWithRegexpFunc("^/", func() app.Composer { return newRoot(h) })
	app.RunWhenOnBrowser()
}
