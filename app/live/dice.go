package live

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// rollLimit is how many rolls a view carries.
const rollLimit = 500

// refLength is how many hex digits of an action's id name it in an address.
const refLength = 16

// refOf names an action in an address.
func refOf(id ledger.ActionID) string { return hex.EncodeToString(id[:])[:refLength] }

// rollChips are the dice of an entry.
func rollChips(e game.Entry) []view.Chip {
	if e.Outcome == nil {
		return nil
	}
	var out []view.Chip
	for i, r := range e.Outcome.Rolls {
		out = append(out, view.Chip{ID: refOf(e.Action) + "-" + strconv.Itoa(i+1), Sides: uint64(max(r.Sides, 0)), Value: uint64(max(r.Value, 0)), Face: r.Face, Tentative: e.Tentative})
	}
	return out
}

func (p *play) Rolls(ctx context.Context) (*view.Rolls, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.Rolls, error) {
		v := &view.Rolls{}
		all := l.all
		if w := l.roll; w != nil {
			v.Waiting = "A roll of " + l.name(g.PersonOfDevice(w.Device)) + ": " + l.diceFall(game.Entry{Action: w.Action, Seal: 1}) + "."
		}
		for i := len(all) - 1; i >= 0 && len(v.Rolls) < rollLimit; i-- {
			v.Rolls = append(v.Rolls, l.rollLines(all[i])...)
		}
		return v, nil
	})
}

func (l *lens) rollLines(e game.Entry) []view.RollLine {
	var out []view.RollLine
	for _, c := range rollChips(e) {
		out = append(out, view.RollLine{Chip: c, Who: l.doer(e.Outcome.Entry), For: e.Outcome.Action, Time: e.Time, Witnessed: witnessed(e), Alone: e.Wanted > 0 && came(e) == 0})
	}
	return out
}

func (p *play) Roll(ctx context.Context, id string) (*view.Roll, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.Roll, error) {
		ref, at, _ := strings.Cut(id, "-")
		n, err := strconv.Atoi(at)
		all := l.all
		i := slices.IndexFunc(all, func(e game.Entry) bool { return refOf(e.Action) == ref })
		if i < 0 || err != nil {
			return nil, view.ErrNone
		}
		lines := l.rollLines(all[i])
		if n < 1 || n > len(lines) {
			return nil, view.ErrNone
		}
		v := &view.Roll{RollLine: lines[n-1]}
		for _, line := range lines {
			v.All = append(v.All, line.Chip)
		}
		if all[i].Tentative {
			return v, nil
		}
		return v, l.prove(g, v, all[i])
	})
}

// prove makes the roll's transcript and checks it as a stranger would.
func (l *lens) prove(g *game.Game, v *view.Roll, e game.Entry) error {
	transcript, err := g.Transcript(e.Action)
	if err != nil {
		return fmt.Errorf("the proof of this roll cannot be made: %w", err)
	}
	v.Transcript = transcript
	r := dice.VerifyTranscript(transcript)
	if !r.OK {
		v.Checks = append(v.Checks, view.Proof{Text: r.Text, Detail: "clause " + r.Clause})
	} else {
		v.Checks = append(v.Checks, view.Proof{Text: "The dice are what the two links and the action give.", Detail: "recomputed here from the transcript alone", OK: true})
		for _, text := range r.Bound {
			v.Checks = append(v.Checks, view.Proof{Text: capital(text), OK: true})
		}
	}
	a, _ := g.Replica().Action(e.Action)
	en, _ := g.Replica().Enrolment(e.Device)
	v.Facts = []view.Fact{
		{Name: "Action", Value: e.Action.String(), Code: true},
		{Name: "Commitment", Value: en.Anchor.String(), Code: true},
		{Name: fmt.Sprintf("Roller's link %d", e.Seq), Value: a.Action().Link.String(), Code: true},
	}
	if s, ok := g.Replica().Seal(e.Seal); ok {
		v.Facts = append(v.Facts, view.Fact{Name: fmt.Sprintf("Link of seal %d", e.Seal), Value: s.Link.String(), Code: true})
	}
	v.Facts = append(v.Facts, l.witnessFacts(g, e)...)
	v.Facts = append(v.Facts, view.Fact{Name: "Seed", Value: hex.EncodeToString(r.Seed[:]), Code: true})
	v.Facts = append(v.Facts, view.Fact{Name: "Mode", Value: r.Mode()})
	v.Facts = append(v.Facts, view.Fact{Name: neverShown, Value: dice.NeverShown})
	v.JSON = proofText(v, r)
	return nil
}

// proofText is the proof to send in a message: words, and the transcript itself.
func proofText(v *view.Roll, r dice.Report) string {
	var b strings.Builder
	b.WriteString(view.Isolated(visible(v.Who)+": "+visible(v.For)+", in "+titled(r.Title)) + "\n")
	for _, c := range v.All {
		fmt.Fprintf(&b, "a die with %d sides showed %d\n", c.Sides, c.Value)
	}
	for _, f := range v.Facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, view.Isolated(f.Value))
	}
	b.WriteString("\n" + dice.Follows + " " + dice.Ask + "\n")
	b.WriteString("\nTranscript, base64; decode it to a file and check it with: nomic verify --game GAME FILE\n")
	b.WriteString(base64.StdEncoding.EncodeToString(v.Transcript))
	b.WriteString("\n")
	return b.String()
}
