package rules

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/rules/internal/confusable"
	"peernomic/engine/state"
)

// people are indexes of the table of players. There may be tens of thousands of rows: anybody with the invite can come in
// under as many keys as they like. The indexes follow from the state, and are taken back with it.
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

// forgetNumbers forgets which numbers are taken, when a name becomes free.
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
	// If many people have one name, each newcomer would try all the numbers again. So we keep how far they are taken: for
	// each look alone, because names that differ in one look may share another, and for all looks together.
	number := 2
	for i := range own {
		number = max(number, w.firstNumber(own, i, i+1, 2))
	}
	return fmt.Sprintf("%s %d", name, w.firstNumber(own, 0, len(own), number))
}

// firstNumber returns the first free number behind a name, at least the one given. Only the looks from one index to before
// another count.
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
