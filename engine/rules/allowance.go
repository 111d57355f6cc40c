package rules

import (
	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/internal/calendar"
)

// useOf returns the row that counts a player's uses of an allowance, or 0.
func (w *World) useOf(player int64, share string) int64 {
	return w.index(tableUses, func(id int64) bool {
		p, _ := w.state.Get(tableUses, id, "player")
		a, _ := w.state.Get(tableUses, id, "allowance")
		return p == player && a == share
	})
}

// spent tells why a cadence does not allow another use now, or returns nil.
func (w *World) spent(player int64, c *declare.Cadence, now int64) *Refusal {
	done := "you have done this already"
	if c.Together {
		done = "this has been done already"
	}
	id := w.useOf(c.Holder(player), c.Share)
	if id == 0 {
		return nil
	}
	last := w.int(tableUses, id, "last")
	count := w.int(tableUses, id, "count")
	var until int64
	if c.Period.Start(last) == c.Period.Start(now) && count >= c.N {
		if c.Period == calendar.Ever {
			return &Refusal{Code: CodeCadence, Reason: "this can be done once only: " + done}
		}
		until = c.Period.Next(now)
	}
	if c.Gap > 0 && now < last+c.Gap {
		until = max(until, last+c.Gap)
	}
	if until == 0 {
		return nil
	}
	return &Refusal{Code: CodeCadence, Until: until, Reason: done + "; again from " + calendar.Clock(until)}
}

// use counts one use of an allowance.
func (w *World) use(player int64, c *declare.Cadence, now int64) error {
	player = c.Holder(player)
	id := w.useOf(player, c.Share)
	count := int64(0)
	if id == 0 {
		var err error
		if id, err = w.state.Create(tableUses); err != nil {
			return err
		}
	} else if c.Period.Start(w.int(tableUses, id, "last")) == c.Period.Start(now) {
		count = w.int(tableUses, id, "count")
	}
	return w.setAll(tableUses, id, cells{"player": player, "allowance": c.Share, "last": now, "count": count + 1})
}
