package simtest

import (
	"time"

	"peernomic/app/client/disk"
	"peernomic/app/client/tabs"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Member is a program of an honest device in a room: the code of production without its
// goroutines. Its methods are called one at a time. They panic where its disk does, which
// is a crash: the member is then never used again but for [Member.Drain], which gives what
// was sent before.
type Member interface {
	// RelayUp begins a connection to the relay. The error says why it is not used.
	RelayUp(w wire.Welcome, hangUp func()) error
	RelayDown(err error)
	FromRelay(m wire.Message)
	// PeerUp begins a link to another device.
	PeerUp(p Peer, hangUp func())
	PeerDown(name string)
	// Crash ends the program.
	Crash()
	// Leave does what a tab that is closed still can.
	Leave()
	// FromTab gives what the device's other tab said.
	FromTab(message []byte)
	// TakeOver makes a tab that reads along the one that writes.
	TakeOver()
	// Ask asks the tab that writes to do something. Answered is called when it has answered, or cannot any more.
	Ask(name string, answered func(ledger.ActionID, error))
	FromPeer(name string, m wire.Message)
	// Act does something under the rules. When it returns without an error, the action
	// is promised to be on the disk.
	Act(name string, args map[string]any) (ledger.ActionID, error)
	// Convene calls a convention and signs it.
	Convene(amendments []any) (ledger.ActionID, error)
	// Ballot signs a motion that somebody has called, or withdraws.
	Ballot(id ledger.MotionID, verb ledger.Verb) (ledger.ActionID, error)
	// Sign signs any action.
	Sign(kind ledger.Kind, body []byte) (ledger.ActionID, error)
	// Appear makes its person, who has only looked so far, take part under a name.
	Appear(name string)
	// Tick is called about every second.
	Tick()
	// Drain hands over what is to be sent, by the name of the receiver.
	Drain(send func(to string, m wire.Message))
	State() State
}

// Peer is the other end of a link.
type Peer struct {
	Name     string
	Instance [16]byte
	Device   ledger.DeviceKey // which device it says it is
}

// State is how a member stands.
type State struct {
	Replica  *ledger.Replica
	Seal     uint64   // the newest seal that has been carried out
	Digest   [32]byte // of the state after it
	Synced   bool     // it believes that others hold all that it has done
	Diverged bool     // it has stopped because another device sees another state
	Halted   bool     // it does not sign until it is started again
	Problem  string   // what it tells its person, if anything
	Game     *game.Game
	Writer   bool // it writes; otherwise it reads along
}

// Program is what a device starts from.
type Program struct {
	Name            string
	Identity, Games disk.Disk
	Tabs            tabs.Tabs // the second program on a device does not get the lock, and reads along
	Person          *ledger.Identity
	Device          *ledger.Device
	Pen             *ledger.Pen
	Secret          ledger.RoomSecret
	Game            ledger.GameID // as the invite says
	Genesis         *ledger.Entry // for the founder's device: what its first start stores
	Instance        [16]byte      // a new one for every start
	Steady, Clock   func() time.Time
	Later           func(time.Duration, func())
	Relay           string // the address of the relay in the invite
	// Confirmed is [game.Game.Confirmed] unless the device is to see another state.
	Confirmed func(*game.Game) (uint64, [32]byte)
}

// Boot starts a device's program. The first time its disks are empty.
type Boot func(Program) (Member, error)
