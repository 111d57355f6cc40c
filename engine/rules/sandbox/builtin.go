package sandbox

import "go.starlark.net/starlark"

// Func is a function of the host as the interpreter calls it.
type Func = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// Builtin is a function that the host gives to scripts. Its Doc is the rule authors' reference: "name(parameters): what it
// does".
type Builtin struct {
	Name, Doc string
	Fn        Func
}

// Value returns the builtin as scripts call it. The call, and what it is given, is charged for before it begins.
func (b Builtin) Value() starlark.Value {
	return starlark.NewBuiltin(b.Name, func(t *starlark.Thread, called *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := Admit(t, args, kwargs); err != nil {
			return nil, err
		}
		return b.Fn(t, called, args, kwargs)
	})
}
