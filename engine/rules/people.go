package rules

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/state"
)

// people finds people without a look at each: there may be tens of thousands, as anybody who is invited can come in under as many
// keys as they like. All of it follows from the state, and is taken back with it.
type people struct {
	byKey, byLook, seated *state.Index
	numbers               map[string]int // below which all from 2 on are taken, by the looks of the name before them
}

// keep makes a state the world's.
func (w *World) keep(s *state.State) {
	w.state = s
	text := func(v state.Value) string { s, _ := v.(string); return s }
	w.people = people{
		byKey:   s.NewIndex(tablePlayers, "key", func(v state.Value) []string { return []string{text(v)} }, nil),
		byLook:  s.NewIndex(tablePlayers, "name", func(v state.Value) []string { return confusable.Looks(text(v)) }, w.forgetNumbers),
		seated:  s.NewIndex(tablePlayers, "standing", func(v state.Value) []string { return []string{text(v)} }, nil),
		numbers: map[string]int{},
	}
}

// forgetNumbers is for when somebody's name is free again.
func (w *World) forgetNumbers() {
	if before := w.people.numbers; len(before) > 0 {
		w.people.numbers = map[string]int{}
		w.state.OnRevert(func() { w.people.numbers = before })
	}
}

// PersonOf returns the id of the person with an identity (hex), or 0.
func (w *World) PersonOf(key string) int64 {
	if rows := w.people.byKey.Rows(key); key != "" && len(rows) > 0 {
		return rows[0]
	}
	return 0
}

// Seated returns the people whom the rules count as players now, by id. The caller must not change the slice, nor
// use it after a change of the world.
func (w *World) Seated() []int64 { return w.people.seated.Rows(StandingPlayer) }

// freeName returns the name, with a number if somebody has it already, or one that looks like it.
func (w *World) freeName(name string) string {
	own := confusable.Looks(name)
	if !w.taken(own) {
		return name
	}
	// Of a name that many have, each number would be tried again for everybody who comes. So it is kept how far they are taken:
	// by each look alone, which many names share that differ in another, and by all together.
	number := 2
	for i := range own {
		number = max(number, w.firstNumber(own, i, i+1, 2))
	}
	return fmt.Sprintf("%s %d", name, w.firstNumber(own, 0, len(own), number))
}

// firstNumber returns the first number, at least the one given, up to which all are taken, that is free behind a name with some
// looks, going by those from one to before another.
func (w *World) firstNumber(looks []string, from, to, number int) int {
	family, numbers := strings.Join(looks[from:to], "\n"), w.people.numbers
	known := max(2, numbers[family])
	number = max(number, known)
	for w.taken(confusable.Numbered(looks, number)[from:to]) {
		number++
	}
	if number != known {
		numbers[family] = number
		w.state.OnRevert(func() { numbers[family] = known })
	}
	return number
}

func (w *World) taken(looks []string) bool {
	return slices.ContainsFunc(looks, func(look string) bool { return len(w.people.byLook.Rows(look)) > 0 })
}
