package rules

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/sandbox"
)

// cadence says how often somebody may do something.
type cadence struct {
	period calendar.Period
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
	case calendar.Daily:
		often += " a day"
	case calendar.Weekly:
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

func makeCadence(p calendar.Period) sandbox.Func {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := &cadence{period: p, n: 1}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "gap?", &c.gap, "share?", &c.share, "together?", &c.together); err != nil {
			return nil, err
		}
		return c, nil
	}
}

func makePerDay(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := &cadence{period: calendar.Daily}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "n", &c.n, "share?", &c.share); err != nil {
		return nil, err
	}
	if c.n < 1 {
		return nil, fmt.Errorf("%s: n must be at least 1", b.Name())
	}
	return c, nil
}

// holder is who uses a player's allowance: the player, or 0 for all of them.
func (c *cadence) holder(player int64) int64 {
	if c.together {
		return 0
	}
	return player
}
