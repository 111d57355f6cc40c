package signal

import (
	"fmt"
	"slices"
	"testing"

	"peernomic/engine/wire"
)

func TestEnvelopesAreSealedAndSentToAll(t *testing.T) {
	stores(t, func(t *testing.T, config Config) {
		r := startRelay(t, config, 0)
		a, b := r.join(1), r.join(1)
		a.send(wire.Want{FromSeal: 1})
		b.send(wire.Want{FromSeal: 1})
		var posted []wire.EnvelopeHash
		for i := range 10 {
			h := a.post(fmt.Sprint("a", i), fmt.Sprint("b", i))
			a.until("acknowledgement", a.acks(h))
			posted = append(posted, h...)
		}
		for _, m := range []*member{a, b} {
			m.until("seals", func() bool { return len(m.order()) == len(posted) })
			m.checkChain(1)
			if !slices.Equal(m.order(), posted) {
				t.Error("envelopes are not in the order in which they were sent")
			}
		}
		c := r.join(1) // who comes later gets the same
		if c.welcome.Seals != a.sealed[len(a.sealed)-1].Number || c.welcome.SealHash != a.sealed[len(a.sealed)-1].Hash {
			t.Error("the welcome does not name the newest seal")
		}
		c.send(wire.Want{FromSeal: 1})
		c.until("seals", func() bool { return len(c.sealed) == len(a.sealed) })
		c.checkChain(1)
		if !slices.Equal(c.order(), posted) {
			t.Error("a later connection got another order")
		}
	})
}
