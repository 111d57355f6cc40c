package room

import (
	"bytes"
	"crypto/rand"
	"errors"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is how the tabs of one device share a room: one writes, the others follow the log and hand their
// actions over.

// ErrNoWriter: the tab that writes did not answer.
var ErrNoWriter = errors.New("the tab that writes does not answer; look whether the action was taken before you repeat it")

// kind says what a message between tabs is. Tabs can be of different versions for a while, so only append.
type kind uint

const (
	tabInvalid kind = iota
	tabHello        // a reader has come
	tabNews         // the log has grown, or the room's record has changed
	tabStatus       // what the writer tells of itself
	tabAct          // a reader asks for an action
	tabAnswer       // what became of it
	_               // was used once
	tabGone         // the game is removed from the device
)

type message struct {
	_      struct{} `cbor:",toarray"`
	Kind   kind
	ID     [16]byte
	Action ledger.Kind
	Data   []byte // body of the action, or a status
	Result ledger.ActionID
	Err    string
}

// Gone is what tabs are told of a game that is being removed.
func Gone() ([]byte, error) { return wire.Encode(message{Kind: tabGone}) }

// Answer is told what became of an action that was asked for.
type Answer func(ledger.ActionID, error)

// Sign signs an action, or has the tab do so that writes. When the answer is no error, the action is on the disk, and
// in the game as a tentative one. A reader never asks twice: a writer that closes just now may have taken the action.
func (r *Room) Sign(kind ledger.Kind, body []byte, answer Answer) {
	if r.release != nil {
		answer(r.sign(kind, body))
		return
	}
	if err := r.Halted(); err != nil {
		answer(ledger.ActionID{}, err)
		return
	}
	m := message{Kind: tabAct, Action: kind, Data: body}
	rand.Read(m.ID[:])
	r.asked[m.ID] = answer
	r.post(m)
}

func (r *Room) sign(kind ledger.Kind, body []byte) (ledger.ActionID, error) {
	id, err := r.node.Sign(kind, body, r.config.Now())
	if err == nil {
		r.Flush()
		err = r.node.Halted()
	}
	return id, err
}

// FromTab carries out what another tab says. [Room.Flush] comes after it.
func (r *Room) FromTab(b []byte) {
	var m message
	if wire.Decode(b, &m) != nil {
		return // of another version
	}
	writes := r.release != nil
	switch {
	case m.Kind == tabHello && writes:
		r.told = nil // told again to the newcomer
	case m.Kind == tabGone:
		r.config.Outside.Removed()
	case m.Kind == tabNews:
		r.reload(!writes)
	case m.Kind == tabStatus && !writes:
		r.remote = m.Data
	case m.Kind == tabAct && writes:
		id, err := r.sign(m.Action, m.Data)
		answer := message{Kind: tabAnswer, ID: m.ID, Result: id}
		if err != nil {
			answer.Err = err.Error()
		}
		r.post(answer)
	case m.Kind == tabAnswer && !writes:
		if answer := r.asked[m.ID]; answer != nil {
			var err error
			if m.Err != "" {
				err = errors.New(m.Err)
			}
			delete(r.asked, m.ID)
			answer(m.Result, err)
		}
	}
}

// reload reads what another tab has stored: the room's record, and, in a reader, what is new in the log.
func (r *Room) reload(log bool) {
	record, err := r.config.Journal.Room(r.ctx, r.id)
	if err == nil {
		r.setRecord(record)
	}
	if err == nil && log {
		err = r.load(r.ctx)
	}
	if err != nil {
		r.broken = err
	}
}

// Share tells the readers what the writer tells of itself, if that is new.
func (r *Room) Share(status []byte) {
	if r.release == nil || bytes.Equal(status, r.told) {
		return
	}
	r.told = status
	r.post(message{Kind: tabStatus, Data: status})
}

// Remote returns what the writer has last told of itself; nil for nothing.
func (r *Room) Remote() []byte { return r.remote }

// post tells the other tabs something.
func (r *Room) post(m message) {
	b, err := wire.Encode(m)
	if err == nil {
		err = r.channel.Post(b)
	}
	if err != nil && r.ctx.Err() == nil {
		r.broken = err
	}
}

// Receive returns what other tabs say to this one; it is for a goroutine of its own, and what it returns is for
// [Room.FromTab].
func (r *Room) Receive() ([]byte, error) { return r.channel.Receive(r.ctx) }
