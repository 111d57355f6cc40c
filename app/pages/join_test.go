package pages

import (
	"context"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// stranger is the device of somebody whose name is taken.
type stranger struct {
	view.Host
	joined []string
}

func (s *stranger) ComesAs(_ context.Context, _, name string) (string, error) {
	if name == "Ana" {
		return "Ana 2", nil
	}
	return name, nil
}

func (s *stranger) Join(_ context.Context, _, name string) (string, error) {
	s.joined = append(s.joined, name)
	return "room", nil
}

// A taken name is announced before anything is sent: the first press tells, the second enters.
func TestTakenNameIsToldBeforeEntering(t *testing.T) {
	s := &stranger{}
	p := &joinPage{f: &frame.Frame{Host: s}, invite: "secret", view: &view.Invitation{Title: "The Farm"}}
	p.name = "Ana"
	room, as, err := p.come(context.Background(), p.name, false)
	if err != nil || room != "" || len(s.joined) != 0 || as != "Ana 2" {
		t.Fatalf("%v: entered %q as %v, told %q", err, room, s.joined, as)
	}
	p.as = as
	if text := app.HTMLString(p.Render()); !strings.Contains(text, "Enter the game as Ana 2") || !strings.Contains(text, "choose another name") {
		t.Errorf("the page is %s", text)
	}
	if room, _, err = p.come(context.Background(), p.name, true); err != nil || room != "room" || len(s.joined) != 1 {
		t.Errorf("%v: the second press entered %q as %v", err, room, s.joined)
	}
	if room, as, err = p.come(context.Background(), "Bo", false); err != nil || room != "room" || as != "" || len(s.joined) != 2 {
		t.Errorf("%v: a free name entered %q", err, room)
	}
}
