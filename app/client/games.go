package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"peernomic/app/client/journal"
	node "peernomic/app/client/sync"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Founding is what a new game is made from.
type Founding struct {
	Title   string
	Name    string // the founder's
	Ruleset []ledger.Document
	Options map[string]string
	// Relay is the relay's address, such as https://host. Without it the game is for
	// practice: the device is its own notary, its rolls are witnessed by nobody, and
	// nobody can join.
	Relay string
}

// Found makes a new game on this device and returns its room. The relay has to be
// reachable, because the game's beginning names its notary; otherwise it fails with
// [ErrOffline].
func (h *Hub) Found(ctx context.Context, f Founding) (wire.RoomID, error) {
	genesis := ledger.Genesis{Kernel: game.Kernel, Title: f.Title, Options: f.Options, Ruleset: f.Ruleset}
	return h.found(ctx, genesis, f.Name, f.Relay)
}

// found opens a room for a game that begins with a genesis, to which it adds what the room decides.
func (h *Hub) found(ctx context.Context, genesis ledger.Genesis, name, relay string) (wire.RoomID, error) {
	secret, err := ledger.NewRoomSecret(rand.Reader)
	if err != nil {
		return wire.RoomID{}, err
	}
	keys := secret.Keys()
	room := journal.Room{Secret: secret, Title: genesis.Title, Name: name, Added: h.config.now().UnixMilli()}
	if genesis.Continues != nil {
		room.Continues, room.Choice = genesis.Continues.Game, journal.Apart // until it is announced
	}
	if genesis.Options == nil {
		genesis.Options = map[string]string{}
	}
	rand.Read(genesis.Salt[:])
	conn, err := h.chooseNotary(ctx, relay, keys, &room, &genesis)
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("found a game: %w", err)
	}
	if conn != nil {
		defer conn.Close()
	}
	pen, err := ledger.NewPen(keys, h.device)
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("found a game: %w", err)
	}
	entry, err := pen.Found(h.Identity(), name, genesis, room.Added)
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("found a game: %w", err)
	}
	written, err := ledger.DecodeGenesis(entry.Body)
	if err == nil {
		// A ruleset that cannot be played could never be repaired, so nobody is told of it.
		_, err = game.Found(written, room.Added)
	}
	if err != nil {
		return wire.RoomID{}, fmt.Errorf("found a game: %w", err)
	}
	room.Game = ledger.GameID(entry.Action.ID())
	if conn != nil {
		if err := conn.Found(ctx, room.Game); err != nil {
			return wire.RoomID{}, fmt.Errorf("found a game: %w", err)
		}
	}
	var items []node.Item
	for _, e := range entry.Envelopes {
		items = append(items, node.Item{Kind: node.KindEnvelope, Bytes: e})
	}
	mark := node.Mark{Seq: entry.Action.Action().Seq, ID: entry.Action.ID()}
	return keys.ID, h.addGame(ctx, room, items, &mark)
}

// chooseNotary opens a room at the relay of the address, and returns the connection to it; without an
// address the device is the notary.
func (h *Hub) chooseNotary(ctx context.Context, address string, keys ledger.RoomKeys, room *journal.Room, genesis *ledger.Genesis) (Conn, error) {
	if address == "" {
		notary, err := h.device.PracticeNotary(keys.ID)
		if err != nil {
			return nil, err
		}
		room.Practice = true
		genesis.Notary, genesis.Anchor, genesis.Dice = notary.Key(), notary.Anchor(), ledger.DicePractice
		return nil, nil
	}
	url, err := RelayURL(address)
	if err != nil {
		return nil, err
	}
	conn, welcome, err := h.openRoom(ctx, url, keys)
	if err != nil {
		return nil, err
	}
	room.Relay = url
	genesis.Notary, genesis.Anchor, genesis.Dice = welcome.Notary, welcome.Anchor, ledger.DiceBeacon
	return conn, nil
}

// addGame stores a new game: its log first, so that a room on the disk is a whole one.
func (h *Hub) addGame(ctx context.Context, room journal.Room, items []node.Item, mark *node.Mark) error {
	id := room.Secret.Keys().ID
	if _, err := h.journal.Append(ctx, id, 0, items, mark); err != nil {
		return err
	}
	if err := h.journal.PutRoom(ctx, room); err != nil {
		return err
	}
	h.watch.tell()
	return nil
}

// Join enters the room of an invite link and returns it. The device introduces its
// person under the name as soon as the game has arrived; without a name it only
// reads. In a game that is here already the name counts if none was given before.
func (h *Hub) Join(ctx context.Context, link, name string) (wire.RoomID, error) {
	id, err := h.enter(ctx, link, true)
	if err != nil {
		return id, err
	}
	s, err := h.Open(ctx, id)
	if err != nil {
		return id, err
	}
	return id, s.appear(ctx, name)
}

// Peek opens the game of an invite link to look at it: the game does not show among
// [Hub.Games], and nobody in it learns of this person, until [Hub.Join]. Joined reports
// whether the person is in the game already.
func (h *Hub) Peek(ctx context.Context, link string) (s *Session, joined bool, err error) {
	id, err := h.enter(ctx, link, false)
	if err != nil {
		return nil, false, err
	}
	if s, err = h.Open(ctx, id); err != nil {
		return nil, false, err
	}
	room, err := h.journal.Room(ctx, id)
	return s, !room.Hidden, err
}

// errOtherGame reports a link, or an archive, with another game than this device has in the room.
var errOtherGame = errors.New("this is another game than the one that you have in this room")

// enter makes the room of a link one of the device's.
func (h *Hub) enter(ctx context.Context, link string, visible bool) (wire.RoomID, error) {
	invite, err := ParseInvite(link)
	if err != nil {
		return wire.RoomID{}, err
	}
	id := invite.Secret.Keys().ID
	room, err := h.journal.Room(ctx, id)
	switch {
	case err == nil && room.Game != invite.Game:
		return id, errOtherGame
	case err == nil && (!room.Hidden || !visible):
		return id, nil
	case err == nil:
		// It was looked at before.
	case errors.Is(err, ErrNoGame):
		room = journal.Room{Secret: invite.Secret, Game: invite.Game, Relay: invite.Relay}
	default:
		return id, err
	}
	room.Hidden, room.Added = !visible, h.config.now().UnixMilli()
	err = h.journal.PutRoom(ctx, room)
	h.watch.tell()
	return id, err
}

// appear makes a game that was only looked at one that is played.
func (s *Session) appear(ctx context.Context, name string) error {
	return s.changeRoom(ctx, func(r *journal.Room) {
		r.Hidden = false
		if r.Name == "" {
			r.Name = name
		}
	})
}

// Introduce enrols this device under a name, in a game that was only read so far.
func (s *Session) Introduce(ctx context.Context, name string) error {
	return s.changeRoom(ctx, func(r *journal.Room) { r.Name = name })
}

func (s *Session) changeRoom(ctx context.Context, change func(*journal.Room)) error {
	var err error
	doErr := s.do(ctx, func() { err = s.room.Change(ctx, change) })
	return errors.Join(doErr, err)
}

// Import adds the game of an archive, with all its chapters, and returns the room of the last one. The relay is the
// address of the app that plays it, or empty to only read. What the archive has and the device does not is added to a
// game that is here already.
func (h *Hub) Import(ctx context.Context, archive []byte, relay string) (id wire.RoomID, err error) {
	chapters, err := readReplicas(ctx, archive, func(int, int) {})
	if err == nil {
		err = game.VerifySeams(chapters)
	}
	for i := 0; i < len(chapters) && err == nil; i++ {
		at := relay
		if i < len(chapters)-1 {
			at = "" // it is played no more
		}
		id, err = h.importChapter(ctx, chapters[i], at, i > 0)
	}
	if err != nil {
		return id, fmt.Errorf("import a game: %w", err)
	}
	return id, nil
}

// importChapter adds one chapter. Checked says whether the seam with the one before was.
func (h *Hub) importChapter(ctx context.Context, replica *ledger.Replica, relay string, checked bool) (wire.RoomID, error) {
	id := replica.Keys().ID
	switch room, err := h.journal.Room(ctx, id); {
	case err == nil && room.Game != replica.Game():
		return id, errOtherGame
	case err == nil:
		s, err := h.Open(ctx, id)
		if err != nil {
			return id, err
		}
		return id, s.merge(ctx, replica)
	case !errors.Is(err, ErrNoGame):
		return id, err
	}
	genesis, _ := replica.Genesis()
	room := journal.Room{Secret: replica.Keys().Secret(), Title: genesis.Title, Game: replica.Game(), Added: h.config.now().UnixMilli()}
	if genesis.Continues != nil {
		room.Continues = genesis.Continues.Game
	}
	if checked {
		room.Choice = journal.GoesAlong
	}
	if relay != "" && genesis.Dice != ledger.DicePractice {
		var err error
		if room.Relay, err = RelayURL(relay); err != nil {
			return id, err
		}
	}
	return id, h.addGame(ctx, room, contents(replica), nil)
}

// contents returns all that a replica holds, as a log.
func contents(r *ledger.Replica) []node.Item {
	var items []node.Item
	seen := map[wire.EnvelopeHash]bool{}
	envelope := func(h wire.EnvelopeHash) {
		if b, ok := r.Envelope(h); ok && !seen[h] {
			seen[h] = true
			kind := node.KindEnvelope
			if r.Junk(h) {
				kind = node.KindJunk // it has to be refused again
			}
			items = append(items, node.Item{Kind: kind, Bytes: b})
		}
	}
	for _, seal := range r.SealsFrom(1, int(r.OrderedSeals())) {
		for _, h := range seal.Envelopes {
			envelope(h)
		}
		items = append(items, node.Item{Kind: node.KindSeal, Bytes: seal.Bytes})
	}
	for _, h := range r.Unsealed() {
		envelope(h)
	}
	return items
}

// merge takes in what another replica of the game holds.
func (s *Session) merge(ctx context.Context, other *ledger.Replica) error {
	return s.do(ctx, func() { s.node().Receive(contents(other), s.config.time()) })
}

// Relay returns the address of the room's relay; empty for none.
func (s *Session) Relay() string {
	_, _, relay := s.shown.get()
	return relay
}

// Invite returns the link that lets others into the game's room; empty if there is no relay
// where they could come in.
func (s *Session) Invite() string {
	address := s.Relay()
	if address == "" {
		return ""
	}
	return Invite{Secret: s.keys.Secret(), Game: s.gameID, Relay: address}.String()
}

// Export returns the whole game as one file, with the earlier chapters that this device holds. Whoever has the file can
// read the game, and knock at its rooms.
func (s *Session) Export(ctx context.Context) (file []byte, err error) {
	chapters, err := s.earlier(ctx)
	if err != nil {
		return nil, err
	}
	doErr := s.do(ctx, func() { file, err = ledger.WriteArchive(append(chapters, s.game().Replica())...) })
	return file, errors.Join(doErr, err)
}

// Draft returns the text kept under a name for this game, and SaveDraft keeps one; an empty text removes it.
func (s *Session) Draft(ctx context.Context, name string) (string, error) {
	return s.hub.journal.Draft(ctx, s.Room(), name)
}

// SaveDraft keeps a text under a name. It is on the disk when it returns.
func (s *Session) SaveDraft(ctx context.Context, name, text string) error {
	if s.left.Load() {
		return ErrNoGame
	}
	return s.hub.journal.PutDraft(ctx, s.Room(), name, text)
}
