package pages

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// Every address that names nothing says so and leads back; none shows another page as if it were that.
func TestAddressesOfNothingSayNoSuch(t *testing.T) {
	for _, c := range []struct{ path, says, back string }{
		{"/g/demo/people/%00", "No such person", "/g/demo/people"},
		{"/g/demo/people/99", "No such person", "/g/demo/people"},
		{"/g/demo/history/abc", "No such page", "/g/demo/history"},
		{"/g/demo/feed/x", "No such page", "/g/demo/feed"},
		{"/g/demo/nowhere", "No such page", "/g/demo/now"},
		{"/g/demo/propose?rule=Nope", "No such rule", "/g/demo/propose"},
		{"/g/demo/propose?under=Nope", "No such rule", "/g/demo/propose"},
		{"/g/demo/propose?kind=Nope", "No such action", "/g/demo/propose"},
		{"/g/demo/propose?edit=77", "No such post to alter", "/g/demo/propose"},
		{"/g/demo/propose?table=Nope", "No such table", "/g/demo/propose"},
		{"/g/demo/matters/999", "No such matter", "/g/demo/matters"},
		{"/g/demo/matters/twelve", "No such matter", "/g/demo/matters"},
		{"/g/demo/rules/Nope", "No such rule", "/g/demo/rules"},
		{"/g/demo/tracker/nope", "No such table", "/g/demo/tracker"},
		{"/g/demo/tracker/players/99", "No such table", "/g/demo/tracker"},
		{"/g/demo/boards/nope", "No such page", "/g/demo/pages"},
		{"/g/demo/pages/nope", "No such page", "/g/demo/pages"},
		{"/g/demo/dice/zzz", "No such roll", "/g/demo/dice"},
		{"/g/demo/guide/nope", "No such guide", "/g/demo/rules"},
	} {
		u, err := url.Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		f := &frame.Frame{Address: view.ParseAddress(u), Shell: &view.Shell{}}
		r := &root{f: f, state: failed}
		_, r.err = makePage(f, f.Address).Load(context.Background(), nothing{})
		text := app.HTMLString(r.body())
		if !errors.Is(r.err, view.ErrNone) || !strings.Contains(text, c.says) || !strings.Contains(text, `href="`+c.back+`"`) {
			t.Errorf("%s: %v; says %s", c.path, r.err, text)
		}
	}
	for _, path := range []string{"/g/demo@x/now", "/g/demo@0/now", "/g/demo@-1/now"} {
		if u, err := url.Parse(path); err != nil || view.ParseAddress(u).Page != "lost" {
			t.Errorf("%s names the page %v (%v)", path, view.ParseAddress(u), err)
		}
	}
}

// nothing is a game that has a page of each kind, and none with the name that is asked for.
type nothing struct{ view.Game }

func (nothing) People(context.Context) (*view.People, error) { return &view.People{}, nil }
func (nothing) Workshop(context.Context) (*view.Workshop, error) {
	return &view.Workshop{Rules: []view.RuleSource{{Title: "A"}}}, nil
}
func (nothing) Matter(context.Context, int64) (*view.Matter, error) { return nil, view.ErrNone }
func (nothing) Rule(context.Context, string) (*view.Rule, error)    { return nil, view.ErrNone }
func (nothing) Tracker(context.Context) (*view.Tracker, error) {
	return &view.Tracker{Tables: []view.Table{{Name: "players"}}}, nil
}
func (nothing) Board(context.Context, string, bool) (*view.Board, error) { return nil, view.ErrNone }
func (nothing) Pages(context.Context) (*view.Pages, error)               { return &view.Pages{}, nil }
func (nothing) Roll(context.Context, string) (*view.Roll, error)         { return nil, view.ErrNone }
func (nothing) Draft(context.Context, string) (string, error)            { return "", nil }

// An action that the address asks for and that is nowhere is not passed over in silence.
func TestNowSaysThatThereIsNoSuchAction(t *testing.T) {
	for _, c := range []struct {
		asked  string
		absent bool
	}{{"Nope", true}, {"Feed", false}, {"Adopt", false}, {"", false}} {
		p := &nowPage{f: &frame.Frame{Shell: &view.Shell{}}, asked: c.asked, view: &view.Now{Closed: []view.Action{{Name: "Adopt"}},
			Groups: []view.Group{{Actions: []view.Action{{Name: "Feed", Title: "Feed"}}}}}}
		for _, g := range p.view.Groups {
			p.keep(g.Actions[0].Name, g.Actions[0], nil, nil)
		}
		p.lookUp()
		if got := strings.Contains(app.HTMLString(p.Render()), "No such action"); got != c.absent {
			t.Errorf("asked for %q: says that there is none: %v", c.asked, got)
		}
	}
}
