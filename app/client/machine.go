package client

import (
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// machine is a replicated game as a session needs it. Only the session's owner
// goroutine uses it.
type machine interface {
	Replica() *ledger.Replica
	Receive(envelope []byte) (wire.EnvelopeHash, error)
	ReceiveSeal(seal []byte) error
	// Restore and RestoreSeal do the same, and owe the judgment of the signature.
	Restore(envelope []byte) (wire.EnvelopeHash, error)
	RestoreSeal(seal []byte) error
	// Decide says whether the person agrees to a change of notary, by the successor's first seal.
	Decide(first wire.SealHash, agreed bool)
	// Advance takes in what was received, and redoes what is tentative as of now.
	Advance(now int64)
	// Confirmed returns the newest seal that has been carried out completely, and the
	// digest of the state after it.
	Confirmed() (seal uint64, digest [32]byte)
}
