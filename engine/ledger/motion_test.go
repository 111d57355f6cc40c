package ledger

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"peernomic/engine/wire"
)

// ballots makes right ballots of every kind, and everything that is wrong in one way.
func (f *forge) ballots() {
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
	motion := func(amendments ...any) Motion {
		m, _, err := NewMotion(f.tab.game, [16]byte{1}, "The game is stuck.", amendments)
		if err != nil {
			panic(err)
		}
		return m
	}
	repair := motion(map[string]any{"op": "repeal", "rule": "First"})
	ballot("12.1", "", "an assent that carries a motion", carry(repair))
	ballot("12.1", "", "a motion to give a seat", carry(motion(map[string]any{"op": "seat", "from": f.visitor.Key().String(), "to": f.host.Key().String()})))
	ballot("12.2", "", "an assent by name", ballotBody{Verb: VerbAssent, ID: carry(repair).ID, Motion: []byte{}})
	ballot("12.2", "", "a withdrawal", ballotBody{Verb: VerbWithdraw, ID: carry(repair).ID, Motion: []byte{}})

	with := func(change func(b *ballotBody)) ballotBody {
		b := carry(repair)
		change(&b)
		return b
	}
	ballot("12.2", CodeBallot, "verb 0", with(func(b *ballotBody) { b.Verb = 0 }))
	ballot("12.2", CodeBallot, "verb 3", with(func(b *ballotBody) { b.Verb = verbEnd }))
	ballot("12.2", CodeBallot, "a withdrawal that carries the motion", with(func(b *ballotBody) { b.Verb = VerbWithdraw }))
	ballot("12.2", CodeBallot, "an assent that names another motion", with(func(b *ballotBody) { b.ID[0] ^= 1 }))
	f.Ballots = append(f.Ballots, ballotVector{Clause: "12.2", Name: "a ballot with a byte after it", Want: string(CodeBallot),
		Body: hex.EncodeToString(append(must(wire.Encode(carry(repair))), 0))})

	wrong := func(clause string, code Code, name string, change func(m *Motion)) {
		m := repair
		change(&m)
		ballot(clause, code, name, carry(m))
	}
	wrong("12.2", CodeBallot, "a motion of another game", func(m *Motion) { m.Game[0] ^= 1 })
	wrong("12.1", CodeMotion, "a motion of version 2", func(m *Motion) { m.Version = 2 })
	wrong("12.1", CodeMotion, "a reason of 1001 bytes", func(m *Motion) { m.Why = strings.Repeat("x", MaxWhy+1) })
	wrong("12.1", CodeMotion, "a motion that changes nothing", func(m *Motion) { m.Amendments = nil })
	wrong("12.1", CodeMotion, "an amendment with a floating point", func(m *Motion) { m.Amendments = []any{map[string]any{"value": 1.5}} })
	wrong("12.1", CodeMotion, "an amendment with a tag", func(m *Motion) { m.Amendments = []any{cbor.Tag{Number: 2, Content: []byte{1}}} })
	wrong("12.1", CodeMotion, "an amendment whose keys are numbers", func(m *Motion) { m.Amendments = []any{map[int]any{1: "x"}} })
	ballot("12.1", "", "a motion with every kind of value", carry(motion(map[string]any{"a": true, "b": nil, "c": -1, "d": []any{uint64(1) << 63, []byte{1}}, "e": map[string]any{}})))
	const others = 6 // the motion's array, its four fields before the amendments, and the list of these
	ballot("12.1", "", "a motion of 4096 values", carry(motion(slices.Repeat([]any{1}, MaxValues-others)...)))
	wrong("12.1", CodeMotion, "a motion of 4097 values", func(m *Motion) { m.Amendments = slices.Repeat([]any{1}, MaxValues-others+1) })
	nested := func(levels int) Motion {
		v := any(1)
		for range levels - 2 { // the motion and its list of amendments are two
			v = []any{v}
		}
		m := repair
		m.Amendments = []any{v}
		return m
	}
	ballot("1.2", "", "a motion of 32 levels", carry(nested(32)))
	ballot("12.1", CodeMotion, "a motion of 33 levels", carry(nested(33)))
	b := carry(repair)
	b.Motion = append(b.Motion, 0)
	b.ID = MotionID(wire.Digest(motionLabel, b.Motion))
	ballot("12.1", CodeMotion, "a motion with a byte after it", b)
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
