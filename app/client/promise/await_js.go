// Package promise waits for the browser's promises.
package promise

import (
	"context"
	"fmt"
	"syscall/js"
)

// Await waits for a promise. It fails with what the promise was rejected with, or with the
// context's error if that ends first.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	results := make(chan result, 1)
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		results <- result{value: args[0]}
		return nil
	})
	failed = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		results <- result{err: fmt.Errorf("browser: %s", args[0].Call("toString").String())}
		return nil
	})
	promise.Call("then", done, failed)
	select {
	case r := <-results:
		return r.value, r.err
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}
