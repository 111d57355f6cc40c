package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
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
	cards      []*cardDecl
	boards     []*boardDecl
	lives      map[string]hook
	closings   map[string]hook // by the title of the rule above
	recognise  []hook          // what changes are taken for
	waits      []hook          // what waits for somebody
	keywords   []*keywordDecl
	options    []*optionDecl
	entities   []*entityDecl
	answers    map[string][]hook // by question
}

// origin is where something is declared.
type origin struct {
	rule string // title; empty for the kernel's own
	line int    // of the rule's document, from 1
}

// hook is a function of a rule.
type hook struct {
	fn starlark.Callable
	origin
}

type actionDecl struct {
	name, title, group, help, dice, form string
	origin
	run     starlark.Callable
	who     starlark.Value // "player", "anyone" or a function
	guard   starlark.Callable
	private starlark.Callable // asked on the acting device only; see World.Private
	// discreet tells, of me and the parameters, whether the log names nobody; nil if it always names who acts.
	discreet starlark.Callable
	params   []*paramDecl
	every    *cadence
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
	origin
	run, check starlark.Callable
	params     []*paramDecl
}

type categoryDecl struct {
	name, title string
	official    bool
	icons       []string
	origin
}

type iconDecl struct {
	name, glyph, title string
	origin
}

type pageDecl struct {
	name, title string
	hook
}

type keywordDecl struct {
	key, one, many string
	origin
}

type optionDecl struct {
	name, help, initial string
	origin
}

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
		closings: map[string]hook{},
		answers:  map[string][]hook{},
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
	{"column", `column(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that every player has. illegal says what happens to a number out of range: "refuse" the action, or "clamp" it. edit lets players change it by hand in the tracker. The values go with the column: if no rule in force declares it any more, one that is declared later begins with the default. A number that a narrower type does not take becomes the default, or with "clamp" the nearer bound.`, declareColumn},
	{"field", `field(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a column of a table, for table().`, makeField},
	{"table", `table(name, columns, title="", one="", label=None, show=True, edit=False): a table of things. label(row) names a row for people; edit lets players edit every column by hand.`, declareTable},
	{"variable", `variable(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that the game has, read as game.name.`, declareVariable},
	{"derived", `derived(table, name, fn, title=""): a column that fn(row) computes whenever it is read.`, declareDerived},
	{"action", `action(name, run, params=[], who="player", guard=None, every=None, group="", help="", dice="", form="", title="", private=None, discreet=None): something people can do. run(me, **params) does it. who is "player", "anyone", or a function of me that returns None or why not; guard(me) returns None, a reason, or wait(reason, until). private(me, read, **params) is asked before sending, on the device of whoever acts and nowhere else, with secrets as they were said, and returns None or why not; read(secret) is what a secret says, or None if the device cannot open it. An honest player is kept from a mistake so; that there was none shows when the secret is revealed. Where discreet(me, **params) is true, log and posts do not name who acts; a post has a writer for the rules, and no author. (Every action is signed with a device's key: who looks into the game's messages can find out.)`, declareAction},
	{"param", `param(name, type, label="", choices=None, default=None, optional=False, help=""): what an action asks for. choices(me) returns the values, or pairs of value and label; default may be a value or a function of me.`, makeParam},
	{"measure", `measure(name, run, params=[], check=None, help=""): something that only an enacted proposal can do. check(**params) returns None or why not.`, declareMeasure},
	{"gate", `gate(fn): fn(me, action) is asked before every action, by its name, and returns None or why it is closed.`, declareGate},
	{"on", `on(event, fn): calls fn when something happens: "founded" (no argument), "joined" and "left" (the player), "post" (the post), "comment" (the comment), "amended" (no argument; rules were changed, and the new ones are in force).`, declareOn},
	{"on_change", `on_change("table.column", fn): calls fn(row, old, new) when a cell changes.`, declareOnChange},
	{"handler", `handler(name, fn): gives a function a name for schedule() and call(); it is called as fn(args).`, declareHandler},
	{"matter", `matter(category, assess): posts of the category are voted on. assess(post) tells how it stands.`, declareMatter},
	{"recognise", `recognise(fn): fn(amendments) returns a list of texts: what the rules take changes for that somebody is drafting, and what follows from it. It is shown while they write.`, declareRecognise},
	{"category", `category(name, official=False, icons=[], title=""): a kind of post, and the icons that its comments may carry.`, declareCategory},
	{"icon", `icon(name, glyph="", title=""): a mark that a comment can carry.`, declareIcon},
	{"dice_word", `dice_word(word, faces=[]): a word that rolls when it stands in the comment of a tracker edit. "DICE" stands for DICEN and YDICEN.`, declareDiceWord},
	{"page", `page(name, show, title=""): a page whose text show() returns, as Markdown.`, declarePage},
	{"card", `card(table, draw, title=""): how the rows of a table look: draw(row) returns a face(). The app shows all of them on a page with that title, and each wherever a board has it.`, declareCard},
	{"board", `board(name, draw, of="", title=""): a page that draw(me) returns: a part, or a list of parts, see place(). me is who looks, or None if nobody does. With of="table" every row of that table has such a page, and draw(row, me) returns it; cards of these rows open it.`, declareBoard},
	{"waits", `waits(fn): fn(me) returns what waits for somebody, as a list of due(). The app puts it before them on the page Now, and tells the others whom the game waits for.`, declareWaits},
	{"live", `live(name, fn): the text that fn() returns takes the place of {{name}} in every rule's prose.`, declareLive},
	{"closing", `closing(title, fn): the text that fn(rule) returns stands at the end of each rule directly below the one with this title, whoever wrote it; rule is its row of the table rules.`, declareClosing},
	{"keyword", `keyword(key, one, many): this game's word for a thing, for {{Key}} and {{Keys}} in prose and for word().`, declareKeyword},
	{"entity", `entity(name): somebody who counts as a player and is no person: no key acts as it, only rules do. It plays while a rule declares it; find("players", entity=name) is its row.`, declareEntity},
	{"answer", `answer(question, fn): fn is called whenever a rule puts this question with ask(). So a rule leaves room for others without naming them.`, declareAnswer},
	{"option", `option(name, default="", help=""): a choice of the founder's; read it with option_value(name).`, declareOption},
	{"daily", `daily(gap=0, share="", together=False): once a day, and at least gap apart. Actions with one share have one allowance; together means that all players have one.`, makeCadence(periodDay)},
	{"weekly", `weekly(gap=0, share="", together=False): once a week (Monday to Sunday), and at least gap apart.`, makeCadence(periodWeek)},
	{"per_day", `per_day(n, share=""): n times a day.`, makePerDay},
	{"once", `once(gap=0, share="", together=False): once in the game for each player.`, makeCadence(periodEver)},
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

// origin is the place of the declaration that is being made: the line of the rule that
// loads, also where a function of another rule declares on its behalf.
func (l *loading) origin(t *starlark.Thread) origin {
	return origin{rule: l.rule, line: lineIn(t, l.rule)}
}

// lineIn returns the line of a rule from which a call comes, or 0.
func lineIn(t *starlark.Thread, rule string) int {
	for depth := 1; depth < t.CallStackDepth(); depth++ {
		if pos := t.CallFrame(depth).Pos; pos.Filename() == rule {
			return int(pos.Line)
		}
	}
	return 0
}

// eventNames are the events that rules can listen to.
var eventNames = []string{"founded", "joined", "left", "post", "comment", "amended"}

func declareOn(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var event string
	h := hook{origin: l.origin(t)}
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
	h := hook{origin: l.origin(t)}
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

// declareHook adds a hook to one of the lists of hooks.
func declareHook(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, to func(*declarations) *[]hook) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	h := hook{origin: l.origin(t)}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "fn", &h.fn); err != nil {
		return nil, err
	}
	list := to(l.decl)
	*list = append(*list, h)
	return starlark.None, nil
}

// declareNamed adds a hook to one of the maps of named hooks.
func declareNamed(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, what, fn string, to func(*declarations) map[string]hook) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var name string
	h := hook{origin: l.origin(t)}
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

func declareRecognise(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareHook(t, b, args, kwargs, func(d *declarations) *[]hook { return &d.recognise })
}

func declareClosing(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareNamed(t, b, args, kwargs, "title", "fn", func(d *declarations) map[string]hook { return d.closings })
}

func declareCategory(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	c := &categoryDecl{origin: l.origin(t)}
	var icons starlark.Iterable
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &c.name, "official?", &c.official, "icons?", &icons, "title?", &c.title); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(l.decl.categories, func(o *categoryDecl) bool { return o.name == c.name }) {
		return nil, fmt.Errorf("%s: there is a category %q already", b.Name(), c.name)
	}
	if icons != nil {
		if c.icons, err = convert.Texts(icons); err != nil {
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
	i := &iconDecl{origin: l.origin(t)}
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
		if texts, err = convert.Texts(faces); err != nil {
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
	p := &pageDecl{hook: hook{origin: l.origin(t)}}
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
	k := &keywordDecl{origin: l.origin(t)}
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
	o := &optionDecl{origin: l.origin(t)}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &o.name, "default?", &o.initial, "help?", &o.help); err != nil {
		return nil, err
	}
	l.decl.options = append(l.decl.options, o)
	return starlark.None, nil
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
