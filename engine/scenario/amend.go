package scenario

import (
	"fmt"
	"strings"

	"peernomic/engine/rules/amendment"
)

// amendments turns a block into what a proposal carries.
func (r *runner) amendments(block []draft) (any, error) {
	list := []any{}
	amended := map[string]*amendment.Amend{} // by the rule's title
	var drafts []amendment.Amendment
	for _, d := range block {
		if before := amended[d.title]; before != nil && d.replacing {
			// Another replacement in the same rule: one amendment holds both.
			if err := d.replaceIn(before); err != nil {
				return nil, err
			}
			continue
		}
		one, err := r.amendment(d)
		if err != nil {
			return nil, err
		}
		if a, ok := one.(*amendment.Amend); ok {
			amended[d.title] = a
		}
		drafts = append(drafts, one)
	}
	for _, a := range drafts {
		list = append(list, amendment.Encode(a))
	}
	return list, nil
}

// amendment works out one line of a block in the world as it is now.
func (r *runner) amendment(d draft) (amendment.Amendment, error) {
	switch d.op {
	case "amend":
		return r.amend(d)
	case "repeal":
		return &amendment.Repeal{Rule: amendment.Ref{Title: d.title}}, nil
	case "replace":
		return &amendment.Replace{Rule: amendment.Ref{Title: d.title}, Old: d.replace, New: d.with}, nil
	case "set":
		cells, err := r.cells(d)
		if err != nil {
			return nil, err
		}
		kind, to := r.columnType(cells.Table, cells.Column)
		v, err := r.resolve(d.val, kind, to)
		return &amendment.Set{Cells: cells, Value: v}, err
	case "gain", "lose", "multiply":
		cells, err := r.cells(d)
		if err != nil {
			return nil, err
		}
		by, err := r.resolve(d.val, "", "")
		return &amendment.Adjust{How: d.op, Cells: cells, By: by}, err
	case "create":
		values := map[string]any{}
		for _, arg := range d.args {
			kind, to := r.columnType(d.cell.table, arg.key)
			v, err := r.resolve(arg.val, kind, to)
			if err != nil {
				return nil, err
			}
			values[arg.key] = v
		}
		return &amendment.Create{Table: d.cell.table, Values: values}, nil
	case "remove":
		table, id, err := r.one(d.cell)
		return &amendment.Remove{Table: table, Row: id}, err
	case "measure":
		args, err := r.resolveAll(d.args, r.world.MeasureTypes(d.title))
		return &amendment.Measure{Name: d.title, Args: args}, err
	case "enact":
		text := d.text
		if d.again {
			rule, found := r.world.RuleTitled(d.title)
			if !found {
				return nil, fmt.Errorf("there is no rule %q", d.title)
			}
			text = rule.Text
		}
		return r.decode(d, map[string]any{"text": text})
	case "move":
		return r.decode(d, map[string]any{"rule": d.title})
	default:
		return r.decode(d, map[string]any{"key": d.title})
	}
}

// cells works out which cells a line changes: one, or with "each" those of the rows that fit when it is carried out.
func (r *runner) cells(d draft) (amendment.Cells, error) {
	out := amendment.Cells{Table: d.cell.table, Column: d.cell.column}
	var err error
	if !d.each {
		out.Table, out.Row, err = r.one(d.cell)
		return out, err
	}
	out.Where = map[string]any{}
	for _, c := range d.cell.where {
		kind, to := r.columnType(out.Table, c.key)
		if out.Where[c.key], err = r.resolve(c.val, kind, to); err != nil {
			return out, err
		}
	}
	return out, nil
}

// decode makes an amendment of the parts that are known and those that the line names.
func (r *runner) decode(d draft, parts map[string]any) (amendment.Amendment, error) {
	parts["op"] = d.op
	for _, a := range d.args {
		v, err := r.resolve(a.val, "", "")
		if err != nil {
			return nil, err
		}
		parts[a.key] = v
	}
	return amendment.Decode(parts)
}

// amend writes the new text of a rule, on the text that it has now.
func (r *runner) amend(d draft) (amendment.Amendment, error) {
	rule, found := r.world.RuleTitled(d.title)
	if !found && d.replacing {
		return nil, fmt.Errorf("there is no rule %q", d.title)
	}
	text := d.text
	if d.replacing {
		text = rule.Text
	}
	one, err := r.decode(d, map[string]any{"rule": d.title, "base": rule.Fingerprint, "text": text})
	if a, ok := one.(*amendment.Amend); ok && d.replacing {
		return a, d.replaceIn(a)
	}
	return one, err
}

// replaceIn replaces words of an amendment's text that stand there exactly once.
func (d draft) replaceIn(a *amendment.Amend) error {
	if n := strings.Count(a.Text, d.replace); n != 1 {
		return fmt.Errorf("%q stands in the rule %q %d times, not once", d.replace, d.title, n)
	}
	a.Text = strings.Replace(a.Text, d.replace, d.with, 1)
	return nil
}
