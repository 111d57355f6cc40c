package live

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/app/view"
	"peernomic/engine/ledger"
	"peernomic/signal"
)

// digRule lets everybody play, and dig.
const digRule = "# Dig\n\nDig.\n\n```starlark\n" + `
column("gold", integer(), default=0)
def join(me):
    me.standing = "player"
action("Join", run=join, who="anyone")
def dig(me):
    me.gold += 1
action("Dig", run=dig)
` + "```\n"

func relayAt(t *testing.T) string {
	t.Helper()
	relay, err := signal.NewServer(signal.Config{Data: filepath.Join(t.TempDir(), "relay"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(relay.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); relay.Close(t.Context()); server.Close() })
	return server.URL
}

// within waits until something is so.
func within(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("this did not come: " + what)
		}
	}
}

func ask[V any](t *testing.T, f func(context.Context) (V, error)) V {
	t.Helper()
	v, err := f(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func openPlay(t *testing.T, h *host, room string) *play {
	t.Helper()
	return ask(t, func(ctx context.Context) (view.Game, error) { return h.Open(ctx, room) }).(*play)
}

// Ana moves the game from a moment before Bo's last action, without Cy. Every device says what its person has to know, on
// every page and on the page Move; Bo goes along, and does again what did not come along. Whoever opens the link goes
// along by it.
func TestMoveOnThePages(t *testing.T) {
	ctx, relay := t.Context(), relayAt(t)
	hosts := []*host{device(t), device(t), device(t), device(t)}
	for _, h := range hosts {
		h.relay = relay
	}
	room := ask(t, func(ctx context.Context) (string, error) {
		id, err := hosts[0].hub.Found(ctx, client.Founding{Title: "Mine", Name: "Ana", Relay: relay, Ruleset: []ledger.Document{{Path: "1-core/01-dig.md", Text: digRule}}})
		return id.String(), err
	})
	games := []*play{openPlay(t, hosts[0], room)}
	invite := games[0].s.Invite()
	placed := func(g *play) int {
		v, err := g.History(ctx)
		if err != nil {
			return 0
		}
		return len(v.Lines)
	}
	for i, name := range []string{"Bo", "Cy", "Di"} {
		g := openPlay(t, hosts[i+1], ask(t, func(ctx context.Context) (string, error) { return hosts[i+1].Join(ctx, invite, name) }))
		within(t, name+" is in", func() bool { s, err := g.Shell(ctx); return err == nil && s.Me.ID != 0 })
		within(t, name+" plays", func() bool { res, err := g.Act(ctx, "Join", nil); return err == nil && res.Refused == "" })
		within(t, "Ana sees "+name, func() bool { return placed(games[0]) == 3+2*i })
		games = append(games, g)
	}
	ask(t, func(ctx context.Context) (*view.Result, error) { return games[1].Act(ctx, "Dig", nil) })
	for _, g := range games {
		within(t, "all see Bo dig", func() bool { return placed(g) == 8 })
	}

	ana, bo, cy, di := games[0], games[1], games[2], games[3]
	v := ask(t, ana.Moves)
	if !v.Player || v.Relay != relay || v.Placed != 8 || v.Newest != 8 || v.Disputed || len(v.People) != 3 || len(v.Offers) != 0 {
		t.Fatalf("Ana can move so: %+v", v)
	}
	if _, err := ana.Move(ctx, view.NewRoom{After: 9}); err == nil {
		t.Error("the game is moved from a moment to come")
	}
	next := ask(t, func(ctx context.Context) (string, error) {
		return ana.Move(ctx, view.NewRoom{After: 7, Why: "Too slow.", People: []int64{v.People[0].ID, v.People[2].ID}})
	})
	for _, who := range []struct {
		g     *play
		state string
	}{{ana, view.OfferWent}, {bo, view.OfferOpen}, {cy, view.OfferOut}, {di, view.OfferOpen}} {
		var o view.Offer
		within(t, "the offer is "+who.state, func() bool {
			v, err := who.g.Moves(ctx)
			if err == nil && len(v.Offers) == 1 {
				o = v.Offers[0]
			}
			return o.State == who.state
		})
		if o.By != "Ana" || o.Why != "Too slow." || !slices.Equal(o.Out, []string{"Cy"}) || o.After != 7 && o.State != view.OfferOut {
			t.Errorf("the offer: %+v", o)
		}
		if want := map[*play]int{bo: 1}[who.g]; len(o.Behind) != want {
			t.Errorf("these do not come along: %+v", o.Behind)
		}
		s := ask(t, who.g.Shell)
		switch called := len(s.Summons) == 1 && s.Summons[0].Text == "Ana moved the game to another room: Too slow." && s.Summons[0].Page == "move"; {
		case who.g == ana && (len(s.Summons) != 0 || s.Later != next):
			t.Errorf("Ana's old room says %+v, and leads to %q", s.Summons, s.Later)
		case who.g != ana && (!called || s.Later != ""):
			t.Errorf("the page says %+v, and leads to %q", s.Summons, s.Later)
		}
	}

	if err := bo.Stay(ctx, next); err != nil {
		t.Fatal(err)
	}
	if s := ask(t, bo.Shell); len(s.Summons) != 0 {
		t.Errorf("Bo stays, and is asked: %+v", s.Summons)
	}
	if err := bo.GoAlong(ctx, next); err != nil {
		t.Fatal(err)
	}
	there := openPlay(t, hosts[1], next)
	s := ask(t, there.Shell)
	if len(s.Summons) != 1 || !strings.HasPrefix(s.Summons[0].Text, "1 action of yours did not come along") {
		t.Errorf("the new room says %+v", s.Summons)
	}
	v = ask(t, there.Moves)
	if len(v.Behind) != 1 || v.Behind[0].Title != "Dig" {
		t.Fatalf("it was left behind: %+v", v.Behind)
	}
	within(t, "Bo does it again", func() bool { return there.Again(ctx, v.Behind[0].Ref, true) == nil })
	if v = ask(t, there.Moves); len(v.Behind) != 0 {
		t.Errorf("it is still left behind: %+v", v.Behind)
	}
	new := openPlay(t, hosts[0], next)
	within(t, "Ana sees it there", func() bool { return placed(new) == 3 })
	if h := ask(t, hosts[1].Home); len(h.Games) != 1 || h.Games[0].Room != next {
		t.Errorf("Bo's games: %+v", h.Games)
	}

	link := new.s.Invite()
	i := ask(t, func(ctx context.Context) (*view.Invitation, error) { return hosts[3].Invitation(ctx, link) })
	if i.Earlier != room || i.Room != "" {
		t.Errorf("Di's invitation: %+v", i)
	}
	if to, err := hosts[3].GoAlong(ctx, link); err != nil || to != next {
		t.Errorf("Di comes to %s: %v", to, err)
	}
	if i := ask(t, func(ctx context.Context) (*view.Invitation, error) { return device(t).Invitation(ctx, link) }); i.Earlier != "" {
		t.Errorf("somebody new: %+v", i)
	}
	lines := ask(t, di.History).Lines
	if last := lines[len(lines)-1]; last.What != "announced a move to another room" || last.Who != "Ana" {
		t.Errorf("the history says %+v", last)
	}
}
