package client

import (
	"syscall/js"
	"time"
)

// rest lets the page draw and answer. It returns after a message to itself, which comes behind what the browser
// has to do already: a timer would come four milliseconds later, or at once if Go was busy with something else
// until it was due.
func rest(time.Duration) {
	channel := js.Global().Get("MessageChannel").New()
	here := channel.Get("port1")
	back := make(chan struct{})
	come := js.FuncOf(func(js.Value, []js.Value) any {
		close(back)
		return nil
	})
	defer come.Release()
	here.Set("onmessage", come)
	channel.Get("port2").Call("postMessage", js.Null())
	<-back
	here.Call("close")
}
