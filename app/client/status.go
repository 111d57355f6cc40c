package client

import (
	"encoding/hex"
	"reflect"
	"sync"
	"time"

	node "peernomic/app/client/sync"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// How a session stands to its relay.
const (
	RelayConnected  = "connected"
	RelayConnecting = "connecting"
	RelayOffline    = "offline"
	RelayRefused    = "refused"
	RelayNone       = "none" // the game has no relay
)

// How a session reaches a peer.
const (
	PathDirect = "direct"
	PathRelay  = "relay"
)

// NetStatus says how a session stands to the others. It is a copy.
type NetStatus struct {
	Relay    string
	Problem  string // what is wrong, in words for people; empty if nothing is
	Peers    []PeerStatus
	Unsent   int   // own actions that nobody else is known to hold
	Synced   bool  // others hold all that this device has done
	SyncedAt int64 // when that was last so, Unix ms; 0 for not since the start
	Writer   bool  // this program writes; otherwise another tab does
	CanWrite bool  // there is a writer at all
	// Envelopes by the path on which they came first.
	EnvelopesDirect, EnvelopesRelay uint64
	Offset                          int64 // the relay's clock minus ours, ms
	Diverged                        *node.Divergence
	Storage                         string // why the disk does not take what arrives
	CatchingUp                      *Step  // how far the device has come with what the relay has; nil once it has all
	Refusals                        uint64 // since the start; see [Session.Findings]
	NotTaken                        string // why the relay takes something that this device did no more, in words; or empty
	DaysAhead                       int64  // whole days that the game's newest seal is ahead of this device's clock
}

// PeerStatus is another device that is there now.
type PeerStatus struct {
	Instance string           // hex
	Device   ledger.DeviceKey // which one it says it is
	Player   int64            // whose device that is; 0 if the game does not know it
	Proven   bool             // it has shown that it is that device
	Path     string
}

// shown is what anybody may see of a session at any time.
type shown struct {
	mu     sync.Mutex
	status NetStatus
	me     int64
	relay  string // the address
}

func (s *shown) get() (NetStatus, int64, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status, s.me, s.relay
}

// Net returns how the session stands to the others.
func (s *Session) Net() NetStatus {
	status, _, _ := s.shown.get()
	return status
}

// publish makes the status, and tells whoever watches if it is new, or the game is.
func (s *Session) publish(moved bool) {
	var status NetStatus
	if s.room.Writes() {
		status = s.ownStatus()
		s.share(status)
	} else if b := s.room.Remote(); b != nil && wire.Decode(b, &status) == nil {
		s.node().SetOffset(status.Offset)
		status.Writer = false
	}
	status.DaysAhead = s.daysAhead()
	if err := s.room.Halted(); err != nil {
		status.Storage = err.Error()
	}
	s.shown.mu.Lock()
	before := s.shown.status
	s.shown.status = status
	s.shown.me = s.node().Game().PersonOf(s.identity.Key())
	s.shown.relay = s.room.Record().Relay
	s.shown.mu.Unlock()
	before.SyncedAt = status.SyncedAt // it moves all the time
	if moved || !reflect.DeepEqual(before, status) {
		s.watch.tell()
	}
}

// share tells readers how the writer stands.
func (s *Session) share(status NetStatus) {
	status.SyncedAt -= status.SyncedAt % 1000 // every second is often enough
	if b, err := wire.Encode(status); err == nil {
		s.room.Share(b)
	}
}

func (s *Session) ownStatus() NetStatus {
	n := s.node().Status()
	status := NetStatus{
		Relay: s.relayStands(n), Problem: n.Problem, Unsent: n.Unsent, Synced: n.Synced, NotTaken: n.NotTaken,
		Writer: true, CanWrite: true,
		EnvelopesDirect: n.EnvelopesDirect, EnvelopesRelay: n.EnvelopesRelay,
		Offset: n.Offset, Diverged: n.Diverged, Refusals: n.Refusals,
	}
	switch {
	case n.TwoChains:
		status.Problem = "the notary has signed two different orders of this game: its proof is in this device's log"
	case s.relay.refused != "":
		status.Problem = s.relay.refused
	}
	if n.Connected && !n.CaughtUp {
		status.CatchingUp = &Step{Done: int(n.Seals), Total: int(n.Goal)}
	}
	if s.links.mesh != nil {
		for _, m := range s.links.mesh.Members() {
			p := PeerStatus{Instance: hex.EncodeToString(m.Instance[:]), Device: deviceOf(m.Card), Path: PathRelay}
			p.Player = s.node().Game().PersonOfDevice(p.Device)
			for id, link := range s.links.open {
				if link.member.Instance == m.Instance {
					p.Path, p.Proven = PathDirect, s.node().Proven(id)
				}
			}
			status.Peers = append(status.Peers, p)
		}
	}
	if status.Synced {
		s.synced = s.config.now().UnixMilli()
	}
	status.SyncedAt = s.synced
	return status
}

// relayStands names how the session stands to its relay.
func (s *Session) relayStands(n node.Status) string {
	switch r := s.room.Record(); {
	case r.Practice || r.Relay == "":
		return RelayNone
	case n.Connected:
		return RelayConnected
	case n.Suspect || s.relay.refused != "":
		return RelayRefused
	case s.relay.dialling:
		return RelayConnecting
	}
	return RelayOffline
}

// daysAhead compares the game's newest seal with this device's clock: what the relay says of the time between seals does not
// count in the game.
func (s *Session) daysAhead() int64 {
	_, _, sealed := s.node().Game().Replica().LastSeal()
	return max(0, (sealed-s.config.now().UnixMilli())/(24*time.Hour).Milliseconds())
}
