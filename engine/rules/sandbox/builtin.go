package sandbox

import "go.starlark.net/starlark"

// Func is a function of the host as the interpreter calls it.
type Func = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// Builtins are functions that the host gives to scripts. Doc is the rule authors' reference: "name(parameters): what it does".
type Builtins []struct {
	Name, Doc string
	Fn        Func
}

// AddTo puts the functions among the names that scripts can use. A call, and what it is given, is charged for before it
// begins.
func (b Builtins) AddTo(env starlark.StringDict) {
	for _, f := range b {
		env[f.Name] = starlark.NewBuiltin(f.Name, func(t *starlark.Thread, called *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := Admit(t, args, kwargs); err != nil {
				return nil, err
			}
			return f.Fn(t, called, args, kwargs)
		})
	}
}
