//go:build !js

package client

import (
	"errors"
	"testing"

	"peernomic/app/client/direct"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
)

// player is a device that plays by real rules.
func newPlayer(t *testing.T, name string) *device {
	d := newDevice(t, name)
	d.network = direct.NewWebRTC(nil)
	return d
}

func (d *device) foundDragons(relay string) *Session {
	d.t.Helper()
	docs, err := rulesets.Load("dragons")
	if err != nil {
		d.t.Fatal(err)
	}
	f := Founding{Title: "Dragons", Name: d.name, Relay: relay}
	for _, doc := range docs {
		f.Ruleset = append(f.Ruleset, ledger.Document{Path: doc.Path, Text: doc.Text})
	}
	d.open()
	room, err := d.hub.Found(d.t.Context(), f)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.session(room)
}

// standing returns what the game calls the session's person, or nothing.
func standing(t *testing.T, s *Session, of int64) (word string) {
	t.Helper()
	err := s.Do(t.Context(), func(g *game.Game) {
		if w := g.World(); w != nil {
			if v, ok := w.Cell("players", of, "standing"); ok {
				word, _ = v.(string)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return word
}

// outcome returns what came of an action, once a seal has placed it.
func outcome(t *testing.T, s *Session, id ledger.ActionID) (e game.Entry) {
	t.Helper()
	until(t, "the action is sealed", func() bool {
		found := false
		if err := s.Do(t.Context(), func(g *game.Game) {
			for _, entry := range g.Entries() {
				if entry.Action == id && !entry.Tentative {
					e, found = entry, true
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		return found
	})
	return e
}

func play(t *testing.T, s *Session, name string, args map[string]any) ledger.ActionID {
	t.Helper()
	id, err := s.Act(t.Context(), name, args)
	if err != nil {
		t.Fatal(err)
	}
	if e := outcome(t, s, id); e.Outcome == nil || e.Outcome.Refused != nil {
		t.Fatalf("%s: %+v", name, e.Outcome)
	}
	return id
}

func TestPlayingDragons(t *testing.T) {
	r := startRelay(t)
	ana, bo := newPlayer(t, "Ana"), newPlayer(t, "Bo")
	a := ana.foundDragons(r.url())
	until(t, "the founder plays", func() bool { return a.Me() != 0 })
	b := bo.join(a.Invite())
	until(t, "the newcomer is known", func() bool { return b.Me() != 0 })
	joinGame(t, a, b)
	for _, s := range []*Session{a, b} {
		until(t, "both play", func() bool { return standing(t, s, b.Me()) == "player" })
	}
	untilLinked(t, a, 1)
	until(t, "peers have names", func() bool {
		n := a.Net()
		return len(n.Peers) == 1 && n.Peers[0].Player == b.Me()
	})
	sameGame(t, a, b)
}

// joinGame brings the second session's person into the first one's game, by the rules.
func joinGame(t *testing.T, admin, s *Session) {
	t.Helper()
	play(t, s, "Introduce yourself", map[string]any{"name": "Newcomer"})
	until(t, "the application arrives", func() bool { return standing(t, admin, s.Me()) == "applicant" })
	play(t, admin, "Admit", map[string]any{"player": s.Me()})
}

// sameGame waits until both have confirmed the same state after the same seal.
func sameGame(t *testing.T, a, b *Session) {
	t.Helper()
	until(t, "the digests are the same", func() bool {
		var digests [2][32]byte
		var seals [2]uint64
		for i, s := range []*Session{a, b} {
			if err := s.Do(t.Context(), func(g *game.Game) { seals[i], digests[i] = g.Confirmed() }); err != nil {
				t.Fatal(err)
			}
		}
		return seals[0] == seals[1] && seals[0] > 0 && digests[0] == digests[1]
	})
	for _, s := range []*Session{a, b} {
		if d := s.Net().Diverged; d != nil {
			t.Errorf("diverged: %+v", d)
		}
	}
}

func TestRulesetThatCannotBePlayedIsNotFounded(t *testing.T) {
	d := newPlayer(t, "Ana")
	hub, err := OpenHub(t.Context(), Config{Identity: d.identity, Games: d.games})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	_, err = hub.Found(t.Context(), Founding{Title: "Broken", Name: "Ana", Ruleset: []ledger.Document{
		{Path: "ruleset.md", Text: "# Broken\n"},
		{Path: "1-core/section.md", Text: "# Core\n"},
		{Path: "1-core/01-one.md", Text: "# One\n\n```starlark\nthis is no script\n```\n"},
	}})
	var problem *document.Problem
	if !errors.As(err, &problem) {
		t.Errorf("got %v", err)
	}
	if games, err := hub.Games(t.Context()); err != nil || len(games) != 0 {
		t.Errorf("games %+v, %v", games, err)
	}
}

// What the rules refuse is an action like any other: it is in the log, with the reason.
func TestRefusedActionIsKept(t *testing.T) {
	d := newPlayer(t, "Ana")
	d.network = nil
	s := d.foundDragons("")
	until(t, "the founder plays", func() bool { return s.Me() != 0 })
	id, err := s.Act(t.Context(), "No such action", nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := outcome(t, s, id); e.Outcome == nil || e.Outcome.Refused == nil || e.Outcome.Refused.Reason == "" {
		t.Errorf("outcome %+v", e.Outcome)
	}
}
