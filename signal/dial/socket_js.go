//go:build js

package dial

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall/js"
	"time"

	"peernomic/engine/wire"
)

// This file uses the browser's WebSocket directly. The WebSocket library leaves the socket
// open after a close with a status that pages may not send, cannot read the status of the
// other end, and can lose frames that arrive just before the end.

// A browser queues whatever it is given to send. While more than sendHigh bytes are queued,
// writes wait, and look again every sendPoll.
const (
	sendHigh = 1 << 20
	sendPoll = 20 * time.Millisecond
)

type browserSocket struct {
	ws     js.Value
	opened chan struct{} // closed by the open event
	wake   chan struct{} // capacity 1: queue or err has changed

	mu    sync.Mutex
	queue [][]byte
	err   error // set by the close event; nothing is queued afterwards
	funcs []js.Func
}

// connect returns a socket and the address that it dialled, as the browser serializes it.
func connect(ctx context.Context, url string) (s socket, address string, err error) {
	defer recoverJS(&err)
	if rest, ok := strings.CutPrefix(url, "http"); ok {
		url = "ws" + rest // older browsers know only ws and wss
	}
	b := &browserSocket{
		ws:     js.Global().Get("WebSocket").New(url),
		opened: make(chan struct{}),
		wake:   make(chan struct{}, 1),
	}
	b.ws.Set("binaryType", "arraybuffer")
	b.on("open", func(js.Value) { close(b.opened) })
	b.on("message", b.onMessage)
	b.on("error", func(js.Value) { b.end(ErrLost) }) // says nothing more; browsers do not tell pages why
	b.on("close", b.onClose)
	select {
	case <-b.opened:
		return b, b.ws.Get("url").String(), nil
	case <-b.wake: // nothing arrives before it is open: this is the end
		return nil, "", b.err
	case <-ctx.Done():
		b.close()
		return nil, "", ctx.Err()
	}
}

// on adds a listener; all are removed by the close event, which is the last.
func (b *browserSocket) on(event string, f func(js.Value)) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	b.funcs = append(b.funcs, fn)
	b.ws.Set("on"+event, fn)
}

// Listeners run on the browser's event loop: they must not wait.

func (b *browserSocket) onMessage(event js.Value) {
	data := event.Get("data")
	if data.Type() == js.TypeString {
		b.end(fmt.Errorf("%w: text frame", wire.ErrMessage))
		b.close()
		return
	}
	array := js.Global().Get("Uint8Array").New(data)
	if array.Length() > wire.MaxFrame {
		b.end(fmt.Errorf("%w: %d bytes", wire.ErrMessage, array.Length()))
		b.close()
		return
	}
	frame := make([]byte, array.Length())
	js.CopyBytesToGo(frame, array)
	b.mu.Lock()
	if b.err == nil {
		b.queue = append(b.queue, frame)
	}
	b.mu.Unlock()
	b.signal()
}

func (b *browserSocket) onClose(event js.Value) {
	b.end(closeError(event.Get("code").Int(), event.Get("reason").String()))
	for _, event := range []string{"open", "message", "error", "close"} {
		b.ws.Set("on"+event, js.Null())
	}
	// The function that is running must not be released before it returns.
	funcs := b.funcs
	go func() {
		for _, f := range funcs {
			f.Release()
		}
	}()
}

// end records why no more frames will come; the first reason counts.
func (b *browserSocket) end(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	b.signal()
}

func (b *browserSocket) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *browserSocket) read() ([]byte, error) {
	for {
		b.mu.Lock()
		if len(b.queue) > 0 {
			frame := b.queue[0]
			b.queue[0] = nil
			b.queue = b.queue[1:]
			b.mu.Unlock()
			return frame, nil
		}
		err := b.err
		b.mu.Unlock()
		if err != nil {
			return nil, err
		}
		<-b.wake
	}
}

func (b *browserSocket) write(ctx context.Context, frame []byte) (err error) {
	defer recoverJS(&err)
	for {
		b.mu.Lock()
		err := b.err
		b.mu.Unlock()
		if err != nil {
			return err
		}
		if b.ws.Get("bufferedAmount").Int() <= sendHigh {
			break
		}
		select {
		case <-time.After(sendPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	array := js.Global().Get("Uint8Array").New(len(frame))
	js.CopyBytesToJS(array, frame)
	b.ws.Call("send", array)
	return nil
}

// close starts the closing handshake and does not wait for its end: a browser may take
// minutes to notice that the network is gone.
func (b *browserSocket) close() {
	var err error
	defer recoverJS(&err)
	b.end(ErrClosed)
	b.ws.Call("close", statusNormal)
}

// recoverJS turns an exception of the browser's into an error.
func recoverJS(err *error) {
	switch r := recover().(type) {
	case nil:
	case js.Error:
		*err = errors.Join(ErrLost, r)
	default:
		panic(r)
	}
}
