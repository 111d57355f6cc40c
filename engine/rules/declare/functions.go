package declare

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Functions are what rules call at the top of their scripts.
var Functions = sandbox.Builtins{
	{"column", `column(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that every player has. illegal says what happens to a number out of range: "refuse" the action, or "clamp" it. edit lets players change it by hand in the tracker. The values go with the column: if no rule in force declares it any more, one that is declared later begins with the default. A number that a narrower type does not take becomes the default, or with "clamp" the nearer bound.`, declares(declareColumn)},
	{"field", `field(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a column of a table, for table().`, makeField},
	{"table", `table(name, columns, title="", one="", label=None, show=True, edit=False): a table of things. label(row) names a row for people; edit lets players edit every column by hand.`, declares(declareTable)},
	{"variable", `variable(name, type, default=None, title="", doc="", illegal="refuse", edit=False, show=True): a value that the game has, read as game.name.`, declares(declareVariable)},
	{"derived", `derived(table, name, fn, title=""): a column that fn(row) computes whenever it is read.`, declares(declareDerived)},
	{"action", `action(name, run, params=[], who="player", guard=None, every=None, group="", help="", dice="", form="", title="", private=None, discreet=None): something people can do. run(me, **params) does it. who is "player", "anyone", or a function of me that returns None or why not; guard(me) returns None, a reason, or wait(reason, until). private(me, read, **params) is asked before sending, on the device of whoever acts and nowhere else, with secrets as they were said, and returns None or why not; read(secret) is what a secret says, or None if the device cannot open it. An honest player is kept from a mistake so; that there was none shows when the secret is revealed. Where discreet(me, **params) is true, log and posts do not name who acts; a post has a writer for the rules, and no author. (Every action is signed with a device's key: who looks into the game's messages can find out.)`, declares(declareAction)},
	{"param", `param(name, type, label="", choices=None, default=None, optional=False, help=""): what an action asks for. choices(me) returns the values, or pairs of value and label; default may be a value or a function of me.`, makeParam},
	{"measure", `measure(name, run, params=[], check=None, help=""): something that only an enacted proposal can do. check(**params) returns None or why not.`, declares(declareMeasure)},
	{"gate", `gate(fn): fn(me, action) is asked before every action, by its name, and returns None or why it is closed.`, declares(declareGate)},
	{"on", `on(event, fn): calls fn when something happens: "founded" (no argument), "joined" and "left" (the player), "post" (the post), "comment" (the comment), "amended" (no argument; rules were changed, and the new ones are in force).`, declares(declareOn)},
	{"on_change", `on_change("table.column", fn): calls fn(row, old, new) when a cell changes.`, declares(declareOnChange)},
	{"handler", `handler(name, fn): gives a function a name for schedule() and call(); it is called as fn(args).`, declares(declareHandler)},
	{"matter", `matter(category, assess): posts of the category are voted on. assess(post) tells how it stands.`, declares(declareMatter)},
	{"recognise", `recognise(fn): fn(amendments) returns a list of texts: what the rules take changes for that somebody is drafting, and what follows from it. It is shown while they write.`, declares(declareRecognise)},
	{"category", `category(name, official=False, icons=[], title=""): a kind of post, and the icons that its comments may carry.`, declares(declareCategory)},
	{"icon", `icon(name, glyph="", title=""): a mark that a comment can carry.`, declares(declareIcon)},
	{"dice_word", `dice_word(word, faces=[]): a word that rolls when it stands in the comment of a tracker edit. "DICE" stands for DICEN and YDICEN.`, declares(declareDiceWord)},
	{"page", `page(name, show, title=""): a page whose text show() returns, as Markdown.`, declares(declarePage)},
	{"card", `card(table, draw, title=""): how the rows of a table look: draw(row) returns a face(). The app shows all of them on a page with that title, and each wherever a board has it.`, declares(declareCard)},
	{"board", `board(name, draw, of="", title=""): a page that draw(me) returns: a part, or a list of parts, see place(). me is who looks, or None if nobody does. With of="table" every row of that table has such a page, and draw(row, me) returns it; cards of these rows open it.`, declares(declareBoard)},
	{"waits", `waits(fn): fn(me) returns what waits for somebody, as a list of due(). The app puts it before them on the page Now, and tells the others whom the game waits for.`, declares(declareWaits)},
	{"live", `live(name, fn): the text that fn() returns takes the place of {{name}} in every rule's prose.`, declares(declareLive)},
	{"closing", `closing(title, fn): the text that fn(rule) returns stands at the end of each rule directly below the one with this title, whoever wrote it; rule is its row of the table rules.`, declares(declareClosing)},
	{"keyword", `keyword(key, one, many): this game's word for a thing, for {{Key}} and {{Keys}} in prose and for word().`, declares(declareKeyword)},
	{"entity", `entity(name): somebody who counts as a player and is no person: no key acts as it, only rules do. It plays while a rule declares it; find("players", entity=name) is its row.`, declares(declareEntity)},
	{"answer", `answer(question, fn): fn is called whenever a rule puts this question with ask(). So a rule leaves room for others without naming them.`, declares(declareAnswer)},
	{"option", `option(name, default="", help=""): a choice of the founder's; read it with option_value(name).`, declares(declareOption)},
	{"daily", `daily(gap=0, share="", together=False): once a day, and at least gap apart. Actions with one share have one allowance; together means that all players have one.`, makeCadence(calendar.Daily)},
	{"weekly", `weekly(gap=0, share="", together=False): once a week (Monday to Sunday), and at least gap apart.`, makeCadence(calendar.Weekly)},
	{"per_day", `per_day(n, share=""): n times a day.`, makePerDay},
	{"once", `once(gap=0, share="", together=False): once in the game for each player.`, makeCadence(calendar.Ever)},
}

// DiceWord is the dice word that stands for DICEN and YDICEN.
const DiceWord = "DICE"

// eventNames are the events that rules can listen to.
var eventNames = []string{"founded", "joined", "left", "post", "comment", "amended"}

func declareOn(call *declaration) error {
	var event string
	h := Hook{Origin: call.origin()}
	if err := call.Unpack("event", &event, "fn", &h.Fn); err != nil {
		return err
	}
	if !slices.Contains(eventNames, event) {
		return call.Wrong("there is no event %q; there are %s", event, strings.Join(eventNames, ", "))
	}
	call.decl.Events[event] = append(call.decl.Events[event], h)
	return nil
}

func declareOnChange(call *declaration) error {
	var cell string
	h := Hook{Origin: call.origin()}
	if err := call.Unpack("cell", &cell, "fn", &h.Fn); err != nil {
		return err
	}
	table, name, ok := strings.Cut(cell, ".")
	if on := call.decl.Tables[table]; !ok || on == nil || on.Column(name) == nil {
		return call.Wrong(`there is no column %q (write "table.column"; use load() to have the rule that declares it first)`, cell)
	}
	call.decl.Changes[cell] = append(call.decl.Changes[cell], h)
	return nil
}

// declareHook adds a hook to one of the lists of hooks.
func declareHook(call *declaration, to func(*Declarations) *[]Hook) error {
	h := Hook{Origin: call.origin()}
	if err := call.Unpack("fn", &h.Fn); err != nil {
		return err
	}
	list := to(call.decl)
	*list = append(*list, h)
	return nil
}

// declareNamed adds a hook to one of the maps of named hooks.
func declareNamed(call *declaration, what, fn string, to func(*Declarations) map[string]Hook) error {
	var name string
	h := Hook{Origin: call.origin()}
	if err := call.Unpack(what, &name, fn, &h.Fn); err != nil {
		return err
	}
	m := to(call.decl)
	if _, taken := m[name]; taken {
		return call.Wrong("there is one for %q already", name)
	}
	m[name] = h
	return nil
}

func declareHandler(call *declaration) error {
	return declareNamed(call, "name", "fn", func(d *Declarations) map[string]Hook { return d.Handlers })
}

func declareMatter(call *declaration) error {
	return declareNamed(call, "category", "assess", func(d *Declarations) map[string]Hook { return d.Matters })
}

func declareLive(call *declaration) error {
	return declareNamed(call, "name", "fn", func(d *Declarations) map[string]Hook { return d.Lives })
}

func declareRecognise(call *declaration) error {
	return declareHook(call, func(d *Declarations) *[]Hook { return &d.Recognise })
}

func declareClosing(call *declaration) error {
	return declareNamed(call, "title", "fn", func(d *Declarations) map[string]Hook { return d.Closings })
}

func declareCategory(call *declaration) error {
	c := &Category{Origin: call.origin()}
	var icons starlark.Iterable
	if err := call.Unpack("name", &c.Name, "official?", &c.Official, "icons?", &icons, "title?", &c.Title); err != nil {
		return err
	}
	if slices.ContainsFunc(call.decl.Categories, func(o *Category) bool { return o.Name == c.Name }) {
		return call.Wrong("there is a category %q already", c.Name)
	}
	if icons != nil {
		var err error
		if c.Icons, err = convert.Texts(icons); err != nil {
			return call.Wrong("icons: %w", err)
		}
	}
	if c.Title == "" {
		c.Title = c.Name
	}
	call.decl.Categories = append(call.decl.Categories, c)
	return nil
}

func declareIcon(call *declaration) error {
	i := &Icon{Origin: call.origin()}
	if err := call.Unpack("name", &i.Name, "glyph?", &i.Glyph, "title?", &i.Title); err != nil {
		return err
	}
	if slices.ContainsFunc(call.decl.Icons, func(o *Icon) bool { return o.Name == i.Name }) {
		return call.Wrong("there is an icon %q already", i.Name)
	}
	if i.Title == "" {
		i.Title = i.Name
	}
	call.decl.Icons = append(call.decl.Icons, i)
	return nil
}

func declareDiceWord(call *declaration) error {
	var word string
	var faces starlark.Iterable
	if err := call.Unpack("word", &word, "faces?", &faces); err != nil {
		return err
	}
	var texts []string
	if faces != nil {
		var err error
		if texts, err = convert.Texts(faces); err != nil {
			return call.Wrong("faces: %w", err)
		}
	}
	if word != DiceWord && len(texts) == 0 {
		return call.Wrong("%s needs faces", word)
	}
	call.decl.Dice[word] = texts
	return nil
}

func declarePage(call *declaration) error {
	p := &Page{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("name", &p.Name, "show", &p.Fn, "title?", &p.Title); err != nil {
		return err
	}
	if slices.ContainsFunc(call.decl.Pages, func(o *Page) bool { return o.Name == p.Name }) {
		return call.Wrong("there is a page %q already", p.Name)
	}
	if p.Title == "" {
		p.Title = titleOf(p.Name)
	}
	call.decl.Pages = append(call.decl.Pages, p)
	return nil
}

func declareKeyword(call *declaration) error {
	k := &Keyword{Origin: call.origin()}
	if err := call.Unpack("key", &k.Key, "one", &k.One, "many?", &k.Many); err != nil {
		return err
	}
	if k.Many == "" {
		k.Many = k.One + "s"
	}
	if slices.ContainsFunc(call.decl.Keywords, func(o *Keyword) bool { return o.Key == k.Key }) {
		return call.Wrong("there is a keyword %q already", k.Key)
	}
	call.decl.Keywords = append(call.decl.Keywords, k)
	return nil
}

func declareOption(call *declaration) error {
	o := &Option{Origin: call.origin()}
	if err := call.Unpack("name", &o.Name, "default?", &o.Initial, "help?", &o.Help); err != nil {
		return err
	}
	call.decl.Options = append(call.decl.Options, o)
	return nil
}

func declareAnswer(call *declaration) error {
	var question string
	h := Hook{Origin: call.origin()}
	if err := call.Unpack("question", &question, "fn", &h.Fn); err != nil {
		return err
	}
	call.decl.Answers[question] = append(call.decl.Answers[question], h)
	return nil
}

func declareWaits(call *declaration) error {
	return declareHook(call, func(d *Declarations) *[]Hook { return &d.Waits })
}

func declareCard(call *declaration) error {
	c := &Card{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("table", &c.Table, "draw", &c.Fn, "title?", &c.Title); err != nil {
		return err
	}
	on := call.decl.Tables[c.Table]
	switch {
	case on == nil:
		return call.Wrong("there is no table %s (rules load in their order; use load() to have another rule first)", c.Table)
	case call.decl.Card(c.Table) != nil:
		return call.Wrong("the rows of %s have a card already", c.Table)
	case c.Title == "":
		c.Title = on.Title
	}
	call.decl.Cards = append(call.decl.Cards, c)
	return nil
}

func declareBoard(call *declaration) error {
	d := &Board{Hook: Hook{Origin: call.origin()}}
	if err := call.Unpack("name", &d.Name, "draw", &d.Fn, "of?", &d.Of, "title?", &d.Title); err != nil {
		return err
	}
	if err := checkName(d.Name); err != nil {
		return call.Wrong("%w", err)
	}
	if slices.ContainsFunc(call.decl.Boards, func(o *Board) bool { return o.Name == d.Name }) {
		return call.Wrong("there is a board %q already", d.Name)
	}
	if d.Of != "" && call.decl.Tables[d.Of] == nil {
		return call.Wrong("there is no table %s (rules load in their order; use load() to have another rule first)", d.Of)
	}
	if d.Title == "" {
		d.Title = titleOf(d.Name)
	}
	call.decl.Boards = append(call.decl.Boards, d)
	return nil
}

func declareEntity(call *declaration) error {
	e := &Entity{Origin: call.origin()}
	if err := call.Unpack("name", &e.Name); err != nil {
		return err
	}
	if err := CheckPersonName(e.Name); err != nil {
		return call.Wrong("%w", err)
	}
	if slices.ContainsFunc(call.decl.Entities, func(o *Entity) bool { return o.Name == e.Name }) {
		return call.Wrong("there is an entity %q already", e.Name)
	}
	if len(call.decl.Entities) == MaxEntities {
		return call.Wrong("rules may declare %d entities", MaxEntities)
	}
	call.decl.Entities = append(call.decl.Entities, e)
	return nil
}

// CheckPersonName tells why nobody can be called so, or returns nil.
func CheckPersonName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > MaxName {
		return fmt.Errorf("a name of 1 to %d characters is needed", MaxName)
	}
	if _, err := (state.Type{Kind: state.Text, MaxLen: MaxName}).Check(name); err != nil {
		return errors.New("the name is not plain text")
	}
	return nil
}
