package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

func (p *play) Board(ctx context.Context, name string, gallery bool) (*view.Board, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.Board, error) { return l.board(name, gallery, p.path) })
}

// boardLinks are the boards and the galleries of cards that the rules make.
func (l *lens) boardLinks(path func(string, ...string) string) []view.BoardLink {
	var out []view.BoardLink
	shown := map[string]bool{}
	for _, b := range l.w.Boards() {
		out = append(out, view.BoardLink{Title: b.Title, Href: path("boards", b.Name), Many: b.Of != ""})
		shown[b.Of] = true
	}
	for _, g := range l.w.Galleries() {
		if !shown[g.Table] { // a board of its rows shows the same cards
			out = append(out, view.BoardLink{Title: g.Title, Href: path("cards", g.Table), Many: true})
		}
	}
	return out
}

// board draws a board, by its name and maybe a row, or all cards of a table.
func (l *lens) board(name string, gallery bool, path func(string, ...string) string) (*view.Board, error) {
	v := &view.Board{Under: "Pages", UnderHref: path("pages")}
	d := &boardDrawer{l: l, path: path}
	if gallery {
		g, ok := l.w.Gallery(name)
		if !ok {
			return nil, view.ErrNone
		}
		v.Title, v.Rule, v.Problem = g.Title, g.Rule, g.Problem
		v.Parts = d.grid(g.Cards)
		return v, nil
	}
	name, row, _ := strings.Cut(name, "/")
	id, err := strconv.ParseInt(row, 10, 64)
	if row != "" && err != nil {
		return nil, view.ErrNone
	}
	b, ok := l.w.Board(name, id, l.me)
	if !ok {
		return nil, view.ErrNone
	}
	v.Title, v.Rule, v.Problem = b.Title, b.Rule, b.Problem
	if b.Of != "" && id != 0 {
		for _, o := range l.w.Boards() {
			if o.Name == b.Name {
				v.Under, v.UnderHref = o.Title, path("boards", o.Name)
			}
		}
	}
	if b.Of != "" && id == 0 {
		v.Parts = d.grid(b.Parts)
	} else {
		v.Parts = d.parts(b.Parts)
	}
	v.Decisions = l.decisions()
	return v, nil
}

// boardDrawer turns parts into what pages draw.
type boardDrawer struct {
	l    *lens
	path func(string, ...string) string
}

func (d *boardDrawer) grid(parts []rules.PartView) []view.Part {
	if len(parts) == 0 {
		return nil
	}
	return []view.Part{{Kind: "place", Shape: "grid", Parts: d.parts(parts)}}
}

func (d *boardDrawer) parts(list []rules.PartView) []view.Part {
	var out []view.Part
	for _, p := range list {
		q := view.Part{Kind: string(p.Kind), Title: p.Title, Text: p.Text, Shape: p.Shape, Until: p.Until, Parts: d.parts(p.Parts)}
		switch p.Kind {
		case rules.PartCard:
			q.Card = d.card(*p.Card)
		case rules.PartMeter:
			m := meterOf(*p.Meter)
			q.Meter = &m
		case rules.PartThread:
			q.Lines = d.l.thread(p.Post)
		case rules.PartDeeds:
			q.Deeds = d.l.deeds(p.Actions, p.Fixed)
		}
		out = append(out, q)
	}
	return out
}

func (d *boardDrawer) card(r rules.CardView) *view.Card {
	c := &view.Card{Title: r.Title, Subtitle: r.Subtitle, Swatch: r.Swatch, Glyph: r.Glyph, Text: r.Text, Parts: d.parts(r.Parts)}
	if r.Owner != 0 {
		c.Owner, c.Mine = d.l.name(r.Owner), r.Owner == d.l.me
	}
	if r.Board != "" {
		c.Href = d.path("boards", r.Board, itoa(r.BoardRow))
	}
	for _, g := range r.Stats {
		group := view.StatGroup{Title: g.Title}
		for _, s := range g.Stats {
			group.Stats = append(group.Stats, view.Stat(s))
		}
		c.Stats = append(c.Stats, group)
	}
	for _, m := range r.Meters {
		c.Meters = append(c.Meters, meterOf(m))
	}
	return c
}

func meterOf(m rules.MeterView) view.Meter {
	return view.Meter{Title: m.Title, Value: m.Value, Exact: m.Exact, Max: m.Max, Fill: m.Fill(), Low: m.Value <= m.Low && m.Rest == 0 || m.Value < m.Low}
}

// threadLimit is how many of the newest comments a thread shows.
const threadLimit = 200

// thread is what was said about a post, newest first, with the dice of what made it.
func (l *lens) thread(post int64) []view.ThreadLine {
	made := map[int64]game.Entry{} // by comment
	for _, e := range l.all {
		if e.Outcome == nil || e.Outcome.Refused != nil {
			continue
		}
		for _, c := range e.Outcome.Changes {
			if c.Op == rules.ChangeCreate && c.Table == commentsTable {
				made[c.Row] = e
			}
		}
	}
	var out []view.ThreadLine
	for _, p := range l.w.Posts() {
		if p.ID != post {
			continue
		}
		for i := len(p.Comments) - 1; i >= 0 && len(out) < threadLimit; i-- {
			c := p.Comments[i]
			line := view.ThreadLine{Who: l.name(c.Author), Text: c.Text, Time: c.Time, Tentative: l.mark(commentsTable, c.ID)}
			if e, ok := made[c.ID]; ok {
				line.Rolls = rollChips(e)
			}
			if line.Text == "" {
				line.Text = "*" + c.Icon + "*"
			}
			out = append(out, line)
		}
	}
	return out
}

// deeds are actions with some of their arguments given. Of those that no rule declares there are none.
func (l *lens) deeds(names []string, fixed map[string]any) []view.Deed {
	var out []view.Deed
	for _, name := range names {
		a, ok := l.action(name)
		if !ok {
			continue
		}
		d := view.Deed{Action: actionView(a), Fixed: map[string]any{}}
		for _, p := range a.Params {
			v, ok := fixed[p.Name]
			if !ok {
				continue
			}
			d.Fixed[p.Name] = v
			if p.Listed && !slices.ContainsFunc(p.Choices, func(c rules.Choice) bool { return state.Equal(c.Value, v) }) {
				d.Action.Open, d.Action.Reason = false, "this is not among what can be chosen now"
			}
		}
		if d.Action.Open {
			if lacks := nothingToChoose(withoutFixed(a, d.Fixed)); lacks != "" {
				d.Action.Open, d.Action.Reason = false, "there is nothing to choose for “"+lacks+"” now"
			}
		}
		out = append(out, d)
	}
	return out
}

// withoutFixed is an action as a form asks for it when some of it is given.
func withoutFixed(a rules.ActionView, fixed map[string]any) rules.ActionView {
	a.Params = slices.DeleteFunc(slices.Clone(a.Params), func(p rules.ParamView) bool { return fixed[p.Name] != nil })
	return a
}

func (p *play) Forecast(ctx context.Context, name string, fixed map[string]any) (*view.Forecast, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.Forecast, error) {
		a, ok := l.action(name)
		if !ok || a.Refused != nil {
			return &view.Forecast{None: "It is not open now."}, nil
		}
		args, ok := sample(a, fixed)
		if !ok {
			return &view.Forecast{None: "What it may do depends on what you say."}, nil
		}
		args, err := p.s.Prepare(g, name, args)
		var kept *rules.Refusal
		if errors.As(err, &kept) {
			return &view.Forecast{None: kept.Reason}, nil
		}
		if err != nil {
			return nil, err
		}
		out := g.Preview(l.me, name, args)
		switch {
		case out.Refused != nil:
			return &view.Forecast{None: "It would be refused: " + reason(out.Refused) + "."}, nil
		case out.Partial:
			return &view.Forecast{None: "The dice can fall in too many ways to go through."}, nil
		}
		return l.forecast(out.Outcomes), nil
	})
}

// span is how far a value may go.
type span struct {
	where    string
	old      int64
	lo, hi   int64
	mean     float64
	chance   float64 // that it changes at all
	switches bool    // it is no number: value is what it may become
	value    string
	made     *maybeMade // it is a row that may be made; nothing else is told of it then
}

// maybeMade is a row that an action may make, with its numbers in the order of their names.
type maybeMade struct {
	one, label string // label is empty if it differs from outcome to outcome
	numbers    map[string]*span
	order      []string
}

// forecast sums up outcomes: how far each number may go, and how likely everything else is.
func (l *lens) forecast(outcomes []game.PreviewOutcome) *view.Forecast {
	var spans []*span
	at := map[string]*span{}
	note := func(key string, make func() *span, chance float64, value int64) {
		s := at[key]
		if s == nil {
			s = make()
			s.lo, s.hi = value, value
			at[key] = s
			spans = append(spans, s)
		}
		s.lo, s.hi = min(s.lo, value), max(s.hi, value)
		s.chance += chance
		s.mean += chance * float64(value)
	}
	for _, o := range outcomes {
		if o.Refused != nil {
			continue
		}
		chance := float64(o.Numerator) / float64(o.Denominator)
		last := map[string]rules.Change{} // a cell may change more than once
		var order []string
		for _, c := range o.Changes {
			if c.Op == rules.ChangeCreate {
				if numbers := l.numbers(c); len(numbers) > 0 {
					key := c.Table + "+" + itoa(c.Row)
					note(key, func() *span {
						return &span{made: &maybeMade{one: l.titles[c.Table], label: c.Label, numbers: map[string]*span{}}}
					}, chance, 0)
					at[key].made.join(c.Label, numbers)
				}
			}
			if c.Op != rules.ChangeSet {
				continue
			}
			key := c.Table + "." + itoa(c.Row) + "." + c.Column
			if before, ok := last[key]; ok {
				c.Old = before.Old
			} else {
				order = append(order, key)
			}
			last[key] = c
		}
		for _, key := range order {
			c := last[key]
			col, known := l.column(c.Table, c.Column)
			if !known || state.Equal(c.Old, c.New) {
				continue
			}
			where := strings.TrimPrefix(c.Label+": "+col.Title, ": ")
			switch now := c.New.(type) {
			case int64:
				if col.Kind != state.Integer {
					continue
				}
				old, _ := c.Old.(int64)
				note(key, func() *span { return &span{where: where, old: old} }, chance, now)
			case bool, string:
				if col.Kind == state.Flag || col.Kind == state.Choice {
					text := l.text(col, now)
					note(key+"="+text, func() *span { return &span{where: where, switches: true, value: text} }, chance, 0)
				}
			}
		}
	}
	f := &view.Forecast{}
	for _, s := range spans {
		f.Lines = append(f.Lines, s.String())
	}
	if len(f.Lines) == 0 {
		f.None = "It changes no number at once."
	}
	return f
}

// numbers are those of a row that an action makes, by their titles.
func (l *lens) numbers(c rules.Change) map[string]int64 {
	out := map[string]int64{}
	values, _ := c.New.(map[string]any)
	for name, v := range values {
		col, known := l.column(c.Table, name)
		if n, ok := v.(int64); ok && known && col.Kind == state.Integer && n != 0 {
			out[col.Title] = n
		}
	}
	return out
}

// join takes in the row as one outcome has it.
func (m *maybeMade) join(label string, numbers map[string]int64) {
	if label != m.label {
		m.label = ""
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		n := numbers[name]
		if m.numbers[name] == nil {
			m.numbers[name] = &span{lo: n, hi: n}
			m.order = append(m.order, name)
		}
		s := m.numbers[name]
		s.lo, s.hi = min(s.lo, n), max(s.hi, n)
	}
}

// String leaves out numbers that the row's label says.
func (m *maybeMade) String() string {
	text := "New " + m.one
	var told []string
	if m.label != "" {
		told = append(told, m.label)
	}
	for _, name := range m.order {
		s := m.numbers[name]
		switch {
		case s.lo != s.hi:
			told = append(told, fmt.Sprintf("%s %d to %d", name, s.lo, s.hi))
		case !strings.Contains(m.label, itoa(s.lo)):
			told = append(told, fmt.Sprintf("%s %d", name, s.lo))
		}
	}
	return text + ": " + strings.Join(told, ", ")
}

func (s *span) String() string {
	if s.made != nil {
		text := s.made.String()
		if s.chance < 0.999 {
			text += ", in " + percent(s.chance)
		}
		return text
	}
	if s.switches {
		if s.chance > 0.999 {
			return s.where + ": " + s.value
		}
		return fmt.Sprintf("%s: %s in %s", s.where, s.value, percent(s.chance))
	}
	lo, hi, mean := s.lo, s.hi, s.mean
	if s.chance < 0.999 { // otherwise it stays
		lo, hi, mean = min(lo, s.old), max(hi, s.old), mean+(1-s.chance)*float64(s.old)
	}
	if lo == hi {
		return fmt.Sprintf("%s %d → %d", s.where, s.old, lo)
	}
	return fmt.Sprintf("%s %d → %d to %d, on average %s", s.where, s.old, lo, hi, strconv.FormatFloat(mean, 'f', 1, 64))
}

func percent(p float64) string {
	switch {
	case p < 0.01:
		return "less than 1%"
	case p > 0.99:
		return "more than 99%"
	}
	return strconv.FormatFloat(p*100, 'f', 0, 64) + "%"
}
