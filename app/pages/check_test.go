package pages_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"peernomic/app/pages"
	"peernomic/app/storytest"
	"peernomic/app/view"
)

// checking is a game that is still being checked.
type checking struct {
	view.Game
	change func(*view.Net)
}

func (g checking) Shell(ctx context.Context) (*view.Shell, error) {
	s, err := g.Game.Shell(ctx)
	if err == nil {
		g.change(&s.Net)
	}
	return s, err
}

type checkingHost struct {
	view.Host
	change func(*view.Net)
}

func (h checkingHost) Open(ctx context.Context, room string) (view.Game, error) {
	g, err := h.Host.Open(ctx, room)
	return checking{g, h.change}, err
}

// Whoever looks at a game sees how far the check of it is, and what was bad.
func TestCheckIsShown(t *testing.T) {
	for _, c := range []struct {
		change func(*view.Net)
		says   []string
	}{
		{func(n *view.Net) { n.Checked, n.ToCheck = 3200, 10_000 },
			[]string{"checking 32 %", "3200 of 10000", "It is shown when all that the relay has is here"}},
	} {
		text, err := pages.HTMLOf(checkingHost{storytest.New(false), c.change}, "/g/demo/now")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		seen := squeeze(visible(doc))
		for _, want := range c.says {
			if !strings.Contains(seen, squeeze(want)) {
				t.Errorf("does not say %q", want)
			}
		}
	}
}

// Whoever opens a long game sees how far that is, and what takes so long.
func TestOpeningIsShown(t *testing.T) {
	for _, c := range []struct {
		far  *view.Opening
		says []string
	}{
		{nil, []string{"reading its log"}},
		{&view.Opening{Done: 300, Total: 1000}, []string{"reading its log", `value="300"`, `max="1000"`}},
		{&view.Opening{Carrying: true, Done: 7, Total: 9}, []string{"carries out all of its actions", `value="7"`, `max="9"`}},
	} {
		text, err := pages.OpeningHTML("/g/demo/now", c.far)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: does not say %q:\n%s", c.far, want, text)
			}
		}
		if (c.far == nil) == strings.Contains(text, "<progress") {
			t.Errorf("%+v: a bar without progress, or none with it:\n%s", c.far, text)
		}
	}
}
