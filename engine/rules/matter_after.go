package rules

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
