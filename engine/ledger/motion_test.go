package ledger

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

// ballots makes right ballots of every kind, and everything that is wrong in one way.
func (f *forge) ballots() {
	base := f.tab.seals[1]
	ballot := func(clause string, code Code, name string, b ballotBody) {
		v := ballotVector{Clause: clause, Name: name, Body: hex.EncodeToString(must(wire.Encode(b))), Want: string(code)}
		if code == "" {
			v.Motion = b.ID.String()
		}
		f.Ballots = append(f.Ballots, v)
	}
	carry := func(m Motion) ballotBody {
		b, id, err := m.Encode()
		if err != nil {
			panic(err)
		}
		return ballotBody{Verb: VerbAssent, ID: id, Motion: b}
	}
	repair := must(MotionFor(f.tab.game, base, 1, "The game is stuck.", []any{map[string]any{"op": "repeal", "rule": "First"}}))
	next := notary(f.tab.keys, 8)
	notaryMotion := must(MotionFor(f.tab.game, base, 1, "", NotaryChange{Notary: next.Key(), Anchor: next.Anchor(), Relay: "wss://relay.example/relay"}))
	seat := must(MotionFor(f.tab.game, base, 1, "", SeatChange{From: f.visitor.Key(), To: f.host.Key()}))
	ballot("12.1", "", "an assent that carries a repair", carry(repair))
	ballot("12.2", "", "an assent to a new notary", carry(notaryMotion))
	ballot("12.2", "", "an assent to a change of seat", carry(seat))
	ballot("12.3", "", "an assent by name", ballotBody{Verb: VerbAssent, ID: carry(repair).ID, Motion: []byte{}})
	ballot("12.3", "", "a withdrawal", ballotBody{Verb: VerbWithdraw, ID: carry(repair).ID, Motion: []byte{}})

	with := func(change func(b *ballotBody)) ballotBody {
		b := carry(repair)
		change(&b)
		return b
	}
	ballot("12.3", CodeBallot, "verb 0", with(func(b *ballotBody) { b.Verb = 0 }))
	ballot("12.3", CodeBallot, "verb 3", with(func(b *ballotBody) { b.Verb = verbEnd }))
	ballot("12.3", CodeBallot, "a withdrawal that carries the motion", with(func(b *ballotBody) { b.Verb = VerbWithdraw }))
	ballot("12.3", CodeBallot, "an assent that names another motion", with(func(b *ballotBody) { b.ID[0] ^= 1 }))
	f.Ballots = append(f.Ballots, ballotVector{Clause: "12.3", Name: "a ballot with a byte after it", Want: string(CodeBallot),
		Body: hex.EncodeToString(append(must(wire.Encode(carry(repair))), 0))})

	wrong := func(clause string, code Code, name string, m Motion, change func(m *Motion)) {
		change(&m)
		ballot(clause, code, name, carry(m))
	}
	content := func(v any) []byte { return must(wire.Encode(v)) }
	wrong("12.3", CodeBallot, "a motion of another game", repair, func(m *Motion) { m.Game[0] ^= 1 })
	wrong("12.1", CodeMotion, "a motion of version 2", repair, func(m *Motion) { m.Version = 2 })
	wrong("12.1", CodeMotion, "a motion of kind 0", repair, func(m *Motion) { m.Kind = 0 })
	wrong("12.1", CodeMotion, "a motion of kind 4", repair, func(m *Motion) { m.Kind = motionEnd })
	wrong("12.1", CodeMotion, "a motion without base", repair, func(m *Motion) { m.Base = 0 })
	wrong("12.1", CodeMotion, "a motion of round 0", repair, func(m *Motion) { m.Round = 0 })
	wrong("12.1", CodeMotion, "a reason of 1001 bytes", repair, func(m *Motion) { m.Why = strings.Repeat("x", MaxWhy+1) })
	wrong("12.1", CodeMotion, "a repair of nothing", repair, func(m *Motion) { m.Content = content([]any{}) })
	wrong("12.1", CodeMotion, "a repair that is no list", repair, func(m *Motion) { m.Content = content("x") })
	wrong("12.1", CodeMotion, "a repair with a floating point", repair, func(m *Motion) { m.Content = content([]any{map[string]any{"value": 1.5}}) })
	wrong("12.1", CodeMotion, "a repair with a tag", repair, func(m *Motion) { m.Content = must(hex.DecodeString("81c24101")) })
	wrong("12.1", CodeMotion, "a repair whose keys are numbers", repair, func(m *Motion) { m.Content = content([]any{map[int]any{1: "x"}}) })
	plainest := repair
	plainest.Content = content([]any{map[string]any{"a": true, "b": nil, "c": -1, "d": []any{uint64(1) << 63, []byte{1}}, "e": map[string]any{}}})
	ballot("12.2", "", "a repair with every kind of value", carry(plainest))
	ballot("12.2", "", "a repair of 4096 values", carry(must(MotionFor(f.tab.game, base, 1, "", slices.Repeat([]any{1}, MaxValues-1)))))
	wrong("12.1", CodeMotion, "a repair of 4097 values", repair, func(m *Motion) { m.Content = content(slices.Repeat([]any{1}, MaxValues)) }) // the list is one itself
	notaryWith := func(change func(c *NotaryChange)) func(m *Motion) {
		return func(m *Motion) {
			c := must(m.Notary())
			change(&c)
			m.Content = content(c)
		}
	}
	wrong("12.1", CodeMotion, "a notary that is no key, in a motion", notaryMotion, notaryWith(func(c *NotaryChange) { c.Notary = wire.NotaryKey{} }))
	wrong("12.1", CodeMotion, "a relay without address", notaryMotion, notaryWith(func(c *NotaryChange) { c.Relay = "" }))
	wrong("12.1", CodeMotion, "an address of 201 bytes", notaryMotion, notaryWith(func(c *NotaryChange) { c.Relay = strings.Repeat("x", MaxRelay+1) }))
	wrong("12.1", CodeMotion, "a seat for an identity that is no key", seat, func(m *Motion) { m.Content = content(SeatChange{From: f.host.Key()}) })
	wrong("12.1", CodeMotion, "a seat for who has it", seat, func(m *Motion) { m.Content = content(SeatChange{From: f.host.Key(), To: f.host.Key()}) })
	wrong("12.1", CodeMotion, "a content with a byte after it", seat, func(m *Motion) { m.Content = append(m.Content, 0) })
}

// FuzzDecodeBallot: what parses encodes to the same bytes.
func FuzzDecodeBallot(f *testing.F) {
	v := seeds(f)
	for _, b := range v.Ballots {
		f.Add(bytesOf(f, b.Body))
	}
	var game GameID
	for _, m := range v.Messages {
		if m.Name == "genesis" {
			game = GameID(bytesOf(f, m.ID))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ballot, err := DecodeBallot(game, b)
		if err != nil {
			if CodeOf(err).Clause() == "" {
				t.Errorf("refused without a clause: %v", err)
			}
			return
		}
		if again, err := EncodeBallot(ballot); err != nil || !bytes.Equal(again, b) {
			t.Errorf("the ballot encodes to other bytes: %v", err)
		}
	})
}
