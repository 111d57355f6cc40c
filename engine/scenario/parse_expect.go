package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// expectation reads what follows expect.
func expectation(s *scanner) (any, error) {
	switch {
	case s.takeWord("count"):
		return parseCount(s)
	case s.takeWord("no"):
		return parseAbsent(s)
	case s.takeWord("way"):
		return parseWay(s)
	case s.takeWord("open"):
		return parseAvailable(s, true)
	case s.takeWord("closed"):
		return parseAvailable(s, false)
	case s.takeWord("choices"):
		return parseChoices(s)
	case s.takeWord("rolls"):
		return parseRolls(s)
	case s.takeWord("choice"):
		return parseDecision(s)
	}
	for _, kind := range []string{"post", "comment", "rule", "tally", "vote", "next", "page", "board", "waits", "recognised", "log"} {
		if s.takeWord(kind) {
			return parseView(s, kind)
		}
	}
	c, err := s.cell()
	if err != nil {
		return nil, err
	}
	if c.column == "" {
		tests, err := s.tests()
		return expectCell{c, tests}, err
	}
	op, err := s.operator()
	if err != nil {
		return nil, err
	}
	v, err := s.value()
	if err != nil {
		return nil, err
	}
	column := c.column
	c.column = ""
	return expectCell{c, []test{{column, op, v}}}, nil
}

func parseCount(s *scanner) (any, error) {
	c, err := s.cell()
	if err != nil {
		return nil, err
	}
	if c.table == "" || c.column != "" {
		return nil, fmt.Errorf("rows are needed, such as eggs[owner=Ana] or eggs[]")
	}
	op, err := s.operator()
	if err != nil {
		return nil, err
	}
	v, err := s.value()
	return expectCount{c, test{"count", op, v}}, err
}

// parseAbsent reads no post "T", no rule "T", no table[…].
func parseAbsent(s *scanner) (any, error) {
	if s.takeWord("choice") {
		who, err := s.name()
		return expectDecision{no: true, who: who}, err
	}
	for _, kind := range []string{"post", "rule"} {
		if s.takeWord(kind) {
			name, err := s.value()
			return expectView{kind: kind, no: true, name: name}, err
		}
	}
	c, err := s.cell()
	if err == nil && (c.table == "" || c.column != "") {
		err = fmt.Errorf("what is absent is a post, a rule, or rows such as eggs[owner=Ana]")
	}
	return expectCount{c, test{"count", "=", value{kind: number}}}, err
}

func parseView(s *scanner, kind string) (any, error) {
	v := expectView{kind: kind}
	var err error
	if kind != "log" || !startsWith(s, "contains", "lacks") {
		if v.name, err = s.value(); err != nil {
			return nil, err
		}
	}
	if kind == "comment" || kind == "vote" || kind == "board" {
		if v.who, err = s.name(); err != nil {
			return nil, err
		}
	}
	for {
		op := ""
		switch {
		case s.takeWord("contains"):
			op = "~"
		case s.takeWord("lacks"):
			op = "!~"
		}
		if op == "" {
			break
		}
		text, err := s.quoted()
		if err != nil {
			return nil, err
		}
		v.tests = append(v.tests, test{"text", op, value{kind: quoted, text: text}})
	}
	if s.end() && len(v.tests) > 0 {
		return v, nil
	}
	more, err := s.tests()
	v.tests = append(v.tests, more...)
	return v, err
}

func startsWith(s *scanner, words ...string) bool {
	for _, w := range words {
		rest := s.rest
		if s.takeWord(w) {
			s.rest = rest
			return true
		}
	}
	return false
}

func parseWay(s *scanner) (any, error) {
	var w expectWay
	var err error
	if w.post, err = s.quoted(); err != nil {
		return nil, err
	}
	if w.can, err = s.name(); err != nil {
		return nil, err
	}
	switch {
	case s.takeWord("open"):
		w.open = true
	case s.takeWord("closed"):
	default:
		return nil, s.wrong("open or closed")
	}
	w.because, err = s.because()
	return w, err
}

func parseAvailable(s *scanner, open bool) (any, error) {
	a := expectAction{open: open}
	var err error
	if a.who, a.action, err = whoDoes(s); err != nil {
		return nil, err
	}
	a.because, err = s.because()
	if err == nil && open && len(a.because) > 0 {
		err = fmt.Errorf("what is open has no reason")
	}
	return a, err
}

// parseChoices reads choices NAME: Action param = [value, …], or ~ value.
func parseChoices(s *scanner) (any, error) {
	var c expectChoices
	var err error
	before, after, ok := strings.Cut(s.rest, " ~ ")
	c.op = "~"
	if !ok {
		if before, after, ok = strings.Cut(s.rest, " = "); !ok {
			return nil, s.wrong("param = [choice, …], or param ~ choice")
		}
		c.op = "="
	}
	head := &scanner{rest: before}
	if c.who, c.action, err = whoDoes(head); err != nil {
		return nil, err
	}
	// The last word is the parameter.
	i := strings.LastIndex(c.action, " ")
	if i < 0 {
		return nil, fmt.Errorf("the parameter is missing")
	}
	c.action, c.param = c.action[:i], c.action[i+1:]
	s.rest = after
	c.want, err = s.value()
	if err == nil && c.op == "=" && c.want.kind != listing {
		err = fmt.Errorf("a list of choices is needed, such as [Ana, Bo]")
	}
	return c, err
}

// parseDecision reads choice NAME "question" options=[label, …] until="…" otherwise=label.
func parseDecision(s *scanner) (any, error) {
	var d expectDecision
	var err error
	if d.who, err = s.name(); err != nil {
		return nil, err
	}
	if d.question, err = s.quoted(); err != nil {
		return nil, err
	}
	if !s.end() {
		d.tests, err = s.tests()
	}
	return d, err
}

func parseRolls(s *scanner) (any, error) {
	var out expectRolls
	for !s.end() {
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		shown, sides, withSides := strings.Cut(v.text, "/")
		var roll rolled
		if roll.value, err = strconv.ParseUint(shown, 10, 64); err == nil && withSides {
			roll.sides, err = strconv.ParseUint(sides, 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("rolls are numbers such as 2 or 2/6, not %s", v)
		}
		out.rolls = append(out.rolls, roll)
	}
	return out, nil
}
