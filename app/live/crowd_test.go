package live

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

// Anybody with the invite can make any number of people come in, and whoever plays can call any number of conventions.

// crowd is a farm at whose door n people ask to be admitted.
func crowd(t *testing.T, n int) *rules.World {
	t.Helper()
	w := farm(t)
	for i := range n {
		id, _ := w.Knock(strings.Repeat(fmt.Sprintf("%04x", i), 16), fmt.Sprintf("Mal %d", i), w.Now())
		do(t, w, id, "Introduce yourself", map[string]any{"name": fmt.Sprintf("Mal %d", i)})
	}
	return w
}

func TestACrowdAtTheDoorIsOneCard(t *testing.T) {
	w := crowd(t, 5)
	v := lookAt(w, 1).nowView(path)
	if got := cards(v); got[0] != "admit: Mal 0, Mal 1, Mal 2 and 2 more ask to be admitted" || got[1] != "due: Succession Challenge to announce" {
		t.Errorf("the admin sees %q", got)
	}
	var waits []string
	for _, x := range lookAt(w, 2).waiting(path) {
		waits = append(waits, x.Text)
	}
	if want := "Mal 0, Mal 1, Mal 2 and 2 more wait to be admitted"; len(waits) != 1 || waits[0] != want {
		t.Errorf("waited for is %q, want %q", waits, want)
	}
}

// The motions with the most signatures come first, and nobody's last motion stands behind what somebody else called earlier.
func TestManyMotionsHideNobodys(t *testing.T) {
	motion := func(id byte, by int64, assents ...int64) game.Motion {
		return game.Motion{ID: ledger.MotionID{id}, CalledBy: by, Assents: assents, Status: game.MotionOpen}
	}
	over := game.Motion{ID: ledger.MotionID{9}, Status: game.MotionDone}
	order := func(motions ...game.Motion) string {
		var out []string
		open, over := sorted(motions)
		for _, m := range append(open, over...) {
			out = append(out, fmt.Sprint(m.ID[0]))
		}
		return strings.Join(out, " ")
	}
	if got := order(motion(1, 1, 1), over, motion(2, 2, 2), motion(3, 2, 2), motion(4, 2, 2), motion(5, 3, 3, 1), motion(6, 3)); got != "5 4 1 3 2 6 9" {
		t.Errorf("the motions stand in the order %s", got)
	}
}

// Nobody is called to a convention whose signatures were all taken back.
func TestAMotionWithoutSignaturesAsksNobody(t *testing.T) {
	motion := game.Motion{CalledBy: 1, Active: []int64{1, 2}, Assents: []int64{1}, Status: game.MotionOpen}
	if asks([]game.Motion{motion}, 2) == nil || asks([]game.Motion{motion}, 1) != nil {
		t.Error("the motion asks not only who has not signed")
	}
	motion.Assents = nil
	if asks([]game.Motion{motion}, 2) != nil {
		t.Error("it asks although nobody signs it any more")
	}
}

// Whose seat is claimed has acted since, or has not.
func TestAClaimIsDoubtedOnceItsPersonActs(t *testing.T) {
	w := farm(t)
	c := claim{by: 3, was: 2, at: w.Now()}
	if lookAt(w, 1).doubtful(c) {
		t.Error("it is doubted though Bo did nothing")
	}
	do(t, w, 2, "Adopt", map[string]any{"name": "Smaug", "color": "Silver"})
	if !lookAt(w, 1).doubtful(c) {
		t.Error("it is not doubted though Bo plays on")
	}
}

// What it takes to say who has signed with which devices grows with the devices, not with their square.
func TestTheDevicesOfACrowd(t *testing.T) {
	h, g := stuck(t)
	ctx := context.Background()
	come := func(n int) {
		file, err := g.Export(ctx)
		for range n {
			other := device(t)
			var room string
			var theirs view.Game
			if err == nil {
				room, err = other.Import(ctx, file)
			}
			if err == nil {
				theirs, err = other.Open(ctx, room)
			}
			if err == nil {
				err = theirs.(*play).s.Introduce(ctx, "Mal")
			}
			if err == nil {
				file, err = theirs.Export(ctx)
			}
		}
		if err == nil {
			_, err = h.Import(ctx, file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cost := func() (allocs float64) {
		people, err := g.People(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range people.People {
			if len(q.Devices) != 1 {
				t.Errorf("%s has the devices %+v", q.Name, q.Devices)
			}
		}
		return testing.AllocsPerRun(1, func() { _, _ = g.People(ctx) })
	}
	come(3)
	few := cost()
	come(12)
	if many := cost(); many > 5*few {
		t.Errorf("the roster of 16 takes %.0f allocations, of 4 %.0f", many, few)
	}
}
