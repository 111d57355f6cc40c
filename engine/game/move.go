package game

import (
	"io"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/secret"
	"peernomic/engine/wire"
)

// This file finds what players must know about moves to another room: who announced it, whom it
// leaves out, which actions would stay behind, and who has gone. SPEC.md of package ledger, 13.4.

// Move is an announcement that the game continues in another room.
type Move struct {
	ledger.Move
	Action    ledger.ActionID
	By        int64 // the person who announced it
	At        int64 // Unix ms
	Tentative bool
	Uninvited []int64 // people with a seat and no invited device, in ascending order
}

// maxMoves is how many announcements by one person are shown: a device that is invited opens the
// room unasked.
const maxMoves = 8

// Moves returns the announcements by anybody who was ever counted as a player, tentative ones
// included, in their order, and of each person the first 8 at most. They change nothing in the
// game.
func (g *Game) Moves() []Move {
	var out []Move
	count := map[int64]int{}
	for _, e := range g.Entries() {
		if e.Kind != ledger.KindMove || e.Void != nil || !g.seen.admitted[e.Player] || count[e.Player] == maxMoves {
			continue
		}
		count[e.Player]++
		body, ok := g.body(e.Action)
		if !ok {
			continue
		}
		m, err := ledger.DecodeMove(body)
		if err != nil {
			continue
		}
		out = append(out, Move{Move: m, Action: e.Action, By: e.Player, At: e.Time, Tentative: e.Tentative, Uninvited: g.uninvited(m, e.Player)})
	}
	return out
}

// body returns the whole body of an action.
func (g *Game) body(id ledger.ActionID) ([]byte, bool) {
	for _, placements := range [][]ledger.Placement{g.replica.Placed(), g.replica.Tentative()} {
		i := slices.IndexFunc(placements, func(p ledger.Placement) bool { return p.Action.ID() == id })
		if i >= 0 {
			return placements[i].Body(), true
		}
	}
	return nil, false
}

func (g *Game) uninvited(m ledger.Move, by int64) []int64 {
	invited := map[int64]bool{by: true}
	for _, i := range m.Invitations {
		invited[g.PersonOfDevice(i.Device)] = true
	}
	var out []int64
	for _, person := range g.core.world.Seated() {
		if !invited[person] {
			out = append(out, person)
		}
	}
	return out
}

// Invite seals an invite to all devices of some people, for an announcement.
func (g *Game) Invite(invite ledger.Invite, people []int64, random io.Reader) ([]ledger.Invitation, error) {
	boxes := g.boxesOf(people)
	devices := make([]secret.Device, 0, len(boxes))
	for d := range boxes {
		devices = append(devices, d)
	}
	slices.SortFunc(devices, func(a, b secret.Device) int { return slices.Compare(a[:], b[:]) })
	out := []ledger.Invitation{}
	for _, d := range devices {
		i, err := invite.Seal(g.replica.Game(), ledger.DeviceKey(d), boxes[d], random)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

// LeftBehind returns the acts of a person that a continuation from a seal would lack: their acts after
// that seal, and those without a place. It leaves out void and refused acts. A roll without a place
// waits for its dice; it is not refused.
func (g *Game) LeftBehind(person int64, seal uint64) []Entry {
	var out []Entry
	for _, e := range g.Entries() {
		refused := e.Outcome != nil && e.Outcome.Refused != nil && e.Outcome.Refused.Code != rules.CodeWaiting
		if e.Kind == ledger.KindAct && (e.Seal > seal || e.Tentative) && e.Void == nil && !refused && g.PersonOfDevice(e.Device) == person {
			out = append(out, e)
		}
	}
	return out
}

// ActOf returns what an action of [ledger.KindAct] does, so that it can be done again.
func (g *Game) ActOf(id ledger.ActionID) (act ActBody, ok bool) {
	b, held := g.body(id)
	return act, held && wire.AtMost(b, ledger.MaxValues) && wire.Decode(b, &act) == nil
}

// Arrived returns the people with a seat who have signed something in this room, and all people with
// a seat, both in ascending order. In a room that a game moved to, it shows who has come along.
func (g *Game) Arrived() (came, seats []int64) {
	if g.core.world == nil {
		return nil, nil
	}
	seats = g.core.world.Seated()
	for _, person := range seats {
		if _, acted := g.seen.acted[person]; acted {
			came = append(came, person)
		}
	}
	return came, seats
}
