package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"peernomic/app/client"
	"peernomic/app/client/journal"
	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// chapters is what every page has to know of a game's other chapters.
type chapters struct {
	choices map[ledger.GameID]journal.Choice // about the rooms in which this game goes on
	later   string                           // the one that I went along to
	behind  int                              // actions of mine that did not come along from the chapter before
}

func (p *play) chapters(ctx context.Context) (c chapters, err error) {
	before, after, err := p.h.hub.Chapters(ctx, p.s)
	if err != nil {
		return c, err
	}
	c.choices = map[ledger.GameID]journal.Choice{}
	for _, next := range after {
		c.choices[next.Game] = next.Choice
		if next.Choice == journal.GoesAlong {
			c.later = next.Room.String()
		}
	}
	if before == nil {
		return c, nil
	}
	// An earlier chapter that is not open is not opened for this: that may take long. Without it nothing is said.
	if s, ok := p.h.hub.Begun(before.Room); ok {
		if o, err := p.offerOf(ctx, s, p.s.Room()); err == nil {
			c.behind = len(o.Left)
		}
	}
	return c, nil
}

// offerOf returns what an earlier chapter says of a later one that this person went along to.
func (p *play) offerOf(ctx context.Context, earlier *client.Session, room wire.RoomID) (client.Offer, error) {
	all, err := p.h.hub.Offers(ctx, earlier)
	for _, o := range all {
		if o.Room == room && o.Choice == journal.GoesAlong {
			return o, err
		}
	}
	return client.Offer{}, err
}

// announced says which moves this person has yet to decide on, and what the last one left behind.
func (p *play) announced(g *game.Game, l *lens, c chapters) (out []view.Summons) {
	for _, m := range g.Moves() {
		if m.By == l.me || c.later != "" || c.choices[m.Game] != journal.Undecided {
			continue
		}
		text := l.name(m.By) + " moved the game to another room"
		if m.Why != "" {
			text += ": " + m.Why
		}
		out = append(out, view.Summons{Text: text, Page: "move", Go: "Look and decide"})
	}
	if c.behind > 0 {
		out = append(out, view.Summons{Text: plural(c.behind, "action", "actions") + " of yours did not come along from the earlier chapter.", Page: "move", Go: "Look and decide"})
	}
	return out
}

func (p *play) Moves(ctx context.Context) (*view.Moves, error) {
	before, _, err := p.h.hub.Chapters(ctx, p.s)
	if err != nil {
		return nil, err
	}
	offers, err := p.h.hub.Offers(ctx, p.s)
	if err != nil {
		return nil, err
	}
	v, err := see(ctx, p, func(g *game.Game, _ *lens) (*view.Moves, error) {
		l := p.lensNow(g)
		v := &view.Moves{Player: l.w.Plays(l.me), Relay: p.h.relay, Placed: done(l.all)}
		v.Newest, _ = upTo(g, client.Newest(g))
		_, sure := g.Replica().Undisputed()
		v.Disputed = !sure
		_, seats := g.Arrived()
		for _, id := range seats {
			if id != l.me {
				v.People = append(v.People, l.person(id))
			}
		}
		for _, o := range offers {
			v.Offers = append(v.Offers, p.offer(g, l, o))
		}
		return v, nil
	})
	if err != nil || before == nil {
		return v, err
	}
	s, err := p.h.hub.Open(ctx, before.Room)
	if err != nil {
		return nil, err
	}
	o, err := p.offerOf(ctx, s, p.s.Room())
	if err != nil {
		return nil, err
	}
	return v, p.look(ctx, func(_ *game.Game, l *lens) error {
		v.Behind = l.behind(o.Left)
		return nil
	})
}

// upTo counts the actions that have their place up to a seal, and tells when the last of them got it.
func upTo(g *game.Game, seal uint64) (n int, at int64) {
	for _, q := range g.Replica().Placed() {
		if q.Seal > seal {
			break
		}
		n, at = n+1, q.Time
	}
	return n, at
}

// offer puts a room in which the game goes on in words.
func (p *play) offer(g *game.Game, l *lens, o client.Offer) view.Offer {
	v := view.Offer{State: p.offerState(o), Mine: o.By != 0 && o.By == l.me, At: o.At, Why: o.Why, Tentative: o.Tentative, Relay: o.Relay, Seats: len(o.Seats), Behind: l.behind(o.Left)}
	if o.Room != (wire.RoomID{}) {
		v.Room = o.Room.String()
	}
	if o.By != 0 {
		v.By = l.name(o.By)
	}
	v.After, v.Time = upTo(g, o.Seal)
	for _, id := range o.Uninvited {
		v.Out = append(v.Out, l.name(id))
	}
	for _, id := range o.Came {
		v.Gone = append(v.Gone, l.name(id))
	}
	if o.Wrong != nil {
		v.Problem = capital(o.Wrong.Error()) + "."
	}
	return v
}

func (p *play) offerState(o client.Offer) string {
	switch {
	case o.Room == (wire.RoomID{}):
		return view.OfferOut
	case o.Choice == journal.GoesAlong:
		return view.OfferWent
	case !o.Here:
		if s, ok := p.h.hub.Begun(o.Room); ok {
			if relay := s.Net().Relay; relay == client.RelayOffline || relay == client.RelayRefused {
				return view.OfferAway
			}
		}
		return view.OfferChecking
	case errors.Is(o.Wrong, game.ErrSeal) || errors.Is(o.Wrong, game.ErrRollWaits):
		return view.OfferChecking
	case o.Wrong != nil:
		return view.OfferWrong
	case o.Choice == journal.Stays:
		return view.OfferStays
	}
	return view.OfferOpen
}

// behind puts actions that a move left behind in words.
func (l *lens) behind(left []game.Entry) (out []view.Behind) {
	for _, e := range left {
		title := "Something that cannot be read"
		if e.Outcome != nil {
			title = l.title(e.Outcome.Action)
		}
		out = append(out, view.Behind{Ref: refOf(e.Action), Title: title, At: e.Time})
	}
	return out
}

func (p *play) Move(ctx context.Context, m view.NewRoom) (string, error) {
	moving := client.Moving{Relay: cmp.Or(m.Relay, p.h.relay), Title: m.Title, Why: m.Why}
	err := p.look(ctx, func(g *game.Game, l *lens) error {
		placed := g.Replica().Placed()
		switch {
		case m.After < 0 || m.After > len(placed):
			return fmt.Errorf("the game has %d actions in place, not %d", len(placed), m.After)
		case m.After == 0:
			moving.Seal = client.Newest(g)
		default:
			moving.Seal = placed[m.After-1].Seal
		}
		moving.People = append(m.People, l.me) // my other devices
		return nil
	})
	if err != nil {
		return "", err
	}
	var id wire.RoomID
	if m.Secretly {
		id, err = p.h.hub.Fork(ctx, p.s, moving.Seal, moving.Title, moving.Relay)
	} else {
		id, err = p.h.hub.Move(ctx, p.s, moving)
	}
	switch {
	case errors.Is(err, client.ErrOffline):
		return "", fmt.Errorf("%w, or give the address of another relay", view.ErrNoRelay)
	case errors.Is(err, game.ErrRollWaits):
		return "", errors.New("a roll waits for its dice at that moment. Choose an action before it to go on after, or wait until the dice have fallen")
	case err != nil && id != (wire.RoomID{}):
		err = fmt.Errorf("the new room is open and stands on your first page, but it could not be announced here (%w). Send the others its invite link from its Settings", err)
	}
	return id.String(), err
}

func (p *play) GoAlong(ctx context.Context, room string) error {
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return err
	}
	return cannotGo(p.h.hub.GoAlong(ctx, p.s, id))
}

// cannotGo says why somebody cannot go along, and what to do.
func cannotGo(err error) error {
	switch {
	case errors.Is(err, client.ErrNotChecked):
		return errors.New("the new room has not arrived on this device yet. Try again when its relay is reached")
	case errors.Is(err, game.ErrSeal):
		return errors.New("this device does not hold the earlier chapter up to that moment yet, so it cannot compare the two games. Open the earlier chapter while its relay or another player is " +
			"reached, then try again")
	case errors.Is(err, client.ErrSeamBroken):
		return fmt.Errorf("%w. Ask whoever announced it, or move the game yourself", err)
	}
	return err
}

func (p *play) Stay(ctx context.Context, room string) error {
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return err
	}
	return p.h.hub.Stay(ctx, id)
}

func (p *play) Again(ctx context.Context, ref string, again bool) error {
	before, _, err := p.h.hub.Chapters(ctx, p.s)
	if err != nil {
		return err
	}
	if before == nil {
		return view.ErrNone
	}
	earlier, err := p.h.hub.Open(ctx, before.Room)
	if err != nil {
		return err
	}
	o, err := p.offerOf(ctx, earlier, p.s.Room())
	if err != nil {
		return err
	}
	for _, e := range o.Left {
		if refOf(e.Action) == ref {
			return p.h.hub.Again(ctx, earlier, p.s.Room(), e.Action, again)
		}
	}
	return view.ErrNone
}

// before returns the open chapter before a game, if this person played it on this device.
func (h *host) before(ctx context.Context, s *client.Session) (*client.Session, error) {
	chapter, _, err := h.hub.Chapters(ctx, s)
	if err != nil || chapter == nil || chapter.Hidden {
		return nil, err
	}
	return h.hub.Open(ctx, chapter.Room)
}

func (h *host) GoAlong(ctx context.Context, secret string) (string, error) {
	s, _, err := h.hub.Peek(ctx, h.link(secret))
	if err != nil {
		return "", err
	}
	earlier, err := h.before(ctx, s)
	switch {
	case err != nil:
		return "", err
	case earlier == nil:
		return "", view.ErrNone
	}
	return s.Room().String(), cannotGo(h.hub.GoAlong(ctx, earlier, s.Room()))
}
