package ui

import (
	"context"
	"net/url"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// HTMLOf draws the page at an address as it looks once it is loaded.
func HTMLOf(h view.Host, path string) (string, error) {
	u, err := url.Parse(path)
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	r := &root{host: h, md: &markdowns{}, busy: map[string]bool{}, addr: view.ParseAddress(u)}
	if r.addr.Room != "" {
		if r.game, err = h.Open(ctx, r.addr.Room); err != nil {
			return "", err
		}
		if r.shell, err = r.game.Shell(ctx); err != nil {
			return "", err
		}
		r.shellAt = time.Now()
	}
	r.page = r.makePage(r.addr)
	if secret, ok := inviteSecret(u); ok {
		r.page = newJoinPage(r, secret)
	}
	apply, err := r.page.load(ctx, r.game)
	if err != nil {
		return "", err
	}
	if apply != nil {
		apply()
	}
	r.face = loaded
	return app.HTMLString(r.Render()), nil
}

// OpeningHTML draws the page at an address while its game is being opened.
func OpeningHTML(path string, far *view.Opening) (string, error) {
	u, err := url.Parse(path)
	if err != nil {
		return "", err
	}
	r := &root{md: &markdowns{}, busy: map[string]bool{}, addr: view.ParseAddress(u), face: loading, openingFar: far}
	return app.HTMLString(r.body()), nil
}
