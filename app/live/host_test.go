package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"peernomic/app/client"
	"peernomic/app/client/disk"
	"peernomic/app/shelf"
	"peernomic/app/view"
)

// device opens a device without a network, on which games are for practice.
func device(t *testing.T) *host {
	t.Helper()
	hub, err := client.OpenHub(context.Background(), client.Config{Identity: &disk.Memory{}, Games: &disk.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(hub, Config{Shelf: shelf.Embedded{}}).(*host)
}

// The front page knows the titles of games at once, and the rest of a game when it is open.
func TestHomeDoesNotWaitForGames(t *testing.T) {
	h, ctx := device(t), context.Background()
	if _, err := h.Found(ctx, view.Founding{Ruleset: "dragons", Title: "The Farm", Name: "Ana"}); err != nil {
		t.Fatal(err)
	}
	for _, shut := range []bool{true, false} {
		v, err := h.Home(ctx)
		if err != nil || len(v.Games) != 1 || v.Games[0].Title != "The Farm" {
			t.Fatalf("%v: %+v", err, v)
		}
		if g := v.Games[0]; g.Shut != shut || (g.Ruleset == "") != shut || (g.Players == 0) != shut {
			t.Errorf("the game is shut, %v: %+v", shut, g)
		}
		if err := h.Look(ctx, v.Games[0].Room); err != nil {
			t.Fatal(err)
		}
	}
}

func founded(t *testing.T, h *host) view.Game {
	t.Helper()
	ctx := context.Background()
	sets, err := h.Rulesets(ctx)
	if err != nil || len(sets) == 0 || sets[0].Title == "" || sets[0].Summary == "" {
		t.Fatalf("%v: rulesets %+v", err, sets)
	}
	room, err := h.Found(ctx, view.Founding{Ruleset: "dragons", Title: "The Farm", Name: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Open(ctx, room)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFoundedGameCanBePlayed(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	home, err := h.Home(ctx)
	if err != nil || len(home.Games) != 1 || home.Games[0].Title != "The Farm" || home.Games[0].Players != 1 || home.Name != "Ana" {
		t.Fatalf("%v: home %+v", err, home)
	}
	s, err := g.Shell(ctx)
	if err != nil || s.Me.Name != "Ana" || !s.Me.Admin || s.Words.Player != "Breeder" || len(s.Digest) != 64 || !s.CanPropose {
		t.Fatalf("%v: shell %+v", err, s)
	}
	before := s.Digest

	res, err := g.Act(ctx, "Roll dice", map[string]any{"comment": "for luck DICE6"})
	if err != nil || res.Refused != "" || res.Waits != "" || len(res.Rolls) != 1 || res.Rolls[0].Sides != 6 {
		t.Fatalf("%v: rolled %+v", err, res)
	}
	roll, err := g.Roll(ctx, res.Rolls[0].ID)
	if err != nil || roll.Value != res.Rolls[0].Value || roll.Who != "Ana" {
		t.Fatalf("%v: roll %+v", err, roll)
	}
	for _, c := range roll.Checks {
		if !c.OK {
			t.Errorf("the proof fails: %+v", c)
		}
	}
	if v, err := h.Verify(ctx, roll.Transcript, nil); err != nil || !v.OK || !strings.Contains(v.What, "with the key ") {
		t.Errorf("the transcript: %v, %+v", err, v)
	}

	res, err = g.Act(ctx, "Adopt", map[string]any{"name": "Ember", "color": "Red"})
	if err != nil || res.Refused == "" {
		t.Errorf("%v: the head of the dynasty adopts a dragon: %+v", err, res)
	}
	// What the rules refuse is told here, and goes nowhere.
	if s, err = g.Shell(ctx); err != nil || s.Digest == before || s.Issue != 2 || len(s.Pending) != 0 {
		t.Errorf("%v: shell after play %+v", err, s)
	}
	tracker, err := g.Tracker(ctx)
	if err != nil || len(tracker.Log) != 2 || len(tracker.Log[0].Rolls) != 1 || tracker.Log[0].Comment != "for luck DICE6" {
		t.Errorf("%v: log %+v", err, tracker.Log)
	}
}

// A game that was removed is not listed, and its pages say that it is not here.
func TestRemovedGame(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	home, err := h.Home(ctx)
	if err != nil || len(home.Games) != 1 || !home.Games[0].Practice {
		t.Fatalf("%v: home %+v", err, home)
	}
	if err := h.Leave(ctx, home.Games[0].Room); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Shell(ctx); !errors.Is(err, client.ErrNoGame) {
		t.Errorf("its page shows: %v", err)
	}
	if _, err := h.Open(ctx, home.Games[0].Room); err == nil || !strings.Contains(err.Error(), "no such game") {
		t.Errorf("it opens: %v", err)
	}
	if home, err := h.Home(ctx); err != nil || len(home.Games) > 0 {
		t.Errorf("%v: home %+v", err, home)
	}
}

func TestEveryPageOfARealGame(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	w, err := g.Workshop(ctx)
	if err != nil || len(w.Propose) == 0 || len(w.Rules) < 20 || len(w.Measures) == 0 {
		t.Fatalf("%v: workshop %+v", err, w)
	}
	good := []any{map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "cookies", "value": int64(7)}}
	if v, err := g.Check(ctx, good); err != nil || len(v.Problems) != 0 {
		t.Errorf("a good change has problems: %v, %+v", err, v)
	}
	bad := []any{map[string]any{"op": "enact", "section": int64(2), "text": "# Broken\n\nProse.\n\n```starlark\nx = oops\n```\n"}}
	v, err := g.Check(ctx, bad)
	if err != nil || len(v.Problems) != 1 || v.Problems[0].Rule != "Broken" || v.Problems[0].Line != 6 {
		t.Errorf("%v: a broken rule has %+v", err, v)
	}
	res, err := g.Act(ctx, "Propose", map[string]any{"title": "Seven cookies", "body": "", "amendments": good})
	if err != nil || res.NewPost == 0 {
		t.Fatalf("%v: proposing gives %+v", err, res)
	}
	m, err := g.Matter(ctx, res.NewPost)
	if err != nil || !m.Ahead {
		t.Errorf("%v: matter %+v", err, m)
	}
	o, err := g.Outlook(ctx, res.NewPost)
	if err != nil || o.Effects == nil || len(o.Problems) != 0 || len(o.Effects.Outcomes) != 1 || o.Effects.Outcomes[0].Changes[0].New != "7" {
		t.Errorf("%v: outlook %+v", err, o)
	}
	pv, err := g.Preview(ctx, "Roll dice", map[string]any{"comment": "DICE6"})
	if err != nil || pv.Refused != "" || len(pv.Outcomes) == 0 {
		t.Errorf("%v: preview %+v", err, pv)
	}
	if err := g.SaveDraft(ctx, "x", "half a thought"); err != nil {
		t.Error(err)
	}
	if text, err := g.Draft(ctx, "x"); err != nil || text != "half a thought" {
		t.Errorf("%v: draft %q", err, text)
	}
	people, err := g.People(ctx)
	if err != nil || len(people.People) != 1 || len(people.People[0].Devices) != 1 || !people.People[0].Devices[0].This {
		t.Errorf("%v: people %+v", err, people)
	}
	for what, f := range map[string]func() error{
		"now":      func() error { _, err := g.Now(ctx); return err },
		"feed":     func() error { _, err := g.Feed(ctx); return err },
		"matters":  func() error { _, err := g.Matters(ctx); return err },
		"book":     func() error { _, err := g.Book(ctx); return err },
		"pages":    func() error { _, err := g.Pages(ctx); return err },
		"rolls":    func() error { _, err := g.Rolls(ctx); return err },
		"settings": func() error { _, err := g.Settings(ctx); return err },
	} {
		if err := f(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A slip is taken back by one press, and so is the taking back.
func TestEditsAndUndosCanBeTakenBackAtOnce(t *testing.T) {
	ctx := context.Background()
	g := founded(t, device(t))
	cookies := func() string {
		v, err := g.Tracker(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range v.Tables {
			for i, c := range table.Columns {
				if table.Name == "players" && c.Name == "cookies" {
					return table.Rows[0].Cells[i].Text
				}
			}
		}
		t.Fatal("no cookies")
		return ""
	}
	before := cookies()
	last := int64(0)
	for i, step := range []struct {
		name string
		args func() map[string]any
		want string
	}{
		{"Update tracker", func() map[string]any {
			return map[string]any{"table": "players", "row": int64(1), "column": "cookies", "value": int64(77)}
		}, "77"},
		{"Undo", func() map[string]any { return map[string]any{"entry": last} }, before},
		{"Undo", func() map[string]any { return map[string]any{"entry": last} }, "77"},
	} {
		res, err := g.Act(ctx, step.name, step.args())
		if err != nil || res.Refused != "" || res.Undo == 0 {
			t.Fatalf("step %d: %v, %+v", i, err, res)
		}
		last = res.Undo
		if got := cookies(); got != step.want {
			t.Errorf("step %d: cookies are %s, not %s", i, got, step.want)
		}
		// What was undone, or gone on from, does not offer to be undone once more.
		v, err := g.Tracker(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var offered []int64
		for _, e := range v.Log {
			if e.CanUndo {
				offered = append(offered, e.Number)
			}
		}
		if want := map[int][]int64{0: {last}, 1: {last}, 2: {last, last - 2}}[i]; !slices.Equal(offered, want) {
			t.Errorf("step %d: undo is offered for the entries %d, not %d", i, offered, want)
		}
	}
	if res, err := g.Act(ctx, "Propose", map[string]any{"title": "Proposal: Flags"}); err != nil || res.NewPost == 0 || res.Undo != 0 {
		t.Errorf("a proposal is taken back by one press: %v, %+v", err, res)
	}
}

// Every page can be looked at as it once was, and nothing can be done there.
func TestThePastIsShownEverywhere(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	for _, cookies := range []int64{12, 30} {
		if res, err := g.Act(ctx, "Update tracker", map[string]any{"table": "players", "row": int64(1), "column": "cookies", "value": cookies}); err != nil || res.Refused != "" {
			t.Fatal(err, res)
		}
	}
	now, err := g.Shell(ctx)
	if err != nil || now.Moment != nil || now.Issue != 3 {
		t.Fatalf("%v: now %+v", err, now)
	}
	hist, err := g.History(ctx)
	if err != nil || len(hist.Lines) != 3 || hist.At != 3 || hist.Lines[0].What != "founded the game" || hist.Lines[2].What != "Update tracker" || hist.Lines[2].Changes != 1 {
		t.Fatalf("%v: history %+v", err, hist)
	}
	plot, err := g.Plot(ctx, "players", "cookies")
	if err != nil || len(plot.Lines) != 1 || plot.Lines[0].Label != "Ana" {
		t.Fatalf("%v: plot %+v", err, plot)
	}
	var values []int64
	for _, p := range plot.Lines[0].Points {
		values = append(values, p.Value)
	}
	if !slices.Equal(values[1:], []int64{12, 30}) {
		t.Errorf("the plot goes %v", values)
	}

	past, err := h.Open(ctx, view.RoomAt(now.Room, 2))
	if err != nil {
		t.Fatal(err)
	}
	then, err := past.Shell(ctx)
	if err != nil || then.Moment == nil || then.Moment.At != 2 || then.Moment.Of != 3 || then.Issue != 2 || then.Room != now.Room+"@2" || then.Digest == now.Digest || then.CanPropose || then.Undo != nil {
		t.Fatalf("%v: then %+v", err, then)
	}
	tracker, err := past.Tracker(ctx)
	if err != nil || len(tracker.Log) != 2 || tracker.Log[0].Changes[0].New != "12" {
		t.Errorf("%v: the log then %+v", err, tracker.Log)
	}
	for _, table := range tracker.Tables {
		for i, c := range table.Columns {
			if table.Name == "players" && c.Name == "cookies" && table.Rows[0].Cells[i].Text != "12" {
				t.Errorf("cookies then were %s", table.Rows[0].Cells[i].Text)
			}
		}
	}
	v, err := past.Now(ctx)
	if err != nil || len(v.Groups) != 0 || len(v.Closed) == 0 || v.Closed[0].Reason != errPast.Error() {
		t.Errorf("%v: one can do %+v", err, v)
	}
	if _, err := past.Act(ctx, "Roll dice", map[string]any{"comment": "DICE6"}); err != errPast {
		t.Errorf("acting in the past gives %v", err)
	}
	if all, err := past.History(ctx); err != nil || len(all.Lines) != 3 || all.At != 2 {
		t.Errorf("%v: from the past one sees %+v", err, all)
	}
	if _, err := h.Open(ctx, view.RoomAt(now.Room, 4)); err == nil {
		t.Error("the future opens")
	}
}

func TestExportIsVerifiedToTheLastBit(t *testing.T) {
	h, ctx := device(t), context.Background()
	g := founded(t, h)
	file, err := g.Export(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := h.Verify(ctx, file, nil); err != nil || !v.OK || !strings.Contains(v.What, "The Farm") {
		t.Fatalf("%v: %+v", err, v)
	}
	for _, at := range []int{len(file) / 3, len(file) / 2, len(file) - 5} {
		wrong := append([]byte(nil), file...)
		wrong[at] ^= 1
		if v, err := h.Verify(ctx, wrong, nil); err == nil && (v.OK || v.Clause == "") {
			t.Errorf("with bit 0 of byte %d of %d changed: %+v", at, len(file), v)
		}
	}
	other := device(t)
	room, err := other.Import(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := other.Open(ctx, room); err != nil {
		t.Error(err)
	} else if s, err := g.Shell(ctx); err != nil || s.Title != "The Farm" || s.Me.Standing != "stranger" {
		t.Errorf("%v: imported %+v", err, s)
	}
	wrong := append([]byte(nil), file...)
	wrong[len(file)/2] ^= 1
	if _, err := device(t).Import(ctx, wrong); err == nil || !strings.Contains(err.Error(), "Ask for it once more") {
		t.Errorf("a damaged game: %v", err)
	}
}

// Who chooses the wrong file, or has half a link, is told what it is and what to do.
func TestWrongFilesAndLinksAreToldApart(t *testing.T) {
	h, ctx := device(t), context.Background()
	key, err := h.Backup(ctx, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file []byte
		want string
	}{{nil, "no file of a game"}, {[]byte("\x89PNG\r\n\x1a\n"), "no file of a game"}, {key.File, "the copy of a key"}} {
		if _, err := h.Import(ctx, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Import says of %.20q: %v", c.file, err)
		}
	}
	for _, link := range []string{"short", "https://host/#/join/short", "https://host/"} {
		if _, err := h.Invitation(ctx, link); err == nil || !strings.Contains(err.Error(), "send it again") {
			t.Errorf("the link %q: %v", link, err)
		}
	}
}

func TestIdentityComesBackFromItsBackup(t *testing.T) {
	ctx := context.Background()
	old := device(t)
	b, err := old.Backup(ctx, "correct horse")
	if err != nil || len(b.Words) < 12 || !old.backedUp(ctx) {
		t.Fatalf("%v: backup %+v", err, b)
	}
	for _, c := range []struct{ words, pass string }{{strings.Join(b.Words, " "), ""}, {"", "correct horse"}} {
		h := device(t)
		if err := h.Restore(ctx, c.words, b.File, c.pass); err != nil {
			t.Error(err)
		}
		if h.hub.Identity().Key() != old.hub.Identity().Key() {
			t.Error("another identity came back")
		}
	}
	if err := device(t).Restore(ctx, "", b.File, "wrong"); err == nil {
		t.Error("a wrong passphrase opens the backup")
	}
}

// Without a relay no game with others begins, and the person is told so; a game for practice does, which
// offers nobody a link.
func TestFoundingWithoutARelay(t *testing.T) {
	h, ctx := device(t), context.Background()
	h.relay = "http://127.0.0.1:1" // nobody is there
	founding := view.Founding{Ruleset: "dragons", Title: "The Farm", Name: "Ana"}
	if room, err := h.Found(ctx, founding); !errors.Is(err, view.ErrNoRelay) || room != "" {
		t.Fatalf("founded %q, %v", room, err)
	}
	founding.Practice = true
	room, err := h.Found(ctx, founding)
	if err != nil {
		t.Fatal(err)
	}
	g, err := h.Open(ctx, room)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := g.Settings(ctx)
	if err != nil || settings.Invite != "" || settings.Net.Relay != client.RelayNone {
		t.Errorf("%v: settings %+v", err, settings)
	}
	now, err := g.Now(ctx)
	if err != nil || slices.ContainsFunc(now.Needs, func(c view.Need) bool { return c.Kind == "invite" }) {
		t.Errorf("%v: cards %+v", err, now.Needs)
	}
	if _, err := g.Move(ctx, view.NewRoom{Title: "With others", After: 1, Secretly: true}); !errors.Is(err, view.ErrNoRelay) {
		t.Errorf("another room begins without a relay: %v", err)
	}
	if home, err := h.Home(ctx); err != nil || len(home.Games) != 1 {
		t.Errorf("%v: %d games", err, len(home.Games))
	}
}
