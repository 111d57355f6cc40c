//go:build !js

package simtest

import (
	"strings"
	"testing"
)

// Who lost every device comes back with another key, and is nobody who was there before, until the others give
// that key the seat: from there on it acts as the old person, and the old key, should the disk turn up after
// all, as the one whom the new key had brought along (SPEC.md of the ledger, 12.6).
func TestLostDiskGetsItsSeatBack(t *testing.T) {
	var program Program
	var member Member
	w, err := NewWorld(newCast(t), func(p Program) (Member, error) {
		m, err := BootRoom(p)
		check(t, err)
		if p.Name == "Di" {
			program, member = p, m
		}
		t.Cleanup(m.Crash)
		return m, nil
	})
	check(t, err)
	const seat, nobody = 3, 4 // the person that Di came as, and the next whom nobody knew
	events := 0
	for _, part := range []struct {
		script string
		want   int64 // who acts on Di's device then
	}{
		{"settle; act a; act b; act d; settle", seat},
		{"wipe d; start d; settle", nobody},
		{"wait 750h; act a; act b; settle; seat a d; settle", nobody},
		{"assent b 0; settle; act d; settle", seat},
		{"find d; start d; settle; act d; settle", nobody},
		{"find d; start d; settle; act d; settle", seat},
	} {
		script, err := ParseScript(strings.ReplaceAll(part.script, "; ", "\n"))
		check(t, err)
		for _, e := range script {
			check(t, w.Do(events, e))
			events++
		}
		if got := member.State().Game.PersonOf(program.Person.Key()); got != part.want {
			t.Errorf("after %q the device acts for person %d, not %d", part.script, got, part.want)
		}
	}
}
