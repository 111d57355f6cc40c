package live

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"peernomic/app/client"
	"peernomic/app/shelf"
	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
	"peernomic/engine/wire"
)

// Names of the device's settings.
const (
	settingName   = "name"      // last used by the person
	settingBackup = "backed up" // when the identity was
)

// host is this device.
type host struct {
	hub     *client.Hub
	relay   string // address of the app, which is its relay's
	version string
	shelf   Shelf
	storage func(context.Context) string
	manual  func(ctx context.Context, page string) ([]byte, error)
}

// Config is what a host needs besides its hub.
type Config struct {
	Relay   string // address of the app, such as https://host
	Version string // of the app
	Shelf   Shelf
	// Manual fetches a page for authors of rules, as Markdown.
	Manual func(ctx context.Context, page string) ([]byte, error)
	// Storage warns of storage that the browser may drop; empty if all is well.
	Storage func(context.Context) string
}

// Shelf has the rulesets that games are founded with.
type Shelf interface {
	Sets(ctx context.Context) ([]shelf.Set, error)
	Documents(ctx context.Context, name string) ([]document.Document, error)
}

// New returns the host of a hub.
func New(hub *client.Hub, c Config) view.Host {
	h := &host{hub: hub, relay: c.Relay, version: c.Version, shelf: c.Shelf, storage: c.Storage, manual: c.Manual}
	if h.storage == nil {
		h.storage = func(context.Context) string { return "" }
	}
	return h
}

func (h *host) Manual(ctx context.Context, page string) (string, error) {
	text, err := h.manual(ctx, page)
	return string(text), err
}

func (h *host) Watch(changed func()) func() { return h.hub.Watch(changed) }

func (h *host) backedUp(ctx context.Context) bool {
	s, err := h.hub.Setting(ctx, settingBackup)
	return err == nil && s != ""
}

func (h *host) Home(ctx context.Context) (*view.Home, error) {
	name, err := h.hub.Setting(ctx, settingName)
	if err != nil {
		return nil, err
	}
	games, err := h.hub.Games(ctx)
	if err != nil {
		return nil, err
	}
	v := &view.Home{Name: name, BackedUp: h.backedUp(ctx), Storage: h.storage(ctx)}
	for _, g := range games {
		v.Games = append(v.Games, h.card(ctx, g))
	}
	return v, nil
}

func (h *host) Look(ctx context.Context, room string) error {
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return err
	}
	_, err = h.hub.Open(ctx, id)
	return err
}

// card looks into a game for what waits there, if it is open.
func (h *host) card(ctx context.Context, g client.GameInfo) view.GameLine {
	c := view.GameLine{Room: g.Room.String(), Title: g.Title, Practice: g.Practice}
	if c.Title == "" {
		c.Title = "A game on its way"
	}
	s, ok := h.hub.Begun(g.Room)
	if !ok {
		c.Shut = true
		return c
	}
	p := &play{h: h, s: s}
	err := p.look(ctx, func(_ *game.Game, l *lens) error {
		c.Ruleset, c.Accent = l.w.Name(), accent(l.w)
		for _, q := range l.w.Players() {
			if q.Standing == rules.StandingPlayer {
				c.Players++
			}
		}
		now := l.nowView(p.path)
		c.Needs, c.Line = needs(now)
		c.Line = cmp.Or(c.Line, now.Next)
		return nil
	})
	if err != nil {
		c.Line = capital(err.Error())
	}
	return c
}

// accents are the colors a dynasty may have.
var accents = []string{"oxblood", "forest", "ink", "ochre", "plum", "teal"}

// accent is the color of the dynasty: what the rules keep in a game variable of that name,
// and where there is none, one that goes with the ruleset's name.
func accent(w *rules.World) string {
	v, _ := w.GameCell("accent")
	kept, _ := v.(string)
	return accentOf(kept, w.Name())
}

func accentOf(kept, ruleset string) string {
	if slices.Contains(accents, kept) {
		return kept
	}
	f := fnv.New32a()
	f.Write([]byte("accent-7/" + ruleset))
	return accents[f.Sum32()%uint32(len(accents))]
}

func (h *host) Rulesets(ctx context.Context) ([]view.Ruleset, error) {
	sets, err := h.shelf.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var out []view.Ruleset
	for _, s := range sets {
		v := view.Ruleset{Name: s.Name, Title: s.Title, Accent: accentOf(s.Accent, s.Title)}
		v.Summary, v.Mood, _ = strings.Cut(strings.TrimSpace(s.Summary), "\n\n")
		for _, o := range s.Options {
			v.Options = append(v.Options, view.Option{Name: o.Name, Label: capital(strings.ReplaceAll(o.Name, "_", " ")), Help: o.Help, Default: o.Initial})
		}
		out = append(out, v)
	}
	return out, nil
}

func (h *host) Found(ctx context.Context, f view.Founding) (string, error) {
	docs, err := h.shelf.Documents(ctx, f.Ruleset)
	if err != nil {
		return "", err
	}
	founding := client.Founding{Title: f.Title, Name: f.Name, Options: map[string]string{}, Relay: h.relay}
	if f.Practice {
		founding.Relay = ""
	}
	for _, d := range docs {
		founding.Ruleset = append(founding.Ruleset, ledger.Document{Path: d.Path, Text: d.Text})
	}
	for name, v := range f.Options {
		if v != "" {
			founding.Options[name] = v
		}
	}
	id, err := h.hub.Found(ctx, founding)
	if errors.Is(err, client.ErrOffline) {
		return "", view.ErrNoRelay
	}
	if err != nil {
		return "", err
	}
	return id.String(), h.hub.SetSetting(ctx, settingName, f.Name)
}

// link makes a whole invite link of a secret, which is all that a page is given whose own address
// had it. What was pasted is a link already.
func (h *host) link(invite string) string {
	if strings.Contains(invite, "://") {
		return invite
	}
	return h.relay + "/#/join/" + invite
}

// arrival is how long an invitation waits for the game's beginning.
const arrival = 15 * time.Second

func (h *host) Invitation(ctx context.Context, secret string) (*view.Invitation, error) {
	s, joined, err := h.hub.Peek(ctx, h.link(secret))
	if errors.Is(err, client.ErrInvite) {
		return nil, errors.New("this link is incomplete or mistyped. Ask whoever sent it to send it again")
	}
	if err != nil {
		return nil, err
	}
	v := &view.Invitation{}
	v.Name, _ = h.hub.Setting(ctx, settingName)
	if joined {
		v.Room = s.Room().String()
	}
	p := &play{h: h, s: s}
	fill := func() error {
		return p.look(ctx, func(g *game.Game, l *lens) error {
			genesis, _ := g.Replica().Genesis()
			v.Title, v.Inviter, v.Ruleset = genesis.Title, genesis.Founder.Name, l.w.Name()
			v.Players = 0
			for _, q := range l.w.Players() {
				if q.Standing == rules.StandingPlayer && !q.Entity {
					v.Players++
				}
			}
			return nil
		})
	}
	news := make(chan struct{}, 1)
	stop := s.Watch(func() {
		select {
		case news <- struct{}{}:
		default:
		}
	})
	defer stop()
	limit := time.NewTimer(arrival)
	defer limit.Stop()
	for {
		switch err := fill(); {
		case err == nil:
			earlier, err := h.before(ctx, s)
			if err == nil && earlier != nil {
				v.Earlier = earlier.Room().String()
			}
			return v, err
		case !errors.Is(err, errComing):
			return nil, err
		}
		if net := s.Net(); net.Relay == client.RelayRefused {
			return nil, errors.New(net.Problem + " The link may be mistyped: ask whoever sent it to send it again")
		}
		select {
		case <-news:
		case <-limit.C:
			return nil, errors.New("the game behind this link has not arrived: the relay or its players cannot be reached just now. Try again later; the link stays good")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (h *host) ComesAs(ctx context.Context, secret, name string) (string, error) {
	s, _, err := h.hub.Peek(ctx, h.link(secret))
	if err != nil {
		return "", err
	}
	p := &play{h: h, s: s}
	as := name
	err = p.look(ctx, func(_ *game.Game, l *lens) error {
		if l.me != 0 {
			return nil // another device of somebody who has a name here
		}
		as, err = l.w.ComesAs(name)
		return err
	})
	if err == nil && len(name) > ledger.MaxName {
		return "", fmt.Errorf("this name is too long to be sent: it takes %d bytes, and %d at most fit", len(name), ledger.MaxName)
	}
	return as, err
}

func (h *host) Join(ctx context.Context, secret, name string) (string, error) {
	id, err := h.hub.Join(ctx, h.link(secret), name)
	if err != nil {
		return "", err
	}
	return id.String(), h.hub.SetSetting(ctx, settingName, name)
}

func (h *host) Leave(ctx context.Context, room string) error {
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return err
	}
	return h.hub.Leave(ctx, id)
}

func (h *host) Import(ctx context.Context, archive []byte) (string, error) {
	if game.KindOf(archive) != game.GameFile {
		return "", errOtherFile(archive)
	}
	id, err := h.hub.Import(ctx, archive, h.relay)
	if wrong := new(ledger.ArchiveError); errors.As(err, &wrong) {
		return "", fmt.Errorf("this file is damaged, or somebody changed it, and nothing of it was taken in. "+
			"Ask for it once more; the page Verify says what is wrong with it (clause %s)", wrong.Clause)
	}
	return id.String(), err
}

func (h *host) Open(ctx context.Context, room string) (view.Game, error) {
	room, at := view.SplitRoom(room)
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return nil, errors.New("this address names no game")
	}
	s, err := h.hub.Open(ctx, id)
	if errors.Is(err, client.ErrNoGame) {
		return nil, errors.New("this device has no such game. Somebody in it can send you an invite link")
	}
	if err != nil {
		return nil, err
	}
	p := &play{h: h, s: s}
	if at > 0 {
		return p, p.goTo(ctx, at)
	}
	return p, h.hub.Viewed(ctx, id)
}

func (h *host) Opening(room string) *view.Opening {
	room, _ = view.SplitRoom(room)
	id, err := wire.ParseRoomID(room)
	if err != nil {
		return nil
	}
	o := h.hub.Opening(id)
	if o == nil {
		return nil
	}
	return &view.Opening{Carrying: o.Carrying, Done: o.Done, Total: o.Total}
}

func (h *host) Backup(ctx context.Context, passphrase string) (*view.Backup, error) {
	id := h.hub.Identity()
	file, err := id.Backup(passphrase, rand.Reader)
	if err != nil {
		return nil, err
	}
	err = h.hub.SetSetting(ctx, settingBackup, time.Now().UTC().Format(time.RFC3339))
	return &view.Backup{Words: strings.Fields(id.Words()), File: file, Name: "peernomic-key-" + id.Key().String()[:8] + ".backup"}, err
}

func (h *host) Restore(ctx context.Context, words string, file []byte, passphrase string) error {
	var id *ledger.Identity
	var err error
	if strings.TrimSpace(words) != "" {
		id, err = ledger.ParseWords(words)
	} else {
		id, err = ledger.RestoreBackup(file, passphrase)
	}
	if err != nil {
		return err
	}
	return h.hub.SetIdentity(ctx, id)
}
