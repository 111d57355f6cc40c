package dice

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"
	"strconv"

	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// stream of bytes for tests, the same in every run.
type testSource struct {
	seed string
	n    uint64
	buf  []byte
}

func source(seed string) io.Reader { return &testSource{seed: seed} }

func (s *testSource) Read(p []byte) (int, error) {
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

// table is a game of two with a notary whose key the test holds.
type table struct {
	keys    ledger.RoomKeys
	notary  ed25519.PrivateKey
	chain   links
	last    wire.SignedSeal
	replica *ledger.Replica
	founder *ledger.Pen
	guest   *ledger.Pen
	signs   map[*ledger.Pen]ed25519.PrivateKey
	genesis ledger.Entry
	enrol   ledger.Entry
	now     int64
}

// links are a chain.
type links interface {
	Anchor() wire.Link
	Link(n uint64) (wire.Link, error)
}

func newTable() *table { return newTableWith(must(entropy.NewChain([32]byte{5}, 1000))) }

// newTableWith is a table whose notary has this chain.
func newTableWith(chain links) *table {
	t := &table{
		keys:   must(ledger.NewRoomSecret(source("room"))).Keys(),
		notary: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{5}, 32)),
		chain:  chain,
		signs:  map[*ledger.Pen]ed25519.PrivateKey{},
		now:    1767607200000,
	}
	pen := func(name string) *ledger.Pen {
		p := must(ledger.NewPen(t.keys, must(ledger.NewDevice(source("device "+name)))))
		seed := make([]byte, 32)
		must(source("device " + name).Read(seed)) // the first that a device draws is its signing key
		t.signs[p] = ed25519.NewKeyFromSeed(seed)
		return p
	}
	t.founder, t.guest = pen("Kim"), pen("Ana")
	t.genesis = must(t.founder.Found(must(ledger.NewIdentity(source("Kim"))), "Kim", ledger.Genesis{
		Kernel: 1, Title: "A game", Notary: wire.NotaryKey(t.notary.Public().(ed25519.PublicKey)), Anchor: t.chain.Anchor(),
		Dice: ledger.DiceBeacon, Ruleset: []ledger.Document{{Path: "ruleset.md", Text: "# Rules"}},
	}, t.now))
	t.replica = ledger.NewReplica(t.keys, ledger.GameID(t.genesis.Action.ID()))
	t.add(t.genesis)
	t.seal(t.genesis)
	t.enrol = must(t.guest.Enrol(must(ledger.NewIdentity(source("Ana"))), "Ana", t.replica.Game(), nil, t.now))
	t.add(t.enrol)
	t.seal(t.enrol)
	return t
}

func (t *table) add(e ledger.Entry) {
	for _, env := range e.Envelopes {
		must(t.replica.AddEnvelope(env))
	}
}

func (t *table) seal(entries ...ledger.Entry) wire.SignedSeal {
	var hashes []wire.EnvelopeHash
	for _, e := range entries {
		for _, env := range e.Envelopes {
			hashes = append(hashes, wire.HashEnvelope(env))
		}
	}
	s := t.cut(func(s *wire.Seal) { s.Envelopes = hashes })
	if err := t.replica.AddSeal(s.Bytes); err != nil {
		panic(err)
	}
	t.last = s
	return s
}

// cut signs the next seal after a change.
func (t *table) cut(change func(s *wire.Seal)) wire.SignedSeal {
	s := wire.Seal{
		Room: t.keys.ID, Game: ledger.GameID(t.genesis.Action.ID()), Number: t.last.Number + 1, Prev: t.last.Hash, Time: t.now + int64(t.last.Number+1)*1000,
		Link: must(t.chain.Link(t.last.Number + 1)),
	}
	change(&s)
	return must(wire.SignSeal(t.notary, s))
}

// bytes returns a seal as it travels.
func (t *table) bytes(number uint64) []byte {
	s, ok := t.replica.Seal(number)
	if !ok {
		panic("no such seal")
	}
	return s.Bytes
}

func (t *table) act(p *ledger.Pen, heads ...ledger.ActionID) ledger.Entry {
	at := t.replica.Position(p.Device().Key())
	if heads != nil {
		at.Heads = heads
	}
	e := must(p.Write(at, ledger.KindAct, []byte("roll"), t.now))
	t.add(e)
	return e
}

// roll returns the transcript of the newest placement with some dice.
func (t *table) roll(e ledger.Entry, sides ...uint64) []byte {
	for _, p := range t.replica.Placed() {
		if p.Action.ID() == e.Action.ID() {
			return must(NewTranscript(t.replica, p, t.dice(p, 0, nil, sides...), 0, nil))
		}
	}
	panic("not placed")
}

func (t *table) dice(p ledger.Placement, wanted uint64, witnesses []wire.Link, sides ...uint64) []Roll {
	s := NewStream(WitnessedSeed(t.replica.Game(), p.Action.ID(), p.Action.Action().Link, p.SealLink, wanted, witnesses))
	rolls := []Roll{}
	for _, n := range sides {
		rolls = append(rolls, Roll{Sides: n, Value: s.Roll(n)})
	}
	return rolls
}

func makeVectors() vectors {
	v := vectors{Comment: "Test vectors of engine/dice/SPEC.md. Bytes are hexadecimal, 64-bit numbers are strings."}
	chainVec := chainVector{Clause: "2.2", Seed: hexOf([32]byte{1}), Length: 8}
	c := must(entropy.NewChain([32]byte{1}, 8))
	for i := range uint64(9) {
		chainVec.Links = append(chainVec.Links, must(c.Link(i)).String())
	}
	v.Chains = append(v.Chains, chainVec)

	in := [][32]byte{{1}, {2}, {3}, {4}}
	v.Seeds = append(v.Seeds,
		seedVector{"3.1", []string{hexOf(in[0]), hexOf(in[1]), hexOf(in[2]), hexOf(in[3])}, hexOf(Seed(in[0], in[1], wire.Link(in[2]), wire.Link(in[3])))},
		seedVector{"3.6", []string{hexOf(in[0]), hexOf(in[1]), hexOf(in[2]), hexOf(in[3]), "02", hexOf([32]byte{5}), hexOf([32]byte{6})},
			hexOf(WitnessedSeed(in[0], in[1], wire.Link(in[2]), wire.Link(in[3]), 2, []wire.Link{{5}, {6}}))},
		seedVector{"3.2", []string{hexOf(in[0]), hexOf(in[1]), hexOf(in[2])}, hexOf(TimerSeed(in[0], in[1], wire.Link(in[2])))},
	)

	words := wordsVector{Clause: "4.1", Seed: hexOf([32]byte{1})}
	s := NewStream([32]byte{1})
	for range 9 {
		words.Words = append(words.Words, strconv.FormatUint(s.word(), 10))
	}
	v.Words = append(v.Words, words)

	for _, f := range [][2]uint64{
		{0, 1}, {1<<64 - 1, 1}, {1<<64 - 1, 2}, {5, 6}, {6, 6}, {1<<64 - 5, 6}, {1<<64 - 4, 6}, {1<<64 - 1, 6},
		{1<<64 - 1, 1 << 32}, {3<<62 - 1, 3 << 62}, {3 << 62, 3 << 62}, {1<<64 - 1, 3 << 62},
		{1<<63 - 1, 1<<63 + 1}, {1 << 63, 1<<63 + 1}, {1<<63 + 1, 1<<63 + 1}, {1<<64 - 2, 1<<64 - 1}, {1<<64 - 1, 1<<64 - 1},
	} {
		value, _ := fold(f[0], f[1])
		v.Folds = append(v.Folds, foldVector{"4.2", f[0], f[1], value})
	}

	streams := func(clause, name string, seed byte, sides ...uint64) {
		sv := streamVector{Clause: clause, Name: name, Seed: hexOf([32]byte{seed})}
		s := NewStream([32]byte{seed})
		for _, n := range sides {
			sv.Rolls = append(sv.Rolls, rollVector{n, s.Roll(n)})
		}
		sv.Taken = s.Taken()
		v.Streams = append(v.Streams, sv)
	}
	streams("4.2", "usual dice", 1, 6, 6, 6, 20, 100, 2, 4, 8, 10, 12)
	streams("4.2", "dice that reject often", 2, 1<<63+1, 1<<63+1, 1<<63+1, 3<<62, 3<<62, 1<<64-1)
	streams("4.3", "no sides and one side", 3, 0, 6, 1, 6, 0, 6)
	streams("4.3", "no sides only", 4, 0, 0)

	v.Transcripts = transcripts()
	return v
}

func hexOf(b [32]byte) string { return hex.EncodeToString(b[:]) }

func vectorOf(clause, name, want string, b []byte) transcriptVector {
	v := transcriptVector{Clause: clause, Name: name, Bytes: hex.EncodeToString(b), Want: want}
	if want == "" {
		r := VerifyTranscript(b)
		v.Seed = hexOf(r.Seed)
	}
	return v
}

func transcripts() []transcriptVector {
	var out []transcriptVector
	put := func(clause, name, want string, b []byte) { out = append(out, vectorOf(clause, name, want, b)) }
	t := newTable()
	g2 := t.act(t.guest, []ledger.ActionID{}...)
	t.seal(g2)
	good := t.roll(g2, 6, 6, 20)
	put("5.10", "three dice of a guest", "", good)
	f2 := t.act(t.founder)
	t.seal(f2)
	byFounder := t.roll(f2, 100)
	put("5.3", "a die of the founder, whose first action is the genesis", "", byFounder)
	g3 := t.act(t.guest)
	f3 := t.act(t.founder, g3.Action.ID())
	t.seal(f3)
	t.seal()
	t.seal(g3)
	late := t.roll(f3, 6)
	put("5.7", "an action placed by a later seal than the one that names it", "", late)
	put("5.10", "no dice", "", t.roll(g2))

	with := func(of []byte, change func(x *Transcript)) []byte {
		x := must(ParseTranscript(of))
		change(&x)
		return must(wire.Encode(x))
	}
	sealed := func(e ledger.Entry) Sealed {
		return Sealed{Envelope: e.Envelope(), Key: must(t.keys.EnvelopeKey(e.Envelope()))}
	}
	flip := func(b []byte, at int) []byte {
		b = slices.Clone(b)
		b[(at+len(b))%len(b)] ^= 1
		return b
	}
	// forge signs an action of the guest's device without the ledger's checks.
	forge := func(change func(a *ledger.Action)) Sealed {
		a := g2.Action.Action()
		a.Seq, a.Prev, a.Link = 3, g2.Action.ID(), wire.Link{}
		change(&a)
		signed := must(wire.Sign(t.signs[t.guest], ledger.ActionLabel, must(wire.Encode(a))))
		v := must(must(ledger.Parse(signed)).Verify())
		env := must(t.keys.SealAction(v))
		return Sealed{Envelope: env, Key: must(t.keys.EnvelopeKey(env))}
	}
	// over seals the transcript's action as seal 3 after a change.
	over := func(x *Transcript, change func(s *wire.Seal)) {
		saved := t.last
		t.last = must(wire.ParseSeal(t.bytes(2)))
		s := t.cut(func(s *wire.Seal) {
			s.Envelopes = []wire.EnvelopeHash{wire.HashEnvelope(x.Action.Envelope)}
			change(s)
		})
		t.last = saved
		x.Named, x.Placed = s.Bytes, s.Bytes
	}

	put("5.1", "a transcript cut off", "5.1", good[:len(good)-1])
	put("5.1", "a byte after the end", "5.1", append(slices.Clone(good), 0))
	put("5.1", "another magic", "5.1", with(good, func(x *Transcript) { x.Magic = "peernomic roll v2" }))
	put("5.1", "a length that is longer than needed", "5.1", append([]byte{0x98, 9}, good[1:]...))

	put("5.2", "a genesis with one bit changed", "5.2", with(good, func(x *Transcript) { x.Genesis.Envelope = flip(x.Genesis.Envelope, -1) }))
	put("5.2", "another key for the genesis", "5.2", with(good, func(x *Transcript) { x.Genesis.Key[0] ^= 1 }))
	put("5.2", "an act for the genesis", "5.2", with(good, func(x *Transcript) { x.Genesis = x.Action }))
	put("5.2", "another key epoch", "5.2", with(good, func(x *Transcript) { x.Genesis.Envelope = flip(x.Genesis.Envelope, 36) }))

	put("5.3", "an act for the device's first action", "5.3", with(good, func(x *Transcript) { x.Device = x.Action }))
	put("5.3", "a first action with one bit changed", "5.3", with(good, func(x *Transcript) { x.Device.Envelope = flip(x.Device.Envelope, -1) }))
	put("5.3", "an enrolment in another game", "5.3", with(good, func(x *Transcript) {
		e := must(t.guest.Enrol(must(ledger.NewIdentity(source("Ana"))), "Ana", ledger.GameID{1}, nil, t.now))
		x.Device = sealed(e)
	}))
	put("5.3", "an enrolment whose link is not after its anchor", "5.3", with(good, func(x *Transcript) {
		x.Device = forge(func(a *ledger.Action) {
			*a = t.enrol.Action.Action()
			a.Link = wire.Link{1}
		})
	}))

	put("5.4", "an action with one bit changed", "5.4", with(good, func(x *Transcript) { x.Action.Envelope = flip(x.Action.Envelope, -1) }))
	put("5.4", "an action of another device", "5.4", with(good, func(x *Transcript) { x.Action = sealed(f2) }))
	put("5.4", "an action of another game", "5.4", with(good, func(x *Transcript) {
		x.Action = forge(func(a *ledger.Action) { a.Game[0] ^= 1 })
	}))

	wrongLink := func(name string, link wire.Link) {
		put("5.5", name, "5.5", with(good, func(x *Transcript) {
			x.Action = forge(func(a *ledger.Action) { a.Link = link })
			over(x, func(s *wire.Seal) {})
		}))
	}
	wrongLink("a link out of nowhere", wire.Link{1})
	wrongLink("the link before", g2.Action.Action().Link)

	put("5.6", "a seal that names other envelopes", "5.6", with(good, func(x *Transcript) {
		over(x, func(s *wire.Seal) { s.Envelopes[0][0] ^= 1 })
	}))
	put("5.6", "a seal by another notary", "5.6", with(good, func(x *Transcript) {
		notary := t.notary
		t.notary = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{6}, 32))
		over(x, func(s *wire.Seal) {})
		t.notary = notary
	}))
	put("5.6", "a seal of another game", "5.6", with(good, func(x *Transcript) { over(x, func(s *wire.Seal) { s.Game[0] ^= 1 }) }))
	put("5.6", "a seal of another room", "5.6", with(good, func(x *Transcript) { over(x, func(s *wire.Seal) { s.Room[0] ^= 1 }) }))
	put("5.6", "a seal with one bit changed", "5.6", with(good, func(x *Transcript) { x.Named = flip(x.Named, -1) }))

	put("5.7", "a place before the name", "5.7", with(late, func(x *Transcript) { x.Placed = t.bytes(1) }))
	put("5.7", "a place at an earlier number and a later time", "5.7", with(good, func(x *Transcript) {
		named := x.Named
		over(x, func(s *wire.Seal) { s.Number, s.Link, s.Time = 2, must(t.chain.Link(2)), s.Time+1 })
		x.Named = named
	}))
	put("5.7", "another seal with the same number", "5.7", with(good, func(x *Transcript) {
		named := x.Named
		over(x, func(s *wire.Seal) { s.Time++ })
		x.Named = named
	}))
	put("5.7", "a placing seal with one bit changed", "5.7", with(late, func(x *Transcript) { x.Placed = flip(x.Placed, -1) }))

	put("5.8", "a seal's link out of nowhere", "5.8", with(good, func(x *Transcript) { over(x, func(s *wire.Seal) { s.Link = wire.Link{1} }) }))
	put("5.8", "the link of the next seal", "5.8", with(good, func(x *Transcript) {
		over(x, func(s *wire.Seal) { s.Link = must(t.chain.Link(s.Number + 1)) })
	}))
	put("5.8", "a number beyond every chain", "5.8", with(good, func(x *Transcript) { over(x, func(s *wire.Seal) { s.Number = 1 << 40 }) }))

	put("5.10", "another value", "5.10", with(good, func(x *Transcript) { x.Rolls[1].Value = x.Rolls[1].Value%6 + 1 }))
	put("5.10", "a die too few in front", "5.10", with(good, func(x *Transcript) { x.Rolls = x.Rolls[1:] }))
	put("5.11", "the first die with other sides, under which all show the same", "", with(good, func(x *Transcript) {
		seed := VerifyTranscript(good).Seed
		shows := func() bool {
			s := NewStream(seed)
			return !slices.ContainsFunc(x.Rolls, func(r Roll) bool { return s.Roll(r.Sides) != r.Value })
		}
		for x.Rolls[0].Sides++; !shows(); x.Rolls[0].Sides++ {
		}
	}))
	put("5.11", "a die too few at the end", "", with(good, func(x *Transcript) { x.Rolls = x.Rolls[:2] }))
	put("5.10", "a die with too many sides", "5.10", with(good, func(x *Transcript) { x.Rolls[0] = Roll{Sides: MaxSides + 1, Value: 1} }))
	put("5.10", "the dice of an earlier seal", "5.10", with(late, func(x *Transcript) { x.Placed = x.Named }))

	out = append(out, longest()...)
	out = append(out, rivals(t, g2, good, forge)...)
	return append(out, witnessed()...)
}
