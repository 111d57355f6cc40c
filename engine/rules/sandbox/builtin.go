package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Invocation is a call of a function of the host.
type Invocation struct {
	Thread *starlark.Thread
	Name   string // of the function
	Args   starlark.Tuple
	Kwargs []starlark.Tuple
}

// Unpack reads the arguments: pairs of a name and the place for its value (see [starlark.UnpackArgs]).
func (c *Invocation) Unpack(pairs ...any) error {
	return starlark.UnpackArgs(c.Name, c.Args, c.Kwargs, pairs...)
}

// Wrong is an error that names the function.
func (c *Invocation) Wrong(format string, args ...any) error {
	return fmt.Errorf("%s: %w", c.Name, fmt.Errorf(format, args...))
}

// Func is a function of the host.
type Func func(*Invocation) (starlark.Value, error)

// Builtin makes a function a value of scripts.
func (fn Func) Builtin(name string) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn(&Invocation{t, name, args, kwargs})
	})
}

// Builtins are functions that the host gives to scripts. Doc is the rule authors' reference: "name(parameters): what it does".
type Builtins []struct {
	Name, Doc string
	Fn        Func
}

// AddTo puts the functions among the names that scripts can use. A call, and what it is given, is charged for before it
// begins.
func (b Builtins) AddTo(env starlark.StringDict) {
	for _, f := range b {
		charged := func(c *Invocation) (starlark.Value, error) {
			if err := Admit(c.Thread, c.Args, c.Kwargs); err != nil {
				return nil, err
			}
			return f.Fn(c)
		}
		env[f.Name] = Func(charged).Builtin(f.Name)
	}
}
