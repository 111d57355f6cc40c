package rules

import (
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/state"
)

// Recognise tells what the rules take a draft with these amendments for, in the order of the
// rules. A rule that fails says nothing.
func (w *World) Recognise(amendments []any) []string {
	normal, err := state.Normalize(amendments)
	if err != nil {
		return nil
	}
	var out []string
	for _, h := range w.decl.Recognise {
		w.try(func(*run) {
			v, err := w.look(h.Fn, nil, convert.Starlark(normal))
			if err != nil {
				return
			}
			texts, err := convert.Texts(v)
			if err != nil {
				return
			}
			for _, t := range texts {
				out = append(out, w.expandWords(t))
			}
		})
	}
	return out
}
