package ledger

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"testing"

	"peernomic/engine/wire"
)

func TestArchiveRoundTrip(t *testing.T) {
	tab := newTable(2)
	tab.publish(tab.act(1, "a"))
	file := must(WriteArchive(tab.people[0].replica))
	r, err := readOne(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(r.Placed()), order(tab.people[0].replica.Placed()); !reflect.DeepEqual(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if got, want := order(r.Tentative()), []string{"0 a"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
	if r.Keys().Secret() != tab.keys.Secret() {
		t.Error("the secret is another")
	}
	if again := must(WriteArchive(r)); !bytes.Equal(again, file) {
		t.Error("the archive is written otherwise")
	}
}

// A game that no seal has ordered yet can be exported as well; no game at all cannot.
func TestArchiveBeforeAnySeal(t *testing.T) {
	tab := newTable(1)
	r := NewReplica(tab.keys, tab.game)
	_, err := WriteArchive(r)
	wantCode(t, err, CodeGenesis)
	must(r.AddEnvelope(tab.all[0]))
	read, err := readOne(must(WriteArchive(r)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(read.Tentative()), []string{"0 genesis"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
}

// What a stalled replica cannot order goes into the archive as if no seal had named it.
func TestArchiveOfAStalledReplica(t *testing.T) {
	tab := newTable(2)
	missing, held := tab.act(0, "missing"), tab.act(1, "held")
	for _, p := range tab.people {
		must(p.replica.AddEnvelope(held.Envelope()))
	}
	tab.seal(missing.Envelope())
	tab.seal(held.Envelope())
	read, err := readOne(must(WriteArchive(tab.people[1].replica)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(read.Tentative()), []string{"0 held"}; !reflect.DeepEqual(got, want) || read.Seals() != 2 {
		t.Errorf("tentative %v after %d seals, want %v", got, read.Seals(), want)
	}
}

// secondChapter founds a game that goes on from a table's after a seal.
func (t *table) secondChapter(seal uint64, change func(g *Genesis)) *Replica {
	s, _ := t.people[0].replica.Seal(seal)
	order, _ := t.people[0].replica.OrderDigestAt(seal)
	keys := RoomSecret{9}.Keys()
	n := notary(keys, 7)
	g := t.genesis()
	g.Notary, g.Anchor = n.Key(), n.Anchor()
	g.Ruleset = []Document{{Path: SecretPath, Text: t.keys.secret.String()}, {Path: SnapshotPath, Text: "a world"}}
	g.Continues = &Seam{Game: t.game, Seal: seal, SealHash: s.Hash, Order: order}
	change(&g)
	e := must(pen(keys, "P1").Found(t.people[1].id, "P1", g, t.now))
	r := NewReplica(keys, GameID(e.Action.ID()))
	n.Found(r.game)
	var hashes []wire.EnvelopeHash
	for _, env := range e.Envelopes {
		hashes = append(hashes, must(r.AddEnvelope(env)))
	}
	if err := r.AddSeal(must(n.Seal(t.now, hashes)).Bytes); err != nil {
		panic(err)
	}
	return r
}

// Clause 8.9: an archive holds all chapters, and each goes on from the one before it.
func TestArchiveOfChapters(t *testing.T) {
	tab := newTable(2)
	tab.seal() // the seam is not at the last seal
	first := tab.people[0].replica
	second := tab.secondChapter(2, func(*Genesis) {})
	file := must(WriteArchive(first, second))
	chapters, err := ReadArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(chapters) != 2 || chapters[0].Game() != tab.game || chapters[1].Game() != second.Game() || len(chapters[1].Placed()) != 1 {
		t.Errorf("%d chapters, or others", len(chapters))
	}
	if again := must(WriteArchive(chapters...)); !bytes.Equal(again, file) {
		t.Error("the archive is written otherwise")
	}
	g, _ := chapters[1].Genesis()
	if secret, err := g.Earlier(); err != nil || secret != tab.keys.secret {
		t.Errorf("the earlier room is %v, %v", secret, err)
	}
	if _, err := ReadArchive(must(WriteArchive(second))); err != nil {
		t.Errorf("a later chapter alone: %v", err)
	}
	for name, chapters := range map[string][]*Replica{
		"the wrong way round":     {second, first},
		"one chapter twice":       {first, first},
		"another seal":            {first, tab.secondChapter(2, func(g *Genesis) { g.Continues.SealHash[0] ^= 1 })},
		"a seal that is not held": {first, tab.secondChapter(2, func(g *Genesis) { g.Continues.Seal = 9 })},
		"another game":            {first, tab.secondChapter(2, func(g *Genesis) { g.Continues.Game[0] ^= 1 })},
		"another order":           {first, tab.secondChapter(2, func(g *Genesis) { g.Continues.Order[0] ^= 1 })},
		"another room":            {first, tab.secondChapter(2, func(g *Genesis) { g.Ruleset[0].Text = RoomSecret{8}.String() })},
	} {
		_, err := ReadArchive(must(WriteArchive(chapters...)))
		var wrong *ArchiveError
		if !errors.As(err, &wrong) || wrong.Clause != "8.9" {
			t.Errorf("%s: %v, want clause 8.9", name, err)
		}
	}
}

// Clause 13.1: what a game that goes on from another must hold.
func TestGenesisThatGoesOn(t *testing.T) {
	tab := newTable(2)
	base := tab.secondChapter(2, func(*Genesis) {})
	good, _ := base.Genesis()
	for name, change := range map[string]func(g *Genesis){
		"no secret":           func(g *Genesis) { g.Ruleset = g.Ruleset[1:] },
		"no world":            func(g *Genesis) { g.Ruleset = g.Ruleset[:1] },
		"a document more":     func(g *Genesis) { g.Ruleset = append(g.Ruleset[:2:2], Document{Path: "z.md"}) },
		"a secret that is no": func(g *Genesis) { g.Ruleset = []Document{{Path: SecretPath, Text: "secret"}, g.Ruleset[1]} },
	} {
		g := good
		change(&g)
		wantCode(t, g.checkRuleset(), CodeGenesis)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	if err := good.checkRuleset(); err != nil {
		t.Error(err)
	}
	g := good
	g.Continues = nil
	if _, err := g.Earlier(); !errors.Is(err, ErrRoomSecret) {
		t.Errorf("a game that begins anew has an earlier room: %v", err)
	}
	// The documents of a game that goes on are never inline: a stranger sees the head of a genesis.
	for _, p := range base.Placed() {
		if a := p.Action.Action(); len(a.Parts) == 0 || bytes.Contains(a.Body, []byte(SecretPath)) {
			t.Error("the secret of the earlier room stands inline")
		}
	}
}

var everyByte = flag.Bool("every-byte", false, "change every byte of an archive, not every nineteenth")

// Section 8: whatever byte is changed, the archive is refused, with a clause.
func TestEveryByteOfAnArchiveCounts(t *testing.T) {
	tab := newTable(2)
	a := tab.act(1, "a")
	tab.publish(a)
	tab.seal(a.Envelope())
	tab.publish(tab.act(0, "b"))
	file := must(WriteArchive(tab.people[0].replica))
	step := 19
	if *everyByte {
		step = 1
	}
	for i := 0; i < len(file); i += step {
		b := bytes.Clone(file)
		b[i] ^= 1
		_, err := ReadArchive(b)
		var wrong *ArchiveError
		if !errors.As(err, &wrong) || wrong.Clause == "" {
			t.Fatalf("with byte %d changed: %v", i, err)
		}
	}
}

func BenchmarkReadArchive1000(b *testing.B) {
	tab := newTable(2)
	for i := range 1000 {
		e := tab.act(i%2, fmt.Sprint("act ", i))
		tab.publish(e)
		tab.seal(e.Envelope())
	}
	file := must(WriteArchive(tab.people[0].replica))
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		must(ReadArchive(file))
	}
}
