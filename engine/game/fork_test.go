package game

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
	"peernomic/engine/wire"
)

// forkOf founds a game in another room that goes on from the table's after n actions. Its first
// device is that of the table's person number by, with new device keys.
func (tb *table) forkOf(n, by int) (*Game, ledger.Entry) {
	tb.t.Helper()
	fork, err := tb.full.ForkAt(n)
	must(tb.t, err)
	secret := ledger.RoomSecret{9}
	keys := secret.Keys()
	notary, err := ledger.NewNotary(keys.ID, [32]byte{5}, 1000)
	must(tb.t, err)
	pen, err := ledger.NewPen(keys, tb.pens[by].Device())
	must(tb.t, err)
	e, err := pen.Found(tb.ids[by], "Somebody", ledger.Genesis{
		Kernel: Kernel, Title: "Again", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: ledger.DiceBeacon, Ruleset: fork.Ruleset, Options: fork.Options,
	}, tb.now)
	must(tb.t, err)
	notary.Found(ledger.GameID(e.Action.ID()))
	g := New(keys, ledger.GameID(e.Action.ID()))
	var hashes []wire.EnvelopeHash
	for _, env := range e.Envelopes {
		h, err := g.Receive(env)
		must(tb.t, err)
		hashes = append(hashes, h)
	}
	seal, err := notary.Seal(tb.now, hashes)
	must(tb.t, err)
	must(tb.t, g.ReceiveSeal(seal.Bytes))
	g.Advance(tb.now)
	must(tb.t, g.Broken())
	return g, e
}

// A game forked at any point begins exactly as the other was there: rules, gamestate, log and
// people, as the digests say.
func TestForkBeginsWhereTheOtherWas(t *testing.T) {
	tb := newTable(t, 3)
	for range 3 {
		tb.now += 60_000
		tb.act(0, "Dig")
		tb.act(1, "Dig")
		tb.act(0, "Wind")
		tb.seal()
	}
	placed := len(tb.full.Replica().Placed())
	for _, n := range []int{1, 4, placed} {
		g, e := tb.forkOf(n, 1)
		want := tb.full.At(n).Digest()
		genesis, err := ledger.DecodeGenesis(e.Body)
		must(t, err)
		if genesis.Options[OptionForkDigest] != hex.EncodeToString(want[:]) {
			t.Error("the genesis names another state")
		}
		if n < 3 {
			// The founder of the fork was not in the game yet, and has come in since.
			if got := len(g.World().Log()); got != len(tb.full.At(n).Log())+1 {
				t.Errorf("after %d actions the fork's log has %d entries", n, got)
			}
			continue
		}
		if g.World().Digest() != want {
			t.Errorf("after %d actions the fork begins with another state", n)
		}
		if got, want := g.PersonOf(tb.ids[1].Key()), tb.full.PersonOf(tb.ids[1].Key()); got != want {
			t.Errorf("the founder of the fork is person %d, was %d", got, want)
		}
	}
	if _, err := tb.full.ForkAt(placed + 1); err == nil {
		t.Error("a fork from the future")
	}
	if _, err := tb.full.ForkAt(0); err == nil {
		t.Error("a fork from before the beginning")
	}
}

// A game of a whole ruleset survives the fork to the digest.
func TestGoldenGameForks(t *testing.T) {
	file, err := os.ReadFile("testdata/golden/dragons-1.game")
	must(t, err)
	r, err := ledger.ReadArchive(file)
	must(t, err)
	g := FromReplica(r)
	_, _, now := r.LastSeal()
	g.Advance(now)
	for _, n := range []int{7, len(r.Placed())} {
		old := g.At(n)
		doc, err := old.Snapshot()
		must(t, err)
		t.Logf("after %d actions the snapshot has %d bytes", n, len(doc.Text))
		world := foundFrom(t, old.Players()[0].Key, doc.Path, doc.Text)
		if world.Digest() != old.Digest() {
			t.Errorf("after %d actions the fork has another digest", n)
		}
	}
}

func foundFrom(t *testing.T, key, path, text string) *rules.World {
	t.Helper()
	w, err := rules.Found(rules.Founding{Documents: []document.Document{{Path: path, Text: text}}, FounderKey: key, Founder: "Somebody", Time: testTime})
	must(t, err)
	return w
}

// A game that does not fit into the beginning of another says so, with a point where it may; there it
// does.
func TestForkOfALongGame(t *testing.T) {
	tb := newTableOf(t, 1, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md",
		Text: "# All\n\n```starlark\ndef say(me, what):\n    pass\naction(\"Say\", run=say, params=[param(\"what\", data())])\n```\n"}})
	random := rand.NewChaCha8([32]byte{1})
	for range 80 {
		b := make([]byte, 20<<10)
		random.Read(b)
		tb.actWith(0, "Say", map[string]any{"what": hex.EncodeToString(b)})
		tb.now += 1000
		tb.seal()
		if refused := tb.last().Outcome.Refused; refused != nil {
			t.Fatal(refused)
		}
	}
	_, err := tb.full.ForkAt(81)
	var large *TooLargeError
	if err == nil {
		t.Fatal("a game of 80 actions with 40 KiB each was forked")
	}
	if !errors.As(err, &large) || large.After != 81 || large.About < 60 || large.About > 78 {
		t.Fatalf("%v: %+v", err, large)
	}
	g, _ := tb.forkOf(large.About, 0)
	if g.World().Digest() != tb.full.At(large.About).Digest() {
		t.Error("the fork begins with another state")
	}
}
