package judge

import (
	"context"
	"encoding/hex"
	"fmt"
	"syscall/js"
	"time"

	"peernomic/app/client/promise"
	"peernomic/engine/wire"
)

// slice is how many signatures Go judges before the page has its turn: some 5 ms of work.
const slice = 10

// arithmetic is the browser's own, if it passes the trial.
type arithmetic struct {
	tried    bool
	subtle   js.Value // undefined if Go has to do it
	imported map[[32]byte]js.Value
}

// Trusted reports whether the browser's own cryptography passed the trial and is used.
func (a *arithmetic) Trusted(ctx context.Context) bool {
	if !a.tried {
		a.tried = true
		a.subtle, a.imported = js.Undefined(), map[[32]byte]js.Value{}
		if c := js.Global().Get("crypto"); c.Truthy() && c.Get("subtle").Truthy() {
			a.subtle = c.Get("subtle")
			if a.trial(ctx) != nil {
				a.subtle = js.Undefined()
			}
		}
	}
	return a.subtle.Truthy()
}

// trial has the browser judge signatures that different libraries judge differently.
func (a *arithmetic) trial(ctx context.Context) error {
	claims := make([]wire.Claim, len(trials))
	all := make([]int, len(trials))
	for i, t := range trials {
		key, err1 := hex.DecodeString(t.key)
		message, err2 := hex.DecodeString(t.message)
		signature, err3 := hex.DecodeString(t.signature)
		if err1 != nil || err2 != nil || err3 != nil {
			return fmt.Errorf("the trial %q is not hexadecimal", t.name)
		}
		claims[i], all[i] = wire.Claim{Key: [32]byte(key), Message: message, Signature: signature}, i
	}
	verdicts := make([]bool, len(trials))
	if err := a.ask(ctx, claims, all, verdicts); err != nil {
		return err
	}
	for i, t := range trials {
		if verdicts[i] != t.good {
			return fmt.Errorf("this browser's cryptography fails the trial %q", t.name)
		}
	}
	return nil
}

// add does the arithmetic of the sound claims. Where the browser fails, Go goes on.
func (a *arithmetic) add(ctx context.Context, claims []wire.Claim, sound []int, verdicts []bool) error {
	if a.Trusted(ctx) {
		if err := a.ask(ctx, claims, sound, verdicts); err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for n, i := range sound {
		if n%slice == slice-1 {
			time.Sleep(time.Millisecond)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		verdicts[i] = claims[i].Adds()
	}
	return nil
}

// ask has the browser do it, all at once.
func (a *arithmetic) ask(ctx context.Context, claims []wire.Claim, sound []int, verdicts []bool) error {
	if len(sound) == 0 {
		return nil
	}
	algorithm := map[string]any{"name": "Ed25519"}
	promises := make([]any, len(sound))
	for n, i := range sound {
		c := claims[i]
		key, ok := a.imported[c.Key]
		if !ok {
			var err error
			key, err = promise.Await(ctx, a.subtle.Call("importKey", "raw", array(c.Key[:]), algorithm, false, []any{"verify"}))
			if err != nil {
				return err
			}
			if len(a.imported) >= maxKeys {
				clear(a.imported)
			}
			a.imported[c.Key] = key
		}
		promises[n] = a.subtle.Call("verify", algorithm, key, array(c.Signature), array(c.Message))
	}
	results, err := promise.Await(ctx, js.Global().Get("Promise").Call("all", promises))
	if err != nil {
		return err
	}
	for n, i := range sound {
		verdicts[i] = results.Index(n).Truthy()
	}
	return nil
}

func array(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}
