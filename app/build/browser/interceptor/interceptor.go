// Package interceptor stands in for github.com/pion/interceptor in the browser, which handles media
// itself. It declares what the browser's half of github.com/pion/webrtc names, see app/build/trim.go.
package interceptor

// Attributes travel with a packet.
type Attributes map[any]any

// RTCPReader reads control packets of media. The app has none.
type RTCPReader interface {
	Read([]byte, Attributes) (int, Attributes, error)
}
