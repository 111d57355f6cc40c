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
// There are no floats, no bytes, no clock and no randomness. Values of the host are
// charged by the host: its functions call [Meter.Spend] and [Meter.Charge] for what they
// do, and [Weigh] values before they go through them.
package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Code is the kind of a [Failure].
type Code string

// The codes.
const (
	CodeSteps    Code = "steps"    // the budget of steps is used up, or calls nest too deep
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
	Builtin   string // the function of the host that failed, if one did
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

func positionOf(pos syntax.Position) Position {
	return Position{pos.Filename(), int(pos.Line), int(pos.Col)}
}

// Program is a compiled script.
type Program struct{ program *starlark.Program }

// Compile checks, rewrites and compiles a script. Lines of source are lines of the
// document: a caller that takes a script out of a larger document leaves the other lines
// empty. The error is a [*Failure].
func Compile(name, source string, isPredeclared func(string) bool) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, failure(CodeInternal, "the compiler failed: %s", fmt.Sprint(r))
		}
	}()
	file, err := Parse(name, source)
	if err != nil {
		return nil, err
	}
	if err := rewrite(file); err != nil {
		return nil, err
	}
	// Every name resolves at first: for each one that does not, the resolver would search
	// all others for a similar one.
	unknown := map[string]bool{}
	program, err := starlark.FileProgram(file, func(name string) bool {
		if !guards.Has(name) && !starlark.Universe.Has(name) && !isPredeclared(name) {
			unknown[name] = true
		}
		return true
	})
	if err != nil {
		return nil, Error(err)
	}
	if len(unknown) > 0 {
		return nil, firstUnknown(file, unknown)
	}
	return &Program{program}, nil
}

// Parse reads a script without checking what it does. The error is a [*Failure].
func Parse(name, source string) (*syntax.File, error) {
	if len(source) > MaxSource {
		return nil, failure(CodeSyntax, "a script may have %d bytes, this one has %d", MaxSource, len(source))
	}
	file, err := dialect().Parse(name, source, 0)
	if err != nil {
		return nil, Error(err)
	}
	return file, nil
}

// dialect is what scripts may use of the language: not while, no recursion, no second
// assignment to a global.
func dialect() *syntax.FileOptions { return &syntax.FileOptions{TopLevelControl: true, Set: true} }

// firstUnknown names the first use of a name that is not defined.
func firstUnknown(file *syntax.File, unknown map[string]bool) *Failure {
	var first *syntax.Ident
	syntax.Walk(file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || !unknown[id.Name] {
			return true
		}
		bound, ok := id.Binding.(*resolve.Binding)
		if ok && bound.Scope == resolve.Predeclared && (first == nil || before(id.NamePos, first.NamePos)) {
			first = id
		}
		return true
	})
	if first == nil {
		return &Failure{Code: CodeInternal, Message: "the resolver asked for a name that is not used"}
	}
	return &Failure{Code: CodeSyntax, Message: fmt.Sprintf("%s is not defined", first.Name), Position: positionOf(first.NamePos)}
}

func before(a, b syntax.Position) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// Init evaluates the script's top level and returns its globals, frozen. What is not
// predeclared by the caller is that of [Universe].
func (p *Program) Init(t *starlark.Thread, predeclared starlark.StringDict) (starlark.StringDict, error) {
	env := Universe()
	for name, v := range predeclared {
		env[name] = v
	}
	for name, v := range guards {
		env[name] = v
	}
	return metered(t, func() (starlark.StringDict, error) {
		globals, err := p.program.Init(t, env)
		if err != nil {
			return globals, err
		}
		return globals, meterOf(t).freeze(globals)
	})
}

// NewThread returns a thread whose evaluations count on the meter. The caller may set
// its Load.
func NewThread(name string, m *Meter) *starlark.Thread {
	t := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(m.tooManySteps().Error()) }
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
		shown := *eval
		shown.CallStack = visible(eval.CallStack)
		out.Message, out.Backtrace = eval.Msg, shown.Backtrace()
		if n := len(eval.CallStack); n > 0 && eval.CallStack[n-1].Pos.Filename() == "<builtin>" {
			out.Builtin = eval.CallStack[n-1].Name
		}
		for i := len(eval.CallStack) - 1; i >= 0; i-- {
			if pos := eval.CallStack[i].Pos; pos.Line > 0 && pos.Filename() != "<builtin>" {
				out.Position = positionOf(pos)
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
		out.Code, out.Message, out.Position = CodeSyntax, syn.Msg, positionOf(syn.Pos)
	case errors.As(err, &res) && len(res) > 0:
		out.Code, out.Message, out.Position = CodeSyntax, res[0].Msg, positionOf(res[0].Pos)
	}
	out.Message, out.Backtrace = cut(out.Message, MaxMessage), cut(out.Backtrace, MaxBacktrace)
	return out
}

// visible leaves out the frames of guards, which no script wrote.
func visible(stack starlark.CallStack) starlark.CallStack {
	var out starlark.CallStack
	for _, frame := range stack {
		if !strings.HasPrefix(frame.Name, "$") {
			out = append(out, frame)
		}
	}
	return out
}

// cut shortens a text to at most n bytes, at the end of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
