package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// step is something done in a page.
type step = chromedp.Action[chromedp.Void]

// browser is one Chromium process with its own profile, and the page that a player has open in it.
// Errors on its console, violations of the content policy and requests to anyone but the server make
// the test fail.
type browser struct {
	t     *testing.T
	name  string
	cable *cable
	ctx   context.Context

	mu       sync.Mutex
	offline  bool // errors of the network are expected
	problems []string
	told     []string // what scripts of the test say on the console
	requests []string
	workers  map[target.ID]bool
	allowed  []string // hosts besides the own that may be asked
}

// launch starts Chromium for a player, with a profile of its own that goes with it.
func launch(t *testing.T, name string, c *cable, flags ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium(t)),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.WindowSize(1280, 900),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		// Chromium's own errands: none of the tests' business, and noisy on a closed network.
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-default-apps", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("metrics-recording-only", true),
		chromedp.Flag("password-store", "basic"),
		// Two windows share this machine; neither is in front, and both must go on.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// Direct connections between browsers on one machine: multicast DNS names for local addresses
		// do not resolve here, and the loopback is not offered without being asked for.
		chromedp.Flag("disable-features", "WebRtcHideLocalIpsWithMdns,Translate,OptimizationHints,MediaRouter"),
		chromedp.Flag("allow-loopback-in-peer-connection", true),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	ctx, closeBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	b := &browser{t: t, name: name, cable: c, ctx: ctx, workers: make(map[target.ID]bool)}
	t.Cleanup(func() {
		b.finish()
		closeBrowser()
		stop()
	})
	if err := b.listen(ctx); err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	b.conditions(whole)
	return b
}

// tab opens another tab of the same browser, and returns it with what closes it.
func (b *browser) tab() (tab *browser, closeTab func()) {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	tab = &browser{t: b.t, name: b.name, cable: b.cable, ctx: ctx, workers: make(map[target.ID]bool)}
	b.t.Cleanup(func() {
		tab.finish()
		cancel()
	})
	if err := tab.listen(ctx); err != nil {
		b.t.Fatalf("opening a tab: %v", err)
	}
	return tab, cancel
}

// listen watches a target of the browser; for the page's own, it is what starts the browser.
func (b *browser) listen(ctx context.Context) error {
	if err := chromedp.Listen(ctx, b.watch); err != nil {
		return err
	}
	return chromedp.Do(ctx,
		command(network.Enable, network.EnableParams{}),
		command(log.Enable, cdp.Empty{}),
		command(runtime.Enable, cdp.Empty{}))
}

// command is a step that sends one command of the DevTools protocol.
func command[P, R any](c cdp.Command[P, R], params P) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// watch collects what must not happen, and every address that is asked for.
func (b *browser) watch(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		b.requests = append(b.requests, e.URL)
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, "exception: "+describe(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeInfo && len(e.Args) == 1 {
			var text string
			if json.Unmarshal([]byte(e.Args[0].Value), &text) == nil {
				b.told = append(b.told, text)
			}
		}
		if e.Type == runtime.ConsoleAPICalledTypeError {
			var text []string
			for _, arg := range e.Args {
				text = append(text, fmt.Sprint(arg.Value, arg.Description))
			}
			b.problems = append(b.problems, "console: "+strings.Join(text, " "))
		}
	case *log.EventEntryAdded:
		network := e.Entry.Source == log.EntrySourceNetwork || strings.Contains(e.Entry.Text, "net::ERR_") ||
			strings.Contains(e.Entry.Text, "WebSocket connection to")
		if e.Entry.Level == log.EntryLevelError && !(network && b.offline) {
			b.problems = append(b.problems, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

// mayAsk says that the browser may ask another host, such as a new relay.
func (b *browser) mayAsk(host string) { b.allowed = append(b.allowed, host) }

// watchWorkers listens to the service worker as well: its requests count too.
func (b *browser) watchWorkers() {
	targets, err := chromedp.Targets(b.ctx)
	if err != nil {
		return
	}
	for _, about := range targets {
		if about.Type != "service_worker" || b.workers[about.TargetID] {
			continue
		}
		b.workers[about.TargetID] = true
		ctx, _ := chromedp.NewContext(b.ctx, chromedp.WithTargetID(about.TargetID))
		b.listen(ctx)
	}
}

// finish fails the test for what was collected and leaves a picture if it failed.
func (b *browser) finish() {
	b.mu.Lock()
	problems, requests := slices.Clone(b.problems), slices.Clone(b.requests)
	b.mu.Unlock()
	for _, p := range problems {
		b.t.Errorf("%s's browser: %s", b.name, p)
	}
	own, _ := url.Parse(b.cable.origin())
	for _, r := range requests {
		u, err := url.Parse(r)
		switch {
		case err != nil:
			b.t.Errorf("%s's browser asked for %q", b.name, r)
		case u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" || u.Scheme == "chrome":
		case u.Host != own.Host && !slices.Contains(b.allowed, u.Host):
			b.t.Errorf("%s's browser asked a third party: %s", b.name, r)
		}
	}
	if b.t.Failed() {
		b.leavePicture()
	}
}

// run does something in the page within the tests' patience.
func (b *browser) run(what string, steps ...step) {
	b.t.Helper()
	if err := b.try(patience, steps...); err != nil {
		b.t.Fatalf("%s: %s: %v\non the page:\n%s", b.name, what, err, b.text())
	}
}

// try does the same but returns the error. The browser's own context has no deadline: cancelling it
// would close the page.
func (b *browser) try(limit time.Duration, steps ...step) error {
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// reload loads the page anew, as a player's key does.
func reload() step { return chromedp.Reload() }

// download presses what saves a file and returns the file. The page hands it to the browser as a link to
// a blob, which is caught here: a browser without a window has nowhere to save to.
func (b *browser) download(name string) []byte {
	b.t.Helper()
	b.run("preparing to catch a file", script(`
		window.caught = "";
		window.makeAddress ??= URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			const reader = new FileReader();
			reader.onload = () => { window.caught = reader.result };
			reader.readAsDataURL(blob);
			return window.makeAddress.call(URL, blob);
		};`))
	b.press(name)
	b.run("waiting for the file", until(`window.caught !== ""`))
	address, err := evaluate[string](b, `window.caught`)
	if err != nil {
		b.t.Fatal(err)
	}
	_, text, _ := strings.Cut(address, "base64,")
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return file
}

// evaluate runs an expression in the page and returns its value.
func evaluate[T any](b *browser, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// script runs statements in the page.
func script(text string) step {
	return chromedp.Evaluate[chromedp.Void](text + "\n;undefined")
}

// text is what the player can read.
func (b *browser) text() string {
	text, err := evaluate[string](b, `document.body.innerText`)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return text
}

// picture writes what the player sees to a PNG file.
func (b *browser) picture(path string) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, png, 0o644)
}

// leavePicture keeps the page's picture and text for whoever looks into a failure.
func (b *browser) leavePicture() {
	name := strings.NewReplacer("/", "-", " ", "-").Replace(b.t.Name() + "-" + b.name)
	path := filepath.Join(os.TempDir(), "peernomic-e2e", name+".png")
	if err := b.picture(path); err != nil {
		b.t.Logf("no picture of %s's page: %v", b.name, err)
		return
	}
	b.t.Logf("%s's page: %s\n%s", b.name, path, b.text())
}

// describe puts an uncaught exception in words.
func describe(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}
