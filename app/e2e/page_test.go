package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// ready waits until the app has drawn its first page.
func (b *browser) ready() {
	b.t.Helper()
	b.run("waiting for the app", chromedp.WaitNotPresent(chromedp.CSS("#app-wasm-loader")), chromedp.WaitVisible(chromedp.CSS("main")))
}

// until waits until an expression is true in the page.
func until(expression string) step {
	poll := chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(50*time.Millisecond))
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := poll(ctx, t)
		return err
	})
}

// open loads an address of the app, given as what follows the server's name.
func (b *browser) open(address string) {
	b.t.Helper()
	b.run("opening "+address, chromedp.Navigate(b.cable.origin()+address))
	b.ready()
}

// workerIsReady waits until the app is kept for offline use.
func (b *browser) workerIsReady() {
	b.t.Helper()
	b.run("waiting for the worker", until(`navigator.serviceWorker.controller !== null`))
	b.watchWorkers()
}

func TestPageOpensAndStaysWhenTheServerIsGone(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))

	start := time.Now()
	ana.open("/")
	report("first page, nothing cached, on loopback: %d ms", time.Since(start).Milliseconds())
	ana.workerIsReady()

	ana.expectOffline(true)
	server.kill()
	start = time.Now()
	ana.run("reloading without a server", chromedp.Reload())
	ana.ready()
	report("first page, from the worker, without a server: %d ms", time.Since(start).Milliseconds())

	// The rulesets are not in the program, and are there all the same.
	ana.press("found")
	ana.choose("main form", "Dragons")
	ana.seesIn("main form", "A dragon farm")

	// A game with others waits for the relay; alone, one can begin.
	ana.write(mark("found-name"), "Ana")
	ana.press("found-submit")
	ana.seesIn(mark("found-offline"), "found it when you are online")
	ana.press("found-practice")
	ana.run("coming into the game", until(`/\/now$/.test(location.pathname)`))
	ana.does("Roll dice", "comment=Alone DICE6")
	ana.visit("tracker")
	ana.seesIn(mark("entry"), "Alone")
	ana.goTo("settings")
	ana.sees("This game is for practice")
}

func TestPageIsServedWithItsPolicy(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	ana.open("/")
	wasRun, err := evaluate[bool](ana, `(() => {
		const script = document.createElement("script");
		script.textContent = "window.wasRun = true";
		document.head.append(script);
		return window.wasRun === true;
	})()`)
	if err != nil || wasRun {
		t.Errorf("an inline script was run (%v)", err)
	}
	// Another server on this machine is a third party: nothing is fetched there, and nothing shown from it.
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a third party was asked for %s", r.URL)
	}))
	defer other.Close()
	got, err := evaluate[string](ana, fmt.Sprintf(`(async () => {
		const image = new Image();
		const shown = new Promise((done) => { image.onload = () => done("shown"); image.onerror = () => done("refused") });
		image.src = %[1]s + "/image.png";
		const fetched = await fetch(%[1]s + "/file", { mode: "no-cors" }).then(() => "fetched", () => "refused");
		return fetched + " " + await shown;
	})()`, js(other.URL)))
	if err != nil || got != "refused refused" {
		t.Errorf("a file and an image of a third party are %q (%v)", got, err)
	}
	eventually(t, "the violation is reported", func() bool {
		ana.mu.Lock()
		defer ana.mu.Unlock()
		return len(ana.problems) > 0
	})
	ana.mu.Lock()
	defer ana.mu.Unlock()
	for _, p := range ana.problems {
		if !strings.Contains(p, "Content Security Policy") {
			t.Error(p)
		}
	}
	ana.problems = nil
	ana.requests = slices.DeleteFunc(ana.requests, func(address string) bool { return strings.HasPrefix(address, other.URL) })
}
