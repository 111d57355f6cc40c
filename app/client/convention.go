package client

import (
	"context"
	"crypto/rand"
	"errors"

	"peernomic/app/client/room"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file signs conventions: changes outside the rules, by more than two thirds of the active
// players (engine/ledger/SPEC.md, section 12).

// Convene calls a convention and assents to it.
func (s *Session) Convene(ctx context.Context, why string, amendments []any) (ledger.MotionID, error) {
	var nonce [16]byte
	rand.Read(nonce[:])
	m, id, err := ledger.NewMotion(s.gameID, nonce, why, amendments)
	if err != nil {
		return id, err
	}
	return s.Sign(ctx, m)
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
	_, err = s.writeBody(ctx, ledger.KindConvention, body)
	return id, err
}

// Ballot assents to a motion that is called, or withdraws.
func (s *Session) Ballot(ctx context.Context, id ledger.MotionID, verb ledger.Verb) error {
	var b ledger.Ballot
	var err error
	doErr := s.Do(ctx, func(g *game.Game) { b, err = room.BallotOn(g, id, verb) })
	if err = errors.Join(doErr, err); err != nil {
		return err
	}
	body, err := ledger.EncodeBallot(b)
	if err != nil {
		return err
	}
	_, err = s.writeBody(ctx, ledger.KindConvention, body)
	return err
}
