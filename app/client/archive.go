package client

import (
	"context"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file reads a game that somebody has exported, beside the page: in short turns, and with its
// signatures judged in batches by package judge. The verdict is the one of [game.ReadArchive], whatever
// the archive holds.

// reading is one archive while it is read.
type reading struct {
	file  []byte
	judge func(context.Context, []wire.Claim) ([]bool, error)
	tell  Progress
	good  map[[32]byte]bool // judged: whether the signature holds
	turns *turns
}

// ReadGame reads an archive and carries every action out again, all from the beginning. The error of an archive
// that is not good is a [*ledger.ArchiveError]. Progress is told in parts of 1,000; it may be nil.
func ReadGame(ctx context.Context, file []byte, tell Progress) (*game.Game, error) {
	const read, judged, played = 200, 600, 1000 // of 1,000: about what each takes
	part := func(from, to int) Progress {
		return func(done, total int) {
			if tell != nil {
				tell(from+(to-from)*done/max(1, total), played)
			}
		}
	}
	r := newReading(file)
	replica, err := r.replica(ctx, part(0, read), part(read, judged))
	if err != nil {
		return nil, err
	}
	g := game.FromReplica(replica)
	r.tell = part(judged, played)
	for done, before := 0, -1; done > before; {
		var total int
		before = done
		done, total = g.CatchUp(replayStep)
		if err := r.pause(ctx, done, total); err != nil {
			return nil, err
		}
	}
	_, _, now := replica.LastSeal()
	g.Advance(now)
	return g, nil
}

// readReplica is the part of [ReadGame] that carries nothing out.
func readReplica(ctx context.Context, file []byte) (*ledger.Replica, error) {
	nobody := func(int, int) {}
	r := newReading(file)
	return r.replica(ctx, nobody, nobody)
}

func newReading(file []byte) reading {
	var c Config
	c.setDefaults()
	return reading{file: file, judge: c.judge, good: map[[32]byte]bool{}, turns: c.turns()}
}

func (r *reading) replica(ctx context.Context, read, judged Progress) (*ledger.Replica, error) {
	for { // each time with one more bad signature known, or for the last time
		a := game.NewArchiveReader(r.file, func(h [32]byte) bool {
			good, known := r.good[h]
			return good || !known
		})
		r.tell = read
		wrong := r.read(ctx, a)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.tell = judged
		switch bad, err := r.settle(ctx, a); {
		case err != nil:
			return nil, err
		case bad:
			continue // read again, with what is bad judged where it stands
		case wrong != nil:
			return nil, wrong
		default:
			return a.Replica(), nil
		}
	}
}

// read takes all steps of a reader.
func (r *reading) read(ctx context.Context, a *ledger.ArchiveReader) error {
	for {
		over, err := a.Step()
		if err != nil || over {
			return err
		}
		done, total := a.Progress()
		if err := r.pause(ctx, done, total); err != nil {
			return err
		}
	}
}

// settle judges what was read on credit, and reports whether any of it is bad.
func (r *reading) settle(ctx context.Context, a *ledger.ArchiveReader) (bad bool, err error) {
	if a.Replica() == nil {
		return false, nil
	}
	var owed []ledger.Owed
	for _, o := range a.Replica().Owed() {
		if !r.good[key(o)] {
			owed = append(owed, o)
		}
	}
	for done := 0; done < len(owed); {
		some := owed[done:min(done+checkBatch, len(owed))]
		claims := make([]wire.Claim, len(some))
		for i, o := range some {
			if claims[i], err = o.Claim(); err != nil {
				return false, err // the reader has parsed it
			}
		}
		verdicts, err := r.judge(ctx, claims)
		if err != nil {
			return false, err
		}
		for i, o := range some {
			r.good[key(o)] = verdicts[i]
			bad = bad || !verdicts[i]
		}
		done += len(some)
		if err := r.pause(ctx, done, len(owed)); err != nil {
			return false, err
		}
	}
	return bad, nil
}

// pause ends a turn that has lasted long enough.
func (r *reading) pause(ctx context.Context, done, total int) error {
	if r.turns.pause() {
		r.tell(done, total)
	}
	return ctx.Err()
}
