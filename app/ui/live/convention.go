package live

import (
	"context"
	"errors"
	"slices"

	"peernomic/app/client"
	"peernomic/app/ui"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

func (p *play) Convention(ctx context.Context) (*ui.Convention, error) {
	return see(ctx, p, func(g *game.Game, _ *lens) (*ui.Convention, error) {
		l := p.lensNow(g)
		genesis, _, _ := g.Replica().Genesis()
		v := &ui.Convention{Player: l.w.Plays(l.me), Placed: done(l.all), Practice: genesis.Dice == ledger.DicePractice}
		if d, err := client.DepartureOf(g); err == nil {
			v.TwoOrders, v.TooMuch, v.Again = d.TwoOrders, d.TooMuch, d.Again
		}
		if days := p.s.Net().DaysAhead; days > 0 {
			v.Clock = clockAhead(days) + " Whoever does anything at all, even what the rules refuse, counts again from then on. What was decided meanwhile stands in this game; " +
				"a fork from before leaves it out."
		}
		motions := g.Motions()
		for _, m := range motions {
			v.Motions = append(v.Motions, l.motion(g, m))
		}
		for _, d := range client.Crossings(g.Replica()) {
			v.Crossings = append(v.Crossings, l.crossing(g, d))
		}
		for _, c := range claims(g, motions) {
			v.Claims = append(v.Claims, ui.Claim{Motion: c.id.String(), Who: l.name(c.by), Was: l.name(c.was), Why: c.motion.Why, Mine: c.by == l.me})
		}
		for _, q := range l.w.Players() {
			switch {
			case q.Standing == rules.StandingPlayer && q.ID != l.me:
				v.Seats = append(v.Seats, l.person(q.ID))
			case q.Standing != rules.StandingPlayer && q.Key != "":
				v.Newcomers = append(v.Newcomers, l.person(q.ID))
			}
		}
		return v, nil
	})
}

// motion shows a motion in words.
func (l *lens) motion(g *game.Game, m game.Motion) ui.Motion {
	v := ui.Motion{ID: m.ID.String(), Why: m.Why, By: l.name(m.CalledBy), At: m.CalledAt, DoneAt: m.DoneAt, Needed: m.Needed(), Status: string(m.Status),
		Mine: slices.Contains(m.Assents, l.me)}
	if m.Refused != nil {
		v.Problem = fullReason(m.Refused)
	}
	for _, id := range m.Assents {
		v.Assents = append(v.Assents, l.name(id))
	}
	for _, id := range m.Active {
		if !slices.Contains(m.Assents, id) {
			v.Missing = append(v.Missing, l.name(id))
		}
	}
	switch m.Kind {
	case ledger.MotionRepair:
		v.Kind, v.Title = "repair", "A repair of the rules"
		list := m.Amendments()
		for _, a := range list {
			v.Changes = append(v.Changes, l.amendment(a, v.Status))
		}
		if m.Status != game.MotionOpen {
			break
		}
		if refused := g.TryRepair(list); refused != nil {
			v.Problem = fullReason(refused)
		}
	case ledger.MotionNotary:
		c, _ := m.Notary() // it was decoded before
		v.Kind, v.Title, v.Relay = "relay", "Another relay: "+c.Relay, c.Relay
		base, _ := g.Replica().Seal(m.Base)
		v.Waits, v.Begun = m.Status == game.MotionOpen && len(m.Assents) >= m.Needed(), m.Begun
		v.TooMuch = m.TooMuch
		v.Since, v.Loses = base.Time, g.Replica().PlacedAfter(m.Base)
	case ledger.MotionSeat:
		c, _ := m.Seat() // it was decoded before
		v.Kind, v.From, v.To = "seat", l.nameOf(g, c.From), l.nameOf(g, c.To)
		v.Title = "The seat of " + v.From + " goes to the new key of " + v.To
		if m.Status == game.MotionDone {
			v.Title = v.To + " has the seat again, under a new key"
		}
	}
	return v
}

// crossing shows one in words.
func (l *lens) crossing(g *game.Game, d client.Crossing) ui.Crossing {
	base, _ := g.Replica().Seal(d.Motion.Base)
	v := ui.Crossing{First: d.First.String(), Relay: d.Change.Relay, Why: d.Motion.Why, State: d.State, Active: d.Active, At: base.Time, Loses: d.Loses}
	for _, id := range d.Assents {
		v.Assents = append(v.Assents, l.nameOf(g, id))
	}
	return v
}

// nameOf names the person of an identity.
func (l *lens) nameOf(g *game.Game, id ledger.IdentityKey) string {
	if person := g.PersonOf(id); person != 0 {
		return l.name(person)
	}
	return "somebody who has not come in yet (" + ledger.Fingerprint(id.String()) + ")"
}

// claim is a motion by somebody without a seat, for their own: a question to the players, who
// alone can sign.
type claim struct {
	id      ledger.MotionID
	motion  ledger.Motion
	by, was int64
}

func claims(g *game.Game, motions []game.Motion) []claim {
	_, id, _ := g.Replica().Genesis()
	var out []claim
	for _, e := range g.Entries() {
		if e.Kind != ledger.KindConvention || e.Outcome == nil || e.Outcome.Refused == nil || e.Player == 0 || g.World().Plays(e.Player) {
			continue
		}
		v, ok := g.Replica().Action(e.Action)
		if !ok {
			continue
		}
		b, err := ledger.DecodeBallot(id, v.Action().Body)
		if err != nil || b.Motion == nil || b.Verb != ledger.VerbAssent || b.Motion.Kind != ledger.MotionSeat {
			continue
		}
		seat, _ := b.Motion.Seat() // it was decoded before
		c := claim{id: b.ID, motion: *b.Motion, by: e.Player, was: g.PersonOf(seat.From)}
		called := slices.ContainsFunc(motions, func(m game.Motion) bool { return m.ID == b.ID })
		if g.PersonOf(seat.To) == e.Player && c.was != 0 && !called {
			out = slices.DeleteFunc(out, func(o claim) bool { return o.by == c.by }) // the last word counts
			out = append(out, c)
		}
	}
	return out
}

func (p *play) Convene(ctx context.Context, c ui.Call) error {
	if p.at > 0 {
		return errPast
	}
	switch c.Kind {
	case "relay":
		_, err := p.s.MoveTo(ctx, c.Relay, c.Why)
		return err
	case "seat":
		var seat ledger.SeatChange
		err := p.look(ctx, func(g *game.Game, l *lens) error {
			var err error
			if seat.From, err = keyOf(l.w, c.From); err == nil {
				seat.To, err = keyOf(l.w, c.To)
			}
			return err
		})
		if err != nil {
			return err
		}
		_, err = p.s.Convene(ctx, c.Why, seat)
		return err
	}
	_, err := p.s.Convene(ctx, c.Why, c.Amendments)
	return err
}

// keyOf returns the identity of a person.
func keyOf(w *rules.World, person int64) (ledger.IdentityKey, error) {
	for _, q := range w.Players() {
		if q.ID == person {
			return ledger.ParseIdentityKey(q.Key)
		}
	}
	return ledger.IdentityKey{}, errors.New("there is no such person")
}

func (p *play) Ballot(ctx context.Context, motion string, assent bool) error {
	if p.at > 0 {
		return errPast
	}
	var id ledger.MotionID
	var claimed *ledger.Motion
	err := p.look(ctx, func(g *game.Game, _ *lens) error {
		motions := g.Motions()
		for _, m := range motions {
			if m.ID.String() == motion {
				id = m.ID
				return nil
			}
		}
		for _, c := range claims(g, motions) {
			if c.id.String() == motion {
				claimed = &c.motion
				return nil
			}
		}
		return ui.ErrNone
	})
	if err != nil {
		return err
	}
	if claimed != nil {
		_, err = p.s.Sign(ctx, *claimed)
		return err
	}
	verb := ledger.VerbWithdraw
	if assent {
		verb = ledger.VerbAssent
	}
	return p.s.Ballot(ctx, id, verb)
}

// summons says which convention waits for this person's signature, or nothing.
func (l *lens) summons(g *game.Game) *ui.Summons {
	if l.past {
		return nil
	}
	for _, p := range g.Replica().Pending() {
		return &ui.Summons{Text: "Others go on with this game at another relay, " + p.Change.Relay + ". Going along would give up what has its place here."}
	}
	if !l.w.Plays(l.me) {
		return nil
	}
	motions := g.Motions()
	for _, m := range motions {
		if m.Status == game.MotionOpen && !slices.Contains(m.Assents, l.me) && (m.Kind != ledger.MotionNotary || len(m.Assents) < m.Needed()) {
			return &ui.Summons{Text: l.name(m.CalledBy) + " calls a convention: " + l.motion(g, m).Title + "."}
		}
	}
	for _, c := range claims(g, motions) {
		return &ui.Summons{Text: l.name(c.by) + " says: I was " + l.name(c.was) + ", and I have lost my key."}
	}
	return nil
}

func (p *play) Decide(ctx context.Context, first string, agreed bool) error {
	if p.at > 0 {
		return errPast
	}
	var seal wire.SealHash
	err := p.look(ctx, func(g *game.Game, _ *lens) error {
		for _, d := range client.Crossings(g.Replica()) {
			if d.First.String() == first {
				seal = d.First
				return nil
			}
		}
		return errors.New("the game does not go on there")
	})
	if err != nil {
		return err
	}
	return p.s.Decide(ctx, seal, agreed)
}

func (p *play) Fork(ctx context.Context, title string, after int) (string, error) {
	id, err := p.h.hub.Fork(ctx, p.s, after, title, p.h.relay)
	if errors.Is(err, client.ErrOffline) {
		err = ui.ErrNoRelay
	}
	return id.String(), err
}

// notaryOf names the notary in force.
func notaryOf(g *game.Game) string {
	key, _ := g.Replica().Notary()
	return key.String()
}
