package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/rules/sandbox"
)

// reload makes the declarations of the rules in force anew. The transaction that changed the rules pays; it is nil when a
// game is founded or opened. If loading fails, with a [*document.Problem], the former declarations stay.
func (w *World) reload(payer *run) error {
	l := w.loader()
	w.run = nil // the tops of scripts belong to no transaction
	failed := l.loadAll()
	w.run = payer
	if err := l.charge(payer, failed); err != nil {
		return err
	}
	former := w.decl
	w.decl = l.decl
	w.state.OnRevert(func() { w.decl = former })
	return w.fitCells()
}

// loadAll loads all rules, up to the first that is wrong. If rules that others need are gone, it tells all that need them.
func (l *loader) loadAll() error {
	var first error
	for _, id := range l.w.ruleOrder() {
		_, err := l.load(id, nil)
		switch {
		case err != nil && !slices.Contains(l.lacking, id):
			return err
		case err != nil && first == nil:
			first = err
		}
	}
	if first != nil {
		return l.lackingAll(first)
	}
	l.decl.Actions = append(l.decl.Actions, decideAction())
	return l.decl.CheckTables()
}

// lackingAll adds to the problem of the first rule that lacks another one all that lack one, be it through others.
func (l *loader) lackingAll(first error) error {
	var p *document.Problem
	if !errors.As(first, &p) || len(l.lacking) == 1 {
		return first
	}
	var titles []string
	for _, id := range l.w.ruleOrder() {
		if slices.Contains(l.lacking, id) {
			titles = append(titles, l.w.expandWords(l.w.text(tableRules, id, "title")))
		}
	}
	told := *p
	told.Message += fmt.Sprintf(". These %d rules could not be loaded: %s", len(titles), strings.Join(titles, ", "))
	return &told
}

// charge makes the transaction that changes rules pay for loading them, also if that failed. The price is the steps that
// the scripts took, and their length for the compiler's work. A program that was compiled before costs the same, because
// replicas differ in that. It returns why the rules cannot be put in force.
//
// If the price is more than is left, the rule that takes most of it is blamed. Something has to be left to say so: then
// three quarters are taken, so that a script cannot try again for ever.
func (l *loader) charge(payer *run, failed error) error {
	if payer == nil {
		return failed
	}
	steps := 2000 + sandbox.LoadBudget.Steps - l.meter.Left().Steps
	for _, id := range l.w.state.Rows(tableRules) {
		steps += 200 + uint64(len(l.w.text(tableRules, id, "text")))/16
	}
	meter := payer.meter
	left := meter.Left().Steps
	if steps > left && failed == nil {
		failed = l.tooLong(steps)
	}
	if steps > left && failed != nil {
		steps = left / 4 * 3
	}
	if err := meter.Spend(steps); err != nil {
		return err
	}
	return failed
}

// tooLong blames the rule whose script takes most of the steps of loading, if there are so many steps that
// no action could pay for them. Otherwise it returns nil.
func (l *loader) tooLong(steps uint64) error {
	most := l.costliest()
	if steps*2 < sandbox.ActBudget.Steps || l.took[most]*2 < steps {
		return nil
	}
	return l.blame(most, "the rules took too many steps")
}

// costliest returns the rule that took most steps to load so far.
func (l *loader) costliest() int64 {
	var most int64
	for _, id := range l.w.ruleOrder() {
		if most == 0 || l.took[id] > l.took[most] {
			most = id
		}
	}
	return most
}

// blame makes a problem of a limit. The rule caused it, also if another rule reached it.
func (l *loader) blame(id int64, message string) *document.Problem {
	p := &document.Problem{Rule: l.w.text(tableRules, id, "title"), Message: message, Limit: true}
	if doc, err := document.Parse(l.w.text(tableRules, id, "text")); err == nil {
		p.Line = 1 + slices.IndexFunc(strings.Split(doc.Script, "\n"), func(line string) bool { return strings.TrimSpace(line) != "" })
	}
	return p
}

type loadState int

const (
	notLoaded loadState = iota
	loadingNow
	loaded
)

// loader loads rules in their order; a rule that another loads from comes first. Each is loaded once.
type loader struct {
	w       *World
	decl    *declare.Declarations
	meter   *sandbox.Meter
	state   map[int64]loadState
	modules map[int64]starlark.StringDict // what the scripts define, by rule
	wrong   map[int64]error               // of the rules that do not load
	lacking []int64                       // those of them that load from a rule that is gone, or from one that does
	took    map[int64]uint64              // steps that each took, without those that it loads from
}

func (w *World) loader() *loader {
	return &loader{w: w, decl: declare.New(kernelTables()), meter: sandbox.NewMeter(sandbox.LoadBudget), state: map[int64]loadState{}, modules: map[int64]starlark.StringDict{}, wrong: map[int64]error{}, took: map[int64]uint64{}}
}

// load loads a rule, once. chain are the rules that load it.
func (l *loader) load(id int64, chain []string) (starlark.StringDict, error) {
	switch l.state[id] {
	case notLoaded:
		l.state[id] = loadingNow
		l.modules[id], l.wrong[id] = l.execute(id, chain)
		l.state[id] = loaded
	case loadingNow:
		title := l.w.text(tableRules, id, "title")
		return nil, fmt.Errorf("rules load from each other in a circle: %s", strings.Join(append(chain, title), " → "))
	}
	return l.modules[id], l.wrong[id]
}

// execute carries out the top level of a rule's script.
func (l *loader) execute(id int64, chain []string) (starlark.StringDict, error) {
	title := l.w.text(tableRules, id, "title")
	doc, err := document.Parse(l.w.text(tableRules, id, "text"))
	if err != nil {
		return nil, err
	}
	var globals starlark.StringDict
	if strings.TrimSpace(doc.Script) != "" {
		program, err := l.w.compile(doc)
		if err != nil {
			return nil, scriptProblem(title, err)
		}
		thread := sandbox.NewThread(title, l.meter)
		l.decl.Begin(thread, title)
		thread.Load = func(_ *starlark.Thread, from string) (starlark.StringDict, error) {
			other := l.w.ruleCalled(from)
			if other == 0 {
				l.lacking = append(l.lacking, id)
				return nil, fmt.Errorf("there is no rule %q to load from", from)
			}
			globals, err := l.load(other, append(chain, title))
			if err != nil && slices.Contains(l.lacking, other) {
				l.lacking = append(l.lacking, id)
			}
			return globals, err
		}
		globals, err = program.Init(thread, l.w.predeclared)
		l.took[id] = thread.Steps
		if err != nil {
			p := scriptProblem(title, err)
			if most := l.costliest(); l.meter.Left().Steps == 0 && most != id {
				p = l.blame(most, p.Message)
			}
			return nil, p
		}
		globals.Freeze()
	}
	return globals, nil
}

// compile returns the rule's program, compiled once for each script.
func (w *World) compile(doc document.Parsed) (*sandbox.Program, error) {
	key := document.Fingerprint(doc.Title, doc.Script)
	if p := w.programs[key]; p != nil {
		return p, nil
	}
	p, err := sandbox.Compile(doc.Title, doc.Script, w.predeclared.Has)
	if err != nil {
		return nil, err
	}
	w.programs[key] = p
	return p, nil
}

// scriptProblem turns an error of compiling or loading into a [*document.Problem].
func scriptProblem(title string, err error) *document.Problem {
	var p *document.Problem
	if errors.As(err, &p) {
		return p
	}
	f := sandbox.Error(err)
	p = &document.Problem{Rule: title, Message: f.Message, Line: f.Position.Line, Limit: f.Code == sandbox.CodeSteps || f.Code == sandbox.CodeMemory}
	if f.Position.File != "" {
		p.Rule = f.Position.File
	}
	return p
}

// fitCells brings the cells of declared tables into the types that the rules in force give them. A value that does not
// fit becomes the default. In a column that clamps, a number becomes the nearer bound.
// Choices that the rules compute are left alone, because a value may outlive its choice.
func (w *World) fitCells() error {
	for _, name := range w.decl.TableOrder {
		for _, c := range w.decl.Tables[name].Columns {
			if c.Sealed || c.Type.Choices != nil || c.Computed {
				continue
			}
			for _, id := range w.state.Rows(name) {
				v, set := w.state.Get(name, id, c.Name)
				if !set {
					continue
				}
				if _, err := c.Type.Plain.Check(v); err != nil {
					fitted := c.Initial
					if nearest := c.Type.Plain.Clamp(v); c.Clamp {
						if _, err := c.Type.Plain.Check(nearest); err == nil {
							fitted = nearest
						}
					}
					if err := w.state.Set(name, id, c.Name, fitted); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// beginAnew empties the tables and columns that are declared now and were not before. What an earlier rule kept under such
// a name went with that rule: a name that comes back must not bring old values along.
func (w *World) beginAnew(former *declare.Declarations) error {
	for _, name := range w.decl.TableOrder {
		t, was := w.decl.Tables[name], former.Tables[name]
		if was == nil {
			for _, id := range slices.Clone(w.state.Rows(name)) {
				if err := w.state.Remove(name, id); err != nil {
					return err
				}
			}
			continue
		}
		for _, c := range t.Columns {
			if was.Column(c.Name) == nil {
				for _, id := range w.state.Rows(name) {
					w.state.Unset(name, id, c.Name)
				}
			}
		}
	}
	return nil
}

// ruleOrder returns the ids of all rules in the order of the ruleset: by section,
// each rule before its sub-rules.
func (w *World) ruleOrder() []int64 {
	var order []int64
	for _, section := range w.state.Rows(tableSections) {
		order = w.appendRules(order, section, 0)
	}
	return order
}

func (w *World) appendRules(order []int64, section, parent int64) []int64 {
	for _, id := range w.siblings(section, parent) {
		order = append(order, id)
		order = w.appendRules(order, section, id)
	}
	return order
}

// siblings returns the rules of a section below one rule, or at its top, in order.
func (w *World) siblings(section, parent int64) []int64 {
	var ids []int64
	for _, id := range w.state.Rows(tableRules) {
		if w.int(tableRules, id, "section") == section && w.int(tableRules, id, "parent") == parent {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b int64) int {
		return int(w.int(tableRules, a, "position") - w.int(tableRules, b, "position"))
	})
	return ids
}

// ruleTitled finds a rule by its title as it is written or as it reads with this
// game's words, without regard to case. It returns 0 if there is none.
func (w *World) ruleTitled(title string) int64 {
	want := confusable.Fold(title)
	return w.index(tableRules, func(id int64) bool { return w.reads(w.text(tableRules, id, "title"), want) })
}

// reads reports whether a title, as it is written or as it reads, is one that is folded already.
func (w *World) reads(title, folded string) bool {
	return confusable.Fold(title) == folded || strings.Contains(title, "{{") && confusable.Fold(w.expandWords(title)) == folded
}

// ruleCalled finds a rule in force by its title or, if no rule has that title, by a title that it had: of several rules the
// one that had it last. So what was written before a rule was renamed still means that rule.
func (w *World) ruleCalled(title string) int64 {
	if id := w.ruleTitled(title); id != 0 {
		return id
	}
	want := confusable.Fold(title)
	for _, rev := range slices.Backward(w.state.Rows(tableRevisions)) {
		if id := w.int(tableRevisions, rev, "rule"); w.state.Has(tableRules, id) && w.reads(w.text(tableRevisions, rev, "title"), want) {
			return id
		}
	}
	return 0
}

// ruleNumber returns a rule's number, such as "2.6.1".
func (w *World) ruleNumber(id int64) string {
	section, parent := w.int(tableRules, id, "section"), w.int(tableRules, id, "parent")
	place := slices.Index(w.siblings(section, parent), id) + 1
	if parent != 0 {
		return fmt.Sprintf("%s.%d", w.ruleNumber(parent), place)
	}
	return fmt.Sprintf("%d.%d", slices.Index(w.state.Rows(tableSections), section)+1, place)
}
