package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// ActionDecide is the kernel's own action: it answers what a rule put before somebody with
// offer(). Its parameters are decision and choice.
const ActionDecide = declare.ActionDecide

// decideAction declares [ActionDecide]. Gates are asked about it like about any action.
func decideAction() *declare.Action {
	return &declare.Action{
		Name: ActionDecide, Title: ActionDecide, Form: "decide",
		Help:  "Answer what waits for your choice.",
		Who:   starlark.String("anyone"),
		Guard: sandbox.Func(nothingWaits).Builtin("nothing waits"),
		Run:   writes(decide).Builtin("decide"),
		Params: []*declare.Param{
			{Name: "decision", Label: "What you decide", Type: &declare.Type{Plain: ref(tableDecisions)}, Choices: sandbox.Func(myDecisions).Builtin("my decisions"), Optional: true},
			{Name: "choice", Label: "Your choice", Type: &declare.Type{Plain: plain(state.Data)}},
		},
	}
}

func runOffer(call *invocation) (starlark.Value, error) {
	var person *row
	var question, then, key string
	var options starlark.Iterable
	var until, otherwise starlark.Value = starlark.None, starlark.None
	var data starlark.Value = starlark.NewDict(0)
	if err := call.Unpack("person", &person, "question", &question, "options", &options, "then", &then,
		"until?", &until, "otherwise?", &otherwise, "args?", &data, "key?", &key); err != nil {
		return nil, err
	}
	wrong := func(format string, a ...any) (starlark.Value, error) {
		return nil, call.Wrong("%s", fmt.Sprintf(format, a...))
	}
	w := call.w
	switch {
	case person.table != tablePlayers || w.isEntity(person.id):
		return wrong("only a person can choose")
	case strings.TrimSpace(question) == "" || len(question) > MaxQuestion:
		return wrong("a question of at most %d bytes is needed", MaxQuestion)
	}
	if _, ok := w.decl.Handlers[then]; !ok {
		return wrong("no rule has a handler %q", then)
	}
	list, err := w.optionsOf(options)
	if err != nil {
		return wrong("%s", err)
	}
	given, err := convert.Plain(data)
	if err != nil {
		return wrong("args: %s", err)
	}
	if m, ok := given.(map[string]any); !ok || m["choice"] != nil {
		return wrong(`args must be a dict without "choice", which is what was chosen`)
	}
	c := cells{"person": person.id, "question": convert.Mend(question), "options": list, "handler": then, "args": given, "key": key, "rule": call.rule, "entry": w.nextEntry()}
	if c["otherwise"], err = convert.Plain(otherwise); err != nil {
		return wrong("otherwise: %s", err)
	}
	switch {
	case until == starlark.None && otherwise != starlark.None:
		return wrong("otherwise needs until, the time at which it is chosen")
	case until == starlark.None:
		delete(c, "otherwise")
	case optionAt(list, c["otherwise"]) < 0:
		return wrong("otherwise must be one of the options: it is chosen at the time until")
	default:
		ms, err := convert.Int64(until)
		if err != nil {
			return wrong("until: %s", err)
		}
		c["until"] = max(ms, w.now)
	}
	if err := call.cancel(key); err != nil {
		return nil, err
	}
	switch {
	case len(w.state.Rows(tableDecisions)) >= MaxDecisions:
		return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: fmt.Sprintf("%d choices wait already", MaxDecisions)}
	case len(w.decisionsOf(person.id)) >= MaxDecisionsEach:
		return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: fmt.Sprintf("%d choices wait for %s already", MaxDecisionsEach, w.text(tablePlayers, person.id, "name"))}
	}
	id, err := w.newRow(tableDecisions, c)
	if err != nil {
		return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: err.Error()}
	}
	if len(call.notes) < MaxNotes {
		call.notes = append(call.notes, convert.Mend(w.text(tablePlayers, person.id, "name")+" is to choose: "+w.expandWords(question)))
	}
	if until != starlark.None {
		if len(w.state.Rows(tableTimers)) >= MaxPending {
			return nil, &Refusal{Code: CodeLimit, Rule: call.rule, Reason: fmt.Sprintf("%d timers are set already", MaxPending)}
		}
		if _, err := w.newRow(tableTimers, cells{"due": c["until"], "decision": id}); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// optionsOf reads options: values, or pairs of value and label. They are kept as pairs, so that a label does not change
// while somebody chooses.
func (w *World) optionsOf(options starlark.Iterable) ([]any, error) {
	var list []any
	for e := range starlark.Elements(options) {
		if len(list) == MaxOptions {
			return nil, fmt.Errorf("there may be %d options", MaxOptions)
		}
		label := ""
		if pair, ok := e.(starlark.Tuple); ok {
			if len(pair) != 2 {
				return nil, fmt.Errorf("an option is a value, or a pair of value and label")
			}
			if label, ok = starlark.AsString(pair[1]); !ok {
				return nil, fmt.Errorf("the label of an option must be a text, not %s", pair[1].Type())
			}
			e = pair[0]
		}
		v, err := convert.Plain(e)
		if err != nil {
			return nil, err
		}
		switch plain := v.(type) {
		case bool, int64:
		case string:
			if len(plain) > MaxOptionText {
				return nil, fmt.Errorf("an option may have %d bytes", MaxOptionText)
			}
		default:
			return nil, fmt.Errorf("an option must be a text, a whole number, True, False or a row, not %s", e.Type())
		}
		if r, ok := e.(*row); ok && label == "" {
			label = w.label(r.table, r.id)
		}
		if label == "" {
			label = w.show(v, state.Type{})
		}
		if len(label) > MaxOptionText {
			return nil, fmt.Errorf("the label of an option may have %d bytes", MaxOptionText)
		}
		if optionAt(list, v) >= 0 {
			return nil, fmt.Errorf("the option %q is there twice", label)
		}
		list = append(list, []any{v, convert.Mend(label)})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is nothing to choose from")
	}
	return list, nil
}

// optionAt returns the place of a value among options, or -1.
func optionAt(options []any, v state.Value) int {
	return slices.IndexFunc(options, func(o any) bool { return state.Equal(o.([]any)[0], v) })
}

func (w *World) optionsAt(id int64) []any {
	v, _ := w.state.Get(tableDecisions, id, "options")
	list, _ := v.([]any)
	return list
}

// decisionsOf returns what waits for somebody to choose, oldest first.
func (w *World) decisionsOf(person int64) []int64 {
	var out []int64
	for _, id := range w.state.Rows(tableDecisions) {
		if w.int(tableDecisions, id, "person") == person {
			out = append(out, id)
		}
	}
	return out
}

func runPending(call *invocation) (starlark.Value, error) {
	var person *row
	var key starlark.Value = starlark.None
	if err := call.Unpack("person??", &person, "key?", &key); err != nil {
		return nil, err
	}
	var out []starlark.Value
	all := call.w.state.Rows(tableDecisions)
	for _, id := range all {
		if person != nil && (person.table != tablePlayers || person.id != call.w.int(tableDecisions, id, "person")) {
			continue
		}
		if key != starlark.None && key != starlark.String(call.w.text(tableDecisions, id, "key")) {
			continue
		}
		out = append(out, &row{w: call.w, table: tableDecisions, id: id})
	}
	return starlark.NewList(out), call.meter.Spend(uint64(len(all) + len(out)))
}

// The functions of [ActionDecide].

func nothingWaits(call *sandbox.Invocation) (starlark.Value, error) {
	me := call.Args[0].(*row)
	if len(me.w.decisionsOf(me.id)) == 0 {
		return starlark.String("nothing waits for your choice"), nil
	}
	return starlark.None, nil
}

func myDecisions(call *sandbox.Invocation) (starlark.Value, error) {
	me := call.Args[0].(*row)
	var out []starlark.Value
	for _, id := range me.w.decisionsOf(me.id) {
		out = append(out, &row{w: me.w, table: tableDecisions, id: id})
	}
	return starlark.NewList(out), nil
}

func decide(call *invocation) (starlark.Value, error) {
	me := call.Args[0].(*row)
	var on, choice starlark.Value
	if err := starlark.UnpackArgs(call.Name, nil, call.Kwargs, "decision", &on, "choice", &choice); err != nil {
		return nil, err
	}
	w := call.w
	refused := func(code Code, format string, a ...any) (starlark.Value, error) {
		return nil, &Refusal{Code: code, Reason: fmt.Sprintf(format, a...)}
	}
	mine := w.decisionsOf(me.id)
	id := int64(0)
	switch named, ok := on.(*row); {
	case ok && !slices.Contains(mine, named.id):
		return refused(CodeClosed, "this choice is %s's", w.text(tablePlayers, w.int(tableDecisions, named.id, "person"), "name"))
	case ok:
		id = named.id
	case len(mine) > 1:
		return refused(CodeArgument, "%d choices wait for you: say which one you make", len(mine))
	default:
		id = mine[0] // the guard has seen it
	}
	v, err := convert.Plain(choice)
	if err != nil {
		return nil, err
	}
	options := w.optionsAt(id)
	at := optionAt(options, v)
	if at < 0 {
		labels := make([]string, len(options))
		for i, o := range options {
			labels[i] = o.([]any)[1].(string)
		}
		return refused(CodeArgument, "this is not one of the options: %s", strings.Join(labels, ", "))
	}
	return starlark.None, call.settle(id, at, "")
}

// settle takes a decision away and goes on with one of its options.
func (r *run) settle(id int64, option int, remark string) error {
	w := r.w
	chosen := w.optionsAt(id)[option].([]any)
	given, _ := w.state.Get(tableDecisions, id, "args")
	args := convert.Starlark(given).(*starlark.Dict)
	if err := args.SetKey(starlark.String("choice"), convert.Starlark(chosen[0])); err != nil {
		return err
	}
	then := w.text(tableDecisions, id, "handler")
	h, ok := w.decl.Handlers[then]
	r.rule = w.text(tableDecisions, id, "rule")
	if !ok {
		return &Refusal{Code: CodeUnknown, Reason: fmt.Sprintf("the rules have no handler %q any more", then)}
	}
	r.notes = append(r.notes, w.expandWords(w.text(tableDecisions, id, "question"))+" "+w.expandWords(chosen[1].(string))+remark)
	if err := w.dropDecision(id); err != nil {
		return err
	}
	r.rule = h.Rule
	_, err := r.call(h, nil, args)
	return err
}

// lapse makes the choice for a person who did not choose in time.
func (r *run) lapse(id int64) error {
	otherwise, _ := r.w.state.Get(tableDecisions, id, "otherwise")
	return r.settle(id, optionAt(r.w.optionsAt(id), otherwise), " (nobody chose in time)")
}

// dropDecision takes a decision away, with its timer.
func (w *World) dropDecision(id int64) error {
	if timer := w.index(tableTimers, func(timer int64) bool { return w.int(tableTimers, timer, "decision") == id }); timer != 0 {
		if err := w.state.Remove(tableTimers, timer); err != nil {
			return err
		}
	}
	return w.state.Remove(tableDecisions, id)
}

// dropDeadEnds removes the decisions whose handler is gone, after rules have changed. Nobody must wait for a choice that
// leads nowhere.
func (r *run) dropDeadEnds() error {
	w := r.w
	for _, id := range slices.Clone(w.state.Rows(tableDecisions)) {
		if _, ok := w.decl.Handlers[w.text(tableDecisions, id, "handler")]; ok {
			continue
		}
		if len(r.notes) < MaxNotes {
			r.notes = append(r.notes, fmt.Sprintf("No rule goes on with what %s was to choose any more: %s", w.text(tablePlayers, w.int(tableDecisions, id, "person"), "name"), w.expandWords(w.text(tableDecisions, id, "question"))))
		}
		if err := w.dropDecision(id); err != nil {
			return err
		}
	}
	return nil
}

// DecisionView is a choice that somebody is to make.
type DecisionView struct {
	ID, Person     int64
	Question, Rule string
	Options        []Choice
	Otherwise      state.Value // nil if it never lapses
	Until          int64       // when it does, Unix ms
	Key            string      // by which the rules call it
	Entry          int64       // of the log that led to it
}

// Decisions returns what waits for people to choose, oldest first.
func (w *World) Decisions() []DecisionView {
	var out []DecisionView
	for _, id := range w.state.Rows(tableDecisions) {
		v := DecisionView{ID: id, Person: w.int(tableDecisions, id, "person"), Question: w.label(tableDecisions, id), Rule: w.expandWords(w.text(tableDecisions, id, "rule")),
			Until: w.int(tableDecisions, id, "until"), Key: w.text(tableDecisions, id, "key"), Entry: w.int(tableDecisions, id, "entry")}
		v.Otherwise, _ = w.state.Get(tableDecisions, id, "otherwise")
		for _, o := range w.optionsAt(id) {
			pair := o.([]any)
			v.Options = append(v.Options, Choice{pair[0], w.expandWords(pair[1].(string))})
		}
		out = append(out, v)
	}
	return out
}
