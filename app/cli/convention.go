package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"peernomic/app/client"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is what a peer does outside the rules: conventions (docs/stuck.md).

// motion is a convention, as a peer shows it.
type motion struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // "repair", "relay", "seat"
	Why     string `json:"why,omitempty"`
	Status  string `json:"status"` // "open", "done", "failed"
	Problem string `json:"problem,omitempty"`
	Signed  int    `json:"signed"`
	Needed  int    `json:"needed,omitempty"` // while it is open
	Mine    bool   `json:"mine"`             // this person has signed
	Content any    `json:"content,omitempty"`
	// Of one that has let another relay go on: whether this peer follows ("asked", "refused", "followed"), and how many
	// actions would lose their place.
	Follows string `json:"follows,omitempty"`
	Loses   int    `json:"loses,omitempty"`
}

// departure is from where another relay could go on, if there is a choice. The first that can be chosen is proposed.
type departure struct {
	From    string `json:"from"`  // "newest", or the number of the last seal that both orders of a relay's have
	Again   int    `json:"again"` // actions that would be played again
	TooMuch bool   `json:"too_much,omitempty"`
}

var errConvene = errors.New(`convene what? convene repair amendments=[...], convene seat from=KEY to=KEY, or convene relay url=ADDRESS from=PLACE; each may have why="..."`)

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
		id, err = p.session.Convene(ctx, text("why"), list)
	case "seat":
		var c ledger.SeatChange
		from, fromErr := ledger.ParseIdentityKey(text("from"))
		to, toErr := ledger.ParseIdentityKey(text("to"))
		if err := errors.Join(fromErr, toErr); err != nil {
			return answer{}, err
		}
		c.From, c.To = from, to
		id, err = p.session.Convene(ctx, text("why"), c)
	case "relay":
		id, err = p.session.MoveTo(ctx, text("url"), text("why"), text("from"))
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
	return answer{Event: "done", Motion: id}, p.session.Ballot(ctx, ledger.MotionID(raw), verb)
}

// decide goes along to the relay that a convention has let go on, or stays with the one before.
func (p *member) decide(ctx context.Context, id string, agreed bool) (answer, error) {
	var first wire.SealHash
	found := false
	err := p.session.Do(ctx, func(g *game.Game) {
		for _, d := range client.Crossings(g.Replica()) {
			if d.ID.String() == id {
				first, found = d.First, true
			}
		}
	})
	if err == nil && !found {
		err = fmt.Errorf("%s is not the id of a convention that has let another relay go on", id)
	}
	if err != nil {
		return answer{}, err
	}
	return answer{Event: "done", Motion: id}, p.session.Decide(ctx, first, agreed)
}

// motions lists the conventions of the game, and the keys of the people in it.
func (p *member) motions(ctx context.Context) (answer, error) {
	a := answer{Event: "motions", Motions: []motion{}, People: map[string]string{}}
	me := p.session.Me()
	err := p.session.Do(ctx, func(g *game.Game) {
		for _, m := range g.Motions() {
			v := shown(m, me)
			for _, d := range client.Crossings(g.Replica()) {
				if d.ID == m.ID {
					v.Follows, v.Loses = d.State, d.Loses
				}
			}
			a.Motions = append(a.Motions, v)
		}
		if list, _ := client.Departures(g); len(list) > 1 {
			for _, d := range list {
				a.Departures = append(a.Departures, departure{From: d.Name, Again: d.Again, TooMuch: d.TooMuch})
			}
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
	switch {
	case m.Refused != nil:
		out.Problem = m.Refused.Error()
	case m.TooMuch:
		out.Problem = "more has been done since than the new relay can begin with: call another convention, or fork the game"
	}
	switch m.Kind {
	case ledger.MotionRepair:
		out.Kind, out.Content = "repair", m.Amendments()
	case ledger.MotionNotary:
		out.Kind = "relay"
		if c, err := m.Notary(); err == nil {
			out.Content = c.Relay
		}
	case ledger.MotionSeat:
		out.Kind = "seat"
		if c, err := m.Seat(); err == nil {
			out.Content = map[string]string{"from": c.From.String(), "to": c.To.String()}
		}
	}
	return out
}
