package rules

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/sandbox"
)

// period is what a cadence counts by.
type period int

const (
	periodEver period = iota
	periodDay
	periodWeek
)

const (
	dayMillis  = 24 * 60 * 60 * 1000
	weekMillis = 7 * dayMillis
	// mondayOffset shifts the Unix epoch, a Thursday, so that weeks start on Monday.
	mondayOffset = 3 * dayMillis
)

// cadence says how often somebody may do something.
type cadence struct {
	period period
	n      int64 // times a period
	gap    int64 // ms between two times
	share  string
	// together has all players use one allowance.
	together bool
}

func (c *cadence) String() string        { return "cadence" }
func (c *cadence) Type() string          { return "cadence" }
func (c *cadence) Freeze()               {}
func (c *cadence) Truth() starlark.Bool  { return true }
func (c *cadence) Hash() (uint32, error) { return 0, fmt.Errorf("a cadence cannot be a key") }

// words says how often, such as "twice a day"; empty for nil, which is as often as one likes.
func (c *cadence) words() string {
	if c == nil {
		return ""
	}
	often := fmt.Sprintf("%d times", c.n)
	if c.n == 1 {
		often = "once"
	}
	switch c.period {
	case periodDay:
		often += " a day"
	case periodWeek:
		often += " a week"
	}
	if c.gap > 0 {
		often += fmt.Sprintf(", at least %s apart", time.Duration(c.gap)*time.Millisecond)
	}
	if c.together {
		often += ", all together"
	}
	return often
}

func makeCadence(p period) sandbox.Func {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := &cadence{period: p, n: 1}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "gap?", &c.gap, "share?", &c.share, "together?", &c.together); err != nil {
			return nil, err
		}
		return c, nil
	}
}

func makePerDay(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := &cadence{period: periodDay}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "n", &c.n, "share?", &c.share); err != nil {
		return nil, err
	}
	if c.n < 1 {
		return nil, fmt.Errorf("%s: n must be at least 1", b.Name())
	}
	return c, nil
}

// start returns when the period that t falls into begins.
func (p period) start(t int64) int64 {
	switch p {
	case periodDay:
		return t - t%dayMillis
	case periodWeek:
		return t - (t+mondayOffset)%weekMillis
	default:
		return 0
	}
}

// next returns when the period after t's begins; never, as 0, for [periodEver].
func (p period) next(t int64) int64 {
	switch p {
	case periodDay:
		return p.start(t) + dayMillis
	case periodWeek:
		return p.start(t) + weekMillis
	default:
		return 0
	}
}

// useOf returns the row that counts a player's uses of an allowance, or 0.
func (w *World) useOf(player int64, share string) int64 {
	return w.index(tableUses, func(id int64) bool {
		p, _ := w.state.Get(tableUses, id, "player")
		a, _ := w.state.Get(tableUses, id, "allowance")
		return p == player && a == share
	})
}

// holder is who uses a player's allowance: the player, or 0 for all of them.
func (c *cadence) holder(player int64) int64 {
	if c.together {
		return 0
	}
	return player
}

// spent tells why a cadence does not allow another time now, or nil.
func (w *World) spent(player int64, c *cadence, now int64) *refusal {
	done := "you have done this already"
	if c.together {
		done = "this has been done already"
	}
	id := w.useOf(c.holder(player), c.share)
	if id == 0 {
		return nil
	}
	last := w.int(tableUses, id, "last")
	count := w.int(tableUses, id, "count")
	var until int64
	if c.period.start(last) == c.period.start(now) && count >= c.n {
		if c.period == periodEver {
			return &refusal{Code: CodeCadence, Reason: "this can be done once only: " + done}
		}
		until = c.period.next(now)
	}
	if c.gap > 0 && now < last+c.gap {
		until = max(until, last+c.gap)
	}
	if until == 0 {
		return nil
	}
	return &refusal{Code: CodeCadence, Until: until, Reason: done + "; again from " + clock(until)}
}

// use counts one time.
func (w *World) use(player int64, c *cadence, now int64) error {
	player = c.holder(player)
	id := w.useOf(player, c.share)
	count := int64(0)
	if id == 0 {
		var err error
		if id, err = w.state.Create(tableUses); err != nil {
			return err
		}
	} else if c.period.start(w.int(tableUses, id, "last")) == c.period.start(now) {
		count = w.int(tableUses, id, "count")
	}
	return w.setAll(tableUses, id, cells{"player": player, "allowance": c.share, "last": now, "count": count + 1})
}

// clock writes a moment for people: dd/mm/yy hh:mm, GMT.
func clock(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("02/01/06 15:04")
}
