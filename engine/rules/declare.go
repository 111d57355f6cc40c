package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// declarations is everything that the rules in force declare. It is made anew
// whenever a rule changes, and never changes afterwards.
type declarations struct {
	modules    map[int64]starlark.StringDict // by rule id
	tables     map[string]*tableDecl
	tableOrder []string
	actions    []*actionDecl
	measures   map[string]*measureDecl
	gates      []hook
	events     map[string][]hook
	changes    map[string][]hook // by "table.column"
	handlers   map[string]hook
	matters    map[string]hook // by category
	categories []*categoryDecl
	icons      []*iconDecl
	dice       map[string][]string // dice words; "DICE" has none of its own
	pages      []*pageDecl
	lives      map[string]hook
	keywords   []*keywordDecl
	options    []*optionDecl
}

// hook is a function of a rule.
type hook struct {
	fn   starlark.Callable
	rule string
}

type actionDecl struct {
	name, title, group, help, dice, form string
	rule                                 string
	run                                  starlark.Callable
	who                                  starlark.Value // "player", "anyone" or a function
	guard                                starlark.Callable
	params                               []*paramDecl
	every                                *cadence
}

type paramDecl struct {
	name, label, help string
	typ               *typeValue
	initial           starlark.Value // value, function or nil
	choices           starlark.Callable
	optional          bool
}

type measureDecl struct {
	name, help string
	rule       string
	run, check starlark.Callable
	params     []*paramDecl
}

type categoryDecl struct {
	name, title string
	official    bool
	icons       []string
	rule        string
}

type iconDecl struct{ name, glyph, title, rule string }

type pageDecl struct {
	name, title string
	hook
}

type keywordDecl struct{ key, one, many, rule string }

type optionDecl struct{ name, help, initial, rule string }

func newDeclarations() *declarations {
	d := &declarations{
		modules:  map[int64]starlark.StringDict{},
		tables:   map[string]*tableDecl{},
		measures: map[string]*measureDecl{},
		events:   map[string][]hook{},
		changes:  map[string][]hook{},
		handlers: map[string]hook{},
		matters:  map[string]hook{},
		dice:     map[string][]string{},
		lives:    map[string]hook{},
	}
	for _, t := range kernelTables() {
		d.tables[t.name] = t
		d.tableOrder = append(d.tableOrder, t.name)
	}
	return d
}

func (d *declarations) action(name string) *actionDecl {
	for _, a := range d.actions {
		if a.name == name {
			return a
		}
	}
	return nil
}

// declareBuiltins are the functions that rules call while they load.
var declareBuiltins = []builtin{
	{"column", `column(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that every player has. illegal says what happens to a number out of range: "refuse" the action, or "clamp" it. edit lets players change it by hand in the tracker.`, declareColumn},
	{"field", `field(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a column of a table, for table().`, makeField},
	{"table", `table(name, columns, title="", one="", label=None, show=True, edit=False): a table of things. label(row) names a row for people; edit lets players edit every column by hand.`, declareTable},
	{"variable", `variable(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that the game has, read as game.name.`, declareVariable},
	{"derived", `derived(table, name, fn, title=""): a column that fn(row) computes whenever it is read.`, declareDerived},
	{"action", `action(name, run, params=[], who="player", guard=None, every=None, group="", help="", dice="", form="", title=""): something people can do. run(me, **params) does it. who is "player", "anyone", or a function of me that returns None or why not; guard(me) returns None, a reason, or wait(reason, until).`, declareAction},
	{"param", `param(name, type, label="", choices=None, default=None, optional=False, help=""): what an action asks for. choices(me) returns the values, or pairs of value and label; default may be a value or a function of me.`, makeParam},
	{"measure", `measure(name, run, params=[], check=None, help=""): something that only an enacted proposal can do. check(**params) returns None or why not.`, declareMeasure},
	{"gate", `gate(fn): fn(me, action) is asked before every action, by its name, and returns None or why it is closed.`, declareGate},
	{"on", `on(event, fn): calls fn when something happens: "founded" (no argument), "joined" and "left" (the player), "post" (the post), "comment" (the comment), "amended" (no argument; rules were changed, and the new ones are in force).`, declareOn},
	{"on_change", `on_change("table.column", fn): calls fn(row, old, new) when a cell changes.`, declareOnChange},
	{"handler", `handler(name, fn): gives a function a name for schedule(); it is called as fn(args).`, declareHandler},
	{"matter", `matter(category, assess): posts of the category are voted on. assess(post) tells how it stands.`, declareMatter},
	{"category", `category(name, official=False, icons=[], title=""): a kind of post, and the icons that its comments may carry.`, declareCategory},
	{"icon", `icon(name, glyph="", title=""): a mark that a comment can carry.`, declareIcon},
	{"dice_word", `dice_word(word, faces=[]): a word that rolls when it stands in the comment of a tracker edit. "DICE" stands for DICEN and YDICEN.`, declareDiceWord},
	{"page", `page(name, show, title=""): a page whose text show() returns, as Markdown.`, declarePage},
	{"live", `live(name, fn): the text that fn() returns takes the place of {{name}} in every rule's prose.`, declareLive},
	{"keyword", `keyword(key, one, many): this game's word for a thing, for {{Key}} and {{Keys}} in prose and for word().`, declareKeyword},
	{"option", `option(name, default="", help=""): a choice of the founder's; read it with option_value(name).`, declareOption},
	{"daily", `daily(gap=0, share=""): once a day, and at least gap apart. Actions with one share have one allowance.`, makeCadence(periodDay)},
	{"weekly", `weekly(gap=0, share=""): once a week (Monday to Sunday), and at least gap apart.`, makeCadence(periodWeek)},
	{"per_day", `per_day(n, share=""): n times a day.`, makePerDay},
	{"once", `once(share=""): once in the game for each player.`, makeCadence(periodEver)},
}

// loading is the state of one load of the rules: which rule is being loaded.
type loading struct {
	w    *World
	decl *declarations
	rule string // title
}

const loadingKey = "peernomic loading"

// whileLoading returns the load that a declaration belongs to.
func whileLoading(t *starlark.Thread, b *starlark.Builtin) (*loading, error) {
	l, ok := t.Local(loadingKey).(*loading)
	if !ok {
		return nil, fmt.Errorf("%s: declarations stand at the top of a rule's script, not in a function that runs", b.Name())
	}
	return l, nil
}

func unpackColumn(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*column, error) {
	c := &column{}
	var typ starlark.Value
	var initial starlark.Value
	illegal, show := "refuse", true
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &c.name, "type", &typ, "default?", &initial, "title?", &c.title,
		"doc?", &c.doc, "illegal?", &illegal, "edit?", &c.edit, "show?", &show); err != nil {
		return nil, err
	}
	if err := checkName(c.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	t, ok := typ.(*typeValue)
	if !ok {
		return nil, fmt.Errorf("%s: the type of %s must be one such as integer() or text(), not %s", b.Name(), c.name, typ.Type())
	}
	c.typ, c.hidden = t, !show
	switch illegal {
	case "refuse":
	case "clamp":
		c.clamp = true
	default:
		return nil, fmt.Errorf(`%s: illegal must be "refuse" or "clamp", not %q`, b.Name(), illegal)
	}
	if c.title == "" {
		c.title = titleOf(c.name)
	}
	c.initial = t.typ.Zero()
	if initial != nil && initial != starlark.None {
		v, err := fromStarlark(initial)
		if err != nil {
			return nil, fmt.Errorf("%s: default of %s: %w", b.Name(), c.name, err)
		}
		if t.choices == nil {
			if v, err = t.typ.Check(v); err != nil {
				return nil, fmt.Errorf("%s: default of %s: %w", b.Name(), c.name, err)
			}
		}
		c.initial = v
	}
	return c, nil
}

func addColumn(l *loading, b *starlark.Builtin, table string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c, err := unpackColumn(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	t := l.decl.tables[table]
	if t.column(c.name) != nil || t.derivation(c.name) != nil || reservedNames[c.name] {
		return nil, fmt.Errorf("%s: there is a %s already", b.Name(), c.name)
	}
	c.rule = l.rule
	t.columns = append(t.columns, c)
	return starlark.None, nil
}

func declareColumn(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	return addColumn(l, b, tablePlayers, args, kwargs)
}

func declareVariable(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	return addColumn(l, b, tableGame, args, kwargs)
}

// fieldValue is what field() returns.
type fieldValue struct{ column }

func (f *fieldValue) String() string        { return f.name }
func (f *fieldValue) Type() string          { return "field" }
func (f *fieldValue) Freeze()               {}
func (f *fieldValue) Truth() starlark.Bool  { return true }
func (f *fieldValue) Hash() (uint32, error) { return 0, fmt.Errorf("a field cannot be a key") }

func makeField(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c, err := unpackColumn(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return &fieldValue{*c}, nil
}

func declareTable(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	d := &tableDecl{rule: l.rule}
	var columns starlark.Iterable
	show, edit := true, false
	var label starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &d.name, "columns", &columns, "title?", &d.title, "one?", &d.one, "label?", &label, "show?", &show, "edit?", &edit); err != nil {
		return nil, err
	}
	if err := checkName(d.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	if l.decl.tables[d.name] != nil {
		return nil, fmt.Errorf("%s: there is a table %s already", b.Name(), d.name)
	}
	if d.label, err = optionalFunction(b, "label", label); err != nil {
		return nil, err
	}
	for e := range starlark.Elements(columns) {
		f, ok := e.(*fieldValue)
		if !ok {
			return nil, fmt.Errorf("%s: columns must be made with field(), not %s", b.Name(), e.Type())
		}
		if d.column(f.name) != nil || reservedNames[f.name] {
			return nil, fmt.Errorf("%s: there is a column %s already", b.Name(), f.name)
		}
		c := f.column
		c.rule, c.edit = l.rule, c.edit || edit
		d.columns = append(d.columns, &c)
	}
	if d.title == "" {
		d.title = titleOf(d.name)
	}
	if d.one == "" {
		d.one = strings.TrimSuffix(d.title, "s")
	}
	d.hidden = !show
	l.decl.tables[d.name] = d
	l.decl.tableOrder = append(l.decl.tableOrder, d.name)
	return starlark.None, nil
}

func declareDerived(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var table string
	d := &derivation{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "table", &table, "name", &d.name, "fn", &d.fn, "title?", &d.title); err != nil {
		return nil, err
	}
	if err := checkName(d.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	on := l.decl.tables[table]
	if on == nil {
		return nil, fmt.Errorf("%s: there is no table %s (rules load in their order; use load() to have another rule first)", b.Name(), table)
	}
	if on.column(d.name) != nil || on.derivation(d.name) != nil || reservedNames[d.name] {
		return nil, fmt.Errorf("%s: %s has a column %s already", b.Name(), table, d.name)
	}
	if d.title == "" {
		d.title = titleOf(d.name)
	}
	on.derived = append(on.derived, d)
	return starlark.None, nil
}

// paramValue is what param() returns.
type paramValue struct{ paramDecl }

func (p *paramValue) String() string        { return p.name }
func (p *paramValue) Type() string          { return "param" }
func (p *paramValue) Freeze()               {}
func (p *paramValue) Truth() starlark.Bool  { return true }
func (p *paramValue) Hash() (uint32, error) { return 0, fmt.Errorf("a param cannot be a key") }

func makeParam(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	p := &paramValue{}
	var typ, choices, initial starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &p.name, "type", &typ, "label?", &p.label, "choices?", &choices,
		"default?", &initial, "optional?", &p.optional, "help?", &p.help); err != nil {
		return nil, err
	}
	if err := checkName(p.name); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	var ok bool
	if p.typ, ok = typ.(*typeValue); !ok {
		return nil, fmt.Errorf("%s: the type of %s must be one such as integer() or text(), not %s", b.Name(), p.name, typ.Type())
	}
	var err error
	if p.choices, err = optionalFunction(b, "choices", choices); err != nil {
		return nil, err
	}
	if initial != nil && initial != starlark.None {
		p.initial = initial
	}
	if p.label == "" {
		p.label = titleOf(p.name)
	}
	return p, nil
}

func unpackParams(b *starlark.Builtin, list starlark.Iterable) ([]*paramDecl, error) {
	var params []*paramDecl
	if list == nil {
		return nil, nil
	}
	for e := range starlark.Elements(list) {
		p, ok := e.(*paramValue)
		if !ok {
			return nil, fmt.Errorf("%s: params must be made with param(), not %s", b.Name(), e.Type())
		}
		if slices.ContainsFunc(params, func(q *paramDecl) bool { return q.name == p.name }) {
			return nil, fmt.Errorf("%s: there are two params %s", b.Name(), p.name)
		}
		params = append(params, &p.paramDecl)
	}
	return params, nil
}

func declareAction(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	a := &actionDecl{rule: l.rule, who: starlark.String("player")}
	var params starlark.Iterable
	var guard, every starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &a.name, "run", &a.run, "params?", &params, "who?", &a.who, "guard?", &guard,
		"every?", &every, "group?", &a.group, "help?", &a.help, "dice?", &a.dice, "form?", &a.form, "title?", &a.title); err != nil {
		return nil, err
	}
	if a.name == "" || len(a.name) > MaxTitle {
		return nil, fmt.Errorf("%s: a name is needed, of at most %d bytes", b.Name(), MaxTitle)
	}
	if l.decl.action(a.name) != nil {
		return nil, fmt.Errorf("%s: there is an action %q already", b.Name(), a.name)
	}
	if a.params, err = unpackParams(b, params); err != nil {
		return nil, err
	}
	if a.guard, err = optionalFunction(b, "guard", guard); err != nil {
		return nil, err
	}
	switch who := a.who.(type) {
	case starlark.String:
		if who != "player" && who != "anyone" {
			return nil, fmt.Errorf(`%s: who must be "player", "anyone" or a function, not %s`, b.Name(), who)
		}
	case starlark.Callable:
	default:
		return nil, fmt.Errorf(`%s: who must be "player", "anyone" or a function, not %s`, b.Name(), who.Type())
	}
	if every != nil && every != starlark.None {
		c, ok := every.(*cadence)
		if !ok {
			return nil, fmt.Errorf("%s: every must be daily(), weekly(), per_day() or once(), not %s", b.Name(), every.Type())
		}
		own := *c
		if own.share == "" {
			own.share = a.name
		}
		a.every = &own
	}
	if a.title == "" {
		a.title = a.name
	}
	l.decl.actions = append(l.decl.actions, a)
	return starlark.None, nil
}

func declareMeasure(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	m := &measureDecl{rule: l.rule}
	var params starlark.Iterable
	var check starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &m.name, "run", &m.run, "params?", &params, "check?", &check, "help?", &m.help); err != nil {
		return nil, err
	}
	if l.decl.measures[m.name] != nil {
		return nil, fmt.Errorf("%s: there is a measure %q already", b.Name(), m.name)
	}
	if m.params, err = unpackParams(b, params); err != nil {
		return nil, err
	}
	if m.check, err = optionalFunction(b, "check", check); err != nil {
		return nil, err
	}
	l.decl.measures[m.name] = m
	return starlark.None, nil
}

func declareGate(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	h := hook{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "fn", &h.fn); err != nil {
		return nil, err
	}
	l.decl.gates = append(l.decl.gates, h)
	return starlark.None, nil
}

// eventNames are the events that rules can listen to.
var eventNames = []string{"founded", "joined", "left", "post", "comment", "amended"}

func declareOn(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var event string
	h := hook{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "event", &event, "fn", &h.fn); err != nil {
		return nil, err
	}
	if !slices.Contains(eventNames, event) {
		return nil, fmt.Errorf("%s: there is no event %q; there are %s", b.Name(), event, strings.Join(eventNames, ", "))
	}
	l.decl.events[event] = append(l.decl.events[event], h)
	return starlark.None, nil
}

func declareOnChange(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var cell string
	h := hook{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "cell", &cell, "fn", &h.fn); err != nil {
		return nil, err
	}
	table, name, ok := strings.Cut(cell, ".")
	if on := l.decl.tables[table]; !ok || on == nil || on.column(name) == nil {
		return nil, fmt.Errorf(`%s: there is no column %q (write "table.column"; use load() to have the rule that declares it first)`, b.Name(), cell)
	}
	l.decl.changes[cell] = append(l.decl.changes[cell], h)
	return starlark.None, nil
}

// declareNamed adds a hook to one of the maps of named hooks.
func declareNamed(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, what, fn string, to func(*declarations) map[string]hook) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var name string
	h := hook{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, what, &name, fn, &h.fn); err != nil {
		return nil, err
	}
	m := to(l.decl)
	if _, taken := m[name]; taken {
		return nil, fmt.Errorf("%s: there is one for %q already", b.Name(), name)
	}
	m[name] = h
	return starlark.None, nil
}

func declareHandler(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareNamed(t, b, args, kwargs, "name", "fn", func(d *declarations) map[string]hook { return d.handlers })
}

func declareMatter(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareNamed(t, b, args, kwargs, "category", "assess", func(d *declarations) map[string]hook { return d.matters })
}

func declareLive(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareNamed(t, b, args, kwargs, "name", "fn", func(d *declarations) map[string]hook { return d.lives })
}

func declareCategory(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	c := &categoryDecl{rule: l.rule}
	var icons starlark.Iterable
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &c.name, "official?", &c.official, "icons?", &icons, "title?", &c.title); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(l.decl.categories, func(o *categoryDecl) bool { return o.name == c.name }) {
		return nil, fmt.Errorf("%s: there is a category %q already", b.Name(), c.name)
	}
	if icons != nil {
		if c.icons, err = toTexts(icons); err != nil {
			return nil, fmt.Errorf("%s: icons: %w", b.Name(), err)
		}
	}
	if c.title == "" {
		c.title = c.name
	}
	l.decl.categories = append(l.decl.categories, c)
	return starlark.None, nil
}

func declareIcon(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	i := &iconDecl{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &i.name, "glyph?", &i.glyph, "title?", &i.title); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(l.decl.icons, func(o *iconDecl) bool { return o.name == i.name }) {
		return nil, fmt.Errorf("%s: there is an icon %q already", b.Name(), i.name)
	}
	if i.title == "" {
		i.title = i.name
	}
	l.decl.icons = append(l.decl.icons, i)
	return starlark.None, nil
}

func declareDiceWord(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var word string
	var faces starlark.Iterable
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "word", &word, "faces?", &faces); err != nil {
		return nil, err
	}
	var texts []string
	if faces != nil {
		if texts, err = toTexts(faces); err != nil {
			return nil, fmt.Errorf("%s: faces: %w", b.Name(), err)
		}
	}
	if word != diceWord && len(texts) == 0 {
		return nil, fmt.Errorf("%s: %s needs faces", b.Name(), word)
	}
	l.decl.dice[word] = texts
	return starlark.None, nil
}

func declarePage(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	p := &pageDecl{hook: hook{rule: l.rule}}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &p.name, "show", &p.fn, "title?", &p.title); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(l.decl.pages, func(o *pageDecl) bool { return o.name == p.name }) {
		return nil, fmt.Errorf("%s: there is a page %q already", b.Name(), p.name)
	}
	if p.title == "" {
		p.title = titleOf(p.name)
	}
	l.decl.pages = append(l.decl.pages, p)
	return starlark.None, nil
}

func declareKeyword(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	k := &keywordDecl{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "key", &k.key, "one", &k.one, "many?", &k.many); err != nil {
		return nil, err
	}
	if k.many == "" {
		k.many = k.one + "s"
	}
	if slices.ContainsFunc(l.decl.keywords, func(o *keywordDecl) bool { return o.key == k.key }) {
		return nil, fmt.Errorf("%s: there is a keyword %q already", b.Name(), k.key)
	}
	l.decl.keywords = append(l.decl.keywords, k)
	return starlark.None, nil
}

func declareOption(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	o := &optionDecl{rule: l.rule}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &o.name, "default?", &o.initial, "help?", &o.help); err != nil {
		return nil, err
	}
	l.decl.options = append(l.decl.options, o)
	return starlark.None, nil
}

// reservedNames cannot be columns, because every row has them.
var reservedNames = map[string]bool{"id": true, "table": true}

func checkName(name string) error {
	if name == "" || len(name) > MaxTitle {
		return fmt.Errorf("a name of 1 to %d letters is needed", MaxTitle)
	}
	for i, r := range name {
		if r == '_' || r >= 'a' && r <= 'z' || i > 0 && r >= '0' && r <= '9' {
			continue
		}
		return fmt.Errorf("the name %q may have small letters, digits and _ only; titles are free", name)
	}
	return nil
}

// titleOf makes a title of a name: "spare_parts" becomes "Spare parts".
func titleOf(name string) string {
	s := strings.ReplaceAll(name, "_", " ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func optionalFunction(b *starlark.Builtin, name string, v starlark.Value) (starlark.Callable, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	fn, ok := v.(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("%s: %s must be a function, not %s", b.Name(), name, v.Type())
	}
	return fn, nil
}
