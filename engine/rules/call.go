package rules

import (
	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
)

// runCall calls a handler at once. Rules that cannot load from each other find
// each other's functions by the handler's name.
func runCall(call *invocation) (starlark.Value, error) {
	var name string
	var data starlark.Value = starlark.NewDict(0)
	if err := call.Unpack("handler", &name, "args?", &data); err != nil {
		return nil, err
	}
	h, ok := call.w.decl.Handlers[name]
	if !ok {
		return nil, call.Wrong("no rule has a handler %q", name)
	}
	v, err := convert.Plain(data)
	if err != nil {
		return nil, call.Wrong("args: %w", err)
	}
	return call.call(h, nil, convert.Starlark(v))
}
