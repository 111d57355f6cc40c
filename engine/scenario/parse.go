package scenario

import (
	"fmt"
	"strings"
	"time"
)

// Parse reads a scenario. It fails with a [*SyntaxError].
func Parse(source []byte) (*Script, error) {
	p := &parser{lines: strings.Split(string(source), "\n")}
	script := &Script{}
	for p.next < len(p.lines) {
		line := p.next
		text := strings.TrimSpace(cut(p.lines[line]))
		p.next++
		if text == "" {
			continue
		}
		s := &scanner{rest: text, block: p.block}
		do, err := step(s)
		if err == nil && !s.end() {
			err = s.wrong("the end of the line")
		}
		if err != nil {
			return nil, &SyntaxError{line + 1, err.Error()}
		}
		script.Steps = append(script.Steps, Step{Line: line + 1, Text: text, Do: do})
	}
	return script, nil
}

type parser struct {
	lines []string
	next  int // line that comes next
}

// block reads the lines of a block up to its end mark.
func (p *parser) block(end string) (string, error) {
	for i := p.next; i < len(p.lines); i++ {
		if strings.TrimSpace(p.lines[i]) == end {
			text := strings.Join(p.lines[p.next:i], "\n")
			p.next = i + 1
			return text, nil
		}
	}
	return "", fmt.Errorf("the block has no end: no line is %s alone", end)
}

// step reads one step. Lines that open with a verb come first; what is left is an action.
func step(s *scanner) (any, error) {
	whole := s.rest
	first, err := s.name()
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(s.rest, ":") {
		s.rest = whole
		return action(s, act{})
	}
	switch first {
	case "ruleset":
		name, err := s.name()
		return found{name}, err
	case "option":
		args, err := s.arguments()
		if err == nil && len(args) == 0 {
			err = s.wrong("name=value")
		}
		return option{args}, err
	case "at":
		return parseClock(s)
	case "after":
		return parsePassing(s)
	case "players":
		return parseSeats(s)
	case "stranger":
		name, err := s.name()
		return stranger{name}, err
	case "refuse":
		return action(s, act{refused: true, cheat: s.takeWord("cheat")})
	case "cheat":
		return action(s, act{cheat: true})
	case "set", "gain", "lose", "multiply", "create", "remove":
		s.rest = whole
		d, err := parseDraft(s)
		return change{d}, err
	case "let":
		return parseLet(s)
	case "expect":
		return expectation(s)
	}
	return nil, fmt.Errorf("%q is no step; an action looks like Ana: Feed cookies=5", first)
}

func parseClock(s *scanner) (any, error) {
	text := strings.TrimSpace(s.rest)
	s.rest = ""
	for _, layout := range []string{"2006-01-02 15:04:05.000", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return clock{t}, nil
		}
	}
	return nil, fmt.Errorf("%q is no time; write 2026-01-05 10:00", text)
}

// parsePassing reads a duration, with d for days, and the dice of timers.
func parsePassing(s *scanner) (any, error) {
	v, err := s.value()
	if err != nil {
		return nil, err
	}
	d, err := duration(v.text)
	if err != nil {
		return nil, err
	}
	out := passing{for_: d}
	args, err := s.arguments()
	if err != nil {
		return nil, err
	}
	for _, a := range args {
		if a.key != "dice" {
			return nil, fmt.Errorf("time takes dice=, not %s=", a.key)
		}
		if out.dice, err = diceOf(s, a.val); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func duration(text string) (time.Duration, error) {
	whole := text
	var total time.Duration
	if days, rest, ok := strings.Cut(text, "d"); ok {
		n := int64(0)
		if _, err := fmt.Sscanf(days, "%d", &n); err != nil || n < 0 || n > 100_000 || fmt.Sprint(n) != days {
			return 0, fmt.Errorf("%q is no duration; write 12h, 90m or 2d", whole)
		}
		total, text = time.Duration(n)*24*time.Hour, rest
	}
	if text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > 100_000*24*time.Hour {
			return 0, fmt.Errorf("%q is no duration; write 12h, 90m or 2d", whole)
		}
		total += d
	}
	return total, nil
}

func parseSeats(s *scanner) (any, error) {
	var out seats
	for !s.end() {
		name, err := s.name()
		if err != nil {
			return nil, err
		}
		out.names = append(out.names, name)
	}
	if len(out.names) == 0 {
		return nil, s.wrong("a name")
	}
	return out, nil
}

// action reads NAME: Action key=value … dice=… because "…" -> name.
func action(s *scanner, a act) (any, error) {
	var err error
	if a.who, a.action, err = whoDoes(s); err != nil {
		return nil, err
	}
	args, err := s.arguments()
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		switch arg.key {
		case "dice":
			if a.dice, err = diceOf(s, arg.val); err != nil {
				return nil, err
			}
			// What follows the dice are arguments again.
			more, err := s.arguments()
			if err != nil {
				return nil, err
			}
			a.args = append(a.args, more...)
		case "amendments":
			if arg.val.kind != block {
				return nil, fmt.Errorf("amendments need a block: amendments=<<END")
			}
			if arg.val.amendments, err = parseAmendments(arg.val.text); err != nil {
				return nil, fmt.Errorf("amendments: %w", err)
			}
			a.args = append(a.args, arg)
		default:
			a.args = append(a.args, arg)
		}
	}
	if a.because, err = s.because(); err != nil {
		return nil, err
	}
	switch {
	case a.refused && len(a.because) == 0:
		return nil, s.wrong(`because "reason"`)
	case !a.refused && len(a.because) > 0:
		return nil, fmt.Errorf(`only what is refused has a reason: write "refuse %s: %s …"`, a.who, a.action)
	}
	if s.take("->") {
		if a.keep, err = s.name(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// whoDoes reads NAME: Action, the name of the action being every word up to an
// argument or a reason.
func whoDoes(s *scanner) (who, action string, err error) {
	if who, err = s.name(); err != nil {
		return "", "", err
	}
	if !s.take(":") {
		return "", "", s.wrong(":")
	}
	var words []string
	for !s.end() {
		if _, ok := s.keyed(); ok || strings.HasPrefix(s.rest, "->") || strings.HasPrefix(s.rest, "because ") {
			break
		}
		w, err := s.name()
		if err != nil {
			return "", "", err
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return "", "", s.wrong("an action")
	}
	return who, strings.Join(words, " "), nil
}

// diceOf reads the dice of dice=1,5: the first is already read.
func diceOf(s *scanner, first value) ([]uint64, error) {
	values := []value{first}
	for strings.HasPrefix(s.rest, ",") {
		s.rest = s.rest[1:]
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	var out []uint64
	for _, v := range values {
		if v.kind != number || v.number < 0 {
			return nil, fmt.Errorf("dice are numbers such as dice=1,5, not %s", v)
		}
		out = append(out, uint64(v.number))
	}
	return out, nil
}

func parseLet(s *scanner) (any, error) {
	name, err := s.name()
	if err != nil {
		return nil, err
	}
	if !s.take("=") {
		return nil, s.wrong("=")
	}
	c, err := s.cell()
	if err == nil && c.column == "" {
		err = fmt.Errorf("a cell is needed, such as Ana.cookies")
	}
	return let{name, c}, err
}
