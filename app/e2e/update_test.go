package e2e

import (
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"peernomic/app/site"
	"peernomic/web"
)

// changed is the static folder with one style added to one file: the next version of the app.
func changed(t *testing.T) fs.FS {
	t.Helper()
	next := make(fstest.MapFS)
	err := fs.WalkDir(web.Static(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(web.Static(), name)
		next[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	next["next.css"] = &fstest.MapFile{Data: []byte(":root { --next: 1 }")}
	return next
}

func mustMake(t *testing.T, static fs.FS) *site.Site {
	t.Helper()
	s, err := site.New(static)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b *browser) version() string {
	b.t.Helper()
	version, err := evaluate[string](b, `document.getElementById("app-shell").dataset.version`)
	if err != nil {
		b.t.Fatal(err)
	}
	return version
}

// A new version is downloaded in the background, is announced, and comes in by the player's click only.
func TestUpdateWaitsForThePlayersClick(t *testing.T) {
	binary(t)
	old, next := mustMake(t, web.Static()), mustMake(t, changed(t))
	var served atomic.Pointer[site.Site]
	served.Store(old)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/relay") {
			http.NotFound(w, r)
			return
		}
		served.Load().ServeHTTP(w, r)
	}))
	defer host.Close()
	_, port, _ := net.SplitHostPort(host.Listener.Addr().String())
	ana := launch(t, "Ana", &cable{t: t, addr: net.JoinHostPort("127.0.0.1", port)})
	ana.expectOffline(true) // there is no relay here
	ana.open("/")
	ana.workerIsReady()

	served.Store(next)
	// go-app's own hook, so that the announcement is seen whatever the page makes of it.
	ana.run("asking for updates", script(`
		window.announced = false;
		window.goappOnUpdate = () => { window.announced = true };
		navigator.serviceWorker.getRegistration().then((r) => r.update());`))
	ana.run("waiting for the announcement", until(`window.announced`))
	for range 2 {
		ana.run("reloading", chromedp.Reload())
		ana.ready()
		if got := ana.version(); got != old.Version() {
			t.Fatalf("a reload brought version %s in; the player has not clicked", got)
		}
	}
	ana.run("clicking", script(`window.peernomicUpdate()`))
	eventually(t, "the new version comes in", func() bool {
		version, err := evaluate[string](ana, `document.getElementById("app-shell")?.dataset.version ?? ""`)
		return err == nil && version == next.Version()
	})
	ana.ready()
	caches, err := evaluate[string](ana, `caches.keys().then((keys) => keys.join(" "))`)
	if err != nil || caches != "peernomic-"+next.Version() {
		t.Errorf("the caches are %q (%v), want the new version's alone", caches, err)
	}
}
