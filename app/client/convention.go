package client

import (
	"context"
	"errors"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file signs conventions: changes outside the rules, by more than two thirds of the active
// players (engine/ledger/SPEC.md, section 12).

// errNoSeal reports a convention in a game that nobody has sealed yet.
var errNoSeal = errors.New("no seal has ordered the game's beginning yet, or not all that it names is here")

// Convene calls a convention and assents to it: for amendments ([]any) or a [ledger.SeatChange].
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
	if g.Replica().OrderedSeals() < base.Number {
		return ledger.Motion{}, errNoSeal
	}
	_, id, _ := g.Replica().Genesis()
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
		return ledger.Ballot{Verb: verb, ID: id}, nil
	}
	return ledger.Ballot{}, errors.New("nobody has called this convention")
}
