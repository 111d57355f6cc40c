package client

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// This file is how the tabs of one device share a session: one writes, the others
// follow the log and hand their actions over.

// answerTime is how long a reader waits for the writer's answer.
const answerTime = 15 * time.Second

// tabKind says what a message between tabs is. Tabs can be of different versions for a
// while, so only append.
type tabKind uint

const (
	tabInvalid tabKind = iota
	tabHello           // a reader has come
	tabNews            // the log has grown
	tabStatus          // the writer's NetStatus
	tabAct             // a reader asks for an action
	tabAnswer          // what became of it
	_                  // was used once
	tabGone            // the game is removed from the device
)

type tabMessage struct {
	_      struct{} `cbor:",toarray"`
	Kind   tabKind
	ID     [16]byte
	Action ledger.Kind
	Data   []byte // body of the action, or a status
	Result ledger.ActionID
	Err    string
}

// actAnswer is what became of an action that a reader asked for.
type actAnswer struct {
	id  ledger.ActionID
	err error
}

// listenToTabs passes on what other tabs say.
func (s *Session) listenToTabs() {
	for {
		b, err := s.channel.Receive(s.ctx)
		if err != nil {
			return
		}
		var m tabMessage
		if wire.Decode(b, &m) != nil {
			continue // of another version
		}
		if !s.post(func() { s.fromTab(m) }) {
			return
		}
	}
}

func (s *Session) fromTab(m tabMessage) {
	writer := s.release != nil
	switch {
	case m.Kind == tabHello && writer:
		s.shared = nil // said again to the newcomer
	case m.Kind == tabGone:
		go s.leftElsewhere() // not by the owner, for whom it waits
	case m.Kind == tabNews:
		s.reload(!writer)
	case m.Kind == tabStatus && !writer:
		var status NetStatus
		if wire.Decode(m.Data, &status) == nil {
			s.remote = status
			s.offset = status.Offset
		}
	case m.Kind == tabAct && writer:
		id, err := s.writeNow(m.Action, m.Data)
		answer := tabMessage{Kind: tabAnswer, ID: m.ID, Result: id}
		if err != nil {
			answer.Err = err.Error()
		}
		s.toTabs(answer)
	case m.Kind == tabAnswer && !writer:
		if waiting := s.forwards[m.ID]; waiting != nil {
			answer := actAnswer{id: m.Result}
			if m.Err != "" {
				answer.err = errors.New(m.Err)
			}
			waiting <- answer
			delete(s.forwards, m.ID)
		}
	}
}

// reload reads what another tab has stored: the room's record, and, in a reader, what
// is new in the log.
func (s *Session) reload(log bool) {
	room, err := s.store.room(s.ctx, s.keys.ID)
	if err == nil && room != s.room {
		s.room, s.changed = room, true
	}
	if err == nil && log {
		err = s.load(s.ctx, nil)
	}
	if err != nil {
		s.storage = err
	}
}

func (s *Session) toTabs(m tabMessage) {
	b, err := wire.Encode(m)
	if err == nil {
		err = s.channel.Post(b)
	}
	if err != nil && s.ctx.Err() == nil {
		s.storage = err
	}
}

// shareNews tells readers that the log has grown.
func (s *Session) shareNews() { s.toTabs(tabMessage{Kind: tabNews}) }

// shareHello tells the writer that there is a reader.
func (s *Session) shareHello() { s.toTabs(tabMessage{Kind: tabHello}) }

// shareStatus tells readers how the writer stands, if that is new.
func (s *Session) shareStatus(status NetStatus) {
	if s.release == nil {
		return
	}
	status.SyncedAt -= status.SyncedAt % 1000 // every second is often enough
	b, err := wire.Encode(status)
	if err != nil || string(b) == string(s.shared) {
		return
	}
	s.shared = b
	s.toTabs(tabMessage{Kind: tabStatus, Data: b})
}

// forward asks the writer for an action.
func (s *Session) forward(kind ledger.Kind, body []byte) (chan actAnswer, error) {
	if s.halted != nil {
		return nil, s.halted
	}
	m := tabMessage{Kind: tabAct, Action: kind, Data: body}
	rand.Read(m.ID[:])
	answer := make(chan actAnswer, 1)
	s.forwards[m.ID] = answer
	s.toTabs(m)
	return answer, nil
}

// awaitAnswer waits for the writer. It never asks twice: a writer that closes just now
// may have taken the action.
func (s *Session) awaitAnswer(ctx context.Context, answer <-chan actAnswer) (ledger.ActionID, error) {
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	select {
	case a := <-answer:
		return a.id, a.err
	case <-timer.C:
		return ledger.ActionID{}, ErrNoWriter
	case <-s.ctx.Done():
		return ledger.ActionID{}, ErrClosed
	case <-ctx.Done():
		return ledger.ActionID{}, ctx.Err()
	}
}

// waitForLock makes a reader the writer when the tab before it closes.
func (s *Session) waitForLock() {
	release, err := s.config.Tabs.Lock(s.ctx, lockName(s.keys.ID))
	if err != nil {
		if s.ctx.Err() == nil {
			s.post(func() { s.halted = err })
		}
		return
	}
	takeOver := func() {
		if s.takeOver(release) {
			s.connect()
		}
	}
	if !s.post(takeOver) {
		release()
	}
}

// takeOver begins to write, with what the writer before has stored, and reports whether it did.
func (s *Session) takeOver(release func()) bool {
	room, err := s.store.room(s.ctx, s.keys.ID)
	if err == nil {
		err = s.load(s.ctx, nil)
	}
	if err != nil {
		s.halted = err
		release()
		return false
	}
	s.room = room
	for id, waiting := range s.forwards {
		waiting <- actAnswer{err: ErrNoWriter}
		delete(s.forwards, id)
	}
	s.beginWriting(release)
	return true
}

// connect begins to talk to others.
func (s *Session) connect() {
	if s.room.Practice || s.room.Relay == "" {
		s.firstTryOver()
		return
	}
	s.mesh = s.newMesh()
	s.wg.Go(s.keepRelay)
}

// beginWriting is the part of becoming the writer that starts nothing.
func (s *Session) beginWriting(release func()) {
	s.release = release
	now := s.config.steady()
	for _, h := range s.game.Replica().Unsealed() {
		// Ours, or what we were the last to know of: sent again.
		s.outgoing[h] = &outgoing{since: now, own: true}
	}
	s.changed = true
	switch {
	case s.room.Practice:
		s.relay.state = RelayNone
		s.halted = s.resumeNotary()
	case s.room.Relay == "":
		s.relay.state = RelayNone
	default:
		s.relay.state = RelayConnecting
	}
}

// resumeNotary makes the device the notary of its practice game again.
func (s *Session) resumeNotary() error {
	notary, err := s.device.PracticeNotary(s.keys.ID)
	if err != nil {
		return err
	}
	notary.Found(s.room.Game)
	replica := s.game.Replica()
	if last, ok := replica.Seal(replica.Seals()); ok {
		if err := notary.Resume(last); err != nil {
			return err
		}
	}
	s.notary = notary
	return nil
}
