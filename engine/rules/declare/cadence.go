package declare

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/calendar"
	"peernomic/engine/rules/sandbox"
)

// Cadence says how often somebody may do something: N times a Period, and at least Gap apart.
type Cadence struct {
	Period calendar.Period
	N      int64
	Gap    int64  // ms
	Share  string // names the allowance that is used; several actions may have one
	// Together has all players use one allowance.
	Together bool
}

func (c *Cadence) String() string        { return "cadence" }
func (c *Cadence) Type() string          { return "cadence" }
func (c *Cadence) Freeze()               {}
func (c *Cadence) Truth() starlark.Bool  { return true }
func (c *Cadence) Hash() (uint32, error) { return 0, fmt.Errorf("a cadence cannot be a key") }

// Words says how often, such as "twice a day"; empty for nil, which is as often as one likes.
func (c *Cadence) Words() string {
	if c == nil {
		return ""
	}
	often := fmt.Sprintf("%d times", c.N)
	if c.N == 1 {
		often = "once"
	}
	switch c.Period {
	case calendar.Daily:
		often += " a day"
	case calendar.Weekly:
		often += " a week"
	}
	if c.Gap > 0 {
		often += fmt.Sprintf(", at least %s apart", time.Duration(c.Gap)*time.Millisecond)
	}
	if c.Together {
		often += ", all together"
	}
	return often
}

func makeCadence(p calendar.Period) sandbox.Func {
	return func(call *sandbox.Invocation) (starlark.Value, error) {
		c := &Cadence{Period: p, N: 1}
		if err := call.Unpack("gap?", &c.Gap, "share?", &c.Share, "together?", &c.Together); err != nil {
			return nil, err
		}
		return c, nil
	}
}

func makePerDay(call *sandbox.Invocation) (starlark.Value, error) {
	c := &Cadence{Period: calendar.Daily}
	if err := call.Unpack("n", &c.N, "share?", &c.Share); err != nil {
		return nil, err
	}
	if c.N < 1 {
		return nil, call.Wrong("n must be at least 1")
	}
	return c, nil
}

// Holder is who uses a player's allowance: the player, or 0 for all of them.
func (c *Cadence) Holder(player int64) int64 {
	if c.Together {
		return 0
	}
	return player
}
