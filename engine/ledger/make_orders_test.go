package ledger

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"peernomic/engine/wire"
)

// orders adds the cases of SPEC.md, section 7.
func (f *forge) orders() {
	t := f.tab
	founded := []placeVector{{"genesis", 1, ""}, {"enrol", 2, ""}}
	chain := t.notary // seals of each case go on from the second
	start := func() {
		if err := chain.Resume(t.seals[1]); err != nil {
			panic(err)
		}
	}
	cut := func(seal string, names ...string) string {
		f.seal(seal, must(chain.Seal(chain.Last().Time+1000, f.hashes(names...))))
		return seal
	}
	write := func(name string, p *Pen, a Action) ActionID {
		v := must(sign(p.dev, a))
		f.envelope(name, must(t.keys.SealAction(v)))
		return v.id
	}
	// next returns the action of a device after one of its own, with heads.
	next := func(p *Pen, seq uint64, prev ActionID, body string, heads ...ActionID) Action {
		slices.SortFunc(heads, func(a, b ActionID) int { return bytes.Compare(a[:], b[:]) })
		return Action{Game: t.game, Device: p.dev.Key(), Seq: seq, Prev: prev, Heads: heads, Claimed: t.now, Kind: KindAct, Link: must(p.chain.Link(seq)), Body: []byte(body)}
	}
	add := func(clause, name string, missing int, given []string, placed, tentative []placeVector) {
		all := append(slices.Clone(founded), placed...)
		if tentative == nil {
			tentative = []placeVector{}
		}
		f.Orders = append(f.Orders, orderVector{
			Clause: clause, Name: name, Placed: all, Tentative: tentative, Missing: missing,
			Given: append([]string{"genesis", "enrol", "seal 1", "seal 2"}, given...),
		})
	}
	guest := f.second().Prev
	genesis := ActionID(t.game)

	g2 := write("G2", f.guest, next(f.guest, 2, guest, "G2"))
	f2 := write("F2", f.founder, next(f.founder, 2, genesis, "F2", g2))
	g3 := write("G3", f.guest, next(f.guest, 3, g2, "G3", f2))
	write("F3", f.founder, next(f.founder, 3, f2, "F3"))
	write("G4", f.guest, next(f.guest, 4, g3, "G4"))

	start()
	s := []string{cut("A3", "G2", "F2"), cut("A4", "G3")}
	add("7.2", "in the order in which the seals name them", 0, append(s, "G2", "F2", "G3"),
		[]placeVector{{"G2", 3, ""}, {"F2", 3, ""}, {"G3", 4, ""}}, nil)
	add("7.2", "the walk waits for what is missing", 1, append(s, "F2", "G3"), nil, nil)
	add("7.2", "and goes as far as it can", 1, append(s, "G2", "F2"), []placeVector{{"G2", 3, ""}, {"F2", 3, ""}}, nil)

	start()
	s = []string{cut("B3", "a signature with one bit changed", "an act with a wrong link", "G2")}
	add("7.2", "junk is passed over", 0, append(s, "a signature with one bit changed", "an act with a wrong link", "G2"),
		[]placeVector{{"G2", 3, ""}}, nil)

	start()
	s = []string{cut("C3", "G3", "F2"), cut("C4", "F3"), cut("C5", "G2")}
	add("7.3", "what depends on a late action comes after it, first named first", 0, append(s, "G2", "F2", "G3", "F3"),
		[]placeVector{{"G2", 5, ""}, {"F2", 5, ""}, {"G3", 5, ""}, {"F3", 5, ""}}, nil)

	start()
	s = []string{cut("D3", "F2"), cut("D4", "G2"), cut("D5", "G2", "F2")}
	add("7.4", "the seal of an action is the one that brings its dependency", 0, append(s, "G2", "F2"),
		[]placeVector{{"G2", 4, ""}, {"F2", 4, ""}}, nil)

	deflated := func(data []byte) []byte {
		var b bytes.Buffer
		w := must(flate.NewWriter(&b, flate.BestCompression))
		must(w.Write(data))
		if err := w.Close(); err != nil {
			panic(err)
		}
		return b.Bytes()
	}

	// A body in two parts.
	packed := deflated([]byte("a body that goes on in two parts"))
	p2 := next(f.guest, 2, guest, "It begins here: ")
	for i, part := range [][]byte{packed[:10], packed[10:]} {
		part = slices.Concat(p2.mark(i), part)
		f.envelope([]string{"part 1 of P2", "part 2 of P2"}[i], must(t.keys.SealPart(part)))
		p2.Parts = append(p2.Parts, HashPart(part))
	}
	write("P2", f.guest, p2)
	f.derive("4.15", "mark of part 1 of P2, counted from 0, from its device and its number", slices.Concat(p2.Device[:], []byte{7: 2}), p2.mark(1))
	f.derive("4.15", "whole body of the action in \"P2\"", packed, []byte("It begins here: a body that goes on in two parts"))
	start()
	s = []string{cut("E3", "P2", "part 1 of P2"), cut("E4", "part 2 of P2")}
	add("7.3", "an action waits for the place of its parts", 0, append(s, "P2", "part 1 of P2", "part 2 of P2"),
		[]placeVector{{"P2", 4, ""}}, nil)

	x2 := write("X2", f.guest, next(f.guest, 2, guest, "X2"))
	write("X3", f.guest, next(f.guest, 3, x2, "X3"))
	write("FX", f.founder, next(f.founder, 2, genesis, "FX", x2))
	start()
	s = []string{cut("F3s", "G2", "X2", "X3"), cut("F4s", "FX")}
	add("7.6", "the first of a fork stands, the other and its successors are void, and what depends on it is not", 0,
		append(s, "G2", "X2", "X3", "FX"),
		[]placeVector{{"G2", 3, ""}, {"X2", 3, "fork"}, {"X3", 3, "fork"}, {"FX", 4, ""}}, nil)
	start()
	s = []string{cut("H3", "X3", "X2", "G2"), cut("H4", "FX")}
	add("7.6", "whichever the seals place first", 0, append(s, "G2", "X2", "X3", "FX"),
		[]placeVector{{"X2", 3, ""}, {"X3", 3, ""}, {"G2", 3, "fork"}, {"FX", 4, ""}}, nil)

	words := deflated([]byte("some words"))
	long := next(f.guest, 2, guest, "")
	for i, c := range []struct {
		name    string
		mark    []byte
		content []byte
		want    Code
	}{
		{"a part that is no DEFLATE", long.mark(0), []byte("part"), CodeBody},
		{"a part that expands too far", long.mark(0), expanding(1), CodeBody},
		{"a part that expands as far as it may", long.mark(0), expanding(0), ""},
		{"a part that goes on after its end", long.mark(0), append(slices.Clone(words), 0), CodeBody},
		{"a part without a mark", nil, words, CodeBody},
		{"a part that ends within its mark", long.mark(0)[:31], nil, CodeBody},
		{"a part with the mark of another place in the body", long.mark(1), words, CodeBody},
		{"a part with the mark of another number", next(f.guest, 3, guest, "").mark(0), words, CodeBody},
		{"a part with the mark of another device", next(f.founder, 2, guest, "").mark(0), words, CodeBody},
	} {
		part := "part " + string(rune('a'+i))
		content := slices.Concat(c.mark, c.content)
		f.envelope(part, must(t.keys.SealPart(content)))
		a := long
		a.Parts = []PartID{HashPart(content)}
		id := write("Y2"+part, f.guest, a)
		write("Y3"+part, f.guest, next(f.guest, 3, id, "Y3"))
		start()
		s = []string{cut("I3"+part, part, "Y2"+part, "Y3"+part)}
		add("7.7", c.name, 0, append(s, part, "Y2"+part, "Y3"+part),
			[]placeVector{{"Y2" + part, 3, string(c.want)}, {"Y3" + part, 3, ""}}, nil)
	}

	start()
	a := next(f.guest, 2, guest, "Z2")
	a.Claimed = chain.Last().Time + 1000 + MaxClaimAhead
	z2 := write("Z2", f.guest, a)
	a = next(f.guest, 3, z2, "Z3")
	a.Claimed = chain.Last().Time + 1000 + MaxClaimAhead + 1
	z3 := write("Z3", f.guest, a)
	a = next(f.guest, 4, z3, "Z4")
	a.Claimed = 0
	write("Z4", f.guest, a)
	s = []string{cut("J3", "Z2", "Z3", "Z4")}
	add("7.8", "a claimed time more than a day ahead", 0, append(s, "Z2", "Z3", "Z4"),
		[]placeVector{{"Z2", 3, ""}, {"Z3", 3, "claimed"}, {"Z4", 3, ""}}, nil)

	start()
	a = next(f.founder, 2, genesis, "claimed early", g2)
	a.Claimed = chain.Last().Time + 1000 + MaxClaimAhead + 1
	write("Z5", f.founder, a)
	s = []string{cut("Z5 is named", "Z5"), cut("Z5 has its place", "G2")}
	add("7.8", "a claimed time more than a day ahead of the seal that names it, not of the one that gives it its place", 0, append(s, "Z5", "G2"),
		[]placeVector{{"G2", 4, ""}, {"Z5", 4, "claimed"}}, nil)

	write("Z3 again", f.guest, next(f.guest, 3, z2, "Z3 again"))
	start()
	s = []string{cut("N3", "Z2", "Z3", "Z3 again", "Z4")}
	add("7.6", "an action that is void for its claimed time stands against another with its number", 0, append(s, "Z2", "Z3", "Z3 again", "Z4"),
		[]placeVector{{"Z2", 3, ""}, {"Z3", 3, "claimed"}, {"Z3 again", 3, "fork"}, {"Z4", 3, ""}}, nil)

	f.tentatives(add, next, write, cut, start)

	// A chain that names the enrolment first.
	fresh := t.another(7)
	f.seal("M1", must(fresh.Seal(startTime, f.hashes("enrol"))))
	f.seal("M2", must(fresh.Seal(startTime, f.hashes("genesis"))))
	f.Orders = append(f.Orders, orderVector{
		Clause: "7.3", Name: "nothing has a place before the genesis", Given: []string{"genesis", "enrol", "M1", "M2"},
		Placed: []placeVector{{"genesis", 2, ""}, {"enrol", 2, ""}}, Tentative: []placeVector{},
	})

	// A genesis that names the same notary, and is sealed first, is not the game.
	rival := f.genesisWith(f.guest, f.visitor, func(g *Genesis, a *Action) {})
	f.envelope("a rival genesis", rival)
	fresh = t.another(7)
	f.seal("R1", must(fresh.Seal(startTime, f.hashes("a rival genesis"))))
	f.seal("R2", must(fresh.Seal(startTime, f.hashes("genesis", "enrol"))))
	f.Orders = append(f.Orders, orderVector{
		Clause: "7.1", Name: "a genesis of another id is passed over, though the seals name it first",
		Given:  []string{"a rival genesis", "genesis", "R1", "enrol", "R2"},
		Placed: []placeVector{{"genesis", 2, ""}, {"enrol", 2, ""}}, Tentative: []placeVector{},
	})
}

// tentatives adds the cases of clause 7.9.
func (f *forge) tentatives(
	add func(clause, name string, missing int, given []string, placed, tentative []placeVector),
	next func(p *Pen, seq uint64, prev ActionID, body string, heads ...ActionID) Action,
	write func(name string, p *Pen, a Action) ActionID,
	cut func(seal string, names ...string) string,
	start func(),
) {
	genesis := ActionID(f.tab.game)
	write("FT", f.founder, next(f.founder, 2, genesis, "FT"))
	// Without heads, FT and G2 are concurrent: the tie decides, differently after each seal.
	first := map[string]int{}
	start()
	last := f.tab.seals[1].Hash
	for i := range 7 {
		given := []string{"FT", "G2"}
		for j := range i {
			given = append(given, "K"+string(rune('3'+j)))
		}
		want := []placeVector{{"FT", 0, ""}, {"G2", 0, ""}}
		k1, k2 := f.founder.dev.Key(), f.guest.dev.Key()
		t1, t2 := wire.Digest(TieLabel, last[:], k1[:]), wire.Digest(TieLabel, last[:], k2[:])
		if bytes.Compare(t1[:], t2[:]) > 0 {
			slices.Reverse(want)
		}
		first[want[0].Action]++
		add("7.9", "ties are broken anew after seal "+string(rune('2'+i)), 0, given, nil, want)
		cut("K" + string(rune('3'+i)))
		last = f.tab.notary.Last().Hash
	}
	if len(first) != 2 {
		panic("the cases of clause 7.9 do not show that either can win")
	}
	start()
	s := cut("L3", "G4", "P2", "FT")
	add("7.9", "what a seal names comes before what none does", 1, []string{s, "FT", "G4", "G2", "F2", "G3"}, nil,
		f.causal("FT", "G2", "F2", "G3", "G4"))
}

// causal lists names as tentative placements; F2 loses to FT, which is named.
func (f *forge) causal(names ...string) []placeVector {
	var out []placeVector
	for _, n := range names {
		p := placeVector{Action: n}
		if n == "F2" {
			p.Void = string(CodeFork)
		}
		out = append(out, p)
	}
	return out
}

// archives adds the cases of SPEC.md, section 8.
func (f *forge) archives() {
	t := f.tab
	r := NewReplica(t.keys, t.game)
	add := func(name string) {
		b := must(hex.DecodeString(f.message(name)))
		if slices.ContainsFunc(f.Messages, func(m messageVector) bool { return m.Name == name && m.Type == "seal" }) {
			if err := r.AddSeal(b); err != nil {
				panic(err)
			}
			return
		}
		r.AddEnvelope(b)
	}
	for _, name := range []string{"genesis", "enrol", "seal 1", "seal 2", "a signature with one bit changed", "an act with a wrong link", "G2", "B3", "F2", "part 1 of P2"} {
		add(name)
	}
	good := must(WriteArchive(r))
	records := splitArchive(good)
	put := func(clause, name, want string, b []byte) {
		f.Archives = append(f.Archives, archiveVector{clause, name, hex.EncodeToString(b), want})
	}
	put("8.8", "an archive with junk and an act that no seal names", "", good)
	put("8.1", "another first line", "8.1", append([]byte("X"), good[1:]...))
	put("8.2", "an archive cut off", "8.2", good[:len(good)-1])
	put("8.2", "an archive cut off between records", "8.2", joinArchive(records[:3], false))
	// join reseals the records, so that nothing but the change is wrong.
	join := func(change func(rs [][]byte) [][]byte) []byte {
		var copies [][]byte
		for _, rec := range records[:len(records)-1] {
			copies = append(copies, slices.Clone(rec))
		}
		return joinArchive(change(copies), true)
	}
	put("8.2", "a record of unknown type", "8.2", join(func(rs [][]byte) [][]byte { rs[2][0] = 'X'; return rs }))
	put("8.3", "no head", "8.3", join(func(rs [][]byte) [][]byte { return rs[1:] }))
	put("8.2", "a first record of unknown type", "8.2", join(func(rs [][]byte) [][]byte { rs[0][0] = 'X'; return rs }))
	put("8.2", "no end", "8.2", joinArchive(records[:len(records)-1], false))
	put("8.3", "a head with a byte after it", "8.3", join(func(rs [][]byte) [][]byte {
		rs[0] = archiveRecord('H', append(slices.Clone(rs[0][5:]), 0))
		return rs
	}))
	put("8.6", "two heads", "8.6", join(func(rs [][]byte) [][]byte { return slices.Insert(rs, 1, rs[0]) }))
	put("8.3", "a head that is no array", "8.3", join(func(rs [][]byte) [][]byte { rs[0][5] = 0xa2; return rs }))
	at := func(kind byte, n int) int {
		for i, rec := range records {
			if rec[0] == kind {
				if n == 0 {
					return i
				}
				n--
			}
		}
		panic("no such record")
	}
	put("8.4", "an envelope left out", "8.4", join(func(rs [][]byte) [][]byte { return slices.Delete(rs, at('E', 1), at('E', 1)+1) }))
	put("8.4", "an envelope twice", "8.4", join(func(rs [][]byte) [][]byte { return slices.Insert(rs, at('E', 1), rs[at('E', 0)]) }))
	put("8.4", "two envelopes in the wrong order", "8.4", join(func(rs [][]byte) [][]byte {
		i := at('E', 2)
		rs[i], rs[i+1] = rs[i+1], rs[i]
		return rs
	}))
	put("8.4", "an envelope before its seal's turn", "8.4", join(func(rs [][]byte) [][]byte {
		i := at('E', 1)
		e := rs[i]
		return slices.Insert(slices.Delete(rs, i, i+1), at('S', 0), e)
	}))
	put("8.5", "a seal left out", "8.5", join(func(rs [][]byte) [][]byte {
		s := at('S', 1)
		return slices.Delete(rs, s-1, s+1) // with the envelope that it names
	}))
	put("6.3", "a seal with one bit changed", "6.3", join(func(rs [][]byte) [][]byte {
		s := rs[at('S', 1)]
		s[len(s)-1] ^= 1
		return rs
	}))
	put("3.5", "an envelope with one bit changed", "3.5", join(func(rs [][]byte) [][]byte {
		e := rs[at('E', 1)]
		e[len(e)-1] ^= 1
		return rs
	}))
	put("3.5", "an envelope that no seal names with one bit changed", "3.5", join(func(rs [][]byte) [][]byte {
		e := rs[len(rs)-1]
		e[len(e)-1] ^= 1
		return rs
	}))
	put("6.4", "another secret", "6.4", join(func(rs [][]byte) [][]byte { rs[0][10] ^= 1; return rs }))
	put("6.4", "another game's id", "6.4", join(func(rs [][]byte) [][]byte { rs[0][len(rs[0])-1] ^= 1; return rs }))
	put("8.6", "no genesis at all", "8.6", join(func(rs [][]byte) [][]byte { return rs[:1] }))
	put("8.7", "a part that belongs to nothing", "8.7", join(func(rs [][]byte) [][]byte {
		return append(rs, archiveRecord('E', must(hex.DecodeString(f.message("part 1 of P2")))))
	}))
	put("8.7", "an act that waits for its predecessor", "8.7", join(func(rs [][]byte) [][]byte {
		return append(rs, archiveRecord('E', must(hex.DecodeString(f.message("G4")))))
	}))
	put("8.7", "an act that no seal names twice", "8.7", join(func(rs [][]byte) [][]byte { return append(rs, rs[len(rs)-1]) }))
	put("8.7", "a part that does not stand before its action", "8.7", join(func(rs [][]byte) [][]byte {
		act := rs[len(rs)-1]
		for _, name := range []string{"part 1 of P2", "part 2 of P2"} {
			rs = slices.Insert(rs, len(rs)-1, archiveRecord('E', must(hex.DecodeString(f.message(name)))))
		}
		if !bytes.Equal(act, rs[len(rs)-1]) {
			panic("the act is not the last")
		}
		return append(rs, archiveRecord('E', must(hex.DecodeString(f.message("P2")))))
	}))
	wrong := slices.Clone(good)
	wrong[len(wrong)-1] ^= 1
	put("8.8", "another digest", "8.8", wrong)
	put("8.8", "bytes after the end", "8.8", append(slices.Clone(good), 0))
}

// chapters adds the cases of clause 8.9, and of the genesis of a further chapter.
func (f *forge) chapters() {
	t := f.tab
	first := t.people[0].replica
	good := func(*Genesis) {}
	put := func(name, want string, chapters ...*Replica) {
		f.Archives = append(f.Archives, archiveVector{"8.9", name, hex.EncodeToString(must(WriteArchive(chapters...))), want})
	}
	put("two chapters", "", first, t.secondChapter(2, good))
	put("a later chapter alone", "", t.secondChapter(2, good))
	put("two chapters, the later first", "8.9", t.secondChapter(2, good), first)
	put("a chapter that goes on from nothing", "8.9", first, first)
	put("a chapter from another seal with that number", "8.9", first, t.secondChapter(2, func(g *Genesis) { g.Continues.SealHash[0] ^= 1 }))
	put("a chapter from a seal that the one before does not hold", "8.9", first, t.secondChapter(2, func(g *Genesis) { g.Continues.Seal = 3 }))
	put("a chapter from another order", "8.9", first, t.secondChapter(2, func(g *Genesis) { g.Continues.Order[0] ^= 1 }))
	put("a chapter of another game", "8.9", first, t.secondChapter(2, func(g *Genesis) { g.Continues.Game[0] ^= 1 }))
	put("a chapter of another room", "8.9", first, t.secondChapter(2, func(g *Genesis) { g.Ruleset[0].Text = RoomSecret{8}.String() }))

	goesOn := func(name string, change func(g *Genesis, a *Action)) {
		f.envelope(name, f.genesisWith(f.founder, f.host, func(g *Genesis, a *Action) {
			g.Ruleset = []Document{{Path: SecretPath, Text: t.keys.secret.String()}, {Path: SnapshotPath, Text: "a world"}}
			g.Continues = &Seam{Game: t.game, Seal: 2, SealHash: t.seals[1].Hash}
			change(g, a)
		}))
		want := ""
		if name != "a genesis that goes on" {
			want = string(CodeGenesis)
		}
		f.check("5.3", name, want, name)
		f.Checks[len(f.Checks)-1].Game = f.idOf(name).String()
	}
	goesOn("a genesis that goes on", func(*Genesis, *Action) {})
	goesOn("a genesis that goes on from seal 0", func(g *Genesis, _ *Action) { g.Continues.Seal = 0 })
	goesOn("a genesis that goes on without a world", func(g *Genesis, _ *Action) { g.Ruleset = g.Ruleset[:1] })
	goesOn("a genesis that goes on with a document more", func(g *Genesis, _ *Action) { g.Ruleset = append(g.Ruleset, Document{Path: "x"}) })
	goesOn("a genesis that goes on without a secret", func(g *Genesis, _ *Action) { g.Ruleset[0].Text = "secret" })
	goesOn("a genesis that goes on twice", func(g *Genesis, a *Action) {
		head, ruleset, err := g.encode()
		if err != nil {
			panic(err)
		}
		end := len(head) - len(must(wire.Encode([]Seam{*g.Continues})))
		head = append(head[:end:end], must(wire.Encode([]Seam{*g.Continues, *g.Continues}))...)
		binary.BigEndian.PutUint32(head, uint32(len(head)-4))
		a.Body = append(head, ruleset...)
	})
}

// splitArchive returns the records of an archive; joinArchive puts them together again, with
// a new digest at the end if asked.
func splitArchive(file []byte) [][]byte {
	rest := file[len(archiveMagic):]
	var records [][]byte
	for len(rest) > 0 {
		n := 5 + int(rest[1])<<24 + int(rest[2])<<16 + int(rest[3])<<8 + int(rest[4])
		records = append(records, rest[:n:n])
		rest = rest[n:]
	}
	return records
}

func joinArchive(records [][]byte, end bool) []byte {
	file := append([]byte(archiveMagic), bytes.Join(records, nil)...)
	if !end {
		return file
	}
	sum := newArchiveSum()
	sum.Write(file)
	return append(file, archiveRecord(recordEnd, sum.Sum(nil))...)
}

func archiveRecord(kind byte, content []byte) []byte {
	n := len(content)
	return append([]byte{kind, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, content...)
}

// expanding returns DEFLATE that expands to extra bytes more than [MaxExpansion] times its own length.
func expanding(extra int) []byte {
	for n := 100; n < 200; n++ {
		for least := range n {
			if packed := must(deflate(make([]byte, MaxExpansion*n+extra), least)); len(packed) == n {
				return packed
			}
		}
	}
	panic("no length is right")
}

// hashes returns the hashes of messages by name.
func (f *forge) hashes(names ...string) []wire.EnvelopeHash {
	out := make([]wire.EnvelopeHash, len(names))
	for i, n := range names {
		out[i] = wire.HashEnvelope(must(hex.DecodeString(f.message(n))))
	}
	return out
}
