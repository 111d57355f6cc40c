package live

import (
	"context"
	"strconv"
	"strings"

	"peernomic/engine/rules"
)

const (
	visitPause = int64(30 * 60_000) // a game that was left alone so long is visited anew
	visitBeat  = int64(60_000)      // how often a visit that goes on is noted
)

// visited notes that somebody looks at the game, now by its clock, and keeps when they did
// so last before this visit.
func (p *play) visited(ctx context.Context, now int64) {
	if p.at > 0 || now-p.seen < visitBeat {
		return
	}
	key := "visit of " + p.s.Room().String()
	text, err := p.h.hub.Setting(ctx, key)
	if err != nil {
		return // the marks of what is new are not worth a failure
	}
	before, after, _ := strings.Cut(text, " ")
	since, _ := strconv.ParseInt(before, 10, 64) // nothing is kept at first
	last, _ := strconv.ParseInt(after, 10, 64)
	since, last = visit(since, last, now)
	p.since, p.seen = since, last
	_ = p.h.hub.SetSetting(ctx, key, itoa(since)+" "+itoa(last))
}

// visit takes when the visit before the last one ended and when somebody last looked, and
// gives the same as of now. To who comes for the first time nothing is new: since is 0.
func visit(since, last, now int64) (int64, int64) {
	if now-last > visitPause {
		since = last
	}
	return since, now
}

// cell is a place in a table.
type cell struct {
	table  string
	row    int64
	column string // empty for the whole row
}

// fresh is what others, and the clock, have changed since a time.
func (l *lens) fresh(since int64) map[cell]bool {
	found := map[cell]bool{}
	log := l.w.Log()
	for i := len(log) - 1; i >= 0 && log[i].Time > since; i-- {
		if e := log[i]; e.Refused == nil && (e.Player != l.me || e.Kind != rules.EntryAct) {
			mark(found, e.Changes)
		}
	}
	return found
}

// unplaced is what tentative actions have changed.
func (l *lens) unplaced() map[cell]bool {
	found := map[cell]bool{}
	for _, e := range tail(l.all) {
		if e.Outcome != nil {
			mark(found, e.Outcome.Changes)
		}
	}
	return found
}

func mark(found map[cell]bool, changes []rules.Change) {
	for _, c := range changes {
		found[cell{c.Table, c.Row, c.Column}] = true
	}
}

// has says whether a cell, or the row it is in, is among them.
func has(found map[cell]bool, table string, row int64, column string) bool {
	return found[cell{table, row, column}] || found[cell{table, row, ""}]
}
