// Package sandbox evaluates scripts that come from other people. It is the only
// gate to the Starlark evaluator.
//
// A script has a [Budget] of steps and of memory, counted the same way on every machine,
// so that exceeding it is the same verdict everywhere.
package sandbox

import (
	"errors"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Codes of a [Failure].
const (
	CodeSteps  = "steps"
	CodeMemory = "memory"
	CodeSyntax = "syntax"
	CodeScript = "script"
)

// Failure is why a script could not be compiled or evaluated.
type Failure struct {
	Code      string
	Message   string
	Position  Position
	Backtrace string
}

// Position is a place in a rule's document.
type Position struct {
	File      string
	Line, Col int
}

func (f *Failure) Error() string { return f.Message }

// Budget is what an evaluation may use.
type Budget struct {
	Steps  uint64
	Memory int64 // bytes
}

// Meter counts what evaluations use of one budget.
type Meter struct{ left Budget }

// NewMeter returns a meter with the whole budget left.
func NewMeter(b Budget) *Meter { return &Meter{left: b} }

// Spend uses up steps.
func (m *Meter) Spend(steps uint64) error {
	if steps > m.left.Steps {
		m.left.Steps = 0
		return &Failure{Code: CodeSteps, Message: "the rules took too many steps"}
	}
	m.left.Steps -= steps
	return nil
}

// Program is a compiled script.
type Program struct{ program *starlark.Program }

// Compile checks and compiles a script.
func Compile(name, source string, isPredeclared func(string) bool) (*Program, error) {
	opts := &syntax.FileOptions{TopLevelControl: true, Set: true}
	_, p, err := starlark.SourceProgramOptions(opts, name, source, isPredeclared)
	if err != nil {
		return nil, Error(err)
	}
	return &Program{p}, nil
}

// Init evaluates the script's top level and returns its globals.
func (p *Program) Init(t *starlark.Thread, predeclared starlark.StringDict) (starlark.StringDict, error) {
	return metered(t, func() (starlark.StringDict, error) { return p.program.Init(t, predeclared) })
}

const meterKey = "peernomic meter"

// NewThread returns a thread whose evaluations count on the meter.
func NewThread(name string, m *Meter) *starlark.Thread {
	t := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	t.SetLocal(meterKey, m)
	return t
}

// Call calls a function.
func Call(t *starlark.Thread, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return metered(t, func() (starlark.Value, error) { return starlark.Call(t, fn, args, kwargs) })
}

func metered[V any](t *starlark.Thread, eval func() (V, error)) (V, error) {
	m := t.Local(meterKey).(*Meter)
	before := t.Steps
	t.SetMaxExecutionSteps(t.Steps + m.left.Steps)
	v, err := eval()
	if spent := m.Spend(t.Steps - before); err == nil && spent != nil {
		err = spent
	}
	return v, err
}

// Universe returns the built-ins of the language.
func Universe() starlark.StringDict {
	env := starlark.StringDict{}
	for _, name := range []string{"None", "True", "False", "abs", "all", "any", "bool", "dict", "enumerate", "fail", "getattr", "hasattr", "int", "len", "list", "max", "min", "range", "repr", "reversed", "set", "sorted", "str", "tuple", "type", "zip"} {
		env[name] = starlark.Universe[name]
	}
	return env
}

// Error tells what an error of this package means.
func Error(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	out := &Failure{Code: CodeScript, Message: err.Error()}
	var eval *starlark.EvalError
	var syn syntax.Error
	var res resolve.ErrorList
	switch {
	case errors.As(err, &eval):
		out.Message, out.Backtrace = eval.Msg, eval.Backtrace()
		for i := len(eval.CallStack) - 1; i >= 0; i-- {
			if pos := eval.CallStack[i].Pos; pos.Line > 0 {
				out.Position = Position{pos.Filename(), int(pos.Line), int(pos.Col)}
				break
			}
		}
	case errors.As(err, &syn):
		out.Code, out.Message, out.Position = CodeSyntax, syn.Msg, Position{syn.Pos.Filename(), int(syn.Pos.Line), int(syn.Pos.Col)}
	case errors.As(err, &res) && len(res) > 0:
		out.Code, out.Message, out.Position = CodeSyntax, res[0].Msg, Position{res[0].Pos.Filename(), int(res[0].Pos.Line), int(res[0].Pos.Col)}
	}
	return out
}
