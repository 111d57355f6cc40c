//go:build !js

package client

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

const witnessRules = "# All\n\n```starlark\n" + `
column("gold", integer())
def found():
    game.witnesses = 2
on("founded", found)
def dig(me):
    me.gold += dice(2, 6)
action("Dig", run=dig, who="anyone")
def settle(me):
    for p in everyone():
        p.standing = "player"
action("Settle", run=settle, who="anyone")
` + "```\n"

// witnessRoom is a game of three in the mode witnessed(2), with a clock that the test can set
// ahead, in ns.
func witnessRoom(t *testing.T, ahead *atomic.Int64) (sessions []*Session) {
	t.Helper()
	relay := startRelay(t)
	var names []*device
	for _, name := range []string{"Kim", "Ana", "Bo"} {
		d := newPlayer(t, name)
		d.network = nil
		d.now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		names = append(names, d)
	}
	kim := names[0]
	kim.open()
	room, err := kim.hub.Found(t.Context(), Founding{Title: "Gold", Name: "Kim", Relay: relay.url(), Ruleset: []ledger.Document{{Path: "1-core/01-all.md", Text: witnessRules}}})
	if err != nil {
		t.Fatal(err)
	}
	sessions = append(sessions, kim.session(room))
	for _, d := range names[1:] {
		sessions = append(sessions, d.join(sessions[0].Invite()))
	}
	for _, s := range sessions {
		until(t, "everybody is in the game", func() bool { return s.Me() != 0 })
	}
	settle(t, sessions[0])
	// Who acts while a roll is on its way cannot witness it: the link is used.
	until(t, "all see all that was done", func() bool {
		seals := map[uint64]bool{}
		quiet := true
		for _, s := range sessions {
			s.Do(t.Context(), func(g *game.Game) {
				seal, _ := g.Confirmed()
				seals[seal] = true
				quiet = quiet && !slices.ContainsFunc(g.Entries(), func(e game.Entry) bool { return e.Tentative })
			})
		}
		return quiet && len(seals) == 1
	})
	return sessions
}

func settle(t *testing.T, s *Session) {
	t.Helper()
	until(t, "all three are players", func() bool {
		if _, err := s.Act(t.Context(), "Settle", nil); err != nil {
			t.Fatal(err)
		}
		n := 0
		s.Do(t.Context(), func(g *game.Game) {
			for p := range int64(3) {
				if g.World().Plays(p + 1) {
					n++
				}
			}
		})
		return n == 3
	})
}

// SPEC.md of the dice, 3.4 to 3.6: the sessions of those who are asked reveal their links by
// themselves, and every replica comes to the same.
func TestSessionsWitnessByThemselves(t *testing.T) {
	sessions := witnessRoom(t, new(atomic.Int64))
	id, err := sessions[1].Act(t.Context(), "Dig", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		e := outcome(t, s, id)
		if len(e.Outcome.Rolls) != 2 || e.Wanted != 2 || len(e.Witnesses) != 2 || !e.Witnesses[0].Came || !e.Witnesses[1].Came {
			t.Errorf("the roll: %+v", e)
		}
	}
}

// Clause 3.6: when a witness does not come, the roller's session asks for the seal that ends
// the wait.
func TestSessionEndsTheWait(t *testing.T) {
	var ahead atomic.Int64
	sessions := witnessRoom(t, &ahead)
	sessions[2].Close() // Bo's
	if _, err := sessions[1].Act(t.Context(), "Dig", nil); err != nil {
		t.Fatal(err)
	}
	until(t, "Kim has come", func() (came bool) {
		sessions[1].Do(t.Context(), func(g *game.Game) {
			w := g.Waiting()
			came = w != nil && (w.Witnesses[0].Came || w.Witnesses[1].Came)
		})
		return came
	})
	ahead.Store(int64((dice.WitnessTime + 1000) * time.Millisecond))
	ticked := func() (found bool) {
		sessions[1].Do(t.Context(), func(g *game.Game) {
			for _, e := range g.Entries() {
				found = found || e.Kind == ledger.KindTick && e.Device == sessions[1].Device()
			}
		})
		return found
	}
	until(t, "the roller's session asks for a seal", ticked)
}
