package direct

import (
	"errors"
	"fmt"

	"peernomic/engine/wire"
)

// Instance names a running program that is a member of a room.
type Instance [16]byte

// ErrNote reports bytes that are not a note.
var ErrNote = errors.New("not a note between members")

const noteVersion = 1

// noteKind is on the wire; only append.
type noteKind uint

const (
	noteInvalid noteKind = iota
	noteHello            // here I am
	noteOffer            // the lower instance offers a link
	noteAnswer           // the higher one answers
)

// note is what members send each other through the relay, encrypted by the caller.
type note struct {
	_       struct{} `cbor:",toarray"`
	Version uint
	Kind    noteKind
	From    Instance
	To      Instance // zero in a hello
	Attempt uint64   // of an offer, repeated in its answer
	Card    []byte   // who the member is; means nothing here
	SDP     string
}

const maxCard = 1 << 10

func decodeNote(b []byte) (note, error) {
	var n note
	if len(b) > wire.MaxSignal {
		return n, fmt.Errorf("%w: %d bytes", ErrNote, len(b))
	}
	if err := wire.Decode(b, &n); err != nil {
		return n, fmt.Errorf("%w: %w", ErrNote, err)
	}
	if n.Version != noteVersion || n.Kind == noteInvalid || n.Kind > noteAnswer || n.From == (Instance{}) || len(n.Card) > maxCard {
		return n, ErrNote
	}
	return n, nil
}
