package rules

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// runBuiltins are the functions that rules call while they run. What is neither reads nor writes has no way to the world
// and works at the top of a script, too.
var runBuiltins = sandbox.Builtins{
	{"now", `now(): the time of the action, in ms since 1970. It is the time of its seal: nobody chooses it.`, reads(runNow)},
	{"minutes", `minutes(n): n minutes in ms.`, duration(60 * 1000)},
	{"hours", `hours(n): n hours in ms.`, duration(60 * 60 * 1000)},
	{"days", `days(n): n times 24 hours in ms.`, duration(calendar.DayMillis)},
	{"calendar", `calendar(t): the day and week of a time, GMT: day and week count up, weekday is 0 on Monday, year, month and date are numbers, starts is when the day began, text is dd/mm/yy hh:mm.`, runCalendar},
	{"roll", `roll(sides): one die, 1..sides; 0 if sides is 0 or less. It is decided when the action is sealed, and everybody can verify it.`, writes(runRoll)},
	{"dice", `dice(n, sides): the sum of n dice; 0 if n or sides is 0 or less.`, writes(runDice)},
	{"refuse", `refuse(reason, until=None): ends the action. Nothing of it remains. The reason may be what wait() returned.`, reads(runRefuse)},
	{"wait", `wait(reason, until=None): what a guard returns when the action opens at a known time.`, runWait},
	{"players", `players(): everybody whose standing is "player", idle or not.`, reads(runPlayers)},
	{"everyone", `everyone(): everybody who ever made themselves known.`, reads(runEveryone)},
	{"rows", `rows(table, **equal): the rows of a table in order, those whose columns equal the values.`, reads(runRows)},
	{"find", `find(table, **equal): the first row whose columns equal the values, or None.`, reads(runFind)},
	{"create", `create(table, **values): a new row.`, writes(runCreate)},
	{"remove", `remove(row): takes a row out.`, writes(runRemove)},
	{"setattr", `setattr(row, column, value): row.column = value, for a column whose name is computed.`, runSetattr},
	{"reset", `reset(row, keep=[], rules=…): sets every column that a rule declared back to its default, except those named; with rules, only what the rules with these titles declared. The row may be game.`, writes(runReset)},
	{"note", `note(text): adds a line to the log under this action.`, writes(runNote)},
	{"post", `post(category, title, body="", author=None, official=None, status="", amendments=[], data={}, flavour=""): makes a post and returns it. Flavour is text that goes with a post and is no part of it.`, writes(runPost)},
	{"comment", `comment(post, text, icon="", icons=[], author=None, data={}): makes a comment and returns it. Of several icons, its icon is the last; its icons are all of them, in their order.`, writes(runComment)},
	{"comments", `comments(post): the comments on a post, oldest first.`, reads(runComments)},
	{"apply", `apply(amendments): carries amendments out, all or none.`, writes(runApply)},
	{"problems", `problems(amendments): what is wrong with them now, as a list of texts; empty if they can be applied.`, reads(runProblems)},
	{"touched", `touched(amendments): what they would change, a struct for each place: op ("amend" however a rule's text is changed, "set" however a cell is); section, rule and parent (its number, and the titles of the rule and of the one above it; of a value, word or measure: those of the rule that declares it); title and text of the rule afterwards; what ("table.column", table, keyword or measure, if it is no rule); row (its id) and value of a cell that is set. What changes cells of several rows is there once for each. A moved rule is there twice: where it stands, and where it goes.`, reads(runTouched)},
	{"ask", `ask(question, *about): what the rules that answer() the question say about it, a list in the rules' order without None.`, reads(runAsk)},
	{"subrules", `subrules(title): the titles of the rules directly below a rule.`, reads(runSubrules)},
	{"has_rule", `has_rule(title): reports whether there is such a rule.`, reads(runHasRule)},
	{"rule_number", `rule_number(title): the number of a rule, such as "2.6.1", or "".`, reads(runRuleNumber)},
	{"action_rule", `action_rule(name): the title of the rule that declares an action, or "".`, reads(runActionRule)},
	{"schedule", `schedule(when, handler, args={}, key=""): calls the handler with args at exactly that time. A timer with the same key is replaced.`, writes(runSchedule)},
	{"call", `call(handler, args={}): calls the handler with args at once, and returns what it returns. A decision that was put off goes on this way.`, writes(runCall)},
	{"cancel", `cancel(key): takes the timer with this key away, or the choice that was offered with it, if there is one.`, writes(runCancel)},
	{"offer", `offer(person, question, options, then, until=None, otherwise=None, args={}, key=""): lets a person choose, and goes on when they have; for choices that come only after a roll. options are values (texts, whole numbers, True and False, rows), or pairs of value and label, 50 at most. The kernel's action "Decide" answers; then the handler called then is called with args and, as "choice", what was chosen (a row as its id). At the time until, if nobody has chosen, otherwise is chosen; without until it waits for ever. An offer with the same key is replaced, and cancel(key) takes it back. What else may be done meanwhile, other rules say: their guards and gates can ask pending().`, writes(runOffer)},
	{"pending", `pending(person=None, key=None): the choices that wait, of one person or with one key if they are given: rows with person, question, until, otherwise and key, oldest first. A gate that makes people decide first lets the action "Decide" through: gate(lambda me, action: "decide first" if action != "Decide" and pending(me) else None).`, reads(runPending)},
	{"edit", `edit(row, column, value, comment=""): a change by hand in the tracker. Dice words in the comment are rolled, and returned as {"DICE6": [4]}.`, writes(runEdit)},
	{"undo", `undo(entry): puts back what the log entry with this number set; refuses if something has changed it since.`, writes(runUndo)},
	{"log_entry", `log_entry(number): a log entry: number, player, action, time, refused, changes (op, table, row, column, old, new).`, reads(runLogEntry)},
	{"roll_words", `roll_words(comment): rolls the dice words of a text: {"DICE6": [4], "COLOUR": ["red"]}.`, writes(runRollWords)},
	{"reveal", `reveal(secret, opening): what a secret says. Refuses the action if the opening is not of what was committed to.`, runReveal},
	{"word", `word(key): this game's word for a key such as "Player" or "Players".`, reads(runWord)},
	{"option_value", `option_value(name): what the founder chose.`, reads(runOption)},
	{"casefold", `casefold(text): the text in small letters with single blanks, for comparing names.`, runCasefold},
	{"alike", `alike(a, b): reports whether one name could be taken for another: they differ at most by capitals and blanks, or look the same, such as "Ana" with a Cyrillic A.`, runAlike},
}

// given are the functions that the kernel gives to scripts, by when they are called.
var given = []struct {
	when      string
	functions sandbox.Builtins
}{{"types", declare.Types}, {"declarations", declare.Functions}, {"parts", boardBuiltins}, {"running", runBuiltins}}

// environment is everything that scripts can name.
func (w *World) environment() starlark.StringDict {
	env := sandbox.Universe()
	for _, g := range given {
		g.functions.AddTo(env)
	}
	env["struct"] = starlark.NewBuiltin("struct", starlarkstruct.Make)
	env["game"] = &gameObject{w}
	return env
}

// Reference is the rule authors' reference: name and meaning of everything that the
// kernel gives to scripts.
func Reference() []ReferenceEntry {
	var out []ReferenceEntry
	for _, g := range given {
		for _, f := range g.functions {
			out = append(out, ReferenceEntry{Name: f.Name, When: g.when, Doc: f.Doc})
		}
	}
	return out
}

// ReferenceEntry describes one function of the kernel.
type ReferenceEntry struct{ Name, When, Doc string }

// invocation is a call of a function of the kernel within a transaction.
type invocation struct {
	*sandbox.Invocation
	*run
}

// reads makes a function that looks at the world. It and [writes] are the only ways from a call to the world.
//
// The top of a script belongs to no transaction: it is executed again whenever rules are loaded, on some replicas more
// often than on others, so nothing there may depend on the game.
func reads(fn func(*invocation) (starlark.Value, error)) sandbox.Func {
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		r, ok := call.Thread.Local(runKey).(*run)
		if !ok {
			return nil, call.Wrong("%w", errOnlyDeclares)
		}
		return fn(&invocation{call, r})
	}
}

// writes makes a function that changes the world, or rolls.
func writes(fn func(*invocation) (starlark.Value, error)) sandbox.Func {
	return reads(func(call *invocation) (starlark.Value, error) {
		if call.readOnly {
			return nil, call.Wrong("nothing can be changed here: this function only looks")
		}
		return fn(call)
	})
}

func runNow(call *invocation) (starlark.Value, error) {
	if err := call.Unpack(); err != nil {
		return nil, err
	}
	return starlark.MakeInt64(call.w.now), nil
}

func duration(unit int64) sandbox.Func {
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		var n int64
		if err := call.Unpack("n", &n); err != nil {
			return nil, err
		}
		if n > 1<<40/unit || n < -1<<40/unit {
			return nil, call.Wrong("%d is too long", n)
		}
		return starlark.MakeInt64(n * unit), nil
	}
}

func runCalendar(call *sandbox.Invocation) (starlark.Value, error) {
	var t int64
	if err := call.Unpack("t", &t); err != nil {
		return nil, err
	}
	if t < 0 || t > calendar.End {
		return nil, call.Wrong("%d is no time", t)
	}
	year, month, date := time.UnixMilli(t).UTC().Date()
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"year":    starlark.MakeInt(year),
		"month":   starlark.MakeInt(int(month)),
		"date":    starlark.MakeInt(date),
		"day":     starlark.MakeInt64(t / calendar.DayMillis),
		"week":    starlark.MakeInt64(calendar.WeekOf(t)),
		"weekday": starlark.MakeInt64(calendar.WeekdayOf(t)),
		"starts":  starlark.MakeInt64(calendar.Daily.Start(t)),
		"text":    starlark.String(calendar.Clock(t)),
	}), nil
}

func runNote(call *invocation) (starlark.Value, error) {
	var text string
	if err := call.Unpack("text", &text); err != nil {
		return nil, err
	}
	if len(call.notes) >= MaxNotes {
		return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: fmt.Sprintf("one action may write %d notes", MaxNotes)}
	}
	call.notes = append(call.notes, convert.Mend(call.w.expandWords(text)))
	return starlark.None, nil
}

func runCasefold(call *sandbox.Invocation) (starlark.Value, error) {
	var s string
	if err := call.Unpack("text", &s); err != nil {
		return nil, err
	}
	return starlark.String(confusable.Fold(s)), nil
}

func runAlike(call *sandbox.Invocation) (starlark.Value, error) {
	var x, y string
	if err := call.Unpack("a", &x, "b", &y); err != nil {
		return nil, err
	}
	return starlark.Bool(confusable.Alike(x, y)), nil
}

func runSubrules(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(w *World, id int64) starlark.Value {
		var out []starlark.Value
		if id != 0 {
			for _, sub := range w.siblings(w.int(tableRules, id, "section"), id) {
				out = append(out, starlark.String(w.expandWords(w.text(tableRules, sub, "title"))))
			}
		}
		return starlark.NewList(out)
	})
}

func runHasRule(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(_ *World, id int64) starlark.Value { return starlark.Bool(id != 0) })
}

func runRuleNumber(call *invocation) (starlark.Value, error) {
	return aboutRule(call, func(w *World, id int64) starlark.Value {
		if id == 0 {
			return starlark.String("")
		}
		return starlark.String(w.ruleNumber(id))
	})
}

func aboutRule(call *invocation, tell func(*World, int64) starlark.Value) (starlark.Value, error) {
	var title string
	if err := call.Unpack("title", &title); err != nil {
		return nil, err
	}
	return tell(call.w, call.w.ruleTitled(title)), nil
}

func runActionRule(call *invocation) (starlark.Value, error) {
	var name string
	if err := call.Unpack("name", &name); err != nil {
		return nil, err
	}
	if a := call.w.decl.Action(name); a != nil {
		return starlark.String(a.Rule), nil
	}
	return starlark.String(""), nil
}

func runWord(call *invocation) (starlark.Value, error) {
	var key string
	if err := call.Unpack("key", &key); err != nil {
		return nil, err
	}
	if v, ok := call.w.word(key); ok {
		return starlark.String(v), nil
	}
	return starlark.String(key), nil
}

func runOption(call *invocation) (starlark.Value, error) {
	var name string
	if err := call.Unpack("name", &name); err != nil {
		return nil, err
	}
	v, ok := call.w.option(name)
	if !ok {
		return nil, call.Wrong("no rule offers the option %q", name)
	}
	return starlark.String(v), nil
}
