//go:build !js

package client

import (
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// logMachine is a game without rules: its state is the order of its actions. Most of a
// session does not care what is played.
type logMachine struct {
	replica *ledger.Replica
	wrong   bool // computes another state than everybody else
}

func newLogMachine(keys ledger.RoomKeys) machine {
	return &logMachine{replica: ledger.NewReplica(keys)}
}

func (m *logMachine) Replica() *ledger.Replica { return m.replica }
func (m *logMachine) Receive(b []byte) (wire.EnvelopeHash, error) {
	return m.replica.AddEnvelope(b)
}
func (m *logMachine) ReceiveSeal(b []byte) error { return m.replica.AddSeal(b) }
func (m *logMachine) Restore(b []byte) (wire.EnvelopeHash, error) {
	return m.replica.RestoreEnvelope(b)
}
func (m *logMachine) Decide(first wire.SealHash, agreed bool) { m.replica.Decide(first, agreed) }

func (m *logMachine) RestoreSeal(b []byte) error { return m.replica.RestoreSeal(b) }
func (m *logMachine) Advance(int64)              {}

func (m *logMachine) Confirmed() (uint64, [32]byte) {
	var ids []byte
	for _, p := range m.replica.Placed() {
		id := p.Action.ID()
		ids = append(ids, id[:]...)
	}
	if m.wrong {
		ids = append(ids, 1)
	}
	return m.replica.OrderedSeals(), wire.Digest("test", ids)
}
