package ice

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// CandidateType is how a candidate was found.
type CandidateType byte

// The types in the order of github.com/pion/ice.
const (
	CandidateTypeUnspecified CandidateType = iota
	CandidateTypeHost
	CandidateTypeServerReflexive
	CandidateTypePeerReflexive
	CandidateTypeRelay
)

var candidateTypes = []string{"Unknown candidate type", "host", "srflx", "prflx", "relay"}

func (t CandidateType) String() string {
	if int(t) >= len(candidateTypes) {
		return candidateTypes[0]
	}
	return candidateTypes[t]
}

// TCPType is which side opens a candidate's TCP connection.
type TCPType int

// The TCP types in the order of github.com/pion/ice.
const (
	TCPTypeUnspecified TCPType = iota
	TCPTypeActive
	TCPTypePassive
	TCPTypeSimultaneousOpen
)

var tcpTypes = []string{"", "active", "passive", "so"}

// NewTCPType reads a TCP type.
func NewTCPType(value string) TCPType {
	for n, name := range tcpTypes {
		if strings.EqualFold(name, value) {
			return TCPType(n)
		}
	}
	return TCPTypeUnspecified
}

func (t TCPType) String() string {
	if t < 0 || int(t) >= len(tcpTypes) {
		return ""
	}
	return tcpTypes[t]
}

// CandidateRelatedAddress is where a candidate that is not of a peer's own network comes from.
type CandidateRelatedAddress struct {
	Address string
	Port    int
}

// Candidate is an address at which a peer may be reached.
type Candidate interface {
	ID() string
	Foundation() string
	Component() uint16
	NetworkType() NetworkType
	Priority() uint32
	Address() string
	Port() int
	Type() CandidateType
	TCPType() TCPType
	RelatedAddress() *CandidateRelatedAddress
	Marshal() string
	String() string
}

// CandidateHostConfig describes a candidate of a peer's own network.
type CandidateHostConfig struct {
	CandidateID, Network, Address string
	Port                          int
	Component                     uint16
	Priority                      uint32
	Foundation                    string
	TCPType                       TCPType
}

// CandidateServerReflexiveConfig describes a candidate that a STUN server has seen.
type CandidateServerReflexiveConfig struct {
	CandidateID, Network, Address string
	Port                          int
	Component                     uint16
	Priority                      uint32
	Foundation                    string
	RelAddr                       string
	RelPort                       int
}

// CandidatePeerReflexiveConfig describes a candidate that the other peer has seen.
type CandidatePeerReflexiveConfig CandidateServerReflexiveConfig

// CandidateRelayConfig describes a candidate of a TURN server.
type CandidateRelayConfig CandidateServerReflexiveConfig

// NewCandidateHost makes a candidate.
func NewCandidateHost(c *CandidateHostConfig) (Candidate, error) {
	return &candidate{c.CandidateID, c.Foundation, c.Component, c.Network, c.Priority, c.Address, c.Port, CandidateTypeHost, c.TCPType, nil}, nil
}

// NewCandidateServerReflexive makes a candidate.
func NewCandidateServerReflexive(c *CandidateServerReflexiveConfig) (Candidate, error) {
	return related(CandidateTypeServerReflexive, c)
}

// NewCandidatePeerReflexive makes a candidate.
func NewCandidatePeerReflexive(c *CandidatePeerReflexiveConfig) (Candidate, error) {
	return related(CandidateTypePeerReflexive, (*CandidateServerReflexiveConfig)(c))
}

// NewCandidateRelay makes a candidate.
func NewCandidateRelay(c *CandidateRelayConfig) (Candidate, error) {
	return related(CandidateTypeRelay, (*CandidateServerReflexiveConfig)(c))
}

func related(t CandidateType, c *CandidateServerReflexiveConfig) (Candidate, error) {
	return &candidate{c.CandidateID, c.Foundation, c.Component, c.Network, c.Priority, c.Address, c.Port, t, TCPTypeUnspecified,
		&CandidateRelatedAddress{c.RelAddr, c.RelPort}}, nil
}

type candidate struct {
	id         string
	foundation string
	component  uint16
	network    string
	priority   uint32
	address    string
	port       int
	kind       CandidateType
	tcp        TCPType
	related    *CandidateRelatedAddress
}

func (c *candidate) ID() string                               { return c.id }
func (c *candidate) Foundation() string                       { return c.foundation }
func (c *candidate) Component() uint16                        { return c.component }
func (c *candidate) Priority() uint32                         { return c.priority }
func (c *candidate) Address() string                          { return c.address }
func (c *candidate) Port() int                                { return c.port }
func (c *candidate) Type() CandidateType                      { return c.kind }
func (c *candidate) TCPType() TCPType                         { return c.tcp }
func (c *candidate) RelatedAddress() *CandidateRelatedAddress { return c.related }

func (c *candidate) NetworkType() NetworkType {
	v6 := strings.Contains(c.address, ":")
	switch tcp := strings.HasPrefix(strings.ToLower(c.network), "tcp"); {
	case tcp && v6:
		return NetworkTypeTCP6
	case tcp:
		return NetworkTypeTCP4
	case v6:
		return NetworkTypeUDP6
	default:
		return NetworkTypeUDP4
	}
}

// Marshal writes the candidate as in a session description.
func (c *candidate) Marshal() string {
	text := fmt.Sprintf("%s %d %s %d %s %d typ %s", c.foundation, c.component, c.NetworkType().NetworkShort(), c.priority, c.address, c.port, c.kind)
	if c.tcp != TCPTypeUnspecified {
		text += " tcptype " + c.tcp.String()
	}
	if c.related != nil && c.related.Address != "" {
		text += fmt.Sprintf(" raddr %s rport %d", c.related.Address, c.related.Port)
	}
	return text
}

func (c *candidate) String() string {
	return fmt.Sprintf("%s %s %s:%d", c.NetworkType(), c.kind, c.address, c.port)
}

var errCandidate = errors.New("not a candidate")

// UnmarshalCandidate reads a candidate as in a session description.
func UnmarshalCandidate(raw string) (Candidate, error) {
	f := strings.Fields(strings.TrimPrefix(raw, "candidate:"))
	if len(f) < 8 || f[6] != "typ" {
		return nil, fmt.Errorf("%w: %q", errCandidate, raw)
	}
	component, err1 := strconv.ParseUint(f[1], 10, 16)
	priority, err2 := strconv.ParseUint(f[3], 10, 32)
	port, err3 := strconv.ParseUint(f[5], 10, 16)
	c := &candidate{foundation: f[0], component: uint16(component), network: f[2], priority: uint32(priority), address: f[4], port: int(port)}
	for n, name := range candidateTypes {
		if n > 0 && name == f[7] {
			c.kind = CandidateType(n)
		}
	}
	if err := errors.Join(err1, err2, err3); err != nil || c.kind == CandidateTypeUnspecified {
		return nil, fmt.Errorf("%w: %q", errCandidate, raw)
	}
	for n := 8; n+1 < len(f); n += 2 {
		switch f[n] {
		case "tcptype":
			c.tcp = NewTCPType(f[n+1])
		case "raddr":
			c.relate().Address = f[n+1]
		case "rport":
			c.relate().Port, _ = strconv.Atoi(f[n+1])
		}
	}
	return c, nil
}

func (c *candidate) relate() *CandidateRelatedAddress {
	if c.related == nil {
		c.related = &CandidateRelatedAddress{}
	}
	return c.related
}
