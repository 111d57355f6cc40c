package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file is what a peer does outside the rules: conventions (docs/stuck.md).

// motion is a convention, as a peer shows it.
type motion struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // "repair", "seat"
	Why     string `json:"why,omitempty"`
	Status  string `json:"status"` // "open", "done", "failed"
	Problem string `json:"problem,omitempty"`
	Signed  int    `json:"signed"`
	Needed  int    `json:"needed,omitempty"` // while it is open
	Mine    bool   `json:"mine"`             // this person has signed
	Content any    `json:"content,omitempty"`
}

var errConvene = errors.New(`convene what? convene repair amendments=[...], or convene seat from=KEY to=KEY; each may have why="..."`)

// convene calls a convention and signs it.
func (p *member) convene(ctx context.Context, kind string, args map[string]any) (answer, error) {
	text := func(key string) string { s, _ := args[key].(string); return s }
	var id ledger.MotionID
	var err error
	switch kind {
	case "repair":
		list, ok := args["amendments"].([]any)
		if !ok {
			return answer{}, errConvene
		}
		id, err = p.current().Convene(ctx, text("why"), list)
	case "seat":
		var c game.SeatChange
		from, fromErr := ledger.ParseIdentityKey(text("from"))
		to, toErr := ledger.ParseIdentityKey(text("to"))
		if err := errors.Join(fromErr, toErr); err != nil {
			return answer{}, err
		}
		if from == to {
			return answer{}, errConvene
		}
		c.From, c.To = from, to
		id, err = p.current().Convene(ctx, text("why"), c.Amendments())
	default:
		return answer{}, errConvene
	}
	return answer{Event: "done", Motion: id.String()}, err
}

// ballot signs a convention that somebody has called, or takes the signature back.
func (p *member) ballot(ctx context.Context, id string, verb ledger.Verb) (answer, error) {
	raw, err := hex.DecodeString(id)
	if err != nil || len(raw) != len(ledger.MotionID{}) {
		return answer{}, fmt.Errorf("%s is not the id of a convention", id)
	}
	return answer{Event: "done", Motion: id}, p.current().Ballot(ctx, ledger.MotionID(raw), verb)
}

// motions lists the conventions of the game, and the keys of the people in it.
func (p *member) motions(ctx context.Context) (answer, error) {
	a := answer{Event: "motions", Motions: []motion{}, People: map[string]string{}}
	me := p.current().Me()
	err := p.current().Do(ctx, func(g *game.Game) {
		for _, m := range g.Motions() {
			a.Motions = append(a.Motions, shown(m, me))
		}
		if w := g.World(); w != nil {
			for _, person := range w.Players() {
				if person.Key != "" {
					a.People[person.Name] = person.Key
				}
			}
		}
	})
	return a, err
}

func shown(m game.Motion, me int64) motion {
	out := motion{ID: m.ID.String(), Why: m.Why, Status: string(m.Status), Signed: len(m.Assents)}
	for _, id := range m.Assents {
		out.Mine = out.Mine || id == me
	}
	if m.Status == game.MotionOpen {
		out.Needed = m.Needed()
	}
	if m.Refused != nil {
		out.Problem = m.Refused.Error()
	}
	out.Kind, out.Content = "repair", m.Amendments()
	if c, ok := m.Seat(); ok {
		out.Kind, out.Content = "seat", map[string]string{"from": c.From.String(), "to": c.To.String()}
	}
	return out
}
