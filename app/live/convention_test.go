package live

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/app/shelf"
	"peernomic/app/view"
	"peernomic/engine/ledger"
)

// stuckRule is a game in which nothing can be done once it is locked.
const stuckRule = "# Lock\n\nA lock.\n\n```starlark\n" + `
variable("locked", flag(), default=False)
gate(lambda me, action: "it is locked" if game.locked else None)
def lock(me):
    game.locked = True
action("Lock", run=lock)
` + "```\n"

// stuck founds a practice game and locks it.
func stuck(t *testing.T) (*host, *play) {
	t.Helper()
	h := device(t)
	return h, lock(t, h)
}

// lock founds a practice game on a device and locks it.
func lock(t *testing.T, h *host) *play {
	t.Helper()
	ctx := context.Background()
	id, err := h.hub.Found(ctx, client.Founding{Title: "Stuck", Name: "Ana", Ruleset: []ledger.Document{{Path: "1-core/01-lock.md", Text: stuckRule}}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Open(ctx, id.String())
	if err != nil {
		t.Fatal(err)
	}
	if res, err := g.Act(ctx, "Lock", nil); err != nil || res.Refused != "" {
		t.Fatalf("%v: %+v", err, res)
	}
	return g.(*play)
}

// One player is all active players: a convention of one repairs the game.
func TestConventionRepairsAStuckGame(t *testing.T) {
	_, g := stuck(t)
	ctx := context.Background()
	if res, err := g.Act(ctx, "Lock", nil); err != nil || !strings.Contains(res.Refused, "locked") {
		t.Fatalf("%v: in the stuck game: %+v", err, res)
	}
	if err := g.Convene(ctx, view.Call{Kind: "repair", Why: "stuck", Amendments: []any{
		map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "locked", "value": false}}}); err != nil {
		t.Fatal(err)
	}
	v, err := g.Convention(ctx)
	if err != nil || len(v.Motions) != 1 {
		t.Fatalf("%v: %+v", err, v)
	}
	m := v.Motions[0]
	if m.Kind != "repair" || m.Status != "done" || m.Why != "stuck" || m.By != "Ana" || len(m.Changes) != 1 || !slices.Equal(m.Assents, []string{"Ana"}) || !v.Player {
		t.Errorf("the motion: %+v", m)
	}
	if res, err := g.Act(ctx, "Lock", nil); err != nil || res.Refused != "" {
		t.Errorf("%v: after the repair: %+v", err, res)
	}
	lines, err := g.History(ctx)
	if err != nil || lines.Lines[len(lines.Lines)-2].What != "changed the game" {
		t.Errorf("%v: history says %+v", err, lines.Lines)
	}
}

// The game can be forked from any point, and the fork played.
func TestForkInPractice(t *testing.T) {
	h, g := stuck(t)
	ctx := context.Background()
	room, err := g.Move(ctx, view.NewRoom{Title: "Before the lock", After: 1, Secretly: true})
	if err != nil {
		t.Fatal(err)
	}
	fork, err := h.Open(ctx, room)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fork.Shell(ctx)
	if err != nil || s.Title != "Before the lock" || s.Me.Name != "Ana" || s.Me.Standing != "player" {
		t.Fatalf("%v: %+v", err, s)
	}
	if res, err := fork.Act(ctx, "Lock", nil); err != nil || res.Refused != "" {
		t.Errorf("%v: in the fork: %+v", err, res)
	}
	settings, err := fork.Settings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, o := range settings.Options {
		found = found || o.Name == "Goes on from"
	}
	if !found {
		t.Errorf("the settings do not say where the fork comes from: %+v", settings.Options)
	}
}

// Somebody with a new key says who they were; a player signs, and that is the convention.
func TestClaimToASeat(t *testing.T) {
	h, g := stuck(t)
	ctx := context.Background()
	file, err := g.Export(ctx)
	if err != nil {
		t.Fatal(err)
	}
	hub, err := client.OpenHub(ctx, client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	other := New(hub, Config{}).(*host)
	room, err := other.Import(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := other.Open(ctx, room)
	if err != nil {
		t.Fatal(err)
	}
	newcomer := theirs.(*play)
	if err := newcomer.s.Introduce(ctx, "Ana again"); err != nil {
		t.Fatal(err)
	}
	hand := func(from view.Game, to *host) {
		t.Helper()
		file, err := from.Export(ctx)
		if err == nil {
			_, err = to.Import(ctx, file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	hand(newcomer, h)
	hand(g, other)
	v, err := newcomer.Convention(ctx)
	if err != nil || v.Player || len(v.Seats) != 1 || v.Seats[0].Name != "Ana" {
		t.Fatalf("%v: the newcomer sees %+v", err, v)
	}
	shell, err := newcomer.Shell(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := newcomer.Convene(ctx, view.Call{Kind: "seat", From: v.Seats[0].ID, To: shell.Me.ID, Why: "the river"}); err != nil {
		t.Fatal(err)
	}
	hand(newcomer, h)
	v, err = g.Convention(ctx)
	if err != nil || len(v.Motions) != 0 || len(v.Claims) != 1 || v.Claims[0].Who != "Ana again" || v.Claims[0].Was != "Ana" || v.Claims[0].Why != "the river" {
		t.Fatalf("%v: the player sees %+v", err, v)
	}
	if s, err := g.Shell(ctx); err != nil || len(s.Summons) != 1 || !strings.Contains(s.Summons[0].Text, "I was Ana") {
		t.Errorf("%v: the summons is %+v", err, s.Summons)
	}
	if err := g.Ballot(ctx, v.Claims[0].Motion, true); err != nil {
		t.Fatal(err)
	}
	v, err = g.Convention(ctx)
	if err != nil || len(v.Claims) != 0 || len(v.Motions) != 1 || v.Motions[0].Status != "done" {
		t.Fatalf("%v: after the signature %+v", err, v)
	}
	if s, err := g.Shell(ctx); err != nil || len(s.Summons) != 1 || !strings.Contains(s.Summons[0].Text, "has given your seat to another key, of Ana.") {
		t.Errorf("%v: the device with the lost key turns up, and is told %+v", err, s.Summons)
	}
	hand(g, other)
	if s, err := newcomer.Shell(ctx); err != nil || s.Me.Name != "Ana" || s.Me.Standing != "player" {
		t.Errorf("%v: the newcomer is %+v", err, s.Me)
	}
}

// When the game's clock is far ahead of the device's, the page on which conventions are signed says what that means.
func TestConventionSaysThatTheClockIsAhead(t *testing.T) {
	ctx := context.Background()
	var back atomic.Int64
	hub, err := client.OpenHub(ctx, client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}, Now: func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	h := New(hub, Config{Shelf: shelf.Embedded{}}).(*host)
	g := lock(t, h)
	if v, err := g.Convention(ctx); err != nil || v.Clock != "" {
		t.Errorf("%v: with equal clocks it says %q", err, v.Clock)
	}
	const days = 31 * 24 * time.Hour
	back.Store(int64(days + time.Hour))
	said := func() bool { // also when the device goes by the game's clock
		n := g.s.Net()
		return n.DaysAhead != 0 && n.Offset >= days.Milliseconds()
	}
	for end := time.Now().Add(2 * time.Minute); !said() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	v, err := g.Convention(ctx)
	if err != nil || !strings.Contains(v.Clock, "31 days ahead") {
		t.Errorf("%v: with the game's clock 31 days ahead it says %q", err, v.Clock)
	}
}
