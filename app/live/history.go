package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// errPast reports that nothing can be done in the past.
var errPast = errors.New("you are looking at the past")

// goTo replays the game up to a moment. Only what has its place for good has moments.
func (p *play) goTo(ctx context.Context, at int) error {
	err := p.look(ctx, func(g *game.Game, _ *lens) error {
		if placed := done(g.Entries()); at > placed {
			return fmt.Errorf("the game has only %s so far", plural(placed, "action", "actions"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.past, err = p.s.At(ctx, at)
	p.at = at
	return err
}

// done counts the actions that have happened for good.
func done(all []game.Entry) int { return len(all) - len(tail(all)) }

// moment tells which moment is looked at, nil for now.
func (p *play) moment(g *game.Game, l *lens) *view.Moment {
	if !l.past {
		return nil
	}
	line := p.lensNow(g).historyLine(p.at, g.Entries()[p.at-1])
	return &view.Moment{At: p.at, Of: done(g.Entries()), Line: line}
}

func (p *play) History(ctx context.Context) (*view.History, error) {
	return see(ctx, p, func(g *game.Game, _ *lens) (*view.History, error) {
		l, placed := p.lensNow(g), done(g.Entries())
		v := &view.History{At: cmp.Or(p.at, placed)}
		for i, e := range g.Entries()[:placed] {
			v.Lines = append(v.Lines, l.historyLine(i+1, e))
		}
		for _, t := range l.tables(false) {
			t.Rows = nil
			t.Columns = slices.DeleteFunc(t.Columns, func(c view.Column) bool { return c.Derived || c.Kind != string(state.Integer) })
			if len(t.Columns) > 0 {
				v.Tables = append(v.Tables, t)
			}
		}
		return v, nil
	})
}

// historyLine is one action in one line.
func (l *lens) historyLine(n int, e game.Entry) view.HistoryLine {
	v := view.HistoryLine{N: n, Time: e.Time, Who: l.name(e.Player), Rolls: rollChips(e)}
	switch o := e.Outcome; {
	case e.Void != nil:
		v.What, v.Refused = "something that does not count", true
	case e.Kind == ledger.KindGenesis:
		v.What = "founded the game"
	case e.Kind == ledger.KindConvention && o == nil:
		v.What = "signed or withdrew in a convention"
	case e.Kind == ledger.KindMove:
		v.What = "announced a move to another room"
	case o == nil:
		v.What = "came with another device"
	default:
		v.Who = l.doer(o.Entry)
		entry := l.logEntry(o.Entry, map[string]rules.ActionView{})
		v.What, v.About, v.Refused, v.Changes = cmp.Or(l.title(o.Action), entry.Action), entry.About, o.Refused != nil, len(entry.Changes)
	}
	return v
}

func (p *play) Plot(ctx context.Context, table, column string) (*view.Plot, error) {
	return see(ctx, p, func(g *game.Game, _ *lens) (*view.Plot, error) { return p.lensNow(g).plot(table, column) })
}

// plot follows a column of whole numbers through the log: from what each row held before
// its first change, or holds now if there was none.
func (l *lens) plot(table, column string) (*view.Plot, error) {
	c, ok := l.column(table, column)
	if !ok || c.Derived {
		return nil, view.ErrNone
	}
	log := l.w.Log()
	if len(log) == 0 {
		return &view.Plot{}, nil
	}
	v := &view.Plot{Title: cmp.Or(c.Title, c.Name), From: log[0].Time, To: l.now}
	at := map[int64]int{} // of a row in v.Lines
	born := map[int64]int64{}
	point := func(row, time int64, value state.Value) {
		n, _ := value.(int64)
		line := &v.Lines[at[row]]
		line.Points = append(line.Points, view.PlotPoint{Time: time, Value: n})
	}
	line := func(row int64, label string) bool {
		if _, known := at[row]; known {
			return false
		}
		at[row] = len(v.Lines)
		v.Lines = append(v.Lines, view.PlotLine{Label: label})
		return true
	}
	for _, e := range log {
		for _, x := range e.Changes {
			switch {
			case x.Table != table || e.Refused != nil:
			case x.Op == rules.ChangeCreate:
				born[x.Row] = e.Time
			case x.Op == rules.ChangeSet && x.Column == column:
				if line(x.Row, x.Label) {
					point(x.Row, cmp.Or(born[x.Row], v.From), x.Old)
				}
				point(x.Row, e.Time, x.New)
			}
		}
	}
	for _, row := range l.w.Rows(table) {
		if table == playersTable && l.standing(row) != rules.StandingPlayer {
			continue
		}
		if value, _ := l.w.Cell(table, row, column); line(row, "") {
			point(row, cmp.Or(born[row], v.From), value)
		}
		v.Lines[at[row]].Label = l.w.Label(table, row)
	}
	return v, nil
}
