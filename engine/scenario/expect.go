package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"peernomic/engine/rules"
	"peernomic/engine/state"
)

func (r *runner) expect(step any) error {
	switch s := step.(type) {
	case expectCell:
		table, id, err := r.one(s.cell)
		if err != nil {
			return err
		}
		return r.testRow(table, id, s.tests)
	case expectCount:
		table, ids, err := r.rows(s.cell)
		if err != nil {
			return err
		}
		return r.check(int64(len(ids)), "rows of "+table, s.test)
	case expectView:
		return r.expectView(s)
	case expectWay:
		return r.expectWay(s)
	case expectAction:
		return r.expectAction(s)
	case expectChoices:
		return r.expectChoices(s)
	case expectRolls:
		return r.expectRolls(s)
	case expectDecision:
		return r.expectDecision(s)
	default:
		return fmt.Errorf("nothing is known about a step %T", step)
	}
}

// expectRolls tests the dice of the last action, with their sides where they are given.
func (r *runner) expectRolls(s expectRolls) error {
	same := len(s.rolls) == len(r.last.Rolls)
	var wanted, found []string
	for _, roll := range r.last.Rolls {
		found = append(found, fmt.Sprintf("%d/%d", roll.Value, roll.Sides))
	}
	for i, w := range s.rolls {
		wanted = append(wanted, w.String())
		if same {
			roll := r.last.Rolls[i]
			same = uint64(roll.Value) == w.value && (w.sides == 0 || uint64(roll.Sides) == w.sides)
		}
	}
	if !same {
		return mismatched("rolls "+strings.Join(wanted, " "), "rolls %s", strings.Join(found, " "))
	}
	return nil
}

func (r *runner) testRow(table string, id int64, tests []test) error {
	for _, t := range tests {
		v, err := r.cellValue(table, id, t.key)
		if err != nil {
			return err
		}
		ok, shown, err := r.compare(table, t.key, v, t)
		if err != nil {
			return err
		}
		if !ok {
			return mismatched(fmt.Sprintf("%s %s %s", t.key, t.op, t.val), "%s = %s", t.key, shown)
		}
	}
	return nil
}

// check tests a value that is in no table.
func (r *runner) check(v any, what string, t test) error {
	want, err := r.resolve(t.val, "", "")
	if err != nil {
		return err
	}
	ok, err := holds(v, t.op, want)
	if err != nil {
		return err
	}
	if !ok {
		return mismatched(fmt.Sprintf("%s %s %s", what, t.op, t.val), "%s = %s", what, describe(v))
	}
	return nil
}

// compare tests a cell, and writes its value for messages.
func (r *runner) compare(table, column string, v any, t test) (ok bool, shown string, err error) {
	kind, to := r.columnType(table, column)
	shown = describe(v)
	if id, is := v.(int64); is && kind == state.Ref {
		if shown = r.world.Label(to, id); !slices.Contains(r.world.Rows(to), id) {
			v, shown = nil, describe(nil) // as rules see a row that is gone
		}
	}
	if _, is := v.(state.Fraction); is { // perhaps of a derived column, which has no type
		kind = state.Decimal
	}
	if (t.op == "~" || t.op == "!~") && kind == state.Ref {
		return false, shown, fmt.Errorf("%s names a row: compare it with = or !=", column)
	}
	want, err := r.resolve(t.val, kind, to)
	if err != nil {
		return false, shown, err
	}
	ok, err = holds(v, t.op, want)
	return ok, shown, err
}

// holds compares two plain values.
func holds(v any, op string, want any) (bool, error) {
	switch op {
	case "=":
		return state.Equal(v, want), nil
	case "!=":
		return !state.Equal(v, want), nil
	case "~", "!~":
		text, isText := v.(string)
		part, ok := want.(string)
		if !isText || !ok {
			return false, fmt.Errorf("only texts contain something: this is %s", describe(v))
		}
		return contains(text, part) == (op == "~"), nil
	}
	a, ok := v.(int64)
	b, okb := want.(int64)
	if !ok || !okb {
		return false, fmt.Errorf("%s and %s have no order", describe(v), describe(want))
	}
	switch op {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	default:
		return a >= b, nil
	}
}

func (r *runner) expectView(s expectView) error {
	switch s.kind {
	case "post":
		id, err := r.post(s.name.text)
		if s.no {
			if err == nil {
				return mismatched("no such post", "post %d", id)
			}
			return nil
		}
		if err != nil {
			return err
		}
		return r.testRow("posts", id, s.tests)
	case "comment":
		return r.expectComment(s)
	case "rule":
		return r.expectRule(s)
	case "tally", "next":
		return r.expectTally(s)
	case "vote":
		return r.expectVote(s)
	case "log":
		return r.expectLog(s)
	case "board":
		return r.expectBoard(s)
	case "waits":
		return r.expectWaits(s)
	case "recognised":
		return r.expectRecognised(s)
	default:
		return r.expectPage(s)
	}
}

// expectRecognised tests what the rules take a post's amendments for.
func (r *runner) expectRecognised(s expectView) error {
	post, err := r.post(s.name.text)
	if err != nil {
		return err
	}
	amendments, _ := r.world.Cell("posts", post, "amendments")
	list, _ := amendments.([]any)
	return r.checkText(strings.Join(r.world.Recognise(list), "\n"), "what it is recognised as", s.tests)
}

// post finds the newest post with a title.
func (r *runner) post(title string) (int64, error) {
	ids := r.world.Rows("posts")
	for i := len(ids) - 1; i >= 0; i-- {
		if t, _ := r.world.Cell("posts", ids[i], "title"); t == title {
			return ids[i], nil
		}
	}
	return 0, fmt.Errorf("there is no post %q", title)
}

// expectComment tests the newest comment of somebody on a post.
func (r *runner) expectComment(s expectView) error {
	post, err := r.post(s.name.text)
	if err != nil {
		return err
	}
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	ids := r.world.Rows("comments")
	for i := len(ids) - 1; i >= 0; i-- {
		on, _ := r.world.Cell("comments", ids[i], "post")
		by, _ := r.world.Cell("comments", ids[i], "author")
		if on == post && by == who {
			return r.testRow("comments", ids[i], s.tests)
		}
	}
	return fmt.Errorf("%s has not commented on %q", s.who, s.name.text)
}

func (r *runner) expectRule(s expectView) error {
	rule, ok := r.world.RuleTitled(s.name.text)
	switch {
	case s.no && ok:
		return mismatched("no such rule", "%s %s", rule.Number, rule.Title)
	case s.no:
		return nil
	case !ok:
		return fmt.Errorf("there is no rule %q", s.name.text)
	}
	for _, t := range s.tests {
		switch t.key {
		case "number":
			if rule.Number != t.val.text {
				return mismatched("number "+t.val.text, "number %s", rule.Number)
			}
		case "text":
			if ok, err := holds(rule.Prose, t.op, t.val.text); err != nil || !ok {
				return mismatched(fmt.Sprintf("text %s %q", t.op, t.val.text), "%s", rule.Prose)
			}
		case "script":
			if ok, err := holds(rule.Script, t.op, t.val.text); err != nil || !ok {
				return mismatched(fmt.Sprintf("script %s %q", t.op, t.val.text), "%s", rule.Script)
			}
		default:
			return fmt.Errorf("a rule has a number, a text and a script, but no %s", t.key)
		}
	}
	return nil
}

func (r *runner) matter(title string) (rules.MatterView, error) {
	post, err := r.post(title)
	if err != nil {
		return rules.MatterView{}, err
	}
	return r.world.Matter(post)
}

// expectTally tests tally, quorum, electorate, status and the sentence "next".
func (r *runner) expectTally(s expectView) error {
	m, err := r.matter(s.name.text)
	if err != nil {
		return err
	}
	values := map[string]any{"quorum": m.Quorum, "electorate": m.Electorate, "status": m.Status, "votes": int64(len(m.Votes)), "text": m.Next}
	for icon, n := range m.Tally {
		values[icon] = n
	}
	for _, t := range s.tests {
		v, ok := values[t.key]
		if !ok {
			return fmt.Errorf("the tally has no %s: %s", t.key, describe(values))
		}
		if err := r.check(v, t.key, t); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) expectVote(s expectView) error {
	m, err := r.matter(s.name.text)
	if err != nil {
		return err
	}
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	for _, v := range m.Votes {
		if v.Player != who {
			continue
		}
		values := map[string]any{"icon": v.Icon, "counts": v.Counts, "why": v.Why}
		for _, t := range s.tests {
			if err := r.check(values[t.key], t.key, t); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("no vote of %s is listed", s.who)
}

// expectWay tests whether any way of a kind is open, or all are closed, and that the
// reasons given are among theirs.
func (r *runner) expectWay(s expectWay) error {
	m, err := r.matter(s.post)
	if err != nil {
		return err
	}
	open := slices.ContainsFunc(m.Ways, func(w rules.WayView) bool { return w.Can == s.can && w.Open })
	var reasons []string // of the open ways; of all if none is open
	for _, w := range m.Ways {
		if w.Can == s.can && w.Open == open {
			reasons = append(reasons, w.Why)
		}
	}
	all := strings.Join(reasons, " / ")
	state := map[bool]string{true: "open", false: "closed"}
	if open != s.open {
		return mismatched(state[s.open], "%s: %s", state[open], all)
	}
	for _, b := range s.because {
		if !contains(all, b) {
			return mismatched(fmt.Sprintf("%s because %q", state[open], b), "%s: %s", state[open], all)
		}
	}
	return nil
}

func (r *runner) expectAction(s expectAction) error {
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	for _, a := range r.world.Actions(who) {
		if a.Name != s.action {
			continue
		}
		switch {
		case s.open && a.Refused != nil:
			return mismatched("open", "closed: %s", a.Refused.Error())
		case !s.open && a.Refused == nil:
			return mismatched("closed", "open")
		}
		for _, b := range s.because {
			if !contains(reasonOf(a.Refused), b) {
				return mismatched(fmt.Sprintf("closed because %q", b), "closed: %s", a.Refused.Error())
			}
		}
		return nil
	}
	return fmt.Errorf("the rules have no action %q", s.action)
}

// expectChoices tests what a parameter of an open action offers, by its labels.
func (r *runner) expectChoices(s expectChoices) error {
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	for _, a := range r.world.Actions(who) {
		if a.Name != s.action {
			continue
		}
		if a.Refused != nil {
			return fmt.Errorf("closed: %s", a.Refused.Error())
		}
		i := slices.IndexFunc(a.Params, func(p rules.ParamView) bool { return p.Name == s.param })
		if i < 0 {
			return fmt.Errorf("%s has no parameter %s", s.action, s.param)
		}
		var offered, wanted []string
		for _, c := range a.Params[i].Choices {
			offered = append(offered, c.Label)
		}
		if s.op == "~" {
			if slices.Contains(offered, s.want.text) {
				return nil
			}
			return mismatched(fmt.Sprintf("%q among the choices", s.want.text), "%s", quoteAll(offered))
		}
		for _, v := range s.want.list {
			wanted = append(wanted, v.text)
		}
		if !slices.Equal(offered, wanted) {
			return mismatched("choices "+quoteAll(wanted), "%s", quoteAll(offered))
		}
		return nil
	}
	return fmt.Errorf("the rules have no action %q", s.action)
}

// expectLog tests the text of a log entry: the one that $name means, or the last.
func (r *runner) expectLog(s expectView) error {
	log := r.world.Log()
	if len(log) == 0 {
		return fmt.Errorf("the log is empty")
	}
	entry := log[len(log)-1]
	if s.name.kind != 0 {
		v, err := r.resolve(s.name, "", "")
		if err != nil {
			return err
		}
		n, ok := v.(int64)
		if !ok || n < 1 || n > int64(len(log)) {
			return fmt.Errorf("%s is no entry of the log", s.name)
		}
		entry = log[n-1]
	}
	text := r.entryText(entry)
	for _, t := range s.tests {
		if err := r.check(text, "the entry", t); err != nil {
			return err
		}
	}
	return nil
}

// entryText writes a log entry as one text: when, who, what, with which arguments,
// from what to what, with which dice, and the notes.
func (r *runner) entryText(e rules.Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s %s", time.UnixMilli(e.Time).UTC().Format("2006-01-02 15:04"), r.world.Label("players", e.Player), e.Action, describe(e.Args))
	if e.Refused != nil {
		fmt.Fprintf(&b, "\nrefused: %s", e.Refused.Error())
	}
	for _, c := range e.Changes {
		fmt.Fprintf(&b, "\n%s %s %s.%s: %s -> %s", c.Op, c.Label, c.Table, c.Column, describe(c.Old), describe(c.New))
	}
	for _, roll := range e.Rolls {
		fmt.Fprintf(&b, "\nrolled %d of %d %s %s", roll.Value, roll.Sides, roll.For, roll.Face)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "\n%s", n)
	}
	return b.String()
}

func (r *runner) expectPage(s expectView) error {
	for _, p := range r.world.Pages() {
		if p.Name == s.name.text {
			return r.checkText(p.Text, "the page", s.tests)
		}
	}
	return fmt.Errorf("there is no page %q", s.name.text)
}

// checkText tests what somebody reads.
func (r *runner) checkText(text, what string, tests []test) error {
	for _, t := range tests {
		if err := r.check(text, what, t); err != nil {
			return err
		}
	}
	return nil
}
