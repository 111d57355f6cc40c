package rules

import (
	"fmt"
	"strings"

	"peernomic/engine/rules/amendment"
	"peernomic/engine/rules/declare"
)

func (r *run) amendSet(a *amendment.Set) error {
	decl := r.w.decl.Tables[a.Table]
	if decl == nil || decl.Column(a.Column) == nil {
		return fmt.Errorf("there is no column %s in %s", a.Column, a.Table)
	}
	c := decl.Column(a.Column)
	if c.Sealed {
		return fmt.Errorf("only the kernel sets %s", c.Name)
	}
	if !r.w.state.Has(decl.Name, a.Row) {
		return fmt.Errorf("there is no %s %d", decl.One, a.Row)
	}
	return r.setCell(decl.Name, a.Row, c, a.Value)
}

func (r *run) amendKeyword(a *amendment.Keyword) error {
	key, one, many := a.Key, a.One, a.Many
	if _, ok := r.w.word(key); !ok {
		return fmt.Errorf("there is no keyword %q", key)
	}
	if many == "" {
		many = one + "s"
	}
	for _, word := range []string{one, many} {
		if _, err := textOf(declare.MaxName).Check(word); err != nil || strings.TrimSpace(word) == "" {
			return fmt.Errorf("%q cannot be a keyword", word)
		}
	}
	id := r.w.index(tableKeywords, func(id int64) bool { return r.w.text(tableKeywords, id, "key") == key })
	if id == 0 {
		var err error
		if id, err = r.w.state.Create(tableKeywords); err != nil {
			return err
		}
	}
	old, _ := r.w.word(key)
	if err := r.w.setAll(tableKeywords, id, cells{"key": key, "one": one, "many": many}); err != nil {
		return err
	}
	r.changed(Change{Op: ChangeSet, Table: tableKeywords, Row: id, Column: "one", Old: old, New: one})
	return nil
}

func (r *run) measure(a *amendment.Measure) error {
	m := r.w.decl.Measures[a.Name]
	if m == nil {
		return fmt.Errorf("the rules have no measure %q", a.Name)
	}
	kwargs, err := r.w.arguments(m.Params, a.Args, 0)
	if err != nil {
		return err
	}
	if m.Check != nil {
		v, err := r.w.look(m.Check, kwargs)
		if err != nil {
			return err
		}
		if refused := reasonOf(v, m.Rule); refused != nil {
			return refused
		}
	}
	_, err = r.call(declare.Hook{Fn: m.Run, Origin: m.Origin}, kwargs)
	return err
}
