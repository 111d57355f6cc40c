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

// MatterAfter tries an action out, of which nothing remains, and tells how a matter would stand after it,
// with the action's outcome. The dice are not decided: an action that rolls is refused with [CodeWaiting].
// It fails with a [*Refusal] if the rules cannot assess the matter.
func (w *World) MatterAfter(a Act, post int64) (MatterView, Outcome, error) {
	mark := w.Mark()
	defer w.Revert(mark)
	a.Dice = nil
	out := w.Do(a)
	if out.Refused != nil {
		return MatterView{}, out, nil
	}
	m, err := w.Matter(post)
	return m, out, err
}
