package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNesting is how deep lists in values may nest.
const maxNesting = 16

// scanner reads one line.
type scanner struct {
	rest string
	// block returns the lines up to the end mark; nil where no block may stand.
	block func(end string) (string, error)
	depth int
}

// cut removes a comment from a line: # at its start or after a blank, outside quotes.
func cut(line string) string {
	inside, escaped := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case escaped:
			escaped = false
		case inside && c == '\\':
			escaped = true
		case c == '"':
			inside = !inside
		case c == '#' && !inside && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}

func (s *scanner) space() { s.rest = strings.TrimLeft(s.rest, " \t\r") }

func (s *scanner) end() bool {
	s.space()
	return s.rest == ""
}

// take consumes a text if it comes next.
func (s *scanner) take(text string) bool {
	s.space()
	if rest, ok := strings.CutPrefix(s.rest, text); ok {
		s.rest = rest
		return true
	}
	return false
}

// takeWord consumes a word if it comes next as a whole.
func (s *scanner) takeWord(text string) bool {
	s.space()
	rest, ok := strings.CutPrefix(s.rest, text)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r' {
		return false
	}
	s.rest = rest
	return true
}

func isName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '\'' || r == '!'
}

// name reads a name: letters, digits and a few signs, or anything in quotes.
func (s *scanner) name() (string, error) {
	s.space()
	if strings.HasPrefix(s.rest, `"`) {
		return s.quoted()
	}
	return s.letters("a name", isName)
}

// key reads the name of a column or of something else to test.
func (s *scanner) key() (string, error) {
	s.space()
	return s.letters("a column or another thing to test", func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// letters reads what comes next as long as ok holds.
func (s *scanner) letters(what string, ok func(rune) bool) (string, error) {
	n := 0
	for n < len(s.rest) {
		r, size := utf8.DecodeRuneInString(s.rest[n:])
		if !ok(r) {
			break
		}
		n += size
	}
	if n == 0 {
		return "", s.wrong(what)
	}
	out := s.rest[:n]
	s.rest = s.rest[n:]
	return out, nil
}

func (s *scanner) quoted() (string, error) {
	s.space()
	if !strings.HasPrefix(s.rest, `"`) {
		return "", s.wrong("a text in quotes")
	}
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; c {
		case '"':
			s.rest = s.rest[i+1:]
			return b.String(), nil
		case '\\':
			i++
			if i == len(s.rest) {
				return "", fmt.Errorf("the text has no closing quote")
			}
			switch s.rest[i] {
			case 'n':
				b.WriteByte('\n')
			case '"', '\\':
				b.WriteByte(s.rest[i])
			default:
				return "", fmt.Errorf(`\%c is no escape: use \" \\ \n`, s.rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("the text has no closing quote")
}

// value reads a value.
func (s *scanner) value() (value, error) {
	s.space()
	switch {
	case strings.HasPrefix(s.rest, `"`):
		text, err := s.quoted()
		return value{kind: quoted, text: text}, err
	case s.take("<<"):
		end, err := s.name()
		if err != nil {
			return value{}, err
		}
		if s.block == nil {
			return value{}, fmt.Errorf("no block can stand here")
		}
		text, err := s.block(end)
		return value{kind: block, text: text}, err
	case s.take("$"):
		text, err := s.name()
		return value{kind: variable, text: text}, err
	case s.take("["):
		return s.list()
	}
	n := strings.IndexAny(s.rest, " \t\r,]")
	if n < 0 {
		n = len(s.rest)
	}
	if n == 0 {
		return value{}, s.wrong("a value")
	}
	text := s.rest[:n]
	s.rest = s.rest[n:]
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value{kind: number, number: i, text: text}, nil
	}
	return value{kind: word, text: text}, nil
}

func (s *scanner) list() (value, error) {
	if s.depth++; s.depth > maxNesting {
		return value{}, fmt.Errorf("lists are nested more than %d deep", maxNesting)
	}
	defer func() { s.depth-- }()
	out := value{kind: listing}
	for !s.take("]") {
		v, err := s.value()
		if err != nil {
			return value{}, err
		}
		out.list = append(out.list, v)
		if !s.take(",") && !strings.HasPrefix(strings.TrimLeft(s.rest, " \t\r"), "]") {
			return value{}, s.wrong(", or ]")
		}
	}
	return out, nil
}

// keyed reports whether key= comes next, and which key.
func (s *scanner) keyed() (string, bool) {
	s.space()
	n := 0
	for n < len(s.rest) && (s.rest[n] == '_' || s.rest[n] >= 'a' && s.rest[n] <= 'z' || n > 0 && s.rest[n] >= '0' && s.rest[n] <= '9') {
		n++
	}
	if n == 0 || n == len(s.rest) || s.rest[n] != '=' {
		return "", false
	}
	return s.rest[:n], true
}

// arguments reads key=value as long as there are some.
func (s *scanner) arguments() ([]argument, error) {
	var out []argument
	for {
		key, ok := s.keyed()
		if !ok {
			return out, nil
		}
		s.rest = s.rest[len(key)+1:]
		v, err := s.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		out = append(out, argument{key, v})
	}
}

// operators, longest first.
var operators = []string{"!=", "<=", ">=", "!~", "=", "<", ">", "~"}

func (s *scanner) operator() (string, error) {
	for _, op := range operators {
		if s.take(op) {
			return op, nil
		}
	}
	return "", s.wrong("an operator such as = or >=")
}

// tests reads name OP value until the line ends.
func (s *scanner) tests() ([]test, error) {
	var out []test
	for !s.end() {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		op, err := s.operator()
		if err != nil {
			return nil, err
		}
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		out = append(out, test{key, op, v})
	}
	if len(out) == 0 {
		return nil, s.wrong("something to test, such as status=Enacted")
	}
	return out, nil
}

// because reads because "text" "text" …, if it stands there.
func (s *scanner) because() ([]string, error) {
	var out []string
	for s.takeWord("because") {
		for first := true; first || !s.end() && strings.HasPrefix(s.rest, `"`); first = false {
			text, err := s.quoted()
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
	}
	return out, nil
}

// cell reads a cell or, without a column, a row.
func (s *scanner) cell() (cell, error) {
	root, err := s.name()
	if err != nil {
		return cell{}, err
	}
	c := cell{root: root}
	if strings.HasPrefix(s.rest, "[") {
		s.rest = s.rest[1:]
		c.table, c.root = root, ""
		for !s.take("]") {
			key, ok := s.keyed()
			if !ok {
				return cell{}, s.wrong("column=value")
			}
			s.rest = s.rest[len(key)+1:]
			v, err := s.value()
			if err != nil {
				return cell{}, err
			}
			c.where = append(c.where, argument{key, v})
			if !s.take(",") && !strings.HasPrefix(strings.TrimLeft(s.rest, " \t\r"), "]") {
				return cell{}, s.wrong(", or ]")
			}
		}
	}
	if strings.HasPrefix(s.rest, ".") {
		s.rest = s.rest[1:]
		if c.column, err = s.key(); err != nil {
			return cell{}, err
		}
	}
	return c, nil
}

// wrong says what should have come next.
func (s *scanner) wrong(wanted string) error {
	s.space()
	if s.rest == "" {
		return fmt.Errorf("%s is missing at the end of the line", wanted)
	}
	found := s.rest
	if len(found) > 30 {
		found = found[:30] + "…"
	}
	return fmt.Errorf("%s should stand here, not %q", wanted, found)
}
