package game

import (
	"math/rand/v2"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const witnessScript = "# All\n\n```starlark\n" + `
column("gold", integer())
def dig(me):
    me.gold += dice(2, 6)
action("Dig", run=dig, who="anyone")
def give(me):
    if me.gold == 0:
        refuse("there is nothing to give")
    me.gold -= 1
action("Give", run=give, who="anyone")
def call(me, list):
    apply(list)
action("Carry", run=call, params=[param("list", data())], who="anyone")
def settle(me):
    for p in everyone():
        p.standing = "player"
action("Settle", run=settle, who="anyone")
def leave(me):
    me.standing = "left"
action("Leave", run=leave, who="anyone")
` + "```\n"

// newWitnessTable is a game with as many players, in the mode witnessed(k), which a proposal's
// amendment sets.
func newWitnessTable(t *testing.T, devices, k int) *table {
	t.Helper()
	tb := newTableOf(t, devices, []ledger.Document{{Path: "ruleset.md", Text: "# Test\n\nA test."}, {Path: "1-core/01-all.md", Text: witnessScript}})
	tb.act(0, "Settle")
	tb.seal()
	tb.actWith(0, "Carry", map[string]any{"list": []any{map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "witnesses", "value": int64(k)}}})
	tb.seal()
	if got := tb.full.World().Witnesses(); got != k {
		t.Fatalf("%d witnesses in force, want %d", got, k)
	}
	return tb
}

// witness signs and sends a device's part in the roll that the game waits for.
func (tb *table) witness(device int) ledger.Entry {
	tb.t.Helper()
	w := tb.full.Waiting()
	if w == nil {
		tb.t.Fatal("no roll waits")
	}
	body, err := dice.WitnessBody{Action: w.Action, Seal: w.Seal}.Encode()
	must(tb.t, err)
	pen := tb.pens[device]
	e, err := pen.Write(tb.full.Replica().Position(pen.Device().Key()), ledger.KindWitness, body, tb.now)
	must(tb.t, err)
	tb.send(e)
	return e
}

func (tb *table) last() Entry {
	tb.t.Helper()
	all := tb.full.Entries()
	return all[len(all)-1]
}

// SPEC.md of the dice, clauses 3.4 to 3.7: a roll waits for those who acted last, and what
// stands behind it waits with it and then has its place and time.
func TestRollWaitsForItsWitnesses(t *testing.T) {
	tb := newWitnessTable(t, 4, 2)
	for device := range 3 {
		tb.act(device, "Settle") // the founder, then 1, then 2 acted last; 3 only enrolled
	}
	tb.seal()
	tb.act(3, "Dig")
	tb.now += 1000
	tb.seal()
	w := tb.full.Waiting()
	if w == nil || w.Wanted != 2 || len(w.Witnesses) != 2 || w.Witnesses[0].Player != 3 || w.Witnesses[1].Player != 2 {
		t.Fatalf("waiting %+v", w)
	}
	before, digest := tb.full.Confirmed()
	tb.act(3, "Give")
	tb.now += 1000
	tb.seal()
	e := tb.last()
	if !e.Tentative || e.Seal == 0 || e.Outcome.Refused == nil || tb.gold(tb.full, 4) != 0 {
		t.Errorf("what stands behind the roll: %+v", e)
	}
	if seal, d := tb.full.Confirmed(); seal != before || d != digest {
		t.Error("a state is confirmed beyond a roll that waits")
	}
	tb.witness(0) // was not asked
	tb.witness(1)
	tb.seal()
	if tb.full.Waiting() == nil || !tb.full.Waiting().Witnesses[1].Came {
		t.Fatal("one of two has come, and the roll does not wait for the other")
	}
	tb.witness(2)
	tb.seal()
	if tb.full.Waiting() != nil {
		t.Fatal("the roll still waits")
	}
	all := tb.full.Entries()
	roll := all[len(all)-5]
	if roll.Tentative || len(roll.Outcome.Rolls) != 2 || roll.Wanted != 2 || !roll.Witnesses[0].Came || !roll.Witnesses[1].Came {
		t.Errorf("the roll: %+v", roll)
	}
	if give := all[len(all)-4]; give.Outcome.Refused != nil || give.Time != roll.Time+1000 {
		t.Errorf("the gift behind the roll: %+v", give)
	}
	if want := roll.Outcome.Rolls[0].Value + roll.Outcome.Rolls[1].Value - 1; tb.gold(tb.full, 4) != want {
		t.Errorf("%d gold, want %d", tb.gold(tb.full, 4), want)
	}
	if a := tb.full.Attendance(); a != (Attendance{Full: 1}) || a.String() == "" {
		t.Errorf("attendance %+v", a)
	}
	transcript, err := tb.full.Transcript(roll.Action)
	must(t, err)
	r := dice.VerifyTranscript(transcript)
	must(t, r.Error())
	if len(r.Witnesses) != 2 || r.Wanted != 2 || len(r.Bound) != 3 {
		t.Errorf("report %+v", r)
	}
	tb.agree()
}

// agree plays everything again, in many orders of arrival and step by step, and compares.
func (tb *table) agree() {
	tb.t.Helper()
	seal, want := tb.full.Confirmed()
	items := append([][]byte{}, tb.envelopes...)
	items = append(items, tb.seals...)
	for seed := range uint64(8) {
		g := New(tb.keys, tb.game)
		random := rand.New(rand.NewPCG(seed, 0))
		for _, i := range random.Perm(len(items)) {
			if i < len(tb.envelopes) {
				_, err := g.Receive(items[i])
				must(tb.t, err)
			} else {
				must(tb.t, g.ReceiveSeal(items[i]))
			}
			if seed%2 == 0 {
				g.Advance(tb.now)
			}
		}
		g.Advance(tb.now)
		if s, d := g.Confirmed(); s != seal || d != want {
			tb.t.Errorf("order %d: seal %d and digest %x, want %d and %x", seed, s, d, seal, want)
		}
	}
	for n := range len(tb.full.Replica().Placed()) {
		if w := tb.full.At(n + 1); w == nil {
			tb.t.Errorf("no world after %d actions", n+1)
		}
	}
}

// Clause 3.6: without its witnesses, a roll is decided by the first seal at or after the end of
// their time, and says how many came.
func TestWitnessTimeIsOver(t *testing.T) {
	for name, came := range map[string]bool{"one comes": true, "none comes": false} {
		t.Run(name, func(t *testing.T) {
			tb := newWitnessTable(t, 3, 2)
			tb.act(2, "Dig")
			tb.seal()
			if came {
				tb.witness(1)
			}
			tb.now += dice.WitnessTime - 1
			tb.seal()
			if tb.full.Waiting() == nil {
				t.Fatal("the wait ended too early")
			}
			tb.now++
			late := tb.witness(0)
			tb.seal()
			roll := tb.full.Entries()[len(tb.full.Entries())-2]
			if came {
				roll = tb.full.Entries()[len(tb.full.Entries())-3]
			}
			if tb.full.Waiting() != nil || len(roll.Outcome.Rolls) != 2 || roll.Wanted != 2 {
				t.Fatalf("the roll: %+v", roll)
			}
			n := 0
			for _, w := range roll.Witnesses {
				if w.Came {
					n++
				}
				if w.Action == late.Action.ID() {
					t.Error("a witness that came in the moment when time was over counts")
				}
			}
			if (n == 1) != came {
				t.Errorf("%d witnesses came", n)
			}
			if a := tb.full.Attendance(); a.Full != 0 || (a.Partial == 1) != came || (a.None == 1) == came {
				t.Errorf("attendance %+v", a)
			}
			transcript, err := tb.full.Transcript(roll.Action)
			must(t, err)
			must(t, dice.VerifyTranscript(transcript).Error())
			tb.agree()
		})
	}
}

// Clause 3.5: a witness whose next action is another, or a part in another roll, failed, and
// nobody waits for it any longer.
func TestWitnessWithAnotherActionFailed(t *testing.T) {
	tb := newWitnessTable(t, 2, 1)
	tb.act(1, "Dig")
	tb.act(0, "Settle") // unseen, at the same time, with the number that the part should have
	roll, settle := tb.pending[0], tb.pending[1]
	tb.pending = []wire.EnvelopeHash{roll}
	tb.seal()
	w := tb.full.Waiting()
	if w == nil || w.Witnesses[0].Player != 1 {
		t.Fatalf("waiting %+v", w)
	}
	tb.pending = []wire.EnvelopeHash{settle}
	tb.witness(0)
	tb.seal()
	all := tb.full.Entries()
	if e := all[len(all)-3]; tb.full.Waiting() != nil || !e.Witnesses[0].Failed || e.Witnesses[0].Came || len(e.Outcome.Rolls) != 2 {
		t.Errorf("the roll: %+v", e)
	}
	tb.agree()
}

// writeAt makes a device sign after a position; the entry is pending.
func (tb *table) writeAt(device int, at ledger.Position, name string) ledger.Entry {
	tb.t.Helper()
	body, err := EncodeAct(name, nil)
	must(tb.t, err)
	e, err := tb.pens[device].Write(at, ledger.KindAct, body, tb.now)
	must(tb.t, err)
	tb.send(e)
	return e
}

// Clause 3.4: a device whose next link is known, because a branch of its feed that lost a fork has that
// number already, is not asked, until it has gone beyond.
func TestForkedDeviceIsNotAsked(t *testing.T) {
	tb := newWitnessTable(t, 2, 1)
	key := tb.pens[0].Device().Key()
	at := tb.full.Replica().Position(key)
	tb.writeAt(0, at, "Settle")
	tb.seal()
	lost := tb.writeAt(0, at, "Dig")
	tb.writeAt(0, ledger.Position{Game: at.Game, Seq: at.Seq + 1, Prev: lost.Action.ID()}, "Dig")
	tb.seal()
	tb.act(1, "Dig")
	tb.seal()
	if w := tb.full.Waiting(); w != nil {
		t.Fatalf("asked for number %d, which is known: %+v", w.Witnesses[0].Seq, w)
	}
	tb.act(0, "Settle")
	tb.seal()
	tb.act(1, "Dig")
	tb.seal()
	if w := tb.full.Waiting(); w == nil || w.Witnesses[0].Seq != at.Seq+3 {
		t.Fatalf("waiting %+v", w)
	}
	tb.witness(0)
	tb.seal()
	if tb.full.Waiting() != nil || tb.full.Attendance().Full != 1 {
		t.Errorf("attendance %+v", tb.full.Attendance())
	}
	tb.agree()
}

// Clause 3.5: the first action with the number decides, also if it is void for a fork: its link is known.
func TestFirstActionWithTheNumberDecides(t *testing.T) {
	for _, partFirst := range []bool{true, false} {
		tb := newWitnessTable(t, 2, 1)
		key := tb.pens[0].Device().Key()
		at := tb.full.Replica().Position(key)
		tb.act(0, "Settle")
		tb.seal()
		tb.act(1, "Dig")
		tb.seal()
		lost := tb.writeAt(0, at, "Dig") // has the number of the first Settle
		void := tb.writeAt(0, ledger.Position{Game: at.Game, Seq: at.Seq + 1, Prev: lost.Action.ID()}, "Dig")
		branch := tb.pending
		tb.pending = nil
		tb.witness(0)
		if partFirst {
			tb.pending = append(tb.pending, branch...)
		} else {
			tb.pending = append(branch, tb.pending...)
		}
		tb.seal()
		if void.Action.Action().Seq != at.Seq+2 {
			t.Fatal("the branch does not reach the number")
		}
		if a := tb.full.Attendance(); tb.full.Waiting() != nil || (a.Full == 1) != partFirst || (a.None == 1) == partFirst {
			t.Errorf("the part first: %v, attendance %+v", partFirst, a)
		}
		tb.agree()
	}
}

// Clause 3.5: a part that is void, as its device claims a time far ahead, has not come.
func TestVoidPartFailed(t *testing.T) {
	tb := newWitnessTable(t, 2, 1)
	tb.act(1, "Dig")
	tb.seal()
	tb.now += ledger.MaxClaimAhead + 1
	tb.witness(0)
	tb.now -= ledger.MaxClaimAhead + 1
	tb.seal()
	all := tb.full.Entries()
	if part := all[len(all)-1]; part.Void == nil || part.Void.Code != ledger.CodeClaimed {
		t.Fatalf("the part: %+v", part)
	}
	if e := all[len(all)-2]; tb.full.Waiting() != nil || !e.Witnesses[0].Failed || e.Witnesses[0].Came || len(e.Outcome.Rolls) != 2 {
		t.Errorf("the roll: %+v", e)
	}
	tb.agree()
}

// Clause 3.7: what rolls nothing does not wait; nor does a roll that nobody can witness.
func TestNothingToWaitFor(t *testing.T) {
	tb := newWitnessTable(t, 2, 1)
	tb.act(0, "Settle")
	tb.seal()
	if tb.full.Waiting() != nil || tb.last().Outcome.Refused != nil {
		t.Errorf("an action without dice: %+v", tb.last())
	}
	tb.act(1, "Leave")
	tb.act(0, "Dig")
	tb.seal()
	if e := tb.last(); tb.full.Waiting() != nil || e.Wanted != 1 || len(e.Witnesses) != 0 || len(e.Outcome.Rolls) != 2 {
		t.Errorf("a roll of the only player, when somebody else has left: %+v", e)
	}
}

// A seal of which an envelope is still missing is not confirmed, whatever of it was carried out.
func TestHalfASealIsNotConfirmed(t *testing.T) {
	tb := newWitnessTable(t, 2, 0)
	before, _ := tb.full.Confirmed()
	tb.act(0, "Settle")
	tb.act(1, "Settle")
	tb.seal()
	g := New(tb.keys, tb.game)
	for _, e := range tb.envelopes[:len(tb.envelopes)-1] {
		_, err := g.Receive(e)
		must(t, err)
	}
	for _, s := range tb.seals {
		must(t, g.ReceiveSeal(s))
	}
	g.Advance(tb.now)
	if seal, _ := g.Confirmed(); seal != before || len(g.Entries()) != len(tb.full.Entries())-1 {
		t.Errorf("seal %d is confirmed, want %d", seal, before)
	}
	tb.agree()
}
