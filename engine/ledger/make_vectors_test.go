package ledger

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/engine/wire"
)

// forge makes the vectors: a small game, and everything that is wrong in one way.
type forge struct {
	vectors
	tab     *table
	founder *Pen
	guest   *Pen
	host    *Identity
	visitor *Identity
}

func makeVectors() vectors {
	f := newForge()
	f.Comment = "Test vectors of engine/ledger/SPEC.md. All bytes are hexadecimal. Secrets of the room and of everybody in it are made up."
	f.derived()
	f.game()
	f.envelopes()
	f.actions()
	f.context()
	f.seals()
	f.orders()
	f.archives()
	f.chapters()
	f.proofs()
	f.ballots()
	f.moves()
	f.readings()
	f.digests()
	return f.vectors
}

func newForge() *forge {
	f := &forge{tab: newTable(2)}
	f.founder, f.guest = f.tab.people[0].pen, f.tab.people[1].pen
	f.host, f.visitor = f.tab.people[0].id, f.tab.people[1].id
	return f
}

func (f *forge) envelope(name string, b []byte) []byte {
	m := messageVector{Name: name, Type: "envelope", Bytes: hex.EncodeToString(b), Hash: wire.HashEnvelope(b).String()}
	if o, err := f.tab.keys.Open(b); err == nil && o.Content == ContentAction {
		if p, err := Parse(o.Data); err == nil {
			m.ID = p.id.String()
		}
	}
	f.Messages = append(f.Messages, m)
	return b
}

func (f *forge) seal(name string, s wire.SignedSeal) wire.SignedSeal {
	f.Messages = append(f.Messages, messageVector{Name: name, Type: "seal", Bytes: hex.EncodeToString(s.Bytes), Hash: s.Hash.String()})
	return s
}

func (f *forge) check(clause, name, want, add string, given ...string) {
	if given == nil {
		given = []string{}
	}
	f.Checks = append(f.Checks, checkVector{Clause: clause, Name: name, Given: given, Add: add, Want: want})
}

func (f *forge) derive(clause, name string, in, out []byte) {
	f.Derived = append(f.Derived, derivedVector{clause, name, hex.EncodeToString(in), hex.EncodeToString(out)})
}

func (f *forge) derived() {
	k := f.tab.keys
	f.derive("2.2", "seed of the room's key from its secret", k.secret[:], k.Sign.Seed())
	f.derive("2.2", "envelope key", k.secret[:], k.envelope)
	f.derive("2.2", "nonce key", k.secret[:], k.nonce)
	f.derive("2.2", "signal key", k.secret[:], k.signal)
	f.derive("2.3", "room id", k.secret[:], k.ID[:])
	f.derive("2.1", "invite text, as ASCII, of secret and game", slices.Concat(k.secret[:], f.tab.game[:]), []byte(InviteText(k.secret, f.tab.game)))
	seed := f.host.Seed()
	key := f.host.Key()
	f.derive("2.4", "identity key from its seed", seed[:], key[:])
	f.derive("2.4", "words, as ASCII", seed[:], []byte(f.host.Words()))
	f.derive("2.6", "seed of the founder's chain from the device's secret", f.founder.dev.chain[:],
		derive(f.founder.dev.chain[:], "peernomic/device/chain/v1\x00"+string(k.ID[:])))
	anchor := f.founder.Anchor()
	f.derive("2.6", "anchor of the founder's chain from the device's secret", f.founder.dev.chain[:], anchor[:])
	id := HashPart([]byte("part"))
	f.derive("4.15", "id of a part", []byte("part"), id[:])
	h := wire.HashEnvelope([]byte("envelope"))
	f.derive("3.10", "hash of an envelope", []byte("envelope"), h[:])
	link := wire.Link{1, 2, 3}
	parent := link.Parent()
	f.derive("5.7", "the link before a link", link[:], parent[:])
}

// game adds the messages of a small game: genesis, enrolment, an act by each, a long act.
func (f *forge) game() {
	t := f.tab
	genesis, enrol := t.all[0], t.all[1]
	f.envelope("genesis", genesis)
	f.envelope("enrol", enrol)
	f.seal("seal 1", t.seals[0])
	f.seal("seal 2", t.seals[1])
	open := must(t.keys.Open(genesis))
	f.derive("3.9", "data of the envelope \"genesis\"", genesis, open.Data)
	sub := must(t.keys.EnvelopeKey(genesis))
	f.derive("3.11", "key of the envelope \"genesis\"", genesis, sub[:])
	f.check("5.3", "a genesis", "", "genesis")
	f.check("5.5", "an enrolment", "", "enrol", "genesis", "seal 1")
	f.check("6.10", "a first seal", "", "seal 1", "genesis")
	f.check("6.10", "a second seal", "", "seal 2", "genesis", "enrol", "seal 1")
}

// actions: every wrong action stands in an envelope that is right.

// raw signs any payload as an action of a device.
func (f *forge) raw(dev *Device, payload []byte) []byte {
	signed := must(wire.Sign(dev.sign, ActionLabel, payload))
	return must(f.tab.keys.sealContent(ContentAction, signed))
}

// with signs the guest's second action after a change, without any check.
func (f *forge) with(change func(a *Action)) []byte {
	a := f.second()
	change(&a)
	return f.raw(f.guest.dev, must(wire.Encode(a)))
}

// second returns the guest's second action.
func (f *forge) second() Action {
	seq, prev, _ := f.tab.people[1].replica.Feed(f.guest.dev.Key())
	return Action{
		Version: ActionVersion, Game: f.tab.game, Device: f.guest.dev.Key(), Seq: seq + 1, Prev: prev, Heads: []ActionID{ActionID(f.tab.game)},
		Claimed: f.tab.now, Kind: KindAct, Link: must(f.guest.chain.Link(seq + 1)), Body: []byte("act"),
	}
}

var given = []string{"genesis", "seal 1", "enrol", "seal 2"}

func (f *forge) bad(clause string, code Code, name string, envelope []byte) {
	f.envelope(name, envelope)
	f.check(clause, name, string(code), name, given...)
}

func (f *forge) actions() {
	f.bad("4.14", "", "a good act", f.with(func(a *Action) {}))
	f.bad("4.14", "", "an act with every limit reached", f.with(func(a *Action) {
		a.Claimed = wire.MaxTime
		a.Body = make([]byte, MaxInline)
	}))

	signed := must(wire.Sign(f.guest.dev.sign, ActionLabel, must(wire.Encode(f.second()))))
	content := func(b []byte) []byte { return must(f.tab.keys.sealContent(ContentAction, b)) }
	f.bad("4.1", CodeSigned, "data that is no COSE_Sign1", content([]byte("hello")))
	f.bad("4.1", CodeSigned, "an untagged COSE_Sign1", content(signed[1:]))
	f.bad("4.1", CodeSigned, "a byte after the message", content(append(slices.Clone(signed), 0)))
	long := slices.Clone(signed)
	long[1] = 0x98 // the array's length in two bytes instead of one
	f.bad("4.1", CodeSigned, "a length that is longer than needed", content(slices.Insert(long, 2, 4)))
	f.bad("4.1", CodeSigned, "a header with a second algorithm", content(bytes.Replace(signed, []byte{0x01, 0x27}, []byte{0x01, 0x26}, 1)))

	payload := must(wire.Encode(f.second()))
	f.bad("4.2", CodeAction, "a payload that is no array", f.raw(f.guest.dev, []byte{0xa0}))
	f.bad("4.2", CodeAction, "a payload with a field too few", f.raw(f.guest.dev, append([]byte{payload[0] - 1}, payload[1:len(payload)-1]...)))
	f.bad("4.2", CodeAction, "a payload with a byte after it", f.raw(f.guest.dev, append(slices.Clone(payload), 0)))
	f.bad("4.2", CodeAction, "a version in two bytes", f.raw(f.guest.dev, append([]byte{payload[0], 0x18}, payload[1:]...)))
	f.bad("4.2", CodeAction, "null for no parts", f.raw(f.guest.dev, append(slices.Clone(payload[:len(payload)-1]), 0xf6)))

	f.bad("4.3", CodeDevice, "an act signed by another device", f.raw(f.founder.dev, payload))
	f.bad("4.4", CodeActionVersion, "version 2", f.with(func(a *Action) { a.Version = 2 }))
	f.bad("4.5", CodeSeq, "number 0", f.with(func(a *Action) { a.Seq = 0 }))
	f.bad("4.5", CodeSeq, "number 65537", f.with(func(a *Action) { a.Seq = 65537 }))
	f.bad("4.6", CodePrev, "a later action without predecessor", f.with(func(a *Action) { a.Prev = ActionID{} }))
	f.bad("4.6", CodePrev, "a first action with a predecessor", f.with(func(a *Action) { a.Seq, a.Kind = 1, KindEnrol }))
	many := make([]ActionID, MaxHeads+1)
	for i := range many {
		many[i] = ActionID{byte(i + 1)}
	}
	f.bad("4.7", CodeHeads, "17 heads", f.with(func(a *Action) { a.Heads = many }))
	f.bad("4.7", CodeHeads, "heads out of order", f.with(func(a *Action) { a.Heads = []ActionID{{2}, {1}} }))
	f.bad("4.7", CodeHeads, "a head twice", f.with(func(a *Action) { a.Heads = []ActionID{{1}, {1}} }))
	f.bad("4.7", CodeHeads, "a zero head", f.with(func(a *Action) { a.Heads = []ActionID{{}} }))
	f.bad("4.7", CodeHeads, "the predecessor as a head", f.with(func(a *Action) { a.Heads = []ActionID{a.Prev} }))
	f.bad("4.7", CodeHeads, "a genesis with a head", f.first(func(a *Action) { a.Heads = []ActionID{{1}} }))
	f.bad("4.8", CodeClaimed, "a negative claimed time", f.with(func(a *Action) { a.Claimed = -1 }))
	f.bad("4.8", CodeClaimed, "the year 10000", f.with(func(a *Action) { a.Claimed = wire.MaxTime + 1 }))
	f.bad("4.9", CodeKind, "kind 0", f.with(func(a *Action) { a.Kind = 0 }))
	f.bad("4.9", CodeKind, "kind 8", f.with(func(a *Action) { a.Kind = 8 }))
	f.bad("4.10", CodeFirst, "a later enrolment", f.with(func(a *Action) { a.Kind = KindEnrol }))
	f.bad("4.10", CodeFirst, "a first act", f.first(func(a *Action) { a.Kind, a.Game = KindAct, f.tab.game }))
	f.bad("4.11", CodeNoGame, "an act of no game", f.with(func(a *Action) { a.Game = GameID{} }))
	f.bad("4.11", CodeNoGame, "a genesis of a game", f.first(func(a *Action) { a.Game = f.tab.game }))
	f.bad("4.12", CodeBody, "a body too long for inline", f.with(func(a *Action) { a.Body = make([]byte, MaxInline+1) }))
	f.bad("4.12", CodeBody, "73 parts", f.with(func(a *Action) { a.Parts = make([]PartID, MaxParts+1) }))

	// A key of order 8, with which some libraries accept almost anything.
	small := must(hex.DecodeString("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
	a := f.second()
	a.Device = DeviceKey(small)
	forged := must(wire.Sign(f.guest.dev.sign, ActionLabel, must(wire.Encode(a))))
	key := f.guest.dev.Key()
	f.bad("4.13", CodeKey, "a device key of small order", content(bytes.Replace(forged, key[:], small, 1)))
	wrong := slices.Clone(signed)
	wrong[len(wrong)-1] ^= 1
	f.bad("4.14", CodeSignature, "a signature with one bit changed", content(wrong))
	f.bad("4.14", CodeSignature, "a signature under another label",
		content(must(wire.Sign(f.guest.dev.sign, "peernomic/other/v1", payload))))
	// S + l instead of S: the same signature for a lenient verifier.
	f.bad("4.14", CodeSignature, "a signature whose S is not reduced", content(addOrder(signed)))
}

// first makes a stranger's genesis after a change.
func (f *forge) first(change func(a *Action)) []byte {
	p := pen(f.tab.keys, "stranger")
	a := Action{Version: ActionVersion, Device: p.dev.Key(), Seq: 1, Claimed: f.tab.now, Kind: KindGenesis, Link: must(p.chain.Link(1))}
	change(&a)
	return f.raw(p.dev, must(wire.Encode(a)))
}

// addOrder adds the group's order to the S of the signature at the end of b.
func addOrder(b []byte) []byte {
	l := must(hex.DecodeString("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
	b = slices.Clone(b)
	s := b[len(b)-32:]
	carry := 0
	for i := range s {
		sum := int(s[i]) + int(l[i]) + carry
		s[i], carry = byte(sum), sum>>8
	}
	return b
}

// box encrypts any plaintext as an envelope, with the nonce that it gives.
func (f *forge) box(k RoomKeys, epoch uint32, plain []byte, nonce func([24]byte) [24]byte) []byte {
	e := wire.Envelope{Room: k.ID, Epoch: epoch}
	e.Nonce = k.nonceFor(e, plain)
	if nonce != nil {
		e.Nonce = nonce(e.Nonce)
	}
	e.Ciphertext = must(chacha20poly1305.NewX(k.envelope)).Seal(nil, e.Nonce[:], plain, e.AAD())
	return e.Bytes()
}

// plain lays out content as it stands before encryption, in an envelope of the given size.
func plain(c Content, length int, data []byte, size int) []byte {
	p := make([]byte, size-overhead)
	p[commitment] = byte(c)
	binary.BigEndian.PutUint32(p[commitment+1:], uint32(length))
	copy(p[inner:], data)
	return p
}

func (f *forge) envelopes() {
	k := f.tab.keys
	signed := must(wire.Sign(f.guest.dev.sign, ActionLabel, must(wire.Encode(f.second()))))
	good := must(k.sealContent(ContentAction, signed))
	n := len(signed)
	flip := func(at int) []byte {
		b := slices.Clone(good)
		b[at] ^= 1
		return b
	}
	f.bad("3.1", CodeSize, "an envelope of 76 bytes", good[:76])
	f.bad("3.1", CodeSize, "an envelope of 65537 bytes", append(slices.Clone(good), make([]byte, wire.MaxEnvelope+1-len(good))...))
	f.bad("3.2", CodeVersion, "version 0 of envelopes", flip(0))
	f.bad("3.3", CodeRoom, "an envelope of another room", flip(1))
	f.bad("3.4", CodeEpoch, "key epoch 1", f.box(k, 1, plain(ContentAction, n, signed, 512), nil))
	f.bad("3.5", CodeDecrypt, "a changed ciphertext", flip(100))
	f.bad("3.5", CodeDecrypt, "a changed nonce", flip(40))
	f.bad("3.5", CodeDecrypt, "an envelope under another key", func() []byte {
		other := must(NewRoomSecret(source("another room"))).Keys()
		other.ID = k.ID
		return must(other.sealContent(ContentAction, signed))
	}())
	p := plain(ContentAction, n, signed, 512)
	p[5] = 1
	f.bad("3.6", CodePadding, "a commitment that is not zero", f.box(k, 0, p, nil))
	f.bad("3.6", CodePadding, "a length beyond the end", f.box(k, 0, plain(ContentAction, 512, signed, 512), nil))
	p = plain(ContentAction, n, signed, 512)
	p[len(p)-1] = 1
	f.bad("3.6", CodePadding, "padding that is not zero", f.box(k, 0, p, nil))
	f.bad("3.6", CodePadding, "a size class too large", f.box(k, 0, plain(ContentAction, n, signed, 1024), nil))
	f.bad("3.6", CodePadding, "a size that is no class", f.box(k, 0, plain(ContentAction, n, signed, 500), nil))
	f.bad("3.6", CodePadding, "a plaintext too short", f.box(k, 0, make([]byte, inner-1), nil))
	f.bad("3.7", CodeContent, "content 0", f.box(k, 0, plain(0, n, signed, 512), nil))
	f.bad("3.7", CodeContent, "content 3", f.box(k, 0, plain(3, n, signed, 512), nil))
	f.bad("3.8", CodePart, "an empty part", f.box(k, 0, plain(ContentPart, 0, nil, 256), nil))
	f.bad("3.8", CodePart, "a part of 61441 bytes", f.box(k, 0, plain(ContentPart, MaxPart+1, nil, wire.MaxEnvelope), nil))
	f.bad("3.9", CodeNonce, "a nonce that the content does not give", f.box(k, 0, plain(ContentAction, n, signed, 512), func(n [24]byte) [24]byte {
		n[0] ^= 1
		return n
	}))
	f.bad("3.9", "", "a part", must(k.SealPart([]byte("part"))))
}

// genesisWith is a genesis by the founder's device after a change.
func (f *forge) genesisWith(p *Pen, id *Identity, change func(g *Genesis, a *Action)) []byte {
	g := f.tab.genesis()
	g.Room = f.tab.keys.ID
	g.Founder = must(p.enrolment(id, "P0"))
	a := Action{Version: ActionVersion, Device: p.dev.Key(), Seq: 1, Claimed: startTime, Kind: KindGenesis, Link: must(p.chain.Link(1))}
	change(&g, &a)
	if a.Body == nil {
		head, ruleset, err := g.encode()
		if err != nil {
			panic(err)
		}
		a.Body = append(head, ruleset...)
	}
	return f.raw(p.dev, must(wire.Encode(a)))
}

// enrolWith is an enrolment by a stranger's device after a change.
func (f *forge) enrolWith(change func(e *Enrolment, a *Action)) []byte {
	p := pen(f.tab.keys, "stranger")
	e := must(p.enrolment(f.visitor, "Sam"))
	a := Action{Version: ActionVersion, Game: f.tab.game, Device: p.dev.Key(), Seq: 1, Claimed: f.tab.now, Kind: KindEnrol, Link: must(p.chain.Link(1))}
	change(&e, &a)
	if a.Body == nil {
		a.Body = must(wire.Encode(e))
	}
	return f.raw(p.dev, must(wire.Encode(a)))
}

func (f *forge) context() {
	wrongGenesis := func(name string, code Code, change func(g *Genesis, a *Action)) {
		f.envelope(name, f.genesisWith(f.founder, f.host, change))
		f.check(code.Clause(), name, string(code), name)
		f.Checks[len(f.Checks)-1].Game = f.idOf(name).String()
	}
	again := func(g *Genesis) { g.Founder = must(f.founder.enrolment(f.host, "P0")) }
	wrongGenesis("a genesis without kernel", CodeGenesis, func(g *Genesis, a *Action) { g.Kernel = 0 })
	wrongGenesis("a genesis of another room", CodeGenesis, func(g *Genesis, a *Action) { g.Room[0] ^= 1 })
	wrongGenesis("a genesis without title", CodeGenesis, func(g *Genesis, a *Action) { g.Title = "" })
	wrongGenesis("a title with a line break", CodeGenesis, func(g *Genesis, a *Action) { g.Title = "a\nb" })
	wrongGenesis("dice of an unknown mode", CodeGenesis, func(g *Genesis, a *Action) { g.Dice = "loaded" })
	wrongGenesis("a notary that is no key", CodeGenesis, func(g *Genesis, a *Action) { g.Notary = wire.NotaryKey{} })
	wrongGenesis("documents out of order", CodeGenesis, func(g *Genesis, a *Action) { slices.Reverse(g.Ruleset) })
	wrongGenesis("a ruleset that is another", CodeGenesis, func(g *Genesis, a *Action) {
		head, _, err := g.encode()
		if err != nil {
			panic(err)
		}
		a.Body = append(head, must(wire.Encode([]Document{}))...)
	})
	wrongGenesis("a genesis cut off", CodeGenesis, func(g *Genesis, a *Action) { a.Body = []byte{0, 0, 9, 9} })
	wrongGenesis("a founder whom nobody proves", CodeEnrol, func(g *Genesis, a *Action) { g.Founder.Proof[0] ^= 1 })
	wrongGenesis("a founder's link from another chain", CodeLink, func(g *Genesis, a *Action) {
		again(g)
		a.Link[0] ^= 1
	})
	f.bad("5.2", CodeGame, "a second genesis", f.genesisWith(f.guest, f.visitor, func(g *Genesis, a *Action) {}))

	f.bad("5.2", CodeGame, "an act of another game", f.with(func(a *Action) { a.Game[0] ^= 1 }))

	f.bad("5.5", "", "a stranger's enrolment", f.enrolWith(func(e *Enrolment, a *Action) {}))
	wrong := func(name string, change func(e *Enrolment, a *Action)) {
		f.bad("5.5", CodeEnrol, name, f.enrolWith(change))
	}
	wrong("an enrolment with a part", func(e *Enrolment, a *Action) { a.Parts = []PartID{{1}} })
	wrong("an enrolment that is no array", func(e *Enrolment, a *Action) { a.Body = []byte{0xa0} })
	wrong("an enrolment without name", func(e *Enrolment, a *Action) { e.Name = "" })
	wrong("a name of 65 bytes", func(e *Enrolment, a *Action) { e.Name = string(bytes.Repeat([]byte("x"), 65)) })
	wrong("a name that ends in a space", func(e *Enrolment, a *Action) { e.Name = "Sam " })
	box := func(change func(box *[32]byte)) func(e *Enrolment, a *Action) {
		return func(e *Enrolment, a *Action) {
			change(&e.Box)
			e.Proof = ed25519.Sign(f.visitor.sign, e.proved(f.tab.keys.ID, a.Device))
		}
	}
	wrong("an X25519 key of small order", box(func(b *[32]byte) { *b = [32]byte{1} }))
	wrong("an X25519 key of order 8", box(func(b *[32]byte) {
		copy(b[:], must(hex.DecodeString("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")))
	}))
	wrong("an X25519 key with its last bit set", box(func(b *[32]byte) { b[31] |= 0x80 }))
	wrong("an X25519 key of p + 9", box(func(b *[32]byte) {
		copy(b[:], must(hex.DecodeString("f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")))
	}))
	f.bad("5.5", "", "an X25519 key of 9", f.enrolWith(box(func(b *[32]byte) { *b = [32]byte{9} })))
	wrong("an identity that is no key", func(e *Enrolment, a *Action) { e.Identity = IdentityKey{} })
	wrong("an identity that did not sign", func(e *Enrolment, a *Action) { e.Identity = f.host.Key() })
	wrong("a proof for another device", func(e *Enrolment, a *Action) {
		e.Proof = ed25519.Sign(f.visitor.sign, e.proved(f.tab.keys.ID, f.guest.dev.Key()))
	})
	wrong("a proof for another room", func(e *Enrolment, a *Action) {
		p := pen(f.tab.keys, "stranger")
		e.Proof = ed25519.Sign(f.visitor.sign, e.proved(wire.RoomID{1}, p.dev.Key()))
	})
	wrong("an anchor that was not proved", func(e *Enrolment, a *Action) { e.Anchor[0] ^= 1 })

	f.bad("5.6", CodeFeed, "a predecessor of another device", f.with(func(a *Action) {
		a.Prev, a.Heads = ActionID(f.tab.game), nil
	}))
	f.bad("5.6", CodeFeed, "a number left out", f.with(func(a *Action) {
		a.Seq = 3
		a.Link = must(f.guest.chain.Link(3))
	}))
	f.bad("5.7", CodeLink, "a link that is the one before", f.with(func(a *Action) { a.Link = must(f.guest.chain.Link(1)) }))
	f.bad("5.7", CodeLink, "a link that skips one", f.with(func(a *Action) { a.Link = must(f.guest.chain.Link(3)) }))
	f.bad("5.7", CodeLink, "an enrolment whose link is the anchor", f.enrolWith(func(e *Enrolment, a *Action) { a.Link = e.Anchor }))

	// An act that depends on one with a wrong link.
	bad := f.second()
	bad.Link = wire.Link{9}
	badID := actionID(must(wire.Encode(bad)))
	f.envelope("an act with a wrong link", f.raw(f.guest.dev, must(wire.Encode(bad))))
	f.envelope("an act after a refused one", f.with(func(a *Action) {
		a.Seq, a.Prev, a.Link = 3, badID, must(f.guest.chain.Link(3))
	}))
	f.Orders = append(f.Orders, orderVector{
		Clause: "5.4", Name: "what depends on a refused action is refused",
		Given:  append(slices.Clone(given), "an act with a wrong link", "an act after a refused one"),
		Placed: []placeVector{{"genesis", 1, ""}, {"enrol", 2, ""}}, Tentative: []placeVector{},
	})
	head := f.with(func(a *Action) {
		a.Heads = []ActionID{badID}
	})
	f.envelope("an act whose head is refused", head)
	f.Checks = append(f.Checks, checkVector{
		Clause: "5.4", Name: "an act whose head is refused", Want: string(CodeDepends), Add: "an act whose head is refused",
		Given: append(slices.Clone(given), "!an act with a wrong link"),
	})
}

// sealWith signs the third seal after a change.
func (f *forge) sealWith(key ed25519.PrivateKey, change func(s *wire.Seal)) wire.SignedSeal {
	s := wire.Seal{
		Room: f.tab.keys.ID, Game: f.tab.game, Number: 3, Prev: f.tab.seals[1].Hash, Time: f.tab.seals[1].Time + 1,
		Envelopes: []wire.EnvelopeHash{}, Link: must(f.tab.notary.chain.Link(3)),
	}
	change(&s)
	return must(wire.SignSeal(key, s))
}

func (f *forge) seals() {
	key := f.tab.notary.key
	bad := func(clause string, code Code, name string, s wire.SignedSeal) {
		f.seal(name, s)
		f.check(clause, name, string(code), name, given...)
	}
	good := f.sealWith(key, func(s *wire.Seal) {})
	bad("6.10", "", "a good seal", good)
	bad("6.10", "", "a seal at the time of the one before", f.sealWith(key, func(s *wire.Seal) { s.Time-- }))
	bad("6.10", "", "a seal ten years later", f.sealWith(key, func(s *wire.Seal) { s.Time += MaxSealStep - 1 }))
	with := func(bytes []byte) wire.SignedSeal { return wire.SignedSeal{Bytes: bytes} }
	bad("6.1", CodeSeal, "bytes that are no seal", with([]byte("seal")))
	bad("6.1", CodeSeal, "a seal with a byte after it", with(append(slices.Clone(good.Bytes), 0)))
	bad("6.1", CodeSeal, "a seal in the year 10000", f.sealWith(key, func(s *wire.Seal) { s.Time = wire.MaxTime + 1 }))
	bad("6.1", CodeSeal, "a seal with a negative time", f.sealWith(key, func(s *wire.Seal) { s.Time = -1 }))
	bad("6.1", CodeSeal, "seal 0", f.sealWith(key, func(s *wire.Seal) { s.Number = 0 }))
	bad("6.1", CodeSeal, "a seal over 1025 envelopes", f.sealWith(key, func(s *wire.Seal) { s.Envelopes = make([]wire.EnvelopeHash, 1025) }))
	public := f.tab.notary.Key()
	small := must(hex.DecodeString("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
	bad("6.2", CodeSealKey, "a seal by a key of small order", with(bytes.Replace(good.Bytes, public[:], small, 1)))
	flipped := slices.Clone(good.Bytes)
	flipped[len(flipped)-1] ^= 1
	bad("6.3", CodeSealSign, "a seal with a changed signature", with(flipped))
	bad("6.3", CodeSealSign, "a seal whose S is not reduced", with(addOrder(good.Bytes)))
	changed := slices.Clone(good.Bytes)
	changed[bytes.Index(changed, must(wire.Encode(good.Time)))+8] ^= 1
	bad("6.3", CodeSealSign, "a seal with a changed time", with(changed))
	bad("6.4", CodeSealRoom, "a seal of another room", f.sealWith(key, func(s *wire.Seal) { s.Room[0] ^= 1 }))
	bad("6.4", CodeSealRoom, "a seal of another game", f.sealWith(key, func(s *wire.Seal) { s.Game[0] ^= 1 }))
	bad("6.5", CodeNotary, "a seal by another key", f.sealWith(f.tab.another(8).key, func(s *wire.Seal) {}))
	bad("6.6", CodeNotaryFork, "another second seal", f.sealWith(key, func(s *wire.Seal) {
		s.Number, s.Prev, s.Link = 2, f.tab.seals[0].Hash, f.tab.seals[1].Link
	}))
	bad("6.7", CodeSealAhead, "a seal 65537 ahead", f.sealWith(key, func(s *wire.Seal) { s.Number = 2 + MaxSealsAhead + 1 }))
	bad("6.7", "", "a seal 65536 ahead", f.sealWith(key, func(s *wire.Seal) { s.Number = 2 + MaxSealsAhead }))
	bad("6.8", CodeSealPrev, "a seal after another", f.sealWith(key, func(s *wire.Seal) { s.Prev[0] ^= 1 }))
	bad("6.9", CodeSealLink, "a seal with the link before", f.sealWith(key, func(s *wire.Seal) { s.Link = must(f.tab.notary.chain.Link(2)) }))
	bad("6.9", CodeSealLink, "a seal whose link skips one", f.sealWith(key, func(s *wire.Seal) { s.Link = must(f.tab.notary.chain.Link(4)) }))
	bad("6.10", CodeSealTime, "a seal back in time", f.sealWith(key, func(s *wire.Seal) { s.Time -= 2 }))
	bad("6.10", CodeSealTime, "a seal more than ten years later", f.sealWith(key, func(s *wire.Seal) { s.Time += MaxSealStep }))
}

func (f *forge) proofs() {
	a := must(must(Parse(f.signed("a good act"))).Verify())
	b := f.signed("an act with every limit reached")
	key := f.guest.dev.Key()
	add := func(name string, first, second []byte, seq uint64, good bool) {
		f.Forks = append(f.Forks, forkProofVector{name, hex.EncodeToString(first), hex.EncodeToString(second), key.String(), seq, good})
	}
	add("two actions with one number", a.bytes, b, 2, true)
	add("one action twice", a.bytes, a.bytes, 2, false)
	add("another number", a.bytes, b, 3, false)
	add("actions of two games", a.bytes, f.signed("an act of another game"), 2, false)
	add("a changed signature", a.bytes, f.signed("a signature with one bit changed"), 2, false)
	add("actions of two devices", a.bytes, f.signed("genesis"), 2, false)
	seal := func(name string, first, second string, good bool) {
		f.Notaries = append(f.Notaries, forkNotaryVector{name, f.message(first), f.message(second), good})
	}
	seal("two seals with one number", "seal 2", "another second seal", true)
	seal("one seal twice", "seal 2", "seal 2", false)
	seal("two numbers", "seal 1", "seal 2", false)
	seal("two notaries", "a good seal", "a seal by another key", false)
	seal("two rooms", "a good seal", "a seal of another room", false)
}

func (f *forge) message(name string) string {
	for _, m := range f.Messages {
		if m.Name == name {
			return m.Bytes
		}
	}
	panic(fmt.Sprintf("no message %q", name))
}

// idOf returns the id of the action in a message.
func (f *forge) idOf(name string) ActionID { return must(Parse(f.signed(name))).id }

// signed returns the signed action inside a message.
func (f *forge) signed(name string) []byte {
	return must(f.tab.keys.Open(must(hex.DecodeString(f.message(name))))).Data
}
