// Package ice stands in for github.com/pion/ice in the browser, which finds ways between peers itself.
// It declares what the browser's half of github.com/pion/webrtc names: states and the form of
// candidates, without agent, sockets, STUN or TURN. See app/build/trim.go.
package ice

import (
	"errors"
	"fmt"
	"strings"
)

// ConnectionState is how far two peers are in finding a way.
type ConnectionState int

// The states in the order of github.com/pion/ice.
const (
	ConnectionStateUnknown ConnectionState = iota
	ConnectionStateNew
	ConnectionStateChecking
	ConnectionStateConnected
	ConnectionStateCompleted
	ConnectionStateFailed
	ConnectionStateDisconnected
	ConnectionStateClosed
)

func (s ConnectionState) String() string {
	names := []string{"Unknown", "New", "Checking", "Connected", "Completed", "Failed", "Disconnected", "Closed"}
	if s < 0 || int(s) >= len(names) {
		return "Invalid"
	}
	return names[s]
}

// NetworkType is a transport over a version of IP.
type NetworkType int

// The network types in the order of github.com/pion/ice.
const (
	NetworkTypeUDP4 NetworkType = iota + 1
	NetworkTypeUDP6
	NetworkTypeTCP4
	NetworkTypeTCP6
)

func (t NetworkType) String() string {
	switch t {
	case NetworkTypeUDP4:
		return "udp4"
	case NetworkTypeUDP6:
		return "udp6"
	case NetworkTypeTCP4:
		return "tcp4"
	case NetworkTypeTCP6:
		return "tcp6"
	default:
		return "unknown"
	}
}

// NetworkShort is the transport alone.
func (t NetworkType) NetworkShort() string {
	return strings.TrimRight(t.String(), "46")
}

// SchemeType is the kind of a server that helps peers to find a way.
type SchemeType int

// The kinds of servers.
const (
	SchemeTypeUnknown SchemeType = iota
	SchemeTypeSTUN
	SchemeTypeSTUNS
	SchemeTypeTURN
	SchemeTypeTURNS
)

// URL is the address of such a server.
type URL struct {
	Scheme SchemeType
	Opaque string // what follows the scheme
}

var errScheme = errors.New("unknown scheme of a server's address")

// ParseURL reads the scheme of an address; the browser reads the rest.
func ParseURL(raw string) (*URL, error) {
	scheme, rest, ok := strings.Cut(raw, ":")
	kinds := map[string]SchemeType{"stun": SchemeTypeSTUN, "stuns": SchemeTypeSTUNS, "turn": SchemeTypeTURN, "turns": SchemeTypeTURNS}
	kind := kinds[strings.ToLower(scheme)]
	if !ok || rest == "" || kind == SchemeTypeUnknown {
		return nil, fmt.Errorf("%w: %q", errScheme, raw)
	}
	return &URL{Scheme: kind, Opaque: rest}, nil
}
