package scenario

import (
	"fmt"
	"strings"
)

// parseAmendments reads a block of amendments.
func parseAmendments(text string) ([]draft, error) {
	var out []draft
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if doc, ok := strings.CutPrefix(trimmed, "|"); ok {
			if len(out) == 0 || !out[len(out)-1].takesText() {
				return nil, fmt.Errorf("line %d of the block: the text of a rule follows enact or amend", i+1)
			}
			d := &out[len(out)-1]
			doc = strings.TrimPrefix(doc, " ")
			if d.hasText {
				d.text += "\n"
			}
			d.text, d.hasText = d.text+doc, true
			continue
		}
		trimmed = strings.TrimSpace(cut(trimmed))
		if trimmed == "" {
			continue
		}
		s := &scanner{rest: trimmed}
		d, err := parseDraft(s)
		if err == nil && !s.end() {
			err = s.wrong("the end of the line")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the block: %w", i+1, err)
		}
		out = append(out, d)
	}
	for _, d := range out {
		if d.takesText() && !d.hasText {
			return nil, fmt.Errorf("the text of a rule is missing after %s: lines that begin with |", d.op)
		}
	}
	return out, nil
}

func (d draft) takesText() bool {
	return d.op == "enact" && !d.again || d.op == "amend" && !d.replacing
}

// parseDraft reads one amendment, without a rule's text.
func parseDraft(s *scanner) (draft, error) {
	op, err := s.name()
	if err != nil {
		return draft{}, err
	}
	d := draft{op: op}
	switch op {
	case "enact":
		if d.again = s.takeWord("again"); d.again {
			if d.title, err = s.quoted(); err != nil {
				return d, err
			}
		}
		d.args, err = s.arguments()
	case "amend":
		err = d.readAmend(s)
	case "repeal":
		d.title, err = s.quoted()
	case "move":
		if d.title, err = s.quoted(); err == nil {
			d.args, err = s.arguments()
		}
	case "replace":
		err = d.readReplace(s)
	case "set", "gain", "lose", "multiply":
		err = d.readCells(s)
	case "create":
		if d.cell.table, err = s.name(); err == nil {
			d.args, err = s.arguments()
		}
	case "remove":
		d.cell, err = s.cell()
		if err == nil && (d.cell.table == "" || d.cell.column != "") {
			err = fmt.Errorf("a row is needed, such as eggs[owner=Ana]")
		}
	case "keyword", "measure":
		if d.title, err = s.name(); err == nil {
			d.args, err = s.arguments()
		}
	default:
		err = fmt.Errorf("%q is no amendment; there are enact, amend, replace, repeal, move, set, gain, lose, multiply, create, remove, keyword, measure", op)
	}
	return d, err
}

func (d *draft) readReplace(s *scanner) error {
	var err error
	if d.replace, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("with") {
		return s.wrong("with")
	}
	if d.with, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("in") {
		return s.wrong("in")
	}
	d.title, err = s.quoted()
	return err
}

// readCells reads a change of one cell or, after "each", of several.
func (d *draft) readCells(s *scanner) error {
	d.each = s.takeWord("each")
	var err error
	if d.cell, err = s.cell(); err != nil {
		return err
	}
	switch {
	case d.each && (d.cell.table == "" || d.cell.column == ""):
		return fmt.Errorf("cells are needed, such as eggs[owner=Ana].weight")
	case d.cell.column == "":
		return fmt.Errorf("a cell is needed, such as Ana.cookies")
	}
	switch {
	case d.op == "set" && !s.take("="):
		return s.wrong("=")
	case d.op != "set" && !s.takeWord("by"):
		return s.wrong("by")
	}
	d.val, err = s.value()
	return err
}

func (d *draft) readAmend(s *scanner) error {
	var err error
	if d.title, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("replace") {
		d.args, err = s.arguments()
		return err
	}
	d.replacing = true
	if d.replace, err = s.quoted(); err != nil {
		return err
	}
	if !s.takeWord("with") {
		return s.wrong("with")
	}
	d.with, err = s.quoted()
	return err
}
