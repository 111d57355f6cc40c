//go:build !js

package dial

import (
	"context"
	"errors"
	"fmt"

	"github.com/coder/websocket"

	"peernomic/engine/wire"
)

type nativeSocket struct{ ws *websocket.Conn }

// connect returns a socket and the address that it dialled.
func connect(ctx context.Context, url string) (socket, string, error) {
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, "", err
	}
	ws.SetReadLimit(wire.MaxFrame)
	return nativeSocket{ws}, url, nil
}

func (s nativeSocket) read() ([]byte, error) {
	kind, frame, err := s.ws.Read(context.Background())
	if err == nil && kind == websocket.MessageBinary {
		return frame, nil
	}
	s.ws.CloseNow() // or a write could still seem to succeed
	if err == nil {
		return nil, fmt.Errorf("%w: text frame", wire.ErrMessage)
	}
	var ce websocket.CloseError
	if errors.As(err, &ce) {
		return nil, closeError(int(ce.Code), ce.Reason)
	}
	return nil, fmt.Errorf("%w: %w", ErrLost, err)
}

func (s nativeSocket) write(ctx context.Context, frame []byte) error {
	err := s.ws.Write(ctx, websocket.MessageBinary, frame)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

func (s nativeSocket) close() { s.ws.Close(websocket.StatusNormalClosure, "") }
