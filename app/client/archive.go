package client

import (
	"context"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// This file reads a game that somebody has exported, in short turns beside the page. The verdict is the one of
// [ledger.ReadArchive] and [game.VerifySeams].

// ReadGame reads an archive and carries every action of all chapters out again, from the beginning. It returns the
// chapters, oldest first. The error of an archive that is not good is a [*ledger.ArchiveError], and that of one whose
// chapters do not fit is of [game.Game.CheckSeam]. Progress is told in parts of 1,000; it may be nil.
func ReadGame(ctx context.Context, file []byte, tell Progress) ([]*game.Game, error) {
	const read, played = 600, 1000 // of 1,000: about what each takes
	part := func(from, to int) Progress {
		return func(done, total int) {
			if tell != nil {
				tell(from+(to-from)*done/max(1, total), played)
			}
		}
	}
	replicas, err := readReplicas(ctx, file, part(0, read))
	if err != nil {
		return nil, err
	}
	total, before := 0, 0 // actions in all chapters, and in those that are carried out
	for _, r := range replicas {
		total += len(r.Placed())
	}
	t := newTurns(ctx, part(read, played))
	var chapters []*game.Game
	for _, r := range replicas {
		g := game.FromReplica(r)
		for done, last := 0, -1; done > last; {
			last = done
			done, _ = g.CatchUp(replayStep)
			if err := t.next(before+done, total); err != nil {
				return nil, err
			}
		}
		_, _, now := r.LastSeal()
		g.Advance(now)
		before += len(r.Placed())
		chapters = append(chapters, g)
	}
	return chapters, game.VerifySeams(replicas)
}

// readReplicas is the part of [ReadGame] that carries nothing out.
func readReplicas(ctx context.Context, file []byte, tell Progress) ([]*ledger.Replica, error) {
	t := newTurns(ctx, tell)
	a := ledger.NewArchiveReader(file)
	for {
		over, err := a.Step()
		switch {
		case err != nil:
			return nil, err
		case over:
			return a.Chapters(), nil
		}
		if err := t.next(a.Progress()); err != nil {
			return nil, err
		}
	}
}

// ownTurns is work of its own that is done in turns, until its context ends.
type ownTurns struct {
	turns *turns
	ctx   context.Context
	tell  Progress
}

func newTurns(ctx context.Context, tell Progress) ownTurns {
	var c Config
	c.setDefaults()
	return ownTurns{turns: c.turns(), ctx: ctx, tell: tell}
}

// next ends a turn that has lasted long enough. It fails when the context has ended.
func (t ownTurns) next(done, total int) error {
	if t.turns.pause() {
		t.tell(done, total)
	}
	return t.ctx.Err()
}
