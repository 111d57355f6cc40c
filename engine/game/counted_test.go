//go:build !js

package game

import (
	"errors"
	"strings"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Clause 5.13: a proof counts in its game if it shows the roll that the game carried out, with its place, its mode, its
// witnesses and all its dice. All but one of the others pass every check of a stranger.
func TestProofCountsInItsGame(t *testing.T) {
	d := newDen(t, 1, 5, 2)
	e := d.throw("")
	d.seal(e)
	placed := d.last
	asked := d.allAsked()
	parts := d.parts(e, asked)
	d.seal(parts...)
	counted := d.counted(e)
	proof := d.judged(e, counted)
	must(t, d.game.Counted(proof, nil))

	link := func(i int) wire.Link { return parts[i].Action.Action().Link }
	judge := func(shows uint64, change func(x *dice.Transcript)) dice.Report {
		return d.judged(e, claim{shows, change})
	}
	said := d.act(4, "Say", nil)
	refused := d.act(1, "Whistle", nil)
	body, err := EncodeAct("Throw", map[string]any{"words": ""})
	must(t, err)
	early, err := d.pens[2].Write(d.game.Replica().Position(d.pens[2].Device().Key()), ledger.KindAct, body, d.now+2*ledger.MaxClaimAhead)
	must(t, err)
	// of is the proof of an action as a roll without witnesses.
	of := func(device int, other ledger.Entry) dice.Report {
		d.seal(other)
		var enrolment ledger.Entry
		for _, p := range d.game.Replica().Placed() {
			if a := p.Action.Action(); a.Device == d.pens[device].Device().Key() && a.Seq == 1 {
				env, _ := d.game.Replica().Envelope(p.Envelope)
				enrolment = ledger.Entry{Envelopes: [][]byte{env}}
			}
		}
		c := d.sealedAs(other, dice.Sealed{Envelope: other.Envelope(), Key: need(d.keys.EnvelopeKey(other.Envelope()))})
		return d.judged(e, claim{c.shows, func(x *dice.Transcript) {
			c.change(x)
			x.Wanted, x.Witnesses = 0, []dice.Attest{}
			x.Device = dice.Sealed{Envelope: enrolment.Envelope(), Key: need(d.keys.EnvelopeKey(enrolment.Envelope()))}
		}})
	}
	for _, c := range []struct {
		name, says string
		r          dice.Report
	}{
		{"a die too few", "other dice", func() dice.Report {
			r := proof
			r.Rolls = nil
			return r
		}()},
		{"a later seal", "has its place by seal 7, and the proof shows it at seal 8", judge(d.shows(e, d.last.Link, 0), func(x *dice.Transcript) {
			x.Placed, x.Wanted, x.Witnesses = d.last.Bytes, 0, []dice.Attest{}
		})},
		{"another mode", "wanted 2 witnesses, and the proof shows the roll with 0", d.judged(e, d.inMode(e, placed, 0))},
		{"the witnesses in another order", "other witnesses came", judge(d.shows(e, placed.Link, 2, link(1), link(0)), func(x *dice.Transcript) {
			x.Witnesses[0], x.Witnesses[1] = x.Witnesses[1], x.Witnesses[0]
		})},
		{"a witness left out", "other witnesses came", judge(d.shows(e, placed.Link, 2, link(0)), func(x *dice.Transcript) { x.Witnesses = x.Witnesses[:1] })},
		{"an action that rolls nothing", "other dice", of(4, said)},
		{"an action that the rules refused", "the rules refused the action", of(1, refused)},
		{"an action that claims too late a time", "the action is void: ", of(2, early)},
		{"a changed proof", "clause 5.1", dice.VerifyTranscript([]byte("no proof"))},
	} {
		if err := d.game.Counted(c.r, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	older, other := newDen(t, 1, 5, 2), newDen(t, 2, 5, 2)
	if err := older.game.Counted(proof, nil); err == nil || !strings.Contains(err.Error(), "no such action") {
		t.Errorf("a game from before the roll: %v", err)
	}
	if err := other.game.Counted(proof, nil); err == nil || !strings.Contains(err.Error(), "another game") {
		t.Errorf("another game: %v", err)
	}
	if _, err := d.game.Transcript(early.Action.ID()); !errors.Is(err, errNoRoll) {
		t.Errorf("the proof of a void action: %v", err)
	}
}
