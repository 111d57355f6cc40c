package sync

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// constant is a source of one byte.
type constant byte

func (c constant) Read(b []byte) (int, error) {
	return copy(b, bytes.Repeat([]byte{byte(c)}, len(b))), nil
}

var start = Time{Steady: time.Unix(1_767_607_200, 0), Clock: 1_767_607_200_000}

func after(d time.Duration) Time {
	return Time{Steady: start.Steady.Add(d), Clock: start.Clock + d.Milliseconds()}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// founder returns a node that writes, alone, and whose device has founded a game that is on its disk.
func founder(t *testing.T) *Node {
	t.Helper()
	keys := ledger.RoomSecret{3}.Keys()
	device, person := must(ledger.NewDevice(constant(1))), must(ledger.NewIdentity(constant(2)))
	notary := must(ledger.NewNotary(keys.ID, [32]byte{1}, 8))
	e := must(must(ledger.NewPen(keys, device)).Found(person, "Ana", ledger.Genesis{
		Kernel: game.Kernel, Title: "A game", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: ledger.DiceBeacon, Options: map[string]string{},
		Ruleset: []ledger.Document{{Path: "1-core/01-one.md", Text: "# One\n\nBe kind."}},
	}, start.Clock))
	n := New(Config{Keys: keys, Game: game.New(keys, ledger.GameID(e.Action.ID())), Identity: person, Device: device})
	for _, b := range e.Envelopes {
		n.Restore(Item{Kind: KindEnvelope, Bytes: b})
	}
	n.SetMark(Mark{Seq: 1, ID: e.Action.ID()})
	n.Write(Alone, start)
	return n
}

// settle carries out what a node wants done; the disk says err. It returns the messages.
func settle(n *Node, err error, now Time) (sent []Message, ended []Link) {
	for again := true; again; again = n.Pending() {
		r := n.Ready(now)
		if len(r.Items) > 0 {
			n.Stored(err, now)
		}
		sent, ended = append(sent, r.Messages...), append(ended, r.HangUp...)
	}
	return sent, ended
}

func carries[T wire.Message](sent []Message) bool {
	return slices.ContainsFunc(sent, func(m Message) bool { _, ok := m.Content.(T); return ok })
}

// No message is ahead of the disk: an own action is in the game, and goes to peers, only once it is stored.
func TestMessagesWaitForTheDisk(t *testing.T) {
	n := founder(t)
	settle(n, nil, start)
	n.PeerUp(1, Instance{1}, ledger.DeviceKey{}, start)
	settle(n, nil, start)
	id, err := n.Sign(ledger.KindAct, []byte("x"), start)
	if err != nil {
		t.Fatal(err)
	}
	r := n.Ready(start)
	if len(r.Items) != 1 || r.Mark == nil || r.Mark.ID != id || len(r.Messages) > 0 {
		t.Fatalf("first comes %+v", r)
	}
	if _, here := n.Game().Replica().Action(id); here {
		t.Error("the action is in the game before it is on the disk")
	}
	n.Stored(nil, start)
	if sent, _ := settle(n, nil, start); !carries[wire.Envelopes](sent) {
		t.Errorf("then comes %+v", sent)
	}
	if _, here := n.Game().Replica().Action(id); !here || n.Halted() != nil {
		t.Error("the action is not in the game when it is on the disk")
	}
}

// When the disk fails, nothing is sent of what may not be on it, nothing is said to be here, and nothing more is signed.
func TestFailingDiskIsNotTalkedOf(t *testing.T) {
	n := founder(t)
	settle(n, nil, start)
	n.PeerUp(1, Instance{1}, ledger.DeviceKey{}, start)
	settle(n, nil, start)
	full := errors.New("full")
	id, err := n.Sign(ledger.KindAct, []byte("x"), start)
	if err != nil {
		t.Fatal(err)
	}
	n.FromPeer(1, wire.Want{FromSeal: 1, Feeds: []wire.FeedPosition{}}, start)
	sent, _ := settle(n, full, start)
	if carries[wire.Have](sent) || !errors.Is(n.Halted(), full) {
		t.Errorf("it says %+v; halted: %v", sent, n.Halted())
	}
	if _, here := n.Game().Replica().Action(id); here {
		t.Error("the action is in the game")
	}
	if _, err := n.Sign(ledger.KindAct, []byte("y"), start); err == nil {
		t.Error("something else was signed with its number")
	}
	// The disk is well again: what others send is stored, and still nothing is signed.
	n.Tick(after(time.Second))
	settle(n, nil, after(time.Second))
	if _, err := n.Sign(ledger.KindAct, []byte("z"), after(time.Second)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// A peer that sends more messages than anybody needs loses its link; a steady stream does not.
func TestFloodingPeerLosesItsLink(t *testing.T) {
	for _, test := range []struct {
		every time.Duration
		ends  bool
	}{{0, true}, {2 * time.Second / maxMessages, false}} {
		n := founder(t)
		settle(n, nil, start)
		n.PeerUp(1, Instance{1}, ledger.DeviceKey{}, start)
		var ended []Link
		for i := range 2 * maxMessages {
			n.FromPeer(1, wire.Ack{Hashes: []wire.EnvelopeHash{}}, after(time.Duration(i)*test.every))
			_, e := settle(n, nil, start)
			ended = append(ended, e...)
		}
		if got := slices.Contains(ended, 1); got != test.ends {
			t.Errorf("a message every %s: the link is ended: %v", test.every, got)
		}
	}
}

// A node that reads stores nothing, signs nothing and says nothing.
func TestReaderOnlyReads(t *testing.T) {
	n := founder(t)
	n.writes = false
	n.Tick(after(time.Minute))
	r := n.Ready(after(time.Minute))
	if len(r.Items) > 0 || len(r.Messages) > 0 || n.Pending() {
		t.Errorf("it wants %+v", r)
	}
}
