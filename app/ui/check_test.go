package ui_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"peernomic/app/ui"
	"peernomic/app/ui/stories"
)

// checking is a game whose signatures are still being checked, and one of them was bad.
type checking struct{ ui.Game }

func (g checking) Shell(ctx context.Context) (*ui.Shell, error) {
	s, err := g.Game.Shell(ctx)
	if err == nil {
		s.Net.Checked, s.Net.ToCheck, s.Net.BadSignatures = 3200, 10_000, 1
	}
	return s, err
}

type checkingHost struct{ ui.Host }

func (h checkingHost) Open(ctx context.Context, room string) (ui.Game, error) {
	g, err := h.Host.Open(ctx, room)
	return checking{g}, err
}

// Whoever looks at a game sees how far the check of its signatures is, and that one was bad.
func TestCheckIsShown(t *testing.T) {
	text, err := ui.HTMLOf(checkingHost{stories.New(false)}, "/g/demo/now")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	seen := squeeze(visible(doc))
	for _, want := range []string{"checking 32 %", "3200 of 10000", "1 signature in this game's log turned out to be forged or broken", "It is shown when every signature is checked"} {
		if !strings.Contains(seen, squeeze(want)) {
			t.Errorf("does not say %q", want)
		}
	}
}
