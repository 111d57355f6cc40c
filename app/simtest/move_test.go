package simtest

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"peernomic/engine/ledger"
)

// movingRoom is a room in which something has happened already, in any weather.
func movingRoom(t *testing.T, cast *Cast, seed uint64) *World {
	t.Helper()
	w, err := NewWorld(cast, BootRoom)
	check(t, err)
	t.Cleanup(w.End)
	_, err = w.Storm(seed, 60)
	check(t, err)
	return w
}

func play(t *testing.T, w *World, lines ...Event) {
	t.Helper()
	for _, e := range lines {
		check(t, w.Do(len(w.played.Script), e))
	}
}

// goAlong has everybody but some go along, as soon as they know enough, and settles the new room.
func goAlong(t *testing.T, w *World, stay ...string) {
	t.Helper()
	play(t, w, event("settle"))
	for _, name := range w.present() {
		if len(stay) == 0 || stay[0] != name {
			check(t, w.GoAlong(name))
		}
	}
	play(t, w, event("settle"))
	check(t, w.CheckMoved())
}

// A game moves in any weather, while play goes on in the old room. Some are left out. Everybody who goes along has one
// state and their seat, nobody's place is ever taken back in the old room, and who was left out reads nothing.
func TestMoves(t *testing.T) {
	cast := newCast(t)
	for seed := range uint64(6) {
		w := movingRoom(t, cast, 2*seed+1)
		random := rand.New(rand.NewPCG(seed, 1))
		mover := honest[random.IntN(len(honest))]
		var out []string
		if seed%3 > 0 {
			out = append(out, crookName)
		}
		if other := honest[random.IntN(len(honest))]; seed%3 == 2 && persons[other] != persons[mover] {
			for _, name := range honest {
				if persons[name] == persons[other] {
					out = append(out, name)
				}
			}
		}
		if w.checks.split {
			continue // see TestMoveAfterTwoChains
		}
		next, err := w.Move(mover, 1, out...)
		check(t, err)
		t.Cleanup(next.End)
		_, err = w.Storm(seed, 40) // the old room goes on
		check(t, err)
		goAlong(t, next)
		_, err = next.Storm(seed+100, 120)
		check(t, err)
		check(t, next.CheckMoved())
		play(t, w, event("settle"))
		t.Logf("seed %d: %s moves the game from seal %d of %d, without %v", seed, mover, next.seam(), w.devices[mover].program.State().Replica.Seals(), out)
	}
}

// The relay is killed for good: the announcement goes from device to device, and the game goes on elsewhere, from the
// last seal that its mover has.
func TestMoveFromADeadRelayInTheSimulator(t *testing.T) {
	w := movingRoom(t, newCast(t), 3)
	play(t, w, event("act", "b"), event("kill", relayName), event("act", "c"))
	next, err := w.Move("a", 1, "d")
	check(t, err)
	t.Cleanup(next.End)
	for range 30 {
		play(t, w, event("flow", "999"), event("wait", "1s"))
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		if moves := w.devices[name].program.State().Game.Moves(); len(moves) != 1 || !moves[0].Tentative {
			t.Errorf("%s knows of %d moves", name, len(moves))
		}
	}
	goAlong(t, next)
	_, err = next.Storm(7, 100)
	check(t, err)
}

// Two players move the game at once: each device takes one of the two, and both games go on.
func TestRivalMovesInTheSimulator(t *testing.T) {
	w := movingRoom(t, newCast(t), 5)
	first, err := w.Move("a", 1)
	check(t, err)
	t.Cleanup(first.End)
	second, err := w.Move("d", 2)
	check(t, err)
	t.Cleanup(second.End)
	play(t, w, event("settle"))
	goAlong(t, first, "d")
	goAlong(t, second, "a")
	for i, next := range []*World{first, second} {
		_, err := next.Storm(uint64(i), 80)
		check(t, err)
		check(t, next.CheckMoved())
	}
	play(t, w, event("act", "b"), event("settle"))
}

// A device that was away for a month comes back to the old room, and is led to the new one.
func TestLatecomerInTheSimulator(t *testing.T) {
	w := movingRoom(t, newCast(t), 9)
	play(t, w, event("kill", "d"))
	next, err := w.Move("b", 1)
	check(t, err)
	t.Cleanup(next.End)
	play(t, next, event("kill", "d"))
	play(t, w, event("flow", "999"), event("commit"), event("flow", "999"), event("wait", "750h"))
	if err := next.GoAlong("d"); !errors.Is(err, errNotThere) {
		t.Errorf("a device that is not there goes along: %v", err)
	}
	next.now = w.now
	goAlong(t, next, "d")
	play(t, w, event("start", "d"), event("settle"))
	play(t, next, event("start", "d"), event("settle"))
	check(t, next.GoAlong("d"))
	play(t, next, event("act", "d"), event("settle"))
	check(t, next.CheckMoved())
}

// The notary has signed two chains. The move goes on from the last seal that both have, so that everybody can go along,
// whichever of the two they follow.
func TestMoveAfterTwoChains(t *testing.T) {
	w, err := NewWorld(newCast(t), BootRoom)
	check(t, err)
	t.Cleanup(w.End)
	play(t, w, event("settle"), event("act", "a"), event("settle"), event("equivocate", "c", "d"), event("act", "a"), event("act", "d"), event("settle"))
	for _, name := range honest {
		if len(w.devices[name].program.State().Replica.NotaryForks()) == 0 {
			t.Fatalf("%s does not know", name)
		}
	}
	next, err := w.Move("d", 1)
	check(t, err)
	t.Cleanup(next.End)
	if next.seam() != w.checks.parting {
		t.Errorf("the game goes on from seal %d; the chains part after %d", next.seam(), w.checks.parting)
	}
	for range 20 {
		play(t, w, event("flow", "999"), event("commit"), event("wait", "1s"))
	}
	goAlong(t, next)
	_, err = next.Storm(11, 60)
	check(t, err)
}

// A device does not go along to a game that is another.
func TestWrongSeamInTheSimulator(t *testing.T) {
	w := movingRoom(t, newCast(t), 13)
	next, err := w.Move("a", 1)
	check(t, err)
	t.Cleanup(next.End)
	other, err := NewWorld(newCast(t), BootRoom)
	check(t, err)
	t.Cleanup(other.End)
	play(t, other, event("settle"), event("act", "b"), event("wait", time.Hour.String()), event("settle"))
	play(t, w, event("settle"))
	play(t, next, event("settle"))
	genesis, _ := next.devices["b"].program.State().Replica.Genesis()
	if err := other.devices["b"].program.State().Game.CheckSeam(genesis); err == nil {
		t.Error("a game with another order goes on as the same")
	}
	genesis.Continues = &ledger.Seam{Game: genesis.Continues.Game, Seal: 1}
	if err := w.devices["b"].program.State().Game.CheckSeam(genesis); err == nil {
		t.Error("the seam holds at any seal")
	}
}
