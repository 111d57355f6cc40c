package store

import (
	"slices"
	"sync"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
)

// Memory is a store that forgets everything when the program ends. [NewMemory]
// makes it.
type Memory struct {
	mu     sync.RWMutex
	closed bool
	rooms  map[wire.RoomID]*memoryRoom
}

type memoryRoom struct {
	room      Room
	marks     []wire.Link
	seals     []memorySeal // number n at index n-1
	envelopes map[wire.EnvelopeHash][]byte
}

type memorySeal struct {
	bytes     []byte
	envelopes []wire.EnvelopeHash
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{rooms: map[wire.RoomID]*memoryRoom{}}
}

// find returns a room; mu must be held.
func (m *Memory) find(id wire.RoomID) (*memoryRoom, error) {
	if m.closed {
		return nil, ErrClosed
	}
	r, ok := m.rooms[id]
	if !ok {
		return nil, ErrNoRoom
	}
	return r, nil
}

// Rooms implements [Store].
func (m *Memory) Rooms() (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return 0, ErrClosed
	}
	return len(m.rooms), nil
}

// Room implements [Store].
func (m *Memory) Room(id wire.RoomID) (Room, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(id)
	if err != nil {
		return Room{}, err
	}
	return r.room, nil
}

// Create implements [Store].
func (m *Memory) Create(id wire.RoomID, secrets notary.Secrets, marks []wire.Link, opened int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if _, ok := m.rooms[id]; ok {
		return ErrRoomExists
	}
	m.rooms[id] = &memoryRoom{
		room:      Room{Secrets: secrets, Opened: opened, Used: opened},
		marks:     slices.Clone(marks),
		envelopes: map[wire.EnvelopeHash][]byte{},
	}
	return nil
}

// Found implements [Store].
func (m *Memory) Found(id wire.RoomID, game wire.GameID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(id)
	if err != nil {
		return err
	}
	if r.room.Game != (wire.GameID{}) && r.room.Game != game {
		return ErrOtherGame
	}
	r.room.Game = game
	return nil
}

// Marks implements [Store].
func (m *Memory) Marks(id wire.RoomID) ([]wire.Link, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(id)
	if err != nil {
		return nil, err
	}
	return slices.Clone(r.marks), nil
}

// Has implements [Store].
func (m *Memory) Has(id wire.RoomID, hashes []wire.EnvelopeHash) ([]bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(id)
	if err != nil {
		return nil, err
	}
	has := make([]bool, len(hashes))
	for i, h := range hashes {
		_, has[i] = r.envelopes[h]
	}
	return has, nil
}

// Append implements [Store].
func (m *Memory) Append(appends []Append) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range appends {
		r, err := m.find(a.Room)
		if err != nil {
			return err
		}
		if r.room.State != a.Base {
			return ErrHead
		}
	}
	for _, a := range appends {
		r := m.rooms[a.Room]
		for _, e := range a.Envelopes {
			r.envelopes[e.Hash] = slices.Clone(e.Bytes)
		}
		for _, s := range a.Seals {
			r.seals = append(r.seals, memorySeal{slices.Clone(s.Bytes), slices.Clone(s.Envelopes)})
		}
		r.room.State = a.Next
	}
	return nil
}

// Read implements [Store].
func (m *Memory) Read(id wire.RoomID, number uint64, f func(seal []byte, envelopes [][]byte) bool) error {
	for n := max(number, 1); ; n++ {
		seal, envelopes, err := m.seal(id, n)
		if err != nil || seal == nil {
			return err
		}
		if !f(seal, envelopes) {
			return nil
		}
	}
}

func (m *Memory) seal(id wire.RoomID, n uint64) (seal []byte, envelopes [][]byte, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, err := m.find(id)
	if err != nil || n > uint64(len(r.seals)) {
		return nil, nil, err
	}
	s := r.seals[n-1]
	for _, h := range s.envelopes {
		envelopes = append(envelopes, slices.Clone(r.envelopes[h]))
	}
	return slices.Clone(s.bytes), envelopes, nil
}

// Use implements [Store].
func (m *Memory) Use(id wire.RoomID, now int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(id)
	if err != nil {
		return err
	}
	r.room.Used = now
	return nil
}

// Unused implements [Store].
func (m *Memory) Unused(used, empty int64) ([]wire.RoomID, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	var ids []wire.RoomID
	for id, r := range m.rooms {
		if r.room.unused(used, empty) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Remove implements [Store].
func (m *Memory) Remove(id wire.RoomID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find(id); err != nil {
		return err
	}
	delete(m.rooms, id)
	return nil
}

// Close implements [Store].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.rooms = nil
	return nil
}
