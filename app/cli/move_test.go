package cli

import (
	"testing"

	"peernomic/app/client"
	"peernomic/engine/wire"
)

// Kim moves the game to another relay. Lee sees where it goes on, first stays, and then goes along. Afterwards both act
// in the new room.
func TestPeersMoveTheGame(t *testing.T) {
	server, _ := startRelay(t)
	next, _ := startRelay(t)
	kim := enter(t, found(t, server.URL, "column(\"gold\", integer())\ndef dig(me):\n    me.gold += 1\naction(\"Dig\", run=dig)\ndef join(me):\n    me.standing = \"player\"\naction(\"Join\", run=join, who=\"anyone\")\n"))
	invite := kim.session.Invite()
	lee := enter(t, func(h *client.Hub) (wire.RoomID, error) { return h.Join(t.Context(), invite, "Lee") })
	done := func(p *member, text string) answer {
		t.Helper()
		a, err := tell(t, p, text)
		if err != nil || a.Event == "refused" {
			t.Fatalf("%s: %v, %+v", text, err, a)
		}
		return a
	}
	done(lee, "act Join")
	waitFor(t, "both have a seat", func() bool { s, err := kim.look(t.Context()); return err == nil && s.Placed == 3 })
	for _, bad := range []string{"move", "move " + next.URL + " left=Nobody", "go", "go nowhere", "stay nowhere"} {
		if _, err := tell(t, kim, bad); err == nil {
			t.Errorf("%q was done", bad)
		}
	}
	old := kim.session.Room()
	done(kim, "move "+next.URL+` why="the relay is slow"`)
	if kim.session.Room() == old {
		t.Error("Kim did not come along")
	}
	var o offer
	waitFor(t, "Lee is asked", func() bool {
		list := done(lee, "moves").Moves
		if len(list) == 1 {
			o = list[0]
		}
		return o.State == "offered"
	})
	if o.By != "Kim" || o.Why != "the relay is slow" || len(o.Out) != 0 || o.Gone != 1 || o.Seats != 2 {
		t.Errorf("the offer: %+v", o)
	}
	done(lee, "stay "+o.Room)
	if list := done(lee, "moves").Moves; list[0].State != "stays" {
		t.Errorf("after Lee stays: %+v", list)
	}
	done(lee, "go "+o.Room)
	waitFor(t, "Lee is there", func() bool { return lee.session.Me() != 0 })
	done(lee, "act Dig")
	waitFor(t, "both have the same game", func() bool {
		a, _ := kim.look(t.Context())
		b, err := lee.look(t.Context())
		return err == nil && a.Placed == 3 && b.Placed == 3 && a.Digest == b.Digest
	})
}
