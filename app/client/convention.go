package client

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file signs conventions: changes outside the rules, by more than two thirds of the active
// players (engine/ledger/SPEC.md, section 12).

// errNoSeal reports a convention in a game that nobody has sealed yet.
var errNoSeal = errors.New("no seal has ordered the game's beginning yet, or not all that it names is here")

// Convene calls a convention and assents to it: for amendments ([]any), a [ledger.SeatChange] or, by
// [Session.MoveTo], another notary.
func (s *Session) Convene(ctx context.Context, why string, content any) (ledger.MotionID, error) {
	var m ledger.Motion
	var err error
	doErr := s.Do(ctx, func(g *game.Game) { m, err = motionNow(g, why, content) })
	if err = errors.Join(doErr, err); err != nil {
		return ledger.MotionID{}, err
	}
	return s.Sign(ctx, m)
}

// motionNow makes a motion with the newest seal as its base.
func motionNow(g *game.Game, why string, content any) (ledger.Motion, error) {
	base, ok := g.Replica().Seal(g.Replica().Seals())
	if !ok {
		return ledger.Motion{}, errNoSeal
	}
	return motionFrom(g, base, why, content)
}

// motionFrom makes a motion with a linked seal as its base.
func motionFrom(g *game.Game, base wire.SignedSeal, why string, content any) (ledger.Motion, error) {
	r := g.Replica()
	_, id, _ := r.Genesis()
	if mine, ok := r.Seal(base.Number); !ok || mine.Hash != base.Hash || r.OrderedSeals() < base.Number {
		return ledger.Motion{}, errNoSeal
	}
	round := uint64(1)
	for _, m := range g.Motions() {
		if m.BaseHash == base.Hash {
			round = max(round, m.Round+1)
		}
	}
	return ledger.MotionFor(id, base, round, why, content)
}

// Sign assents to a motion, and calls the convention if nobody has.
func (s *Session) Sign(ctx context.Context, m ledger.Motion) (ledger.MotionID, error) {
	_, id, err := m.Encode()
	if err != nil {
		return id, err
	}
	body, err := ledger.EncodeBallot(ledger.Ballot{Verb: ledger.VerbAssent, Motion: &m})
	if err != nil {
		return id, err
	}
	_, err = s.write(ctx, ledger.KindConvention, body)
	return id, err
}

// Ballot assents to a motion that is called, or withdraws.
func (s *Session) Ballot(ctx context.Context, id ledger.MotionID, verb ledger.Verb) error {
	var b ledger.Ballot
	var err error
	doErr := s.Do(ctx, func(g *game.Game) { b, err = ballotOn(g, id, verb) })
	if err = errors.Join(doErr, err); err != nil {
		return err
	}
	body, err := ledger.EncodeBallot(b)
	if err != nil {
		return err
	}
	_, err = s.write(ctx, ledger.KindConvention, body)
	return err
}

// ballotOn makes a ballot on a motion that is called.
func ballotOn(g *game.Game, id ledger.MotionID, verb ledger.Verb) (ledger.Ballot, error) {
	for _, m := range g.Motions() {
		if m.ID != id {
			continue
		}
		b := ledger.Ballot{Verb: verb, ID: id}
		if m.Kind == ledger.MotionNotary && verb == ledger.VerbAssent {
			b.Motion = &m.Motion
		}
		return b, nil
	}
	return ledger.Ballot{}, errors.New("nobody has called this convention")
}

// Departure is from where another relay could go on with a game.
type Departure struct {
	Name  string // what [Session.MoveTo] is told: FromNewest, or the base's number
	Base  wire.SignedSeal
	Again int // actions that have a place behind the base: it is taken back, and the new relay gives them another
	// TooMuch is set if more has come behind the base than the new relay's first seal can name: it cannot go on from there.
	TooMuch bool
}

// FromNewest names the departure from the newest seal that this device holds. Nothing is taken back, and who
// follows another order of a relay's that has signed two cannot come along.
const FromNewest = "newest"

var errDeparture = errors.New("another relay cannot go on from there, or cannot any more: look again from where it can")

// Departures returns from where another relay could go on with a game if a convention were called now, what is proposed first: where
// the relay has signed two orders, the last seal that both have, so that everybody can come along, and otherwise the newest. The last seals
// that both orders of relays from before have come after those, for who could not come along then; and what has TooMuch behind it
// comes last. The error says that there is no such place.
func Departures(g *game.Game) ([]Departure, error) {
	r := g.Replica()
	var out, tooMuch []Departure
	add := func(number uint64) {
		placed := r.Placed()
		if r.OrderedSeals() < number || len(placed) == 0 || placed[0].Seal > number {
			return
		}
		d := Departure{Name: FromNewest}
		d.Base, _ = r.Seal(number)
		if number < r.Seals() {
			envelopes := 0
			d.Name = strconv.FormatUint(number, 10)
			d.Again, envelopes = r.Behind(number)
			d.TooMuch = envelopes+len(r.Feeds()) > wire.MaxSealEnvelopes // everybody may still sign
		}
		if d.TooMuch {
			tooMuch = append(tooMuch, d)
		} else {
			out = append(out, d)
		}
	}
	if shared, _ := r.Undisputed(); shared < r.Seals() {
		add(shared)
	}
	add(r.Seals())
	if len(out) == 0 {
		return nil, errNoSeal // the ones from before are never proposed
	}
	for _, number := range r.Left() {
		add(number)
	}
	return append(out, tooMuch...), nil
}

// departureFrom returns the departure with a name, or the one that is proposed.
func departureFrom(g *game.Game, name string) (Departure, error) {
	list, err := Departures(g)
	if err != nil {
		return Departure{}, err
	}
	for _, d := range list {
		if (d.Name == name || name == "") && !d.TooMuch {
			return d, nil
		}
	}
	return Departure{}, errDeparture
}

// MoveTo calls a convention to let another relay go on from one of the [Departures], by its name; without a name, from the
// proposed one. The relay is given the game's history up to there first.
func (s *Session) MoveTo(ctx context.Context, address, why, name string) (ledger.MotionID, error) {
	url, err := RelayURL(address)
	if err != nil {
		return ledger.MotionID{}, err
	}
	var from Departure
	doErr := s.Do(ctx, func(g *game.Game) { from, err = departureFrom(g, name) })
	if err = errors.Join(doErr, err); err != nil {
		return ledger.MotionID{}, err
	}
	notary, err := s.prepareHeir(ctx, url, from.Base.Number)
	if err != nil {
		return ledger.MotionID{}, fmt.Errorf("prepare the relay: %w", err)
	}
	var m ledger.Motion
	doErr = s.Do(ctx, func(g *game.Game) { m, err = motionFrom(g, from.Base, why, notary) })
	if err = errors.Join(doErr, err); err != nil {
		return ledger.MotionID{}, err
	}
	return s.Sign(ctx, m)
}

// carriesNotary reports whether a ballot assents to another notary.
func (s *Session) carriesNotary(body []byte) bool {
	_, game, _ := s.machine.Replica().Genesis()
	b, err := ledger.DecodeBallot(game, body)
	return err == nil && b.Motion != nil && b.Motion.Kind == ledger.MotionNotary
}
