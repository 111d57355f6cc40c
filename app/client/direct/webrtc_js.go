//go:build js

package direct

import (
	"context"
	"errors"
	"syscall/js"

	"peernomic/app/client/promise"
)

// peer is the browser's side of a WebRTC connection, with the connection's one data
// channel. It calls the browser itself: pion's binding brings pion's own network stack
// into the program, and reads what some browsers deliver out of order.
type peer struct {
	pc, dc js.Value
	life   context.Context // the channel's
	found  chan struct{}   // closed when all addresses are found
	on     []handler
}

type handler struct {
	target js.Value
	event  string
	f      js.Func
}

// newPeer begins a connection that tells the channel what happens to it.
func newPeer(servers []string, c *channel) (p *peer, err error) {
	kind := js.Global().Get("RTCPeerConnection")
	if !kind.Truthy() {
		return nil, errors.New("this browser has no WebRTC")
	}
	defer recoverJS(&err)
	config := map[string]any{}
	if len(servers) > 0 {
		urls := js.Global().Get("Array").New()
		for _, s := range servers {
			urls.Call("push", s)
		}
		config["iceServers"] = []any{map[string]any{"urls": urls}}
	}
	p = &peer{pc: kind.New(config), life: c.life, found: make(chan struct{})}
	p.dc = p.pc.Call("createDataChannel", label, map[string]any{"ordered": true, "negotiated": true, "id": streamID})
	p.dc.Set("binaryType", "arraybuffer") // Firefox delivered blobs for years, which are read later and so out of order
	p.dc.Set("bufferedAmountLowThreshold", lowWater)
	p.handle(p.dc, "bufferedamountlow", func(js.Value) { poke(c.drained) })
	p.handle(p.dc, "open", func(js.Value) { c.opened() })
	p.handle(p.dc, "close", func(js.Value) { c.fail(ErrClosed) })
	p.handle(p.dc, "message", func(event js.Value) { c.take(message(event.Get("data"))) })
	p.handle(p.pc, "connectionstatechange", func(js.Value) {
		if s := p.pc.Get("connectionState").String(); s == "failed" || s == "closed" {
			c.fail(ErrClosed)
		}
	})
	p.handle(p.pc, "icegatheringstatechange", func(js.Value) {
		if p.pc.Get("iceGatheringState").String() == "complete" {
			close(p.found) // once: nothing restarts the search
		}
	})
	return p, nil
}

// handle sets a handler. It runs on the browser's event loop, so it must not wait.
func (p *peer) handle(target js.Value, event string, f func(event js.Value)) {
	h := handler{target, "on" + event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})}
	p.on = append(p.on, h)
	target.Set(h.event, h.f)
}

// message returns the bytes of a message. A text has none, which makes it a bad chunk.
func message(data js.Value) []byte {
	if data.Type() == js.TypeString {
		return nil
	}
	array := js.Global().Get("Uint8Array").New(data)
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// await waits for a promise as long as the channel lives: a closed connection keeps
// none of its promises.
func (p *peer) await(ctx context.Context, of js.Value) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)()
	_, err := promise.Await(ctx, of)
	return err
}

// offer makes an offer the local description, which begins the search for addresses.
func (p *peer) offer(ctx context.Context) error {
	return p.await(ctx, p.pc.Call("setLocalDescription"))
}

// answer takes an offer and makes the answer the local description.
func (p *peer) answer(ctx context.Context, offer string) error {
	if err := p.await(ctx, p.pc.Call("setRemoteDescription", map[string]any{"type": "offer", "sdp": offer})); err != nil {
		return err
	}
	return p.await(ctx, p.pc.Call("setLocalDescription"))
}

// accept takes the answer to the offer.
func (p *peer) accept(answer string) error {
	return p.await(p.life, p.pc.Call("setRemoteDescription", map[string]any{"type": "answer", "sdp": answer}))
}

// gathered is closed when all addresses are found.
func (p *peer) gathered() <-chan struct{} { return p.found }

// description is the local one, with the addresses found so far.
func (p *peer) description() string { return p.pc.Get("localDescription").Get("sdp").String() }

func (p *peer) send(chunk []byte) (err error) {
	defer recoverJS(&err)
	array := js.Global().Get("Uint8Array").New(len(chunk))
	js.CopyBytesToJS(array, chunk)
	p.dc.Call("send", array)
	return nil
}

// buffered counts the bytes that wait to be sent.
func (p *peer) buffered() uint64 { return uint64(p.dc.Get("bufferedAmount").Int()) }

func (p *peer) close() {
	for _, h := range p.on {
		h.target.Set(h.event, js.Null())
		h.f.Release()
	}
	p.dc.Call("close")
	p.pc.Call("close")
}

// recoverJS turns an exception of the browser's into an error.
func recoverJS(err *error) {
	switch r := recover().(type) {
	case nil:
	case js.Error:
		*err = r
	default:
		panic(r)
	}
}
