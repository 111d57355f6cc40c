package ledger

import (
	"encoding/hex"
	"slices"

	"peernomic/engine/wire"
)

// successions adds the cases of SPEC.md, 12.8 to 12.13, to the orders: host and visitor are active
// at the base, which is seal 2.
func (f *forge) successions() {
	t := f.tab
	base := t.seals[1]
	heirs := map[byte]*Notary{}
	for _, seed := range []byte{8, 9} {
		heirs[seed] = notary(t.keys, seed)
		heirs[seed].Continue(base)
	}
	motion := func(seed byte, round uint64) Motion {
		n := heirs[seed]
		return must(MotionFor(t.game, base, round, "", NotaryChange{Notary: n.Key(), Anchor: n.Anchor(), Relay: "wss://relay.example/relay"}))
	}
	id := func(m Motion) MotionID {
		_, id, err := m.Encode()
		if err != nil {
			panic(err)
		}
		return id
	}
	host := Position{Game: t.game, Seq: 1, Prev: ActionID(t.game)}
	visitor := Position{Game: t.game, Seq: 1, Prev: f.second().Prev}
	write := func(name string, p *Pen, at Position, b Ballot) Position {
		e := must(p.Write(at, KindConvention, must(EncodeBallot(b)), t.now))
		f.envelope(name, e.Envelope())
		return Position{Game: t.game, Seq: at.Seq + 1, Prev: e.Action.ID()}
	}
	cut := func(seal string, n *Notary, names ...string) string {
		f.seal(seal, must(n.Seal(n.Last().Time+1000, f.hashes(names...))))
		return seal
	}
	add := func(clause, name string, overruled int, given []string, placed, tentative []placeVector) {
		if tentative == nil {
			tentative = []placeVector{}
		}
		h, v := f.host.Key(), f.visitor.Key()
		f.Orders = append(f.Orders, orderVector{
			Clause: clause, Name: name, Tentative: tentative, Overruled: overruled,
			Placed: append([]placeVector{{"genesis", 1, ""}, {"enrol", 2, ""}}, placed...),
			Given:  append([]string{"genesis", "enrol", "seal 1", "seal 2"}, given...),
			Active: []string{hex.EncodeToString(h[:]), hex.EncodeToString(v[:])},
		})
	}
	first, rival := motion(8, 1), motion(9, 1)
	write("host assents", f.founder, host, Ballot{Verb: VerbAssent, Motion: &first})
	after := write("visitor assents", f.guest, visitor, Ballot{Verb: VerbAssent, Motion: &first})
	write("visitor assents to a rival too", f.guest, after, Ballot{Verb: VerbAssent, Motion: &rival})
	write("visitor withdraws", f.guest, after, Ballot{Verb: VerbWithdraw, ID: id(first)})
	write("host assents to a rival only", f.founder, host, Ballot{Verb: VerbAssent, Motion: &rival})
	both := []string{"host assents", "visitor assents"}

	one := cut("successor by one assent", heirs[8], "host assents")
	heirs[8].Continue(base)
	add("12.9", "one of two is not more than two thirds", 0, append([]string{one}, both...), nil,
		f.tentative("host assents", "visitor assents"))

	proof := cut("successor", heirs[8], both...)
	placed := []placeVector{{"host assents", 3, ""}, {"visitor assents", 3, ""}}
	add("12.8", "a successor with its proof", 0, append([]string{proof}, both...), placed, nil)

	for _, late := range []struct {
		name  string
		after int64
		stood []placeVector
		loose []placeVector
	}{
		{"a successor after as long as a notary may sleep", MaxSealStep, placed, nil},
		{"a successor after longer", MaxSealStep + 1, nil, f.tentative(both...)},
	} {
		heirs[8].Continue(base)
		f.seal(late.name, must(heirs[8].Seal(base.Time+late.after, f.hashes(both...))))
		add("12.8", late.name, 0, append([]string{late.name}, both...), late.stood, late.loose)
	}

	heirs[8].Continue(base)
	withdrawn := cut("successor with a withdrawal", heirs[8], "host assents", "visitor assents", "visitor withdraws")
	add("12.11", "a withdrawn assent", 0, append([]string{withdrawn, "visitor withdraws"}, both...), nil,
		f.tentative("host assents", "visitor assents", "visitor withdraws"))

	heirs[9].Continue(base)
	second := cut("rival successor", heirs[9], "host assents to a rival only", "visitor assents", "visitor assents to a rival too")
	add("12.11", "an assent after one to a rival", 0,
		[]string{second, "host assents to a rival only", "visitor assents", "visitor assents to a rival too"}, nil,
		f.tentative("host assents to a rival only", "visitor assents", "visitor assents to a rival too"))

	later := motion(9, 2)
	hostAfter := Position{Game: t.game, Seq: 2, Prev: f.idOf("host assents")}
	write("host assents to a later one", f.founder, hostAfter, Ballot{Verb: VerbAssent, Motion: &later})
	write("visitor assents to a later one", f.guest, after, Ballot{Verb: VerbAssent, Motion: &later})
	heirs[9].Continue(base)
	newer := []string{"host assents to a later one", "visitor assents to a later one"}
	latest := cut("successor by a later round", heirs[9], append(both, newer...)...)
	add("12.12", "of two that prove themselves the one of the later round stands", 0, append([]string{proof, latest}, append(both, newer...)...),
		append(slices.Clone(placed), placeVector{newer[0], 3, ""}, placeVector{newer[1], 3, ""}), nil)

	inParts := Action{
		Version: ActionVersion, Game: t.game, Device: f.founder.dev.Key(), Seq: 2, Prev: ActionID(t.game), Heads: []ActionID{},
		Claimed: t.now, Kind: KindConvention, Link: must(f.founder.chain.Link(2)), Body: []byte{},
	}
	part := must(inParts.pack(must(EncodeBallot(Ballot{Verb: VerbAssent, Motion: &first}))))[0]
	inParts.Parts = []PartID{HashPart(part)}
	f.envelope("host's ballot", must(t.keys.SealPart(part)))
	f.envelope("host assents in a part", f.raw(f.founder.dev, must(wire.Encode(inParts))))
	heirs[8].Continue(base)
	hidden := []string{"host's ballot", "host assents in a part", "visitor assents"}
	add("12.10", "an assent that is not in the body itself", 0, append([]string{cut("successor with a ballot in a part", heirs[8], hidden...)}, hidden...), nil,
		f.tentative(hidden...))

	if err := t.notary.Resume(base); err != nil {
		panic(err)
	}
	old := cut("the notary before goes on", t.notary, "G2")
	add("12.13", "an act on another branch, which the notary before has sealed", 1, append([]string{old, "G2", proof}, both...), placed,
		[]placeVector{{"G2", 0, string(CodeFork)}})

	heirs[8].Continue(base)
	branches := cut("successor with both branches of a feed", heirs[8], append(both, "G2")...)
	add("12.11", "an assent by a device that signed another action with its number", 0, append([]string{branches, "G2"}, both...), nil,
		f.tentative("host assents", "visitor assents", "G2"))

	if err := t.notary.Resume(base); err != nil {
		panic(err)
	}
	empty := cut("the notary before goes on with nothing", t.notary)
	add("12.13", "a seal of the notary before", 1, append([]string{empty, proof}, both...), placed, nil)
}

// hashes returns the hashes of envelopes among the messages.
func (f *forge) hashes(names ...string) []wire.EnvelopeHash {
	var hashes []wire.EnvelopeHash
	for _, name := range names {
		hashes = append(hashes, wire.HashEnvelope(must(hex.DecodeString(f.message(name)))))
	}
	return hashes
}

// tentative lists what of the messages has no place after seal 2, in its order.
func (f *forge) tentative(names ...string) []placeVector {
	r := NewReplica(f.tab.keys)
	for _, s := range f.tab.seals[:2] {
		if err := r.AddSeal(s.Bytes); err != nil {
			panic(err)
		}
	}
	byID := map[string]string{}
	for _, name := range append([]string{"genesis", "enrol"}, names...) {
		b := must(hex.DecodeString(f.message(name)))
		if s, err := wire.ParseSeal(b); err == nil {
			if err := r.AddSeal(s.Bytes); err != nil {
				panic(err)
			}
			continue
		}
		for _, m := range f.Messages {
			if m.Name == name {
				byID[m.ID] = name
			}
		}
		must(r.AddEnvelope(b))
	}
	var out []placeVector
	for _, p := range r.Tentative() {
		v := placeVector{Action: byID[p.Action.ID().String()]}
		if p.Void != nil {
			v.Void = string(p.Void.Code)
		}
		out = append(out, v)
	}
	return out
}
