//go:build js

package tabs

import (
	"context"
	"fmt"
	"sync"
	"syscall/js"
)

// Browser is [Tabs] in a browser: Web Locks and broadcast channels.
type Browser struct{}

var _ Tabs = Browser{}

// Lock implements [Tabs].
func (Browser) Lock(ctx context.Context, name string) (func(), error) {
	release, _, err := requestLock(ctx, name, false)
	return release, err
}

// TryLock implements [Tabs].
func (Browser) TryLock(ctx context.Context, name string) (func(), bool, error) {
	return requestLock(ctx, name, true)
}

func requestLock(ctx context.Context, name string, ifAvailable bool) (func(), bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return nil, false, ErrNoLocks
	}
	// The browser holds the lock until this promise is kept.
	var release js.Value
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any { release = args[0]; return nil })
	held := js.Global().Get("Promise").New(executor)
	executor.Release()

	granted, failed := make(chan bool, 1), make(chan error, 1)
	var callback, done, failure js.Func
	callback = js.FuncOf(func(_ js.Value, args []js.Value) any {
		granted <- !args[0].IsNull()
		if args[0].IsNull() {
			return nil
		}
		return held
	})
	forget := func() { callback.Release(); done.Release(); failure.Release() }
	done = js.FuncOf(func(js.Value, []js.Value) any { forget(); return nil })
	failure = js.FuncOf(func(_ js.Value, args []js.Value) any {
		forget()
		failed <- fmt.Errorf("lock %s: %s", name, args[0].Call("toString").String())
		return nil
	})
	options := map[string]any{"ifAvailable": true}
	abort := js.Global().Get("AbortController").New()
	if !ifAvailable { // the browser allows one of the two
		options = map[string]any{"signal": abort.Get("signal")}
	}
	locks.Call("request", name, options, callback).Call("then", done, failure)

	giveBack := sync.OnceFunc(func() { release.Invoke() })
	select {
	case ok := <-granted:
		if !ok {
			return nil, false, nil
		}
		return giveBack, true, nil
	case err := <-failed:
		return nil, false, err
	case <-ctx.Done():
		giveBack() // in case it is granted before the browser hears of the abort
		abort.Call("abort")
		return nil, false, ctx.Err()
	}
}

// Open implements [Tabs].
func (Browser) Open(name string) (Channel, error) {
	kind := js.Global().Get("BroadcastChannel")
	if !kind.Truthy() {
		return nil, ErrNoLocks
	}
	c := &broadcast{channel: kind.New(name), queue: newQueue()}
	c.onMessage = js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		if data.InstanceOf(js.Global().Get("Uint8Array")) {
			b := make([]byte, data.Get("length").Int())
			js.CopyBytesToGo(b, data)
			c.queue.put(b)
		}
		return nil
	})
	c.channel.Set("onmessage", c.onMessage)
	return c, nil
}

type broadcast struct {
	channel   js.Value
	queue     *queue
	onMessage js.Func
	once      sync.Once
}

func (c *broadcast) Post(message []byte) error {
	select {
	case <-c.queue.closed:
		return ErrClosed
	default:
	}
	array := js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(array, message)
	c.channel.Call("postMessage", array)
	return nil
}

func (c *broadcast) Receive(ctx context.Context) ([]byte, error) { return c.queue.receive(ctx) }

func (c *broadcast) Close() error {
	c.once.Do(func() {
		c.queue.close()
		c.channel.Set("onmessage", js.Null())
		c.channel.Call("close")
		c.onMessage.Release()
	})
	return nil
}
