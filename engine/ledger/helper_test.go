package ledger

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"peernomic/engine/wire"
)

// stream is a deterministic source of bytes for tests.
type stream struct {
	seed string
	n    uint64
	buf  []byte
}

func source(seed string) io.Reader { return &stream{seed: seed} }

func (s *stream) Read(p []byte) (int, error) {
	for len(s.buf) < len(p) {
		h := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(s.seed), s.n))
		s.n++
		s.buf = append(s.buf, h[:]...)
	}
	n := copy(p, s.buf)
	s.buf = s.buf[n:]
	return n, nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// table is a room with a notary and people, each with one device and a replica of their own.
type table struct {
	keys   RoomKeys
	notary *Notary
	people []*person
	game   GameID
	now    int64
	all    [][]byte // every envelope ever written, in order
	seals  []wire.SignedSeal
}

type person struct {
	id      *Identity
	pen     *Pen
	replica *Replica
}

// startTime is when tests begin: 2026-01-05 10:00 GMT.
const startTime = 1767607200000

// Growing chains takes most of the tests' time, so pens and notaries are made once.
var (
	pens     = map[string]*Pen{}
	notaries = map[[32]byte]*Notary{}
)

// notary returns a notary that has not sealed anything yet.
func notary(keys RoomKeys, seed byte) *Notary {
	key := wire.Digest("test", keys.ID[:], []byte{seed})
	if notaries[key] == nil {
		notaries[key] = must(NewNotary(keys.ID, [32]byte{seed}, 1<<15))
	}
	fresh := *notaries[key]
	return &fresh
}

// another returns a notary of the room that seals the table's game.
func (t *table) another(seed byte) *Notary {
	n := notary(t.keys, seed)
	n.Found(t.game)
	return n
}

func pen(keys RoomKeys, name string) *Pen {
	key := name + keys.ID.String()
	if pens[key] == nil {
		pens[key] = must(NewPen(keys, must(NewDevice(source("device "+name)))))
	}
	return pens[key]
}

// newTable founds a game among n people and seals it so far.
func newTable(n int) *table {
	secret := must(NewRoomSecret(source("room")))
	t := &table{keys: secret.Keys(), now: startTime}
	t.notary = notary(t.keys, 7)
	for i := range n {
		name := fmt.Sprintf("P%d", i)
		t.people = append(t.people, &person{id: must(NewIdentity(source("identity " + name))), pen: pen(t.keys, name)})
	}
	for i, p := range t.people {
		name := fmt.Sprintf("P%d", i)
		var e Entry
		if i == 0 {
			e = must(p.pen.Found(p.id, name, t.genesis(), t.now))
			t.game = GameID(e.Action.ID())
			t.notary.Found(t.game)
			for _, p := range t.people {
				p.replica = NewReplica(t.keys, t.game)
			}
		} else {
			e = must(p.pen.Enrol(p.id, name, t.game, nil, t.now))
		}
		t.publish(e)
		t.seal(e.Envelopes...)
	}
	return t
}

func (t *table) genesis() Genesis {
	return Genesis{
		Kernel: 1, Title: "A game", Notary: t.notary.Key(), Anchor: t.notary.Anchor(), Dice: DiceBeacon,
		Options: map[string]string{"head": "P0"}, Salt: [16]byte{1},
		Ruleset: []Document{{Path: "1-core/01-first.md", Text: "# First"}, {Path: "ruleset.md", Text: "# Rules"}},
	}
}

// publish gives an entry to every person and keeps it.
func (t *table) publish(e Entry) {
	for _, env := range e.Envelopes {
		t.all = append(t.all, env)
		for _, p := range t.people {
			must(p.replica.AddEnvelope(env))
		}
	}
}

// seal cuts a seal over envelopes, a second later than the last, and gives it to everybody.
func (t *table) seal(envelopes ...[]byte) wire.SignedSeal {
	t.now += 1000
	hashes := make([]wire.EnvelopeHash, len(envelopes))
	for i, e := range envelopes {
		hashes[i] = wire.HashEnvelope(e)
	}
	s := must(t.notary.Seal(t.now, hashes))
	t.seals = append(t.seals, s)
	for _, p := range t.people {
		if err := p.replica.AddSeal(s.Bytes); err != nil {
			panic(err)
		}
	}
	return s
}

// act makes a person act and returns the entry, which nobody holds yet.
func (t *table) act(p int, body string) Entry {
	who := t.people[p]
	return must(who.pen.Write(who.replica.Position(who.pen.Device().Key()), KindAct, []byte(body), t.now))
}

// order lists what was placed as text: bodies of acts, kinds of the rest, with what is void.
func order(ps []Placement) []string {
	var out []string
	for _, p := range ps {
		s := p.Action.Action().Kind.String()
		if s == "act" {
			s = string(p.Body())
			if len(s) > 40 {
				s = fmt.Sprintf("%d bytes", len(s))
			}
		}
		if p.Void != nil {
			s += " void:" + string(p.Void.Code)
		}
		out = append(out, fmt.Sprintf("%d %s", p.Seal, s))
	}
	return out
}

func wantCode(t *testing.T, err error, want Code) {
	t.Helper()
	if got := CodeOf(err); got != want {
		t.Errorf("refused with %q (%v), want %q", got, err, want)
	}
}

func base64Of(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }

// readOne reads an archive of one chapter.
func readOne(file []byte) (*Replica, error) {
	chapters, err := ReadArchive(file)
	if err != nil {
		return nil, err
	}
	return chapters[0], nil
}
