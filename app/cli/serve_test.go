package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Pages of any host may use a relay, unless --origin names some: then these, and its own.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		args     []string
		stranger bool
	}{{nil, true}, {[]string{"--origin", "friend.example"}, false}} {
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		defer stop()
		root := newRoot()
		root.SetArgs(append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, c.args...))
		out, write := io.Pipe()
		root.SetOut(write)
		root.SetErr(io.Discard)
		over := make(chan error, 1)
		go func() { over <- root.ExecuteContext(ctx); write.Close() }()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v", line, <-over)
		}
		url := strings.Fields(line)[1]
		for origin, welcome := range map[string]bool{url: true, "https://friend.example": true, "https://stranger.example": c.stranger, "null": c.stranger} {
			ws, _, err := websocket.Dial(ctx, url+"/relay", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
			if (err == nil) != welcome {
				t.Errorf("serve %v, a page of %s: got %v, want welcome = %v", c.args, origin, err, welcome)
			}
			if err == nil {
				ws.CloseNow()
			}
		}
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	}
}
