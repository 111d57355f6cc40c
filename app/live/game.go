package live

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"

	"peernomic/app/client"
	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

// errComing reports that the game's beginning is not on this device yet.
var errComing = errors.New("the game has not arrived on this device yet. It comes by itself as soon as the relay or another player is reached")

// play is one game of this device.
type play struct {
	h *host
	s *client.Session

	at   int          // shows the game after so many actions; 0 shows it as it is
	past *rules.World // that

	since, seen int64 // when the visit before this one ended, and when this one was last noted

	said map[ledger.ActionID]*claim // refused ballots that were read: which claim each was, or nil
}

var _ view.Game = (*play)(nil)

// Watch tells of this game and of the rooms in which it goes on.
func (p *play) Watch(changed func()) func() { return p.h.hub.Watch(changed) }

func (p *play) path(page string, arg ...string) string {
	return view.Path(p.room(), page, arg...)
}

// room names the game in addresses, with the moment that is looked at.
func (p *play) room() string { return view.RoomAt(p.s.Room().String(), p.at) }

// look runs f on the owner goroutine with a lens on the game as it stands.
func (p *play) look(ctx context.Context, f func(*game.Game, *lens) error) error {
	var err error
	doErr := p.s.Do(ctx, func(g *game.Game) {
		switch {
		case g.Broken() != nil:
			err = g.Broken()
		case g.World() == nil:
			err = errComing
		default:
			err = f(g, p.lens(g))
		}
	})
	return errors.Join(doErr, err)
}

// lens looks at a game as this device's person, now or at the moment that the address
// names.
func (p *play) lens(g *game.Game) *lens {
	if p.at == 0 {
		return p.lensNow(g)
	}
	me := g.PersonOf(p.h.hub.Identity().Key())
	if !slices.ContainsFunc(p.past.Players(), func(q rules.PlayerView) bool { return q.ID == me }) {
		me = 0
	}
	return &lens{w: p.past, me: me, now: p.past.Now(), mark: func(string, int64) bool { return false }, past: true, read: p.reader(g), all: g.Entries()[:p.at]}
}

// see makes one view on the owner goroutine.
func see[V any](ctx context.Context, p *play, f func(*game.Game, *lens) (V, error)) (V, error) {
	var v V
	err := p.look(ctx, func(g *game.Game, l *lens) error {
		var err error
		v, err = f(g, l)
		return err
	})
	return v, err
}

// reader reads what the rules keep secret and this device may know.
func (p *play) reader(g *game.Game) func(any) (any, bool) {
	return func(cell any) (any, bool) { return p.s.Read(g, cell) }
}

// lensNow looks at a game as it is now.
func (p *play) lensNow(g *game.Game) *lens {
	w, all := g.World(), g.Entries()
	genesis, _ := g.Replica().Genesis()
	return &lens{w: w, solo: genesis.Dice == ledger.DicePractice, me: g.PersonOf(p.h.hub.Identity().Key()), now: w.Now(), mark: marks(all), roll: g.Waiting(), read: p.reader(g), all: all}
}

// marks returns which rows something tentative made or changed.
func marks(all []game.Entry) func(string, int64) bool {
	type place struct {
		table string
		row   int64
	}
	found := map[place]bool{}
	for _, e := range tail(all) {
		if e.Outcome == nil {
			continue
		}
		for _, c := range e.Outcome.Changes {
			found[place{c.Table, c.Row}] = true
		}
	}
	return func(table string, row int64) bool { return found[place{table, row}] }
}

// tail returns the tentative entries.
func tail(all []game.Entry) []game.Entry {
	i := slices.IndexFunc(all, func(e game.Entry) bool { return e.Tentative })
	if i < 0 {
		return nil
	}
	return all[i:]
}

func (p *play) Shell(ctx context.Context) (*view.Shell, error) {
	net := p.net(ctx)
	chapters, err := p.chapters(ctx)
	if err != nil {
		return nil, err
	}
	v, err := see(ctx, p, func(g *game.Game, l *lens) (*view.Shell, error) {
		genesis, _ := g.Replica().Genesis()
		_, digest := g.Confirmed()
		if l.past {
			digest = l.w.Digest()
		}
		v := &view.Shell{Room: p.room(), Moment: p.moment(g, l), Title: genesis.Title, Ruleset: l.w.Name(), Accent: accent(l.w),
			Issue: done(l.all), Clock: l.now, Me: l.person(l.me), Digest: hex.EncodeToString(digest[:]), Net: net,
			Words:   view.Words{Player: l.w.Word("Player"), Players: l.w.Word("Players"), Head: l.w.Word("Head")},
			Waiting: l.waiting(p.path), OpenMatters: len(l.openMatters()), Pending: l.pending(g)}
		if v.Me.Name == "" {
			v.Me.Name, v.Me.Standing = "reader", rules.StandingStranger
		}
		v.Needs, _ = needs(l.nowView(p.path))
		v.CanPropose = slices.ContainsFunc(l.makers(), func(a rules.ActionView) bool { return a.Refused == nil })
		if a := l.form("undo"); a != nil && a.Refused == nil {
			v.Undo = viewOf(a)
		}
		v.Here = append(v.Here, v.Me)
		for id, path := range p.here(g) {
			if id != l.me {
				q := l.person(id)
				q.Here = path
				v.Here = append(v.Here, q)
			}
		}
		slices.SortStableFunc(v.Here[1:], func(a, b view.Person) int { return int(a.ID - b.ID) })
		if v.Alarm = p.alarm(g); v.Alarm == "" {
			v.Alarm, v.AlarmHref = p.forked(g, l)
			v.AlarmGo = "See the proof"
		} else if len(g.Replica().NotaryForks()) > 0 {
			v.AlarmHref, v.AlarmGo = p.path("move"), "Move the game"
		}
		if !l.past {
			v.Later = chapters.later
			v.Summons = append(p.announced(g, l, chapters), p.calls(g, l)...)
		}
		return v, nil
	})
	if err == nil {
		p.visited(ctx, v.Clock)
	}
	return v, err
}

// alarm says what everybody has to know at once, or nothing.
func (p *play) alarm(g *game.Game) string { return alarmOf(p.s.Net(), g.Replica()) }

func alarmOf(net client.NetStatus, r *ledger.Replica) string {
	switch {
	case net.Diverged != nil:
		return "This device and another one hold the same actions and see different games. Play stops here until that is explained; export the game and compare."
	case net.Storage != "":
		return "This device cannot keep what arrives: " + net.Storage
	case len(r.NotaryForks()) > 0:
		return "The relay has signed two different orders of the same game. The proof is kept on this device, and is not in the exported game. Move the game to another relay."
	case net.DaysAhead > 0:
		return clockAhead(net.DaysAhead) + " Until that is explained, look at the page Convention before you rely on anything there."
	}
	return ""
}

// clockAhead says what it means that the game's clock is days ahead of this device's.
func clockAhead(days int64) string {
	return "The game's clock is " + plural(int(days), "day", "days") + " ahead of this device's. Compare dates with the others. If this device's is right, the relay's clock is wrong, or whoever runs " +
		"the relay lies about the time: then deadlines are over too early, and who has done nothing for 30 days by the game's clock does not count in a convention."
}

// forked names who has signed two actions with one number, and says where the proof is.
func (p *play) forked(g *game.Game, l *lens) (alarm, href string) {
	var who []string
	for id := range forks(g) {
		who = append(who, cmp.Or(l.name(id), "Somebody"))
	}
	if len(who) == 0 {
		return "", ""
	}
	slices.Sort(who)
	return strings.Join(who, ", ") + ": a device has signed two different actions with one number. The first counts.", p.path("people")
}

// here tells who is there now, and by which path.
func (p *play) here(g *game.Game) map[int64]string {
	found := map[int64]string{}
	for _, peer := range p.s.Net().Peers {
		if id := g.PersonOfDevice(peer.Device); id != 0 && found[id] != client.PathDirect {
			found[id] = peer.Path
		}
	}
	return found
}

// net says how the device stands to the others, in names.
func (p *play) net(ctx context.Context) view.Net {
	n := p.s.Net()
	v := view.Net{Relay: n.Relay, Refusal: n.NotTaken, Unsent: n.Unsent, SyncedAt: n.SyncedAt, Writer: n.Writer, FromDirect: n.EnvelopesDirect, FromRelay: n.EnvelopesRelay}
	if n.Relay == client.RelayRefused {
		v.Refusal = n.Problem
	}
	if n.CatchingUp != nil {
		v.Checked, v.ToCheck = n.CatchingUp.Done, n.CatchingUp.Total
	}
	if n.SyncedAt != 0 {
		v.SyncedAt = n.SyncedAt + n.Offset
	}
	_ = p.s.Do(ctx, func(g *game.Game) {
		if g.World() == nil {
			return
		}
		l := p.lens(g)
		for id, path := range p.here(g) {
			switch {
			case id == l.me:
			case path == client.PathDirect:
				v.Direct = append(v.Direct, l.name(id))
			default:
				v.ByRelay = append(v.ByRelay, l.name(id))
			}
		}
	})
	slices.Sort(v.Direct)
	slices.Sort(v.ByRelay)
	return v
}

func (p *play) Now(ctx context.Context) (*view.Now, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Now, error) { return l.nowView(p.path), nil })
}

func (p *play) Feed(ctx context.Context) (*view.Feed, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Feed, error) { return l.feed(), nil })
}

func (p *play) Matters(ctx context.Context) (*view.Matters, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Matters, error) { return l.mattersView(), nil })
}

func (p *play) Matter(ctx context.Context, id int64) (*view.Matter, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Matter, error) { return l.matterView(id) })
}

func (p *play) Book(ctx context.Context) (*view.Book, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Book, error) { return l.book(), nil })
}

func (p *play) Rule(ctx context.Context, title string) (*view.Rule, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Rule, error) { return l.ruleView(title) })
}

func (p *play) Tracker(ctx context.Context) (*view.Tracker, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Tracker, error) { return l.tracker(p.since), nil })
}

func (p *play) Pages(ctx context.Context) (*view.Pages, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Pages, error) { return l.pages(p.path), nil })
}

func (p *play) Workshop(ctx context.Context) (*view.Workshop, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Workshop, error) { return l.workshop(), nil })
}

func (p *play) People(ctx context.Context) (*view.People, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.People, error) {
		v := l.people(p.here(g), p.devices(g, l))
		v.Invite = p.s.Invite()
		found := forks(g)
		for i := range v.People {
			v.People[i].Forks = found[v.People[i].ID]
		}
		return v, nil
	})
}

// forks are the proofs against whoever signed two actions with one number.
func forks(g *game.Game) map[int64][]view.Fork {
	found := map[int64][]view.Fork{}
	for _, f := range g.Replica().Forks() {
		id := g.PersonOfDevice(f.Device)
		found[id] = append(found[id], view.Fork{Device: ledger.Fingerprint(f.Device.String()), Number: f.Seq,
			First: hex.EncodeToString(f.First), Second: hex.EncodeToString(f.Second)})
	}
	return found
}

// devices are what each person has signed with.
func (p *play) devices(g *game.Game, l *lens) map[int64][]view.Device {
	out := map[int64][]view.Device{}
	for _, f := range g.Replica().Feeds() {
		key := ledger.DeviceKey(f.Device)
		if en, ok := g.Replica().Enrolment(key); ok {
			id := l.holder(en.Identity)
			out[id] = append(out[id], view.Device{Fingerprint: ledger.Fingerprint(key.String()), This: key == p.s.Device(), Actions: f.Seq})
		}
	}
	return out
}

func (p *play) Settings(ctx context.Context) (*view.Settings, error) {
	net := p.net(ctx)
	backedUp := p.h.backedUp(ctx)
	found, err := p.s.Findings(ctx)
	if err != nil {
		return nil, err
	}
	v, err := see(ctx, p, func(g *game.Game, l *lens) (*view.Settings, error) {
		genesis, _ := g.Replica().Genesis()
		id := g.Replica().Game()
		_, digest := g.Confirmed()
		v := &view.Settings{Invite: p.s.Invite(), Notary: notaryOf(g), Digest: hex.EncodeToString(digest[:]), Seals: g.Replica().OrderedSeals(),
			Placed: len(g.Replica().Placed()), Tentative: len(tail(g.Entries())), Net: net}
		for _, f := range found {
			v.Findings = append(v.Findings, view.Finding{Code: string(f.Code), Text: f.Text, Count: f.Count})
		}
		v.Options = append(v.Options, view.Fact{Name: "Game", Value: hex.EncodeToString(id[:]), Code: true}, view.Fact{Name: "Dice", Value: genesis.Dice})
		if from := genesis.Continues; from != nil {
			v.Options = append(v.Options, view.Fact{Name: "Goes on from", Value: from.Game.String(), Code: true}, view.Fact{Name: "Goes on after seal", Value: itoa(int64(from.Seal))})
		}
		for _, name := range slices.Sorted(maps.Keys(genesis.Options)) {
			v.Options = append(v.Options, view.Fact{Name: "Founder's choice: " + name, Value: genesis.Options[name]})
		}
		return v, nil
	})
	if err != nil {
		return nil, err
	}
	v.BackedUp, v.Storage = backedUp, p.h.storage(ctx)
	v.RelayURL, v.Version = p.s.Relay(), p.h.version
	return v, nil
}

func (p *play) Draft(ctx context.Context, key string) (string, error) { return p.s.Draft(ctx, key) }

func (p *play) SaveDraft(ctx context.Context, key, text string) error {
	return p.s.SaveDraft(ctx, key, text)
}

func (p *play) Export(ctx context.Context) ([]byte, error) { return p.s.Export(ctx) }
