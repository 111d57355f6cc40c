package rules

import (
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
)

// runCall calls a handler at once. Rules that cannot load from each other find
// each other's functions by the handler's name.
func runCall(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var data starlark.Value = starlark.NewDict(0)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "handler", &name, "args?", &data); err != nil {
		return nil, err
	}
	r, err := writing(t, b)
	if err != nil {
		return nil, err
	}
	h, ok := r.w.decl.Handlers[name]
	if !ok {
		return nil, fmt.Errorf("%s: no rule has a handler %q", b.Name(), name)
	}
	v, err := convert.Plain(data)
	if err != nil {
		return nil, fmt.Errorf("%s: args: %w", b.Name(), err)
	}
	return r.call(h, nil, convert.Starlark(v))
}
