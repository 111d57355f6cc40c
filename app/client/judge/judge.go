// Package judge judges many signatures at once: in a browser by the browser's own
// cryptography, which is several times as fast as Go in WebAssembly and works beside the page;
// natively on all processors.
//
// The verdict is the one of [wire.Claim.Holds], always. Keys and the form of signatures are judged
// in our own code, the same on every platform. What is left is arithmetic, and a browser does it
// only after it has shown, on signatures that tell the kinds of libraries apart, that it does it as
// engine/ledger/SPEC.md, clause 1.5, says; otherwise Go does it there, too.
package judge

import (
	"context"
	"sync"

	"peernomic/engine/wire"
)

// batch is how many claims are judged before the rest of the program has its turn.
const batch = 256

// Judge judges claims. It remembers the keys that it has seen. Make it with [New]. It may be used by
// several goroutines, which then wait for each other.
type Judge struct {
	mu   sync.Mutex
	keys map[[32]byte]bool // valid or not
	arithmetic
}

// maxKeys is how many keys a judge remembers before it starts over.
const maxKeys = 4096

// New returns a judge.
func New() *Judge { return &Judge{keys: map[[32]byte]bool{}} }

// All returns of each claim whether it holds. It fails only if the context ends.
func (j *Judge) All(ctx context.Context, claims []wire.Claim) ([]bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	verdicts := make([]bool, len(claims))
	for done := 0; done < len(claims); {
		end := min(done+batch, len(claims))
		if err := j.some(ctx, claims[done:end], verdicts[done:end]); err != nil {
			return nil, err
		}
		done = end
	}
	return verdicts, ctx.Err()
}

// some judges one batch.
func (j *Judge) some(ctx context.Context, claims []wire.Claim, verdicts []bool) error {
	var sound []int
	for i, c := range claims {
		valid, known := j.keys[c.Key]
		if !known {
			if len(j.keys) >= maxKeys {
				clear(j.keys)
			}
			valid = wire.ValidKey(c.Key)
			j.keys[c.Key] = valid
		}
		if valid && c.Formed() {
			sound = append(sound, i)
		}
	}
	return j.add(ctx, claims, sound, verdicts)
}
