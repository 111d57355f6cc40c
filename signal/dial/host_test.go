package dial

import (
	"errors"
	"testing"
)

// Clause 10.2: a client signs a challenge only for the host that it dialled.
func TestCheckHost(t *testing.T) {
	for _, good := range [][2]string{
		{"https://relay.example/relay", "relay.example"},
		{"https://relay.example/relay", "relay.example:443"},
		{"wss://relay.example:443/relay", "relay.example"},
		{"ws://relay.example/relay", "relay.example:80"},
		{"http://Relay.Example:8080/relay", "relay.example:8080"},
		{"http://[::1]:8080/relay", "[::1]:8080"},
	} {
		if err := checkHost(good[0], good[1]); err != nil {
			t.Errorf("%s as %s: %v", good[0], good[1], err)
		}
	}
	for _, bad := range [][2]string{
		{"https://relay.example/relay", "other.example"},
		{"https://relay.example/relay", "relay.example:8443"},
		{"https://relay.example/relay", "relay.example:80"},
		{"http://relay.example/relay", "relay.example:443"},
		{"http://relay.example:8080/relay", "relay.example"},
		{"https://relay.example/relay", ""},
	} {
		if err := checkHost(bad[0], bad[1]); !errors.Is(err, ErrHost) {
			t.Errorf("%s as %s: %v, want ErrHost", bad[0], bad[1], err)
		}
	}
}
