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

// The tables of the kernel that rules add columns and variables to.
const (
	playersTable = "players"
	gameTable    = "game"
)

// decideName is the action of the kernel that answers what a rule put before somebody with offer(). Rules cannot declare it.
const decideName = "Decide"

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

// newDeclarations returns declarations of the kernel's tables alone.
func newDeclarations(kernel []*tableDecl) *declarations {
	d := &declarations{
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
	for _, t := range kernel {
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

// loading is the state of one load of the rules: which rule is being loaded.
type loading struct {
	decl *declarations
	rule string // title
}

const loadingKey = "peernomic loading"

// begin has a thread declare for a rule.
func (d *declarations) begin(t *starlark.Thread, rule string) {
	t.SetLocal(loadingKey, &loading{decl: d, rule: rule})
}

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

// diceWord is the dice word that stands for DICEN and YDICEN.
const diceWord = "DICE"

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

func declareAnswer(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	l, err := whileLoading(t, b)
	if err != nil {
		return nil, err
	}
	var question string
	h := hook{origin: l.origin(t)}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "question", &question, "fn", &h.fn); err != nil {
		return nil, err
	}
	l.decl.answers[question] = append(l.decl.answers[question], h)
	return starlark.None, nil
}

func declareWaits(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return declareHook(t, b, args, kwargs, func(d *declarations) *[]hook { return &d.waits })
}
