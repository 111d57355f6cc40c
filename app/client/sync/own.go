package sync

import (
	"cmp"
	"errors"
	"fmt"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Why an action cannot be taken now.
var (
	// ErrBehind: the device has signed actions that its log does not hold. Signing the next would fork its feed.
	ErrBehind = errors.New("this device has played further than it remembers; it has to reach the relay or another player first")
	// ErrDiverged: another device sees another game.
	ErrDiverged = errors.New("this device and another one do not see the same game; play stops until that is explained")
	// ErrNotHere: the game's beginning has not arrived yet.
	ErrNotHere = errors.New("the game has not arrived yet")
	// ErrNotIntroduced: the device has no part in the game yet.
	ErrNotIntroduced = errors.New("you have not introduced yourself in this game yet")
)

// own is what a node signs.
type own struct {
	pen      *ledger.Pen // made when first needed
	mark     Mark
	notary   *ledger.Notary // of a practice game; nil otherwise
	halted   error          // why nothing may be signed before the next start
	unstored []unstored
}

// unstored is an own action, or a seal of a practice game, on its way to the disk.
type unstored struct {
	items []Item
	entry *ledger.Entry // nil for a seal
}

// Sign signs an action. When the next [Ready] is stored it is in the game, and sent. The error of [Node.Halted] says
// then whether it was.
func (n *Node) Sign(kind ledger.Kind, body []byte, now Time) (ledger.ActionID, error) {
	n.call(now)
	return n.sign(kind, body)
}

func (n *Node) sign(kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	if err := n.guard(); err != nil {
		return ledger.ActionID{}, err
	}
	at := n.game.Replica().Position(n.config.Device.Key())
	if at.Seq == 0 {
		return ledger.ActionID{}, ErrNotIntroduced
	}
	pen, err := n.takePen()
	if err != nil {
		return ledger.ActionID{}, err
	}
	entry, err := pen.Write(at, kind, body, n.claim())
	if err != nil {
		return ledger.ActionID{}, err
	}
	n.hold(entry)
	return entry.Action.ID(), nil
}

// claim returns the time that an action of this device claims: by its clock, but not ahead of the relay's as far as
// that is known. An action that claims a time to come does not count; one that claims a time past does.
func (n *Node) claim() int64 { return min(n.now.Clock, n.Clock(n.now)) }

// guard says why this device must not sign now, or nil.
func (n *Node) guard() error {
	replica := n.game.Replica()
	if _, ok := replica.Genesis(); !ok {
		return ErrNotHere
	}
	if n.states.diverged != nil {
		return ErrDiverged
	}
	if seq, _, _ := replica.Feed(n.config.Device.Key()); seq < n.own.mark.Seq || len(n.own.unstored) > 0 {
		return ErrBehind
	}
	return cmp.Or(n.own.halted, n.storage)
}

// Halted says why the node signs nothing any more before the next start, or why the disk does not take what arrives;
// nil if neither.
func (n *Node) Halted() error { return cmp.Or(n.own.halted, n.storage) }

// Halt ends signing until the next start.
func (n *Node) Halt(err error) { n.own.halted = err }

// hold keeps an entry of this device until it is on the disk.
func (n *Node) hold(entry ledger.Entry) {
	w := unstored{entry: &entry}
	for _, e := range entry.Envelopes {
		w.items = append(w.items, Item{Kind: KindEnvelope, Bytes: e})
	}
	n.own.unstored = append(n.own.unstored, w)
}

// ownMark returns the mark that goes with the own action on its way to the disk, or nil.
func (n *Node) ownMark() *Mark {
	for _, w := range n.own.unstored {
		if w.entry != nil {
			return &Mark{Seq: w.entry.Action.Action().Seq, ID: w.entry.Action.ID()}
		}
	}
	return nil
}

// adopt makes part of the game what is on the disk now. It is sent from there: to every peer at once.
func (n *Node) adopt(w unstored) {
	n.changed = true
	if w.entry == nil {
		if err := n.game.RestoreSeal(w.items[0].Bytes); err != nil {
			n.own.halted = err
		}
		return
	}
	n.own.mark = Mark{Seq: w.entry.Action.Action().Seq, ID: w.entry.Action.ID()}
	for _, e := range w.entry.Envelopes {
		if _, err := n.game.Restore(e); err != nil { // signed here: not judged again
			n.own.halted = fmt.Errorf("own action: %w", err)
			return
		}
		n.outgoing[wire.HashEnvelope(e)] = &outgoing{since: n.now.Steady, own: true}
	}
	for _, p := range n.inOrder() {
		n.sendEnvelopes(p.link, w.entry.Envelopes)
	}
}

// notStored ends signing if something own may be on the disk or not.
func (n *Node) notStored(own []unstored, err error) {
	if len(own) == 0 {
		return
	}
	n.own.halted = fmt.Errorf("the disk did not take an action; start the program again: %w", err)
	n.own.notary = nil // it has cut a seal that may be lost; the next start goes on
}

func (n *Node) takePen() (*ledger.Pen, error) {
	var err error
	if n.own.pen == nil {
		n.own.pen, err = ledger.NewPen(n.config.Keys, n.config.Device)
	}
	return n.own.pen, err
}

// introduce enrols the device as soon as the game is here, if its person has given a name.
func (n *Node) introduce() {
	replica := n.game.Replica()
	if !n.writes || n.name == "" || n.guard() != nil {
		return
	}
	if seq, _, _ := replica.Feed(n.config.Device.Key()); seq > 0 {
		return
	}
	pen, err := n.takePen()
	if err != nil {
		n.own.halted = err
		return
	}
	entry, err := pen.Enrol(n.config.Identity, n.name, replica.Game(), replica.Heads(), n.claim())
	if err != nil {
		n.own.halted = err
		return
	}
	n.hold(entry)
}

// resumeNotary makes the device the notary of its practice game again.
func (n *Node) resumeNotary() error {
	notary, err := n.config.Device.PracticeNotary(n.config.Keys.ID)
	if err != nil {
		return err
	}
	notary.Found(n.game.Replica().Game())
	replica := n.game.Replica()
	if last, ok := replica.Seal(replica.Seals()); ok {
		if err := notary.Resume(last); err != nil {
			return err
		}
	}
	n.own.notary = notary
	return nil
}

// sealPractice seals what the device has written, in a game where it is its own notary.
func (n *Node) sealPractice() {
	if n.own.notary == nil || len(n.own.unstored) > 0 {
		return
	}
	hashes := n.game.Replica().Unsealed()
	for len(hashes) > 0 {
		count := min(len(hashes), wire.MaxSealEnvelopes)
		seal, err := n.own.notary.Seal(n.now.Clock, hashes[:count])
		if err != nil {
			n.own.halted = err
			return
		}
		n.own.unstored = append(n.own.unstored, unstored{items: []Item{{Kind: KindSeal, Bytes: seal.Bytes}}})
		hashes = hashes[count:]
	}
}
