package cli

import (
	"context"
	"fmt"
	"slices"

	"peernomic/app/client"
	"peernomic/app/client/journal"
	"peernomic/engine/game"
	"peernomic/engine/wire"
)

// This file moves games to other rooms (docs/stuck.md).

// offer is a room in which the game goes on, as a peer shows it.
type offer struct {
	Room    string   `json:"room,omitempty"` // empty without an invitation
	State   string   `json:"state"`          // "out", "checking", "offered", "wrong", "went", "stays"
	By      string   `json:"by,omitempty"`   // who announced it
	Why     string   `json:"why,omitempty"`
	Seal    uint64   `json:"seal,omitempty"` // from which it goes on
	Relay   string   `json:"relay,omitempty"`
	Out     []string `json:"out,omitempty"` // people who are left out
	Gone    int      `json:"gone"`
	Seats   int      `json:"seats"`
	Behind  []string `json:"behind,omitempty"` // actions of this person that do not come along
	Problem string   `json:"problem,omitempty"`
}

// move opens a new room for the game and invites everybody with a seat, but for one person if that is wanted.
func (p *member) move(ctx context.Context, relay string, args map[string]any) (answer, error) {
	why, _ := args["why"].(string)
	left, _ := args["left"].(string)
	m := client.Moving{Relay: relay, Why: why}
	known := left == ""
	err := p.current().Do(ctx, func(g *game.Game) {
		m.Seal = client.Newest(g)
		_, seats := g.Arrived()
		m.People = slices.DeleteFunc(slices.Clone(seats), func(id int64) bool {
			is := left != "" && nameOf(g, id) == left
			known = known || is
			return is
		})
	})
	if err != nil {
		return answer{}, err
	}
	if !known {
		return answer{}, fmt.Errorf("nobody with a seat is called %q", left)
	}
	room, err := p.hub.Move(ctx, p.current(), m)
	if err != nil {
		return answer{}, err
	}
	return p.follow(ctx, room)
}

// follow makes the game of a room the one that commands mean.
func (p *member) follow(ctx context.Context, room wire.RoomID) (answer, error) {
	next, err := p.hub.Open(ctx, room)
	if err != nil {
		return answer{}, err
	}
	p.mu.Lock()
	p.session = next
	p.mu.Unlock()
	return answer{Event: "done", Text: next.Invite()}, nil
}

// moves lists the rooms in which the game goes on.
func (p *member) moves(ctx context.Context) (answer, error) {
	all, err := p.hub.Offers(ctx, p.current())
	if err != nil {
		return answer{}, err
	}
	a := answer{Event: "moves", Moves: []offer{}}
	err = p.current().Do(ctx, func(g *game.Game) {
		for _, o := range all {
			s := offer{State: stateOf(o), Why: o.Why, Seal: o.Seal, Relay: o.Relay, Gone: len(o.Came), Seats: len(o.Seats)}
			if o.Room != (wire.RoomID{}) {
				s.Room = o.Room.String()
			}
			if o.By != 0 {
				s.By = nameOf(g, o.By)
			}
			for _, id := range o.Uninvited {
				s.Out = append(s.Out, nameOf(g, id))
			}
			for _, e := range o.Left {
				if e.Outcome != nil {
					s.Behind = append(s.Behind, e.Outcome.Action)
				}
			}
			if o.Wrong != nil {
				s.Problem = o.Wrong.Error()
			}
			a.Moves = append(a.Moves, s)
		}
	})
	return a, err
}

func stateOf(o client.Offer) string {
	switch {
	case o.Room == (wire.RoomID{}):
		return "out"
	case o.Choice == journal.GoesAlong:
		return "went"
	case !o.Here:
		return "checking"
	case o.Wrong != nil:
		return "wrong"
	case o.Choice == journal.Stays:
		return "stays"
	}
	return "offered"
}

func nameOf(g *game.Game, id int64) string {
	for _, person := range g.World().Players() {
		if person.ID == id {
			return person.Name
		}
	}
	return ""
}

func (p *member) goAlong(ctx context.Context, text string) (answer, error) {
	room, err := wire.ParseRoomID(text)
	if err != nil {
		return answer{}, err
	}
	if err := p.hub.GoAlong(ctx, p.current(), room); err != nil {
		return answer{}, err
	}
	return p.follow(ctx, room)
}

func (p *member) stay(ctx context.Context, text string) (answer, error) {
	room, err := wire.ParseRoomID(text)
	if err != nil {
		return answer{}, err
	}
	return answer{Event: "done"}, p.hub.Stay(ctx, room)
}
