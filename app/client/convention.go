package client

import (
	"context"
	"errors"
	"fmt"

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

// Departure is from where another relay would go on with a game.
type Departure struct {
	Base  wire.SignedSeal
	Again int // actions that have a place behind the base: it is taken back, and the new relay gives them another
	// TwoOrders is set if the relay has signed two orders of the game. Then the base is the last seal that both have, so
	// that everybody can follow; or, if TooMuch has come since to be named by one seal, the newest of the order that
	// this device goes by.
	TwoOrders, TooMuch bool
}

// DepartureOf returns from where another relay would go on with a game if a convention were called now. The error
// says that there is no such place.
func DepartureOf(g *game.Game) (Departure, error) {
	r := g.Replica()
	number, _ := r.Undisputed()
	d := Departure{TwoOrders: number < r.Seals()}
	if d.TwoOrders {
		actions, envelopes := r.Behind(number)
		d.Again, d.TooMuch = actions, envelopes+len(r.Feeds()) > wire.MaxSealEnvelopes // everybody may still sign
	}
	if d.TooMuch {
		number, d.Again = r.Seals(), 0
	}
	placed := r.Placed()
	if r.OrderedSeals() < number || len(placed) == 0 || placed[0].Seal > number {
		return d, errNoSeal
	}
	d.Base, _ = r.Seal(number)
	return d, nil
}

// MoveTo calls a convention to let another relay go on from the newest seal, or from the last one that everybody has. The
// relay is given the game's history first.
func (s *Session) MoveTo(ctx context.Context, address, why string) (ledger.MotionID, error) {
	url, err := RelayURL(address)
	if err != nil {
		return ledger.MotionID{}, err
	}
	var from Departure
	doErr := s.Do(ctx, func(g *game.Game) { from, err = DepartureOf(g) })
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
