package client

import (
	"cmp"
	"encoding/hex"
	"reflect"
	"time"

	"peernomic/engine/ledger"
	"peernomic/signal/refusal"
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
	Diverged                        *Divergence
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

// Net returns how the session stands to the others.
func (s *Session) Net() NetStatus {
	s.statusMu.Lock()
	defer s.statusMu.Unlock()
	return s.status
}

// publish makes the status, and tells whoever watches if it is new, or the game is.
func (s *Session) publish(moved bool) {
	status := s.remote
	status.Writer = s.release != nil
	if s.release != nil {
		status = s.ownStatus()
		s.remote = status
	}
	status.DaysAhead = s.daysAhead()
	if err := cmp.Or(s.halted, s.storage); err != nil {
		status.Storage = err.Error()
	}
	s.statusMu.Lock()
	before := s.status
	s.status = status
	s.me = s.game.PersonOf(s.identity.Key())
	s.address = s.room.Relay
	s.statusMu.Unlock()
	s.shareStatus(status)
	before.SyncedAt = status.SyncedAt // it moves all the time
	if moved || !reflect.DeepEqual(before, status) {
		s.watch.tell()
	}
}

func (s *Session) ownStatus() NetStatus {
	status := NetStatus{
		Relay:           s.relay.state,
		Problem:         s.relay.problem,
		Writer:          true,
		CanWrite:        true,
		EnvelopesDirect: s.byDirect,
		EnvelopesRelay:  s.byRelay,
		Offset:          s.offset,
		Diverged:        s.diverged,
		Refusals:        s.refusals,
	}
	status.Unsent, status.NotTaken = s.unsent()
	if s.relay.conn != nil && !s.relay.caughtUp {
		status.CatchingUp = &Step{Done: int(s.game.Replica().Seals()), Total: int(s.relay.goal)}
	}
	if TwoOrders(s.game.Replica()) {
		status.Problem = "the notary has signed two different orders of this game: its proof is in this device's log"
	}
	if s.mesh != nil {
		for _, m := range s.mesh.Members() {
			p := PeerStatus{Instance: hexString(m.Instance[:]), Device: deviceOf(m.Card), Path: PathRelay}
			p.Player = s.game.PersonOfDevice(p.Device)
			if linked := s.peers[m.Instance]; linked != nil {
				p.Path, p.Proven = PathDirect, linked.proven
			}
			status.Peers = append(status.Peers, p)
		}
	}
	confirmed := s.relay.caughtUp || len(s.peers) > 0 || s.notary != nil
	if status.Synced = status.Unsent == 0 && confirmed; status.Synced {
		s.syncedAt = s.config.now().UnixMilli()
	}
	status.SyncedAt = s.syncedAt
	return status
}

// daysAhead compares the game's newest seal with this device's clock: what the relay says of the time between seals does not
// count in the game.
func (s *Session) daysAhead() int64 {
	_, _, sealed := s.game.Replica().LastSeal()
	return max(0, (sealed-s.config.now().UnixMilli())/(24*time.Hour).Milliseconds())
}

// unsent counts this device's actions that neither the relay nor a peer is known to
// hold, and says why the relay takes one of them no more.
func (s *Session) unsent() (count int, notTaken string) {
	mine := s.device.Key()
	for _, p := range s.game.Replica().Tentative() {
		a := p.Action.Action()
		if a.Device != mine {
			continue
		}
		o := s.outgoing[p.Envelope]
		if a.Seq > s.heldByPeers && (o == nil || !o.relay && !o.peers) {
			count++
		}
		if o != nil && o.refused != "" {
			notTaken = o.refused
		}
	}
	return count, notTaken
}

// card says who this device is, to the other members.
func (s *Session) card() []byte {
	key := s.device.Key()
	return key[:]
}

func deviceOf(card []byte) ledger.DeviceKey {
	var key ledger.DeviceKey
	if len(card) == len(key) {
		copy(key[:], card)
	}
	return key
}

func hexString(b []byte) string { return hex.EncodeToString(b) }

func relayCode(text string) refusal.Code { return refusal.Code(text) }
