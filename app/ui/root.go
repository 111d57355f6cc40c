package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// page is one page of the app. Load runs off the UI goroutine and returns what to
// do on it with the result; render draws and changes nothing.
type page interface {
	title() string
	load(ctx context.Context, g view.Game) (apply func(), err error)
	render() app.UI
}

// face is how far an asynchronous view has come.
type face int

const (
	notAsked face = iota
	loading
	loaded
	failed
)

// root is the app's one component: where the person is, the open game, and what
// has been said to them.
type root struct {
	app.Compo

	host view.Host
	md   *markdowns
	// ctx is the root's own. What comes back later is dispatched through it: go-app
	// drops what is dispatched for an element that has gone meanwhile, and the form
	// that began something is often gone when it is done.
	ctx app.Context

	addr view.Address
	key  string // of the page shown
	page page
	face face
	err  error

	opening    string // the room that is being opened
	openingFar *view.Opening
	game       view.Game
	shell      *view.Shell
	shellAt    time.Time
	unwatch    func()
	stale      bool // something changed while loading
	busyLoad   bool
	handOn     string // id of the element that the keyboard goes back to once the page is there

	pending    map[string]waiting // my tentative actions, by reference
	told       map[string]bool    // actions of whose end the person was told, by reference
	said       []saying
	sayings    int
	busy       map[string]bool
	menu       bool
	removing   string   // the room of the game that is removed if that is said once more
	netOpen    bool     // the sign of the connection is explained
	palette    *palette // open if not nil
	unkey      func()   // stops listening for keys
	updateHere bool
	dismounted context.CancelFunc
	life       context.Context
}

var (
	_ app.Mounter    = (*root)(nil)
	_ app.Navigator  = (*root)(nil)
	_ app.AppUpdater = (*root)(nil)
	_ app.Dismounter = (*root)(nil)
)

// OnMount begins the life of the app in this tab.
func (r *root) OnMount(ctx app.Context) {
	r.ctx = ctx
	r.busy = make(map[string]bool)
	r.md = &markdowns{}
	r.life, r.dismounted = context.WithCancel(context.Background())
	r.updateHere = ctx.AppUpdateAvailable()
	r.unkey = r.listen()
	r.tick(ctx)
}

// OnDismount ends it.
func (r *root) OnDismount() {
	if r.unkey != nil {
		r.unkey()
	}
	r.leaveGame()
	if r.dismounted != nil {
		r.dismounted()
	}
}

// OnAppUpdate learns that a new version waits for the person's click.
func (r *root) OnAppUpdate(ctx app.Context) { r.updateHere = true }

// tick redraws now and then so that relative times stay true.
func (r *root) tick(app.Context) {
	r.ctx.After(15*time.Second, func(ctx app.Context) { r.tick(ctx) })
}

// now returns the game's time: what the last view said plus what has passed since.
func (r *root) now() int64 {
	if r.shell == nil || r.shell.Clock == 0 {
		return time.Now().UnixMilli()
	}
	return r.shell.Clock + time.Since(r.shellAt).Milliseconds()
}

// present is now also where the past is shown, for what the device does meanwhile.
func (r *root) present() int64 {
	if r.shell != nil && r.shell.Moment != nil {
		return time.Now().UnixMilli()
	}
	return r.now()
}

// OnNav goes to the page of the address in the address bar.
func (r *root) OnNav(ctx app.Context) {
	u := ctx.Page().URL()
	if secret, ok := inviteSecret(u); ok {
		// The secret must not stay where a shoulder or a synced history sees it.
		u.Fragment = ""
		u.Path = "/join"
		ctx.Page().ReplaceURL(u)
		r.show(ctx, view.Address{Page: "join"}, "join", newJoinPage(r, secret))
		return
	}
	a := view.ParseAddress(u)
	key := strings.Join([]string{a.Room, a.Page, a.Arg, a.Query.Encode()}, "|")
	if key == r.key && r.page != nil {
		return
	}
	if a.Room != r.addr.Room {
		r.leaveGame()
	}
	r.show(ctx, a, key, r.makePage(a))
}

// show makes p the page and loads it, after the game it belongs to.
func (r *root) show(ctx app.Context, a view.Address, key string, p page) {
	fresh := r.page != nil
	r.handOn = ""
	if fresh && r.addr.SamePlace(a) {
		r.handOn = focused()
	}
	r.moveOn()
	r.palette, r.netOpen, r.removing = nil, false, ""
	r.addr, r.key, r.page, r.face, r.err, r.menu = a, key, p, notAsked, nil, false
	if a.Room != "" && r.game == nil {
		r.openGame(a.Room)
	} else {
		if a.Room == "" {
			r.watchHome()
		}
		r.reload(ctx)
	}
	if fresh && r.handOn == "" {
		r.ctx.Defer(func(app.Context) {
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
	root := r.ctx
	r.unwatch = r.host.Watch(func() { root.Dispatch(func(ctx app.Context) { r.changed(ctx) }) })
}

// openGame opens a room and then loads the page that waits for it.
func (r *root) openGame(room string) {
	r.face = loading
	if r.opening == room {
		return // the page that waits for it now is loaded when it is there
	}
	r.leaveGame()
	r.opening = room
	life, ctx := r.life, r.ctx
	r.unwatch = r.host.Watch(func() {
		ctx.Dispatch(func(app.Context) {
			if r.opening == room {
				r.openingFar = r.host.Opening(room)
			}
		})
	})
	ctx.Async(func() {
		g, err := r.host.Open(life, room)
		ctx.Dispatch(func(ctx app.Context) {
			if r.addr.Room != room || r.opening != room {
				return
			}
			r.leaveGame()
			if err != nil {
				r.face, r.err = failed, err
				return
			}
			r.game = g
			r.unwatch = g.Watch(func() { ctx.Dispatch(func(ctx app.Context) { r.changed(ctx) }) })
			r.reload(ctx)
		})
	})
}

// leaveGame lets go of the open game.
func (r *root) leaveGame() {
	if r.unwatch != nil {
		r.unwatch()
	}
	r.unwatch, r.game, r.shell, r.pending, r.told, r.opening, r.openingFar = nil, nil, nil, nil, nil, "", nil
}

// changed loads again, or notes that it must once the present load is done.
func (r *root) changed(ctx app.Context) {
	if r.busyLoad {
		r.stale = true
		return
	}
	r.reload(ctx)
}

// reload asks for the page's view. What is shown stays until the new one is there.
func (r *root) reload(app.Context) {
	p, g, life, ctx := r.page, r.game, r.life, r.ctx
	if p == nil || r.busyLoad {
		r.stale = r.busyLoad
		return
	}
	if r.addr.Room != "" && g == nil {
		return
	}
	r.busyLoad, r.stale = true, false
	if r.face != loaded {
		r.face = loading
	}
	ctx.Async(func() {
		var shell *view.Shell
		var err error
		if g != nil {
			shell, err = g.Shell(life)
		}
		var apply func()
		if err == nil {
			apply, err = p.load(life, g)
		}
		ctx.Dispatch(func(ctx app.Context) {
			r.busyLoad = false
			if r.game == g && shell != nil {
				r.shell, r.shellAt = shell, time.Now()
				r.followUp(shell)
			}
			switch {
			case r.page != p:
				r.stale = true
			case err != nil && errors.Is(err, context.Canceled):
			case err != nil:
				r.face, r.err = failed, err
				r.nameTab(ctx)
			default:
				if apply != nil {
					apply()
				}
				r.face = loaded
				r.nameTab(ctx)
				if r.handOn != "" {
					focus(ctx, r.handOn)
					r.handOn = ""
				}
			}
			if r.stale {
				r.reload(ctx)
			}
		})
	})
}

// nameTab gives the tab its title.
func (r *root) nameTab(ctx app.Context) {
	title := r.page.title()
	if m, ok := r.missing(r.err); ok && r.face == failed {
		title = "No such " + m.What
	}
	if r.shell != nil {
		title += " · " + r.shell.Title
		if r.shell.Needs > 0 {
			title = "(" + itoa(r.shell.Needs) + ") " + title
		}
	}
	ctx.Page().SetTitle(title + " · peernomic")
}
