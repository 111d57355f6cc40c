package play

import (
	"fmt"
	"strings"
)

// parseAmendments reads a block of amendments.
func parseAmendments(text string) ([]amendment, error) {
	var out []amendment
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if doc, ok := strings.CutPrefix(trimmed, "|"); ok {
			if len(out) == 0 || !out[len(out)-1].takesText() {
				return nil, fmt.Errorf("line %d of the block: the text of a rule follows enact or amend", i+1)
			}
			a := &out[len(out)-1]
			doc = strings.TrimPrefix(doc, " ")
			if a.hasText {
				a.text += "\n"
			}
			a.text, a.hasText = a.text+doc, true
			continue
		}
		trimmed = strings.TrimSpace(cut(trimmed))
		if trimmed == "" {
			continue
		}
		s := &scanner{rest: trimmed}
		a, err := amendmentLine(s)
		if err == nil && !s.end() {
			err = s.wrong("the end of the line")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the block: %w", i+1, err)
		}
		out = append(out, a)
	}
	for _, a := range out {
		if a.takesText() && !a.hasText {
			return nil, fmt.Errorf("the text of a rule is missing after %s: lines that begin with |", a.op)
		}
	}
	return out, nil
}

func (a amendment) takesText() bool {
	return a.op == "enact" && !a.again || a.op == "amend" && !a.replacing
}

// amendmentLine reads one amendment, without a rule's text.
func amendmentLine(s *scanner) (amendment, error) {
	op, err := s.name()
	if err != nil {
		return amendment{}, err
	}
	a := amendment{op: op}
	switch op {
	case "enact":
		if a.again = s.takeWord("again"); a.again {
			if a.title, err = s.quoted(); err != nil {
				return a, err
			}
		}
		a.args, err = s.arguments()
	case "amend":
		err = a.readAmend(s)
	case "repeal":
		a.title, err = s.quoted()
	case "move":
		if a.title, err = s.quoted(); err == nil {
			a.args, err = s.arguments()
		}
	case "set":
		if a.cell, err = s.cell(); err != nil {
			return a, err
		}
		if a.cell.column == "" {
			return a, fmt.Errorf("a cell is needed, such as Ana.cookies")
		}
		if !s.take("=") {
			return a, s.wrong("=")
		}
		a.val, err = s.value()
	case "create":
		if a.cell.table, err = s.name(); err == nil {
			a.args, err = s.arguments()
		}
	case "remove":
		a.cell, err = s.cell()
		if err == nil && (a.cell.table == "" || a.cell.column != "") {
			err = fmt.Errorf("a row is needed, such as eggs[owner=Ana]")
		}
	case "keyword", "measure":
		if a.title, err = s.name(); err == nil {
			a.args, err = s.arguments()
		}
	default:
		err = fmt.Errorf("%q is no amendment; there are enact, amend, repeal, move, set, create, remove, keyword, measure", op)
	}
	return a, err
}

func (a *amendment) readAmend(s *scanner) error {
	var err error
	if a.title, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("replace") {
		a.args, err = s.arguments()
		return err
	}
	a.replacing = true
	if a.replace, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("with") {
		return s.wrong("with")
	}
	a.with, err = s.quoted()
	return err
}
