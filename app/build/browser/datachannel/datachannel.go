// Package datachannel stands in for github.com/pion/datachannel in the browser, which has data channels
// itself. It declares what the browser's half of github.com/pion/webrtc names, see app/build/trim.go.
package datachannel

import "io"

// ReadWriteCloser is a detached data channel.
type ReadWriteCloser interface {
	io.ReadWriteCloser
	ReadDataChannel([]byte) (n int, isString bool, err error)
	WriteDataChannel(p []byte, isString bool) (n int, err error)
}
