package live

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

func (p *play) Convention(ctx context.Context) (*view.Convention, error) {
	return see(ctx, p, func(g *game.Game, _ *lens) (*view.Convention, error) {
		l := p.lensNow(g)
		v := &view.Convention{Player: l.w.Plays(l.me)}
		if days := p.s.Net().DaysAhead; days > 0 {
			v.Clock = clockAhead(days) + " Whoever does anything at all, even what the rules refuse, counts again from then on. What was decided meanwhile stands in this game; " +
				"move the game from the moment before to leave it out."
		}
		motions := g.Motions()
		open, over := sorted(motions)
		v.Hidden = max(0, len(open)-motionsShown)
		for _, m := range append(open[:len(open)-v.Hidden], over...) {
			v.Motions = append(v.Motions, l.motion(g, m))
		}
		for _, c := range p.claims(g, l, motions) {
			v.Claims = append(v.Claims, view.Claim{Motion: c.id.String(), Who: l.name(c.by), Was: l.name(c.was), Why: c.motion.Why, At: c.at, Mine: c.by == l.me, Doubtful: l.doubtful(c)})
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
func (l *lens) motion(g *game.Game, m game.Motion) view.Motion {
	v := view.Motion{ID: m.ID.String(), Title: l.motionTitle(g, m), Why: m.Why, By: l.name(m.CalledBy), At: m.CalledAt, DoneAt: m.DoneAt, Needed: m.Needed(), Status: string(m.Status),
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
	if _, ok := m.Seat(); ok {
		v.Kind = "seat"
		return v
	}
	v.Kind = "repair"
	list := m.Amendments()
	for _, a := range list {
		v.Changes = append(v.Changes, l.amendment(a, v.Status))
	}
	if m.Status != game.MotionOpen {
		return v
	}
	if refused := g.TryRepair(list); refused != nil {
		v.Problem = fullReason(refused)
	}
	return v
}

// motionTitle says in brief what a motion would do.
func (l *lens) motionTitle(g *game.Game, m game.Motion) string {
	if c, ok := m.Seat(); ok {
		if m.Status == game.MotionDone {
			return l.nameOf(g, c.To) + " has the seat again, under a new key"
		}
		return "The seat of " + l.nameOf(g, c.From) + " goes to the new key of " + l.nameOf(g, c.To)
	}
	return "A repair of the rules"
}

// nameOf names the person of an identity.
func (l *lens) nameOf(g *game.Game, id ledger.IdentityKey) string {
	if person := g.PersonOf(id); person != 0 {
		return l.name(person)
	}
	return "somebody who has not come in yet (" + ledger.Fingerprint(id.String()) + ")"
}

// motionsShown is how many open motions are shown: to try out each costs time, and one player can call any number.
const motionsShown = 12

// sorted parts the motions that are open from those that are over. Of those that are open the ones with the most signatures
// come first; among equals the last that each person called, before what they called earlier, so that nobody can push
// away what somebody else calls.
func sorted(motions []game.Motion) (open, over []game.Motion) {
	later := map[ledger.MotionID]int{} // how many more the same person called after it
	count := map[int64]int{}
	for _, m := range slices.Backward(motions) {
		if m.Status != game.MotionOpen {
			over = append(over, m)
			continue
		}
		later[m.ID] = count[m.CalledBy]
		count[m.CalledBy]++
		open = append(open, m)
	}
	slices.Reverse(over)
	slices.SortStableFunc(open, func(a, b game.Motion) int {
		return cmp.Or(cmp.Compare(len(b.Assents), len(a.Assents)), cmp.Compare(later[a.ID], later[b.ID]))
	})
	return open, over
}

// asks returns the first motion that waits for a player's signature, or nil. Nothing waits if every signature was taken back.
func asks(motions []game.Motion, player int64) *game.Motion {
	open, _ := sorted(motions)
	for _, m := range open {
		signed := len(m.Assents)
		if signed > 0 && !slices.Contains(m.Assents, player) {
			return &m
		}
	}
	return nil
}

// claim is a motion by somebody without a seat, for their own: a question to the players, who
// alone can sign.
type claim struct {
	id      ledger.MotionID
	motion  ledger.Motion
	seat    game.SeatChange
	by, was int64
	at      int64 // Unix ms
}

// claims are what people without a seat say; the last word of each counts.
func (p *play) claims(g *game.Game, l *lens, motions []game.Motion) []claim {
	called := map[ledger.MotionID]bool{}
	for _, m := range motions {
		called[m.ID] = true
	}
	var out []claim
	last := map[int64]int{}
	for _, e := range g.Entries() {
		if e.Kind != ledger.KindConvention || e.Outcome == nil || e.Outcome.Refused == nil || e.Player == 0 || l.w.Plays(e.Player) {
			continue
		}
		read, known := p.said[e.Action]
		if !known {
			if p.said == nil {
				p.said = map[ledger.ActionID]*claim{}
			}
			read = claimOf(g, e.Action)
			p.said[e.Action] = read
		}
		if read == nil || called[read.id] || l.holder(read.seat.To) != e.Player || l.holder(read.seat.From) == 0 {
			continue
		}
		c := *read
		c.by, c.was, c.at = e.Player, l.holder(c.seat.From), e.Time
		i, again := last[c.by]
		if !again {
			i = len(out)
			last[c.by], out = i, append(out, c)
		}
		out[i] = c
	}
	return out
}

// claimOf reads a ballot that was refused, which costs time: whoever has the invite can send any number of them. It
// returns nil if the ballot claims no seat.
func claimOf(g *game.Game, action ledger.ActionID) *claim {
	v, ok := g.Replica().Action(action)
	if !ok {
		return nil
	}
	b, err := ledger.DecodeBallot(g.Replica().Game(), v.Action().Body)
	if err != nil || b.Motion == nil || b.Verb != ledger.VerbAssent {
		return nil
	}
	seat, ok := game.SeatOf(*b.Motion)
	if !ok {
		return nil
	}
	return &claim{id: b.ID, motion: *b.Motion, seat: seat}
}

// doubtful reports whether whose seat somebody claims has acted since: then either the key is not lost, or it is stolen.
func (l *lens) doubtful(c claim) bool {
	l.meet()
	return l.players[c.was].Acted > c.at
}

func (p *play) Convene(ctx context.Context, c view.Call) error {
	if p.at > 0 {
		return errPast
	}
	if c.Kind == "seat" {
		var seat game.SeatChange
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
		_, err = p.s.Convene(ctx, c.Why, seat.Amendments())
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
	err := p.look(ctx, func(g *game.Game, l *lens) error {
		motions := g.Motions()
		for _, m := range motions {
			if m.ID.String() == motion {
				id = m.ID
				return nil
			}
		}
		for _, c := range p.claims(g, l, motions) {
			if c.id.String() == motion {
				claimed = &c.motion
				return nil
			}
		}
		return view.ErrNone
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

// calls says which convention waits for this person's signature, or nothing.
func (p *play) calls(g *game.Game, l *lens) []view.Summons {
	motions := g.Motions()
	if !l.w.Plays(l.me) {
		for _, m := range motions {
			if c, ok := m.Seat(); ok && m.Status == game.MotionDone && c.From == p.h.hub.Identity().Key() {
				return toConvention("A convention has given your seat to another key, of " + l.nameOf(g, c.To) + ". If that was not you, tell the others.")
			}
		}
		return nil
	}
	if m := asks(motions, l.me); m != nil {
		return toConvention(l.name(m.CalledBy) + " calls a convention: " + l.motionTitle(g, *m) + ".")
	}
	for _, c := range p.claims(g, l, motions) {
		if !l.doubtful(c) {
			return toConvention(l.name(c.by) + " says: I was " + l.name(c.was) + ", and I have lost my key.")
		}
	}
	return nil
}

func toConvention(text string) []view.Summons {
	return []view.Summons{{Text: text, Page: "convention", Go: "Read and decide"}}
}

// notaryOf names the notary.
func notaryOf(g *game.Game) string {
	genesis, _ := g.Replica().Genesis()
	return genesis.Notary.String()
}
