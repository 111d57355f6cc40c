package game

import (
	"math/rand/v2"
	"slices"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const testTime = 1_767_607_200_000 // 2026-01-05 10:00 GMT

const testScript = "# All\n\n```starlark\n" + `
column("gold", integer())
def dig(me):
    me.gold += dice(2, 6)
action("Dig", run=dig, who="anyone")
def ring(args):
    find("players", id=1).gold += roll(100)
handler("ring", ring)
def wind(me):
    schedule(now() + hours(1), "ring")
action("Wind", run=wind)
` + "```\n"

// table is a room with a notary and some devices, for tests.
type table struct {
	t         testing.TB
	game      ledger.GameID
	motions   byte // made so far
	keys      ledger.RoomKeys
	notary    *ledger.Notary
	pens      []*ledger.Pen
	ids       []*ledger.Identity
	full      *Game // has everything at once
	envelopes [][]byte
	seals     [][]byte
	pending   []wire.EnvelopeHash
	now       int64
}

func newTable(t testing.TB, devices int) *table {
	t.Helper()
	return newTableOf(t, devices, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: testScript}})
}

func newTableOf(t testing.TB, devices int, ruleset []ledger.Document) *table {
	t.Helper()
	random := rand.NewChaCha8([32]byte{7})
	secret, err := ledger.NewRoomSecret(random)
	must(t, err)
	tb := &table{t: t, keys: secret.Keys(), now: testTime}
	tb.notary, err = ledger.NewNotary(tb.keys.ID, [32]byte{1}, 1<<14)
	must(t, err)
	for range devices {
		dev, err := ledger.NewDevice(random)
		must(t, err)
		pen, err := ledger.NewPen(tb.keys, dev)
		must(t, err)
		id, err := ledger.NewIdentity(random)
		must(t, err)
		tb.pens, tb.ids = append(tb.pens, pen), append(tb.ids, id)
	}
	entry, err := tb.pens[0].Found(tb.ids[0], "Ana", ledger.Genesis{
		Kernel: Kernel, Title: "Test", Notary: tb.notary.Key(), Anchor: tb.notary.Anchor(), Dice: ledger.DiceBeacon,
		Ruleset: ruleset,
	}, tb.now)
	must(t, err)
	tb.notary.Found(ledger.GameID(entry.Action.ID()))
	tb.game = ledger.GameID(entry.Action.ID())
	tb.full = New(tb.keys, tb.game)
	tb.send(entry)
	tb.seal()
	for i, pen := range tb.pens[1:] {
		entry, err := pen.Enrol(tb.ids[i+1], "Bo", tb.game, nil, tb.now)
		must(t, err)
		tb.send(entry)
	}
	tb.seal()
	return tb
}

// copy returns the same table, with a game that got everything anew: seals first.
func (tb *table) copy(t testing.TB) *table {
	t.Helper()
	again, notary := *tb, *tb.notary
	again.t, again.notary, again.full = t, &notary, New(tb.keys, tb.game)
	again.envelopes, again.seals, again.pending = slices.Clip(tb.envelopes), slices.Clip(tb.seals), nil
	for _, s := range tb.seals {
		must(t, again.full.ReceiveSeal(s))
	}
	for _, e := range tb.envelopes {
		_, err := again.full.Receive(e)
		must(t, err)
	}
	again.full.Advance(tb.now)
	return &again
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (tb *table) send(e ledger.Entry) {
	tb.t.Helper()
	for _, b := range e.Envelopes {
		h, err := tb.full.Receive(b)
		must(tb.t, err)
		tb.envelopes = append(tb.envelopes, b)
		tb.pending = append(tb.pending, h)
	}
}

func (tb *table) seal() {
	tb.t.Helper()
	s, err := tb.notary.Seal(tb.now, tb.pending)
	must(tb.t, err)
	must(tb.t, tb.full.ReceiveSeal(s.Bytes))
	tb.seals, tb.pending = append(tb.seals, s.Bytes), nil
	tb.full.Advance(tb.now)
	must(tb.t, tb.full.Broken())
}

func (tb *table) act(device int, name string) {
	tb.t.Helper()
	tb.actWith(device, name, nil)
}

func (tb *table) actWith(device int, name string, args map[string]any) {
	tb.t.Helper()
	body, err := EncodeAct(name, args)
	must(tb.t, err)
	pen := tb.pens[device]
	entry, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindAct, body, tb.now)
	must(tb.t, err)
	tb.send(entry)
}

func (tb *table) gold(g *Game, player int64) int64 {
	v, _ := g.World().Cell("players", player, "gold")
	n, _ := v.(int64)
	return n
}

func TestAnyArrivalGivesOneState(t *testing.T) {
	tb := newTable(t, 3)
	for round := range 5 {
		tb.now += 60_000
		tb.act(round%3, "Dig")
		tb.act((round+1)%3, "Dig")
		if round == 2 {
			tb.act(0, "Wind")
		}
		tb.seal()
	}
	tb.now += 2 * 3600_000
	tb.act(1, "Dig")
	tb.seal()
	wantSeal, want := tb.full.Confirmed()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		g := New(tb.keys, tb.game)
		items := append(append([][]byte{}, tb.envelopes...), tb.seals...)
		order := random.Perm(len(items))
		for _, i := range order {
			if i < len(tb.envelopes) {
				_, err := g.Receive(items[i])
				must(t, err)
			} else {
				must(t, g.ReceiveSeal(items[i]))
			}
			if random.IntN(3) == 0 {
				g.Advance(testTime + random.Int64N(1e8))
			}
		}
		g.Advance(tb.now)
		if seal, got := g.Confirmed(); got != want || seal != wantSeal {
			t.Fatalf("digest %x at seal %d, want %x at %d (arrival %v)", got, seal, want, wantSeal, order)
		}
	}
	entries := tb.full.Entries()
	last := entries[len(entries)-1]
	transcript, err := tb.full.Transcript(last.Action)
	must(t, err)
	if r := dice.VerifyTranscript(transcript); !r.OK || r.Rolls[0].Value != uint64(last.Outcome.Rolls[0].Value) {
		t.Errorf("the transcript of the last roll: %+v", r)
	}
}

func TestTentativeTailIsTriedOutAndThenReplaced(t *testing.T) {
	tb := newTable(t, 2)
	before := len(tb.full.World().Log())
	tb.now += 1000
	tb.act(0, "Wind")
	tb.act(0, "Dig")
	tb.full.Advance(tb.now)
	entries := tb.full.Entries()
	if wind := entries[len(entries)-2]; !wind.Tentative || wind.Outcome.Refused != nil {
		t.Errorf("an unsealed action: %+v, want tentative and tried out", wind)
	}
	dig := entries[len(entries)-1]
	if dig.Outcome.Refused == nil || dig.Outcome.Refused.Code != "waiting" {
		t.Errorf("an unsealed roll: %+v, want waiting for its seal", dig.Outcome.Refused)
	}
	_, digest := tb.full.Confirmed()
	tb.full.Advance(tb.now + 5000)
	if _, again := tb.full.Confirmed(); again != digest {
		t.Error("the tail changed the confirmed digest")
	}
	tb.seal()
	if got := len(tb.full.World().Log()); got != before+2 {
		t.Errorf("the log has %d entries, want %d", got, before+2)
	}
	if tb.gold(tb.full, 1) < 2 {
		t.Error("the sealed roll did not count")
	}
}

func TestTimerRollsByTheFirstSealAfterIt(t *testing.T) {
	tb := newTable(t, 2)
	tb.act(0, "Wind")
	tb.seal()
	tb.full.Advance(tb.now + 2*3600_000)
	if got := tb.gold(tb.full, 1); got != 0 {
		t.Fatalf("the timer rolled %d before any seal", got)
	}
	tb.now += 3 * 3600_000
	tb.act(1, "Dig")
	tb.seal()
	want := int64(dice.NewStream(dice.TimerSeed([32]byte(tb.full.core.game), timerName(1), tb.notary.Last().Link)).Roll(100))
	if got := tb.gold(tb.full, 1); got != want {
		t.Errorf("the timer rolled %d, want %d", got, want)
	}
}

func TestPreviewKnowsTheOdds(t *testing.T) {
	tb := newTable(t, 1)
	before := tb.full.World().Digest()
	p := tb.full.Preview(1, "Dig", nil)
	if p.Refused != nil || len(p.Outcomes) != 11 {
		t.Fatalf("got %+v, want the 11 sums of two dice", p)
	}
	if top := p.Outcomes[0]; top.Numerator != 1 || top.Denominator != 6 || top.Changes[0].New != int64(7) {
		t.Errorf("likeliest is %+v, want a 7 at 1 in 6", top)
	}
	if tb.full.World().Digest() != before {
		t.Error("a preview left something behind")
	}
}

func TestHistoryCanBeLookedAt(t *testing.T) {
	tb := newTable(t, 1)
	for range 3 {
		tb.now += 1000
		tb.act(0, "Dig")
		tb.seal()
	}
	if got := len(tb.full.At(2).Log()); got != 2 {
		t.Errorf("after two actions the log has %d entries, want 2", got)
	}
	if tb.full.At(4).Digest() != tb.full.World().Digest() {
		t.Error("the end of history is not the present")
	}
}

// Whose a discreet action is, the entry of the game does not tell either; the device that signed it stands there.
func TestDiscreetActionIsNobodysInTheGame(t *testing.T) {
	tb := newTableOf(t, 2, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md",
		Text: "# All\n\n```starlark\naction(\"Whisper\", run=lambda me: None, who=\"anyone\", discreet=lambda me: True)\naction(\"Shout\", run=lambda me: None, who=\"anyone\")\n```\n"}})
	for name, want := range map[string]int64{"Whisper": 0, "Shout": 2} {
		tb.now += 60_000
		tb.act(1, name)
		tb.seal()
		all := tb.full.Entries()
		e := all[len(all)-1]
		if e.Outcome.Refused != nil || e.Player != want || e.Outcome.Player != want || e.Device != tb.pens[1].Device().Key() {
			t.Errorf("%s: the entry is of player %d, its outcome of %d, refused: %v; want %d", name, e.Player, e.Outcome.Player, e.Outcome.Refused, want)
		}
	}
}

// Dice of which only the sum counts are tried by their sums, each as likely as it is.
func TestPreviewOfSums(t *testing.T) {
	s := &script{}
	type odds struct{ n, d int64 }
	got := map[uint64]odds{}
	ways := 0
	for {
		s.begin()
		s.Sum(3, 6)
		var sum uint64
		for range 3 {
			v, _ := s.Roll(6)
			sum += v
		}
		coin, _ := s.Roll(2)
		n, d, ok := s.chance()
		if !ok {
			t.Fatal("the odds cannot be told")
		}
		if coin == 1 {
			got[sum] = odds{n, d}
		}
		if ways++; !s.step() {
			break
		}
	}
	if ways != 16*2 || got[3] != (odds{1, 432}) || got[10] != (odds{1, 16}) || got[18] != (odds{1, 432}) {
		t.Errorf("%d ways; 3 comes %v, 10 comes %v, 18 comes %v", ways, got[3], got[10], got[18])
	}
	s.points = []point{{dice: 40, sides: 6}}
	s.next = 1
	if _, _, ok := s.chance(); ok {
		t.Error("odds that do not fit are told")
	}
}
