package rules

import (
	"fmt"
	"math/big"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// boardBuiltins make what cards and boards show. They read and change nothing.
var boardBuiltins = sandbox.Builtins{
	{"face", `face(title, subtitle="", owner=None, swatch="", glyph="", text="", stats={}, meters=[], parts=[], href=None): what a card shows. swatch is a color, "#rrggbb" or an English name; glyph a letter or sign; stats a dict of titles and values, or a dict of such dicts, one for each group, by its heading; meters a list of meter(); parts stand below; href is a row whose board the card opens (its own, if nothing else is said).`, makeFace},
	{"meter", `meter(title, value, max, min=0, low=0): a value as a bar from min to max; what is at low or below is marked as a danger. The value may have a point, the others are whole numbers; a value beyond the ends is written as it is, and the bar is full or empty.`, makeMeter},
	{"place", `place(parts, title="", shape="stack", until=None): parts together. A part is a row (drawn by the card of its table), a text (Markdown), a face(), meter(), thread(), deeds(), or another place. shape is "stack" (one below the other), "row" (side by side), "grid" (as many side by side as fit) or "ladder" (numbered from the top). until is a time that the title counts down to.`, makePlace},
	{"thread", `thread(post, title=""): the comments on a post, newest first, with the dice of the actions that made them.`, makeThread},
	{"deeds", `deeds(actions, title="", fixed={}): actions, by their names, to be done right there, each with what it would do and the odds; fixed are arguments that are given and not asked for. Those that are closed say why; names of no action are left out.`, makeDeeds},
	{"due", `due(title, text="", until=None, on=None, holds=False): something that waits for somebody, for waits(): what it is, more about it, until when, and where it is done: a row that has a board, or the name of a board. The others are told of what has a time, and of what holds the game up.`, makeDue},
}

// part is a piece of a card or board. It is never changed once it is made.
type part struct {
	kind    PartKind
	title   string
	until   int64
	shape   string
	parts   []starlark.Value
	card    *CardView
	meter   *MeterView
	row     *row // a card's href, or a thread's post
	actions []string
	fixed   map[string]any
}

func (p *part) String() string        { return string(p.kind) }
func (p *part) Type() string          { return "part" }
func (p *part) Freeze()               {}
func (p *part) Truth() starlark.Bool  { return true }
func (p *part) Hash() (uint32, error) { return 0, fmt.Errorf("a part cannot be a key") }

func makeFace(call *sandbox.Invocation) (starlark.Value, error) {
	p := &part{kind: PartCard}
	c := &CardView{}
	var stats *starlark.Dict
	var meters, parts starlark.Iterable
	var owner, href *row
	if err := call.Unpack("title", &c.Title, "subtitle?", &c.Subtitle, "owner??", &owner, "swatch?", &c.Swatch, "glyph?", &c.Glyph,
		"text?", &c.Text, "stats?", &stats, "meters?", &meters, "parts?", &parts, "href??", &href); err != nil {
		return nil, err
	}
	if owner != nil {
		if owner.table != tablePlayers {
			return nil, call.Wrong("the owner is a player, not one of the %s", owner.table)
		}
		c.Owner = owner.id
	}
	if len(c.Title) > MaxLabel || len(c.Subtitle) > MaxLabel || len(c.Swatch) > MaxLabel || len(c.Glyph) > MaxGlyph {
		return nil, call.Wrong("title, subtitle and swatch may have %d bytes, a glyph %d", MaxLabel, MaxGlyph)
	}
	var err error
	if c.Stats, err = statGroups(stats); err != nil {
		return nil, call.Wrong("stats: %w", err)
	}
	if meters != nil {
		for e := range starlark.Elements(meters) {
			m, ok := e.(*part)
			if !ok || m.kind != PartMeter || len(c.Meters) == MaxStats {
				return nil, call.Wrong("meters is a list of at most %d meter()", MaxStats)
			}
			c.Meters = append(c.Meters, *m.meter)
		}
	}
	if p.parts, err = partsOf(call, parts); err != nil {
		return nil, err
	}
	p.card, p.row = c, href
	return p, nil
}

// statGroups reads a dict of titles and values, or of such dicts by their headings.
func statGroups(stats *starlark.Dict) ([]StatGroup, error) {
	if stats == nil {
		return nil, nil
	}
	total := 0
	group := func(title string, d *starlark.Dict) (StatGroup, error) {
		g := StatGroup{Title: title}
		for _, item := range d.Items() {
			name, ok := starlark.AsString(item[0])
			if total++; !ok || len(name) > MaxLabel || total > MaxStats {
				return g, fmt.Errorf("there may be %d of them, with titles of %d bytes", MaxStats, MaxLabel)
			}
			v, err := statValue(item[1])
			if err != nil {
				return g, err
			}
			g.Stats = append(g.Stats, Stat{Title: name, Value: v})
		}
		return g, nil
	}
	grouped := stats.Len() > 0
	for _, item := range stats.Items() {
		_, ok := item[1].(*starlark.Dict)
		grouped = grouped && ok
	}
	if !grouped {
		g, err := group("", stats)
		return []StatGroup{g}, err
	}
	var out []StatGroup
	for _, item := range stats.Items() {
		title, _ := starlark.AsString(item[0])
		g, err := group(title, item[1].(*starlark.Dict))
		if err != nil {
			return nil, err
		}
		if len(title) > MaxLabel {
			return nil, fmt.Errorf("a heading may have %d bytes", MaxLabel)
		}
		out = append(out, g)
	}
	return out, nil
}

// statValue writes a value of a stat for people.
func statValue(v starlark.Value) (string, error) {
	text := ""
	switch v := v.(type) {
	case starlark.NoneType:
	case starlark.Bool:
		text = "no"
		if v {
			text = "yes"
		}
	case starlark.Int:
		text = convert.ShortInt(v)
	case starlark.String:
		text = convert.Mend(string(v))
	case *row:
		text = v.String()
	default:
		plain, err := convert.Plain(v)
		if err != nil {
			return "", err
		}
		if _, ok := plain.(state.Fraction); !ok {
			return "", fmt.Errorf("a %s is no value of a stat", v.Type())
		}
		text = v.String()
	}
	if len(text) > MaxLabel {
		return "", fmt.Errorf("a value may have %d bytes", MaxLabel)
	}
	return text, nil
}

func makeMeter(call *sandbox.Invocation) (starlark.Value, error) {
	m := &MeterView{}
	var value starlark.Value
	if err := call.Unpack("title", &m.Title, "value", &value, "max", &m.Max, "min?", &m.Min, "low?", &m.Low); err != nil {
		return nil, err
	}
	if len(m.Title) > MaxLabel {
		return nil, call.Wrong("the title may have %d bytes", MaxLabel)
	}
	if m.Max <= m.Min {
		return nil, call.Wrong("max must be more than min")
	}
	var err error
	if d, ok := value.(sandbox.Decimal); ok {
		// What is behind the point only moves the bar by its thousandths.
		parts := new(big.Int).Mul(d.Rat().Num(), big.NewInt(1000))
		whole, rest := new(big.Int).DivMod(parts.Div(parts, d.Rat().Denom()), big.NewInt(1000), new(big.Int))
		if !whole.IsInt64() {
			return nil, call.Wrong("the value is too large")
		}
		m.Value, m.Rest, m.Exact = whole.Int64(), rest.Int64(), d.String()
	} else if m.Value, err = convert.Int64(value); err != nil {
		return nil, call.Wrong("%w", err)
	}
	return &part{kind: PartMeter, meter: m}, nil
}

// shapes are the ways in which parts can stand together.
var shapes = []string{"stack", "row", "grid", "ladder"}

func makePlace(call *sandbox.Invocation) (starlark.Value, error) {
	p := &part{kind: PartPlace, shape: "stack"}
	var parts starlark.Iterable
	var until starlark.Value = starlark.None
	if err := call.Unpack("parts", &parts, "title?", &p.title, "shape?", &p.shape, "until?", &until); err != nil {
		return nil, err
	}
	if !slices.Contains(shapes, p.shape) {
		return nil, call.Wrong("there is no shape %q; there are %s", p.shape, "stack, row, grid, ladder")
	}
	if len(p.title) > MaxLabel {
		return nil, call.Wrong("the title may have %d bytes", MaxLabel)
	}
	var err error
	if until != starlark.None {
		if p.until, err = convert.Int64(until); err != nil {
			return nil, call.Wrong("until: %w", err)
		}
	}
	p.parts, err = partsOf(call, parts)
	return p, err
}

// partsOf reads a list of parts. What it returns does not change with the list.
func partsOf(call *sandbox.Invocation, list starlark.Iterable) ([]starlark.Value, error) {
	if list == nil {
		return nil, nil
	}
	var out []starlark.Value
	for e := range starlark.Elements(list) {
		switch e.(type) {
		case *row, starlark.String, *part:
		default:
			return nil, call.Wrong("a part is a row, a text, a face(), meter(), place(), thread() or deeds(), not %s", e.Type())
		}
		if len(out) == MaxParts {
			return nil, call.Wrong("there may be %d parts", MaxParts)
		}
		out = append(out, e)
	}
	return out, nil
}

func makeThread(call *sandbox.Invocation) (starlark.Value, error) {
	p := &part{kind: PartThread}
	if err := call.Unpack("post", &p.row, "title?", &p.title); err != nil {
		return nil, err
	}
	if p.row.table != tablePosts || len(p.title) > MaxLabel {
		return nil, call.Wrong("a post is needed, and a title of at most %d bytes", MaxLabel)
	}
	return p, nil
}

func makeDeeds(call *sandbox.Invocation) (starlark.Value, error) {
	p := &part{kind: PartDeeds}
	var actions starlark.Iterable
	fixed := starlark.NewDict(0)
	if err := call.Unpack("actions", &actions, "title?", &p.title, "fixed?", &fixed); err != nil {
		return nil, err
	}
	var err error
	if p.actions, err = convert.Texts(actions); err != nil || len(p.actions) > MaxParts || len(p.title) > MaxLabel {
		return nil, call.Wrong("at most %d names of actions are needed, and a title of at most %d bytes", MaxParts, MaxLabel)
	}
	v, err := convert.Plain(fixed)
	if err != nil {
		return nil, call.Wrong("fixed: %w", err)
	}
	p.fixed = v.(map[string]any)
	return p, nil
}
