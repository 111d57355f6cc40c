package pages

import (
	"context"
	"net/url"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// HTMLOf draws the page at an address as it looks once it is loaded.
func HTMLOf(h view.Host, path string) (string, error) {
	u, err := url.Parse(path)
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	r := newRoot(h)
	f := r.f
	f.Address = view.ParseAddress(u)
	if f.Address.Room != "" {
		if f.Game, err = h.Open(ctx, f.Address.Room); err != nil {
			return "", err
		}
		shell, err := f.Game.Shell(ctx)
		if err != nil {
			return "", err
		}
		f.SetShell(shell)
	}
	f.Page = makePage(f, f.Address)
	if secret, ok := inviteSecret(u); ok {
		f.Page = newJoinPage(f, secret)
	}
	apply, err := f.Page.Load(ctx, f.Game)
	if err != nil {
		return "", err
	}
	if apply != nil {
		apply()
	}
	r.state = loaded
	return app.HTMLString(r.Render()), nil
}

// OpeningHTML draws the page at an address while its game is being opened.
func OpeningHTML(path string, far *view.Opening) (string, error) {
	u, err := url.Parse(path)
	if err != nil {
		return "", err
	}
	r := &root{f: &frame.Frame{Address: view.ParseAddress(u)}, state: loading, openingFar: far}
	return app.HTMLString(r.body()), nil
}
