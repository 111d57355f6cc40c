//go:build !js

package simtest

import (
	"strings"
	"testing"
	"time"

	"peernomic/app/client/sync"
	"peernomic/engine/wire"
)

// listener counts what the others say that they have.
type listener struct {
	Member
	haves *int
}

func (l listener) FromPeer(name string, m wire.Message) {
	if _, ok := m.(wire.Have); ok {
		*l.haves++
	}
	l.Member.FromPeer(name, m)
}

// quietRoom is a simulated room whose devices have settled, by their names, with a count of what they
// say that they have.
type quietRoom struct {
	t       *testing.T
	world   *World
	members map[string]Member
	haves   int
}

func newQuietRoom(t *testing.T) *quietRoom {
	t.Helper()
	r := &quietRoom{t: t, members: map[string]Member{}}
	var err error
	r.world, err = NewWorld(newCast(t), func(p Program) (Member, error) {
		m, err := BootRoom(p)
		r.members[string(p.Instance[:1])] = m
		return listener{m, &r.haves}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	r.do("settle")
	r.haves = 0
	return r
}

func (r *quietRoom) do(lines ...string) {
	r.t.Helper()
	script, err := ParseScript(strings.Join(lines, "\n"))
	if err != nil {
		r.t.Fatal(err)
	}
	for i, e := range script {
		if err := r.world.Do(i, e); err != nil {
			r.t.Fatal(err)
		}
	}
}

// pass lets time pass in which every message arrives.
func (r *quietRoom) pass(d time.Duration) {
	r.t.Helper()
	for range d / time.Second {
		r.do("wait 1s", "flow 999", "commit", "flow 999")
	}
}

// Devices among whom nothing happens do not tell each other again and again what they have.
func TestQuietRoomIsQuiet(t *testing.T) {
	r := newQuietRoom(t)
	const directions = 4 * 3
	r.pass(2 * sync.HaveAgain)
	if r.haves < directions || r.haves > 3*directions {
		t.Errorf("%d times somebody said what it has, in %s and %d directions", r.haves, 2*sync.HaveAgain, directions)
	}
	t.Logf("in %s somebody said %d times what it has", 2*sync.HaveAgain, r.haves)
	r.haves = 0
	r.do("act a")
	r.pass(3 * time.Second)
	if r.haves < directions {
		t.Errorf("after a change %d times somebody said what it has", r.haves)
	}
}

// A question that is lost is asked again, though nobody says anything new.
func TestLostQuestionIsAskedAgain(t *testing.T) {
	for _, lost := range []string{"question", "answer"} {
		t.Run(lost, func(t *testing.T) {
			r := newQuietRoom(t)
			r.do("kill relay", "cut b c", "cut b d")
			held := func() int { return len(r.members["b"].State().Replica.Tentative()) }
			r.do("act a", "drop a b 0", "wait 1s", "deliver a b 0") // what it did is lost, that it has it is not
			r.haves = 0
			switch lost {
			case "question":
				r.do("drop b a 0")
			case "answer":
				r.do("deliver b a 0", "drop a b 0", "drop a b 0") // with what it has then
			}
			if held() != 0 {
				t.Fatal("nothing was lost")
			}
			r.pass(2 * sync.AskAgain)
			if held() != 1 {
				t.Errorf("%d actions arrived", held())
			}
		})
	}
}
