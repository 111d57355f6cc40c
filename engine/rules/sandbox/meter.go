package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Budget is what an evaluation may use.
type Budget struct {
	Steps  uint64
	Memory int64 // bytes that its values would take if none were ever freed
}

// Meter counts what the evaluations of one action use of their common budget.
//
// Invariant: while a thread evaluates, its steps since mark are not yet taken off
// left.
type Meter struct {
	left      Budget
	current   *starlark.Thread
	mark      uint64
	exhausted error // why the evaluation cannot go on, whoever may have overlooked it
	nested    int   // evaluations that go on inside each other
	calls     int   // frames of the evaluations outside the current one
	inserted  int64 // elements that dicts and sets were given in all
	deleted   int64 // elements that were taken from dicts and sets in all
}

const meterKey = "peernomic meter"

// NewMeter returns a meter with the whole budget left.
func NewMeter(b Budget) *Meter { return &Meter{left: b} }

func meterOf(t *starlark.Thread) *Meter { return t.Local(meterKey).(*Meter) }

// Left returns what is left of the budget.
func (m *Meter) Left() Budget { return m.left }

// exhaust notes that a budget is used up. The first reason stays, and the evaluation ends
// even if the host overlooks the error.
func (m *Meter) exhaust(code Code, format string, args ...any) error {
	if m.exhausted == nil {
		m.exhausted = failure(code, format, args...)
	}
	if m.current != nil {
		m.current.Cancel(m.exhausted.Error())
	}
	return m.exhausted
}

func (m *Meter) tooManySteps() error { return m.exhaust(CodeSteps, "the rules took too many steps") }

// Spend uses up steps: work that a built-in function does.
func (m *Meter) Spend(steps uint64) error {
	if m.current != nil {
		used := m.current.Steps - m.mark
		if used > m.left.Steps || steps > m.left.Steps-used {
			return m.tooManySteps()
		}
		m.current.Steps += steps
		return nil
	}
	if steps > m.left.Steps {
		return m.tooManySteps()
	}
	m.left.Steps -= steps
	return nil
}

// Charge uses up memory.
func (m *Meter) Charge(bytes int64) error {
	if bytes > m.left.Memory || bytes < 0 {
		m.left.Memory = 0
		return m.exhaust(CodeMemory, "the rules used too much memory")
	}
	m.left.Memory -= bytes
	return nil
}

// settle takes what the running thread did off the budget.
func (m *Meter) settle() {
	if m.current == nil {
		return
	}
	spent := m.current.Steps - m.mark
	m.mark = m.current.Steps
	if spent > m.left.Steps {
		_ = m.tooManySteps() // noted; whoever settles goes on to look
		spent = m.left.Steps
	}
	m.left.Steps -= spent
}

// metered evaluates on a thread, within what is left of its budget. An evaluation may go
// on inside another one.
func metered[V any](t *starlark.Thread, eval func() (V, error)) (v V, err error) {
	m := meterOf(t)
	if m.nested >= MaxEvaluations {
		return v, m.exhaust(CodeSteps, "the rules set each other off more than %d deep", MaxEvaluations)
	}
	outer, calls := m.current, m.calls
	m.settle()
	if outer != nil && outer != t {
		m.calls += outer.CallStackDepth()
	}
	m.nested++
	m.current, m.mark = t, t.Steps
	limit(t, m)
	defer func() {
		if r := recover(); r != nil {
			err = failure(CodeInternal, "the evaluator failed: %s", fmt.Sprint(r))
		}
		m.settle()
		m.nested--
		m.current, m.calls = outer, calls
		if outer != nil {
			m.mark = outer.Steps
			limit(outer, m)
		}
		if m.exhausted != nil {
			if outer != nil {
				outer.Cancel(m.exhausted.Error())
			}
			exhausted := *Error(m.exhausted)
			if err != nil {
				at := Error(err)
				exhausted.Position, exhausted.Backtrace = at.Position, at.Backtrace
			}
			err = &exhausted
		}
	}()
	return eval()
}

// limit lets a thread run as far as the budget goes. A limit of zero would mean none.
func limit(t *starlark.Thread, m *Meter) {
	t.SetMaxExecutionSteps(t.Steps + m.left.Steps + 1)
}
