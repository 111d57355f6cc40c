package rules

import (
	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/sandbox"
)

// Functions are what rules call at the top of their scripts.
var Functions = sandbox.Builtins{
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
	{"daily", `daily(gap=0, share="", together=False): once a day, and at least gap apart. Actions with one share have one allowance; together means that all players have one.`, makeCadence(calendar.Daily)},
	{"weekly", `weekly(gap=0, share="", together=False): once a week (Monday to Sunday), and at least gap apart.`, makeCadence(calendar.Weekly)},
	{"per_day", `per_day(n, share=""): n times a day.`, makePerDay},
	{"once", `once(gap=0, share="", together=False): once in the game for each player.`, makeCadence(calendar.Ever)},
}
