package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file moves games to other rooms (engine/ledger/SPEC.md, section 13): a player opens a new room in which a game
// goes on from a seal, and announces that in the old one. Everybody else looks at the new room first, and then goes
// along or stays. Nobody's device does either unasked.

// Moving is a move to another room.
type Moving struct {
	Relay  string  // address of the new room's relay; empty for practice
	Title  string  // of the game there; empty for the same
	Seal   uint64  // from which it goes on, see [Session.Newest]
	Why    string  // for the others
	People []int64 // who is invited: to those devices that the game knows of
}

// Errors of moves.
var (
	// ErrNotChecked: it is not known yet whether the new room's game is the old one.
	ErrNotChecked = errors.New("the new room's game has not been compared with this one yet")
	// ErrSeamBroken: the new room's game is not the old one as it was.
	ErrSeamBroken = errors.New("the new room's game is not this one as it was")
)

// Newest returns the seal from which a move goes on unless somebody wants otherwise: the newest that is complete. If
// the notary has signed two chains, it is the newest seal that is in both.
func Newest(g *game.Game) uint64 {
	shared, _ := g.Replica().Undisputed()
	return min(shared, g.Replica().OrderedSeals())
}

// Move opens a new room in which a game goes on, and announces it to those who are invited. It returns the new room.
// If only the announcement fails, the room is there, and [Hub.Announce] can be tried again.
func (h *Hub) Move(ctx context.Context, s *Session, m Moving) (wire.RoomID, error) {
	if len(m.Why) > ledger.MaxWhy { // found out before there is a new room
		return wire.RoomID{}, fmt.Errorf("move a game: the reason takes %d bytes, and %d fit: say it in fewer words", len(m.Why), ledger.MaxWhy)
	}
	if m.Title == "" {
		m.Title = s.title()
	}
	id, err := h.Fork(ctx, s, m.Seal, m.Title, m.Relay)
	if err != nil {
		return id, fmt.Errorf("move a game: %w", err)
	}
	return id, h.Announce(ctx, s, id, m.Why, m.People)
}

// Announce tells people in a game that it goes on in another room of this device, which this device goes along to.
// Those who are not among them are left out.
func (h *Hub) Announce(ctx context.Context, s *Session, next wire.RoomID, why string, people []int64) error {
	record, err := h.journal.Room(ctx, next)
	if err != nil {
		return err
	}
	to, err := h.Open(ctx, next)
	if err != nil {
		return err
	}
	genesis, err := to.genesis(ctx)
	if err != nil {
		return err
	}
	if genesis.Continues == nil || genesis.Continues.Game != s.gameID {
		return game.ErrOtherGame
	}
	_, err = s.write(ctx, ledger.KindMove, func(g *game.Game) ([]byte, error) {
		invite := ledger.Invite{Relay: record.Relay, Secret: record.Secret, Game: record.Game}
		invitations, err := g.Invite(invite, people, rand.Reader)
		if err != nil {
			return nil, err
		}
		return ledger.Move{Game: record.Game, Seal: genesis.Continues.Seal, SealHash: genesis.Continues.SealHash, Why: why, Invitations: invitations}.Encode()
	})
	if err != nil {
		return fmt.Errorf("announce a move: %w", err)
	}
	return to.changeRoom(ctx, func(r *journal.Room) { r.Choice = journal.GoesAlong })
}

// genesis returns how a game began, once that is here.
func (s *Session) genesis(ctx context.Context) (genesis ledger.Genesis, err error) {
	here := false
	doErr := s.Do(ctx, func(g *game.Game) { genesis, here = g.Replica().Genesis() })
	if doErr == nil && !here {
		doErr = ErrNotHere
	}
	return genesis, doErr
}

func (s *Session) title() (title string) {
	_ = s.do(s.ctx, func() { title = s.room.Record().Title })
	return title
}

// Offer is a room in which a game goes on, as the device sees it that holds the earlier chapter.
type Offer struct {
	Game ledger.GameID
	Room wire.RoomID // zero if this device has neither an invitation nor a link
	Seal uint64      // from which it goes on; 0 if that is not known yet
	// What was announced here; By is 0 if nothing was, and the room came by a link.
	By        int64
	At        int64 // Unix ms
	Why       string
	Tentative bool
	Uninvited []int64 // people with a seat who are left out
	// What the room says, once its beginning is here.
	Relay string // its address
	Here  bool
	Wrong error        // why its game is not this one; nil if it is
	Came  []int64      // of the people with a seat, those who have signed something there
	Seats []int64      // all people with a seat
	Left  []game.Entry // what this person did here that did not come along, and has not been done again there
	// Choice is what this person has decided.
	Choice journal.Choice
}

// Offers returns the rooms in which a game goes on, as far as this device knows. It opens those that the person is
// invited to, to look at them: nothing is signed there, but its relay and members see that this device is connected. [Hub.Watch] tells when to look again.
func (h *Hub) Offers(ctx context.Context, s *Session) ([]Offer, error) {
	var moves []game.Move
	if err := s.Do(ctx, func(g *game.Game) { moves = g.Moves() }); err != nil {
		return nil, err
	}
	var all []Offer
	for _, m := range moves {
		i := slices.IndexFunc(all, func(o Offer) bool { return o.Game == m.Game })
		if i < 0 {
			i, all = len(all), append(all, Offer{Game: m.Game, Seal: m.Seal, By: m.By, At: m.At, Why: m.Why, Tentative: m.Tentative, Uninvited: m.Uninvited})
		}
		o := &all[i] // announced again, a room may be open to more people
		o.Uninvited = slices.DeleteFunc(o.Uninvited, func(person int64) bool { return !slices.Contains(m.Uninvited, person) })
		if o.Room != (wire.RoomID{}) {
			continue
		}
		if invite, err := m.Open(s.gameID, s.device); err == nil {
			if o.Room, err = h.lookAt(ctx, s, invite); err != nil {
				return nil, err
			}
		}
	}
	// Rooms that came by a link.
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range rooms {
		if r.Continues == s.gameID && r.Choice != journal.Apart && !slices.ContainsFunc(all, func(o Offer) bool { return o.Game == r.Game }) {
			all = append(all, Offer{Game: r.Game, Room: r.Secret.Keys().ID})
		}
	}
	for i := range all {
		if err := h.fill(ctx, s, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Chapter is a room of this device that comes right before or right after another one of its game.
type Chapter struct {
	Room   wire.RoomID
	Game   ledger.GameID
	Title  string
	Hidden bool // it was only looked at
	Choice journal.Choice
}

// Chapters returns the chapter before an open game, nil if there is none on this device, and the rooms in which the
// game goes on.
func (h *Hub) Chapters(ctx context.Context, s *Session) (before *Chapter, after []Chapter, err error) {
	rooms, err := h.journal.Rooms(ctx)
	if err != nil {
		return nil, nil, err
	}
	var continues ledger.GameID
	for _, r := range rooms {
		if r.Game == s.gameID {
			continues = r.Continues
		}
	}
	for _, r := range rooms {
		c := Chapter{r.Secret.Keys().ID, r.Game, r.Title, r.Hidden, r.Choice}
		switch {
		case r.Continues == s.gameID:
			after = append(after, c)
		case r.Game == continues:
			before = &c
		}
	}
	return before, after, nil
}

// lookAt makes the room of an invitation one of the device's, hidden as long as the person does not go along. It returns
// zero if the invitation leads nowhere, or to a room of the device that belongs to another game: whoever is in one with
// this person can name any.
func (h *Hub) lookAt(ctx context.Context, s *Session, invite ledger.Invite) (wire.RoomID, error) {
	id := invite.Secret.Keys().ID
	room, err := h.journal.Room(ctx, id)
	unknown := room.Hidden && room.Continues == ledger.GameID{} // from which game it goes on
	switch {
	case errors.Is(err, ErrNoGame):
	case err != nil:
		return wire.RoomID{}, err
	case room.Game != invite.Game, room.Continues != s.gameID && !unknown:
		return wire.RoomID{}, nil
	default:
		return id, nil
	}
	url, err := RelayURL(invite.Relay)
	if err != nil {
		return wire.RoomID{}, nil
	}
	return id, h.journal.PutRoom(ctx, journal.Room{Secret: invite.Secret, Game: invite.Game, Relay: url, Hidden: true, Added: h.config.now().UnixMilli()})
}

// fill looks into the room of an offer, and compares its game with the earlier one.
func (h *Hub) fill(ctx context.Context, s *Session, o *Offer) error {
	if o.Room == (wire.RoomID{}) {
		return nil
	}
	record, err := h.journal.Room(ctx, o.Room)
	if err != nil {
		return err
	}
	o.Relay, o.Choice = record.Relay, record.Choice
	next, err := h.Open(ctx, o.Room)
	if err != nil {
		return err
	}
	var genesis ledger.Genesis
	err = next.Do(ctx, func(g *game.Game) {
		genesis, o.Here = g.Replica().Genesis()
		o.Came, o.Seats = g.Arrived()
	})
	if err != nil || !o.Here {
		return err
	}
	if genesis.Continues == nil || genesis.Continues.Game != s.gameID {
		o.Wrong = game.ErrOtherGame
		return nil
	}
	o.Seal = genesis.Continues.Seal
	if o.Wrong, err = h.seam(ctx, s, next, genesis); err != nil {
		return err
	}
	return s.Do(ctx, func(g *game.Game) {
		again := record.Again
		o.Left = slices.DeleteFunc(g.LeftBehind(g.PersonOf(s.identity.Key()), o.Seal), func(e game.Entry) bool { return slices.Contains(again, e.Action) })
	})
}

// seam compares the game of a new room with the earlier one, which takes long in a long game. What came of it is
// remembered.
func (h *Hub) seam(ctx context.Context, s, next *Session, genesis ledger.Genesis) (wrong, err error) {
	id := next.Room()
	h.mu.Lock()
	known, ok := h.seams[id]
	h.mu.Unlock()
	if ok {
		return known, nil
	}
	past, err := s.past(ctx, func(g *game.Game) *game.Past { return g.PastSeal(genesis.Continues.Seal) })
	if err != nil {
		return nil, err
	}
	// It compares the order, too, which is the owner's to read.
	if err := s.do(ctx, func() { wrong = past.CheckSeam(genesis) }); err != nil {
		return nil, err
	}
	if errors.Is(wrong, game.ErrSeal) {
		return wrong, nil // the seal may still come
	}
	h.mu.Lock()
	h.seams[id] = wrong
	h.mu.Unlock()
	return wrong, nil
}

// GoAlong takes the person to a room in which an open game goes on: they have their seat there, by their key. It fails
// with [ErrNotChecked], or [ErrSeamBroken] if the game there is not the one here.
func (h *Hub) GoAlong(ctx context.Context, s *Session, room wire.RoomID) error {
	o := Offer{Room: room}
	if err := h.fill(ctx, s, &o); err != nil {
		return err
	}
	switch {
	case !o.Here:
		return ErrNotChecked
	case o.Wrong != nil:
		return fmt.Errorf("%w: %w", ErrSeamBroken, o.Wrong)
	}
	var name string
	if err := s.do(ctx, func() { name = s.room.Record().Name }); err != nil {
		return err
	}
	return h.choose(ctx, room, func(r *journal.Room) {
		r.Choice, r.Hidden, r.Continues = journal.GoesAlong, false, s.gameID
		if r.Name == "" {
			r.Name = name
		}
	})
}

// Stay notes that the person does not go to a room, which they can still do later.
func (h *Hub) Stay(ctx context.Context, room wire.RoomID) error {
	return h.choose(ctx, room, func(r *journal.Room) { r.Choice = journal.Stays })
}

// choose changes what the device keeps of a room, which may be open.
func (h *Hub) choose(ctx context.Context, room wire.RoomID, change func(*journal.Room)) error {
	s, err := h.Open(ctx, room)
	if err == nil {
		err = s.changeRoom(ctx, change)
	}
	h.watch.tell()
	return err
}

// Again does in a new room what the person did in the earlier one and what did not come along. Without again it is only
// noted that it is not to be done.
func (h *Hub) Again(ctx context.Context, s *Session, room wire.RoomID, action ledger.ActionID, again bool) error {
	next, err := h.Open(ctx, room)
	if err != nil {
		return err
	}
	if again {
		var act game.ActBody
		found := false
		err := s.Do(ctx, func(g *game.Game) {
			act, found = g.ActOf(action)
		})
		if err != nil {
			return err
		}
		if !found {
			return errors.New("what was done there cannot be read")
		}
		if _, err := next.Act(ctx, act.Name, act.Args); err != nil {
			return err
		}
	}
	return next.changeRoom(ctx, func(r *journal.Room) {
		if !slices.Contains(r.Again, action) {
			r.Again = append(r.Again, action)
		}
	})
}

// earlierOf returns the chapters of a game before a room, among the rooms of a device, newest first.
func earlierOf(rooms []journal.Room, r journal.Room) (chapters []journal.Room) {
	for r.Choice == journal.GoesAlong && len(chapters) < len(rooms) {
		i := slices.IndexFunc(rooms, func(e journal.Room) bool { return e.Game == r.Continues })
		if i < 0 {
			break
		}
		r = rooms[i]
		chapters = append(chapters, r)
	}
	return chapters
}

// chaptersOf returns the rooms that go with a room when it is removed: the chapters before, unless another game that is
// played here goes on from them, and the rooms that were only looked at.
func chaptersOf(rooms []journal.Room, id wire.RoomID) []wire.RoomID {
	gone := []wire.RoomID{id}
	i := slices.IndexFunc(rooms, func(r journal.Room) bool { return r.Secret.Keys().ID == id })
	if i < 0 {
		return gone
	}
	needed := map[ledger.GameID]bool{}
	for _, r := range rooms {
		if !r.Hidden && r.Secret.Keys().ID != id {
			for _, c := range earlierOf(rooms, r) {
				needed[c.Game] = true
			}
		}
	}
	games := map[ledger.GameID]bool{rooms[i].Game: true}
	for _, c := range earlierOf(rooms, rooms[i]) {
		if needed[c.Game] {
			break
		}
		games[c.Game] = true
		gone = append(gone, c.Secret.Keys().ID)
	}
	for _, r := range rooms {
		if r.Hidden && games[r.Continues] && !slices.Contains(gone, r.Secret.Keys().ID) {
			gone = append(gone, r.Secret.Keys().ID)
		}
	}
	return gone
}

// earlier returns the chapters before an open game on this device, oldest first.
func (s *Session) earlier(ctx context.Context) (chapters []*ledger.Replica, err error) {
	rooms, err := s.hub.journal.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	record, err := s.hub.journal.Room(ctx, s.Room())
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(earlierOf(rooms, record)) {
		replica, err := s.hub.readChapter(ctx, r)
		if err != nil {
			return nil, err
		}
		chapters = append(chapters, replica)
	}
	return chapters, nil
}

// readChapter reads a game of this device from its log, without opening it.
func (h *Hub) readChapter(ctx context.Context, r journal.Room) (*ledger.Replica, error) {
	keys := r.Secret.Keys()
	n := node.New(node.Config{Keys: keys, Game: game.New(keys, r.Game)})
	turns := h.config.turns()
	_, err := h.journal.Read(ctx, keys.ID, 0, func(item node.Item, _, _ int) {
		n.Restore(item)
		turns.pause()
	})
	return n.Game().Replica(), err
}
