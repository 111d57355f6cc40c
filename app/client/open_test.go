package client

import (
	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"testing"
	"time"

	"peernomic/app/client/disk"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const longRules = "# All\n\n```starlark\n" + `
column("gold", integer())
def dig(me):
    me.gold += dice(2, 6)
action("Dig", run=dig, who="anyone")
` + "```\n"

// same is a source of one byte.
type same byte

func (s same) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(s)
	}
	return len(b), nil
}

// longGame is the log of a game of so many actions, each under a seal of its own.
func longGame(tb testing.TB, actions int) (ledger.RoomSecret, ledger.GameID, []node.Item) {
	tb.Helper()
	good := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	secret := ledger.RoomSecret{9}
	keys := secret.Keys()
	dev, err := ledger.NewDevice(same(5))
	good(err)
	id, err := ledger.NewIdentity(same(6))
	good(err)
	pen, err := ledger.NewPen(keys, dev)
	good(err)
	notary, err := ledger.NewNotary(keys.ID, [32]byte{1}, 1<<14)
	good(err)
	var replica *ledger.Replica
	now := int64(1_767_607_200_000)
	var items []node.Item
	add := func(e ledger.Entry, err error) {
		tb.Helper()
		good(err)
		if e.Action.Action().Kind == ledger.KindGenesis {
			notary.Found(ledger.GameID(e.Action.ID()))
			replica = ledger.NewReplica(keys, ledger.GameID(e.Action.ID()))
		}
		var hashes []wire.EnvelopeHash
		for _, b := range e.Envelopes {
			h, err := replica.RestoreEnvelope(b)
			good(err)
			items = append(items, node.Item{Kind: node.KindEnvelope, Bytes: b})
			hashes = append(hashes, h)
		}
		s, err := notary.Seal(now, hashes)
		good(err)
		items = append(items, node.Item{Kind: node.KindSeal, Bytes: s.Bytes})
		now += 1000
	}
	add(pen.Found(id, "Ana", ledger.Genesis{
		Kernel: game.Kernel, Title: "Long", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: ledger.DiceBeacon,
		Ruleset: []ledger.Document{{Path: "1-core/01-all.md", Text: longRules}},
	}, now))
	body, err := game.EncodeAct("Dig", nil)
	good(err)
	for len(items) < 2*actions {
		add(pen.Write(replica.Position(dev.Key()), ledger.KindAct, body, now))
	}
	return secret, replica.Game(), items
}

// BenchmarkOpen10000 opens a game of 10,000 actions. Cold is from what others sent, with every
// signature judged. Warm is from the device's own disk, with every action carried out; again is
// the start after that, from the snapshot that the first one left. For both: the time until the game is
// shown, and the longest time in which the page could not be drawn. It runs natively, by Node and, as BenchmarkOpenInChromium, in Chromium.
func BenchmarkOpen10000(b *testing.B) {
	const actions = 10_000
	secret, id, items := longGame(b, actions)
	size := 0
	for _, item := range items {
		if item.Kind == node.KindEnvelope {
			size += len(item.Bytes)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			g := game.New(secret.Keys(), id)
			for _, item := range items {
				var err error
				if item.Kind == node.KindSeal {
					err = g.ReceiveSeal(item.Bytes)
				} else {
					_, err = g.Receive(item.Bytes)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			g.Advance(0)
			if n := len(g.Entries()); n != actions {
				b.Fatalf("%d actions", n)
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
		b.ReportMetric(float64(size)/actions, "envelope-bytes/action")
	})
	for _, again := range []bool{false, true} {
		name := "warm"
		if again {
			name = "again"
		}
		b.Run(name, func(b *testing.B) {
			var took times
			for b.Loop() {
				b.StopTimer()
				c := Config{Identity: &disk.Memory{}, Games: realDisk(b), Program: "benchmark"}
				hub, err := OpenHub(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				if err := hub.addGame(b.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil); err != nil {
					b.Fatal(err)
				}
				if again {
					s, _ := openLong(b, hub, secret, actions)
					s.Close()
				}
				b.StartTimer()
				_, o := openLong(b, hub, secret, actions)
				took.add(o)
				b.StopTimer()
				if err := hub.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			took.report(b)
		})
	}
}

// times is how long it took to open a game, summed up.
type times struct{ shown, blocked time.Duration }

func (o *times) add(s times) {
	o.shown, o.blocked = o.shown+s.shown, o.blocked+s.blocked
}

func (o *times) report(b *testing.B) {
	b.ReportMetric(float64(o.shown.Milliseconds())/float64(b.N), "ms-until-shown")
	b.ReportMetric(float64(o.blocked.Milliseconds())/float64(b.N), "ms-page-blocked")
}

// openLong opens a game and times that.
func openLong(b *testing.B, hub *Hub, secret ledger.RoomSecret, actions int) (*Session, times) {
	b.Helper()
	blocked := watchPage()
	start := time.Now()
	s, err := hub.Open(b.Context(), secret.Keys().ID)
	if err == nil {
		err = s.Do(b.Context(), func(g *game.Game) {
			if n := len(g.Entries()); n != actions {
				b.Errorf("%d actions", n)
			}
		})
	}
	if err != nil {
		b.Fatal(err)
	}
	return s, times{shown: time.Since(start), blocked: blocked()}
}
