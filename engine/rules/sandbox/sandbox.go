// Package sandbox evaluates scripts that come from other people. It is the only
// gate to the Starlark evaluator.
//
// Starlark is deterministic and cannot loop for ever on its own account, but one step
// of it may allocate a gigabyte, and it counts no memory. So a script's syntax tree is
// rewritten before it is compiled: every operation that can cost more than its step
// becomes a call that charges the cost to a [Meter] first. What a script may use is a
// [Budget] of steps and of bytes, counted the same way on every machine, so that
// exceeding it is the same verdict everywhere, long before any machine is in trouble.
//
// There are no floats, no clock and no randomness.
package sandbox

import (
	"errors"
	"fmt"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Code is the kind of a [Failure].
type Code string

// The codes.
const (
	CodeSteps    Code = "steps"    // the budget of steps is used up
	CodeMemory   Code = "memory"   // the budget of memory is used up, or one value is too large
	CodeSyntax   Code = "syntax"   // the script does not parse or resolve, or uses what is not allowed
	CodeScript   Code = "script"   // the script failed
	CodeInternal Code = "internal" // the evaluator failed: a bug of this program
)

// Failure is why a script could not be compiled or evaluated.
type Failure struct {
	Code      Code
	Message   string
	Position  Position
	Backtrace string
}

// Position is a place in a script: Line and Col count from 1; 0 is unknown.
type Position struct {
	File      string
	Line, Col int
}

func (f *Failure) Error() string { return f.Message }

func failure(code Code, format string, args ...any) error {
	return &Failure{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Program is a compiled script.
type Program struct{ program *starlark.Program }

// Compile checks, rewrites and compiles a script. The error is a [*Failure] or
// becomes one by [Error].
func Compile(name, source string, isPredeclared func(string) bool) (*Program, error) {
	if len(source) > MaxSource {
		return nil, failure(CodeSyntax, "a script may have %d bytes, this one has %d", MaxSource, len(source))
	}
	opts := &syntax.FileOptions{TopLevelControl: true, Set: true}
	file, err := opts.Parse(name, source, 0)
	if err != nil {
		return nil, Error(err)
	}
	if err := rewrite(file); err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(file, func(name string) bool { return guards.Has(name) || isPredeclared(name) })
	if err != nil {
		return nil, Error(err)
	}
	return &Program{program}, nil
}

// Init evaluates the script's top level and returns its globals.
func (p *Program) Init(t *starlark.Thread, predeclared starlark.StringDict) (starlark.StringDict, error) {
	env := make(starlark.StringDict, len(predeclared)+len(guards))
	for name, v := range predeclared {
		env[name] = v
	}
	for name, v := range guards {
		env[name] = v
	}
	return metered(t, func() (starlark.StringDict, error) { return p.program.Init(t, env) })
}

// NewThread returns a thread whose evaluations count on the meter. The caller may set
// its Load.
func NewThread(name string, m *Meter) *starlark.Thread {
	t := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	t.OnMaxSteps = func(t *starlark.Thread) {
		m.exhausted = true
		t.Cancel("the rules took too many steps")
	}
	t.SetLocal(meterKey, m)
	return t
}

// Call calls a function of a script.
func Call(t *starlark.Thread, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return metered(t, func() (starlark.Value, error) { return starlark.Call(t, fn, args, kwargs) })
}

// Error tells what an error of this package means.
func Error(err error) *Failure {
	var f *Failure
	var eval *starlark.EvalError
	var syn syntax.Error
	var res resolve.ErrorList
	out := &Failure{Code: CodeScript, Message: err.Error()}
	if errors.As(err, &eval) {
		out.Message, out.Backtrace = eval.Msg, eval.Backtrace()
		for i := len(eval.CallStack) - 1; i >= 0; i-- {
			if pos := eval.CallStack[i].Pos; pos.Line > 0 && pos.Filename() != "<builtin>" {
				out.Position = Position{pos.Filename(), int(pos.Line), int(pos.Col)}
				break
			}
		}
	}
	switch {
	case errors.As(err, &f):
		out.Code, out.Message = f.Code, f.Message
		if f.Position.Line > 0 {
			out.Position = f.Position
		}
		if f.Backtrace != "" {
			out.Backtrace = f.Backtrace
		}
	case errors.As(err, &syn):
		out.Code, out.Message, out.Position = CodeSyntax, syn.Msg, Position{syn.Pos.Filename(), int(syn.Pos.Line), int(syn.Pos.Col)}
	case errors.As(err, &res) && len(res) > 0:
		out.Code, out.Message, out.Position = CodeSyntax, res[0].Msg, Position{res[0].Pos.Filename(), int(res[0].Pos.Line), int(res[0].Pos.Col)}
	}
	return out
}
