package dial

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ErrHost reports a challenge that names another host than the one that was dialled. If the
// client signed it, this relay could enter the room at the other host.
var ErrHost = errors.New("the proxy in front of the relay changes the Host header")

// checkHost compares the host of a challenge with the address that was dialled, as an HTTP
// client serializes it. It fails with [ErrHost].
func checkHost(address, host string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	port := ":80"
	if u.Scheme == "https" || u.Scheme == "wss" {
		port = ":443"
	}
	canonical := func(host string) string { return strings.TrimSuffix(strings.ToLower(host), port) }
	if canonical(host) != canonical(u.Host) {
		return fmt.Errorf("%w: the relay was called %q, not %q", ErrHost, host, u.Host)
	}
	return nil
}
