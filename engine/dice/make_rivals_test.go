package dice

import (
	"slices"

	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// rolled returns a transcript with other dice: those that all the rest of it gives.
func rolled(b []byte, change func(x *Transcript), sides ...uint64) []byte {
	x := must(ParseTranscript(b))
	change(&x)
	x.Rolls = []Roll{}
	s := NewStream(VerifyTranscript(must(wire.Encode(x))).Seed)
	for _, n := range sides {
		x.Rolls = append(x.Rolls, Roll{Sides: n, Value: s.Roll(n)})
	}
	return must(wire.Encode(x))
}

// sealedOtherwise returns an action in an envelope with another nonce than its content gives. In the room it
// is junk (the ledger's clause 3.9), which a stranger cannot know.
func sealedOtherwise(s Sealed) Sealed {
	e := must(wire.ParseEnvelope(s.Envelope))
	box := must(chacha20poly1305.New(s.Key[:]))
	nonce := func() []byte { return append(make([]byte, 4), e.Nonce[16:]...) }
	plain := must(box.Open(nil, nonce(), e.Ciphertext, e.AAD()))
	e.Nonce[23] ^= 1 // the key comes from the first 16 bytes
	e.Ciphertext = box.Seal(nil, nonce(), plain, e.AAD())
	return Sealed{Envelope: e.Bytes(), Key: s.Key}
}

// rivals are other dice of the action of a good transcript, by its device: all pass, and none is of the roll
// that counted (clause 5.11).
func rivals(t *table, e ledger.Entry, good []byte, forge func(func(a *ledger.Action)) Sealed) []transcriptVector {
	sides := []uint64{6, 6, 20}
	one := func(name string, change func(x *Transcript)) transcriptVector {
		return vectorOf("5.11", name, "", rolled(good, change, sides...))
	}
	// under seals another envelope as the next seal.
	under := func(x *Transcript, s Sealed) {
		x.Action = s
		x.Named = t.cut(func(seal *wire.Seal) { seal.Envelopes = []wire.EnvelopeHash{wire.HashEnvelope(s.Envelope)} }).Bytes
		x.Placed = x.Named
	}
	return []transcriptVector{
		one("an action shown at a later seal than the one that gave it its place", func(x *Transcript) { x.Placed = t.last.Bytes }),
		one("the same action in another envelope, sealed again", func(x *Transcript) { under(x, sealedOtherwise(x.Action)) }),
		one("another mode than the rules had", func(x *Transcript) { x.Wanted = 2 }),
		one("a second action with the same number, which is void", func(x *Transcript) {
			under(x, forge(func(a *ledger.Action) {
				*a = e.Action.Action()
				a.Claimed++
			}))
		}),
	}
}

// longChain is a chain with one link more than a notary's may have. It keeps its first links and its last two.
type longChain struct {
	first []wire.Link
	last  [2]wire.Link
}

func newLongChain() *longChain {
	c := &longChain{last: [2]wire.Link{1: {5}}}
	c.last[0] = c.last[1].Parent()
	link := c.last[0]
	for n := entropy.NotaryLinks; n >= 0; n-- {
		if n < 5 {
			c.first = append(c.first, link)
		}
		link = link.Parent()
	}
	slices.Reverse(c.first)
	return c
}

func (c *longChain) Anchor() wire.Link { return c.first[0] }

func (c *longChain) Link(n uint64) (wire.Link, error) {
	if n >= entropy.NotaryLinks {
		return c.last[n-entropy.NotaryLinks], nil
	}
	return c.first[n], nil
}

// longest are the dice of a notary's last seal, and of one more (clause 2.5).
func longest() []transcriptVector {
	t := newTableWith(newLongChain())
	e := t.act(t.guest, []ledger.ActionID{}...)
	t.seal(e)
	at := func(number uint64) []byte {
		return rolled(t.roll(e), func(x *Transcript) {
			x.Placed = t.cut(func(s *wire.Seal) { s.Number, s.Link = number, must(t.chain.Link(number)) }).Bytes
		}, 6)
	}
	return []transcriptVector{
		vectorOf("2.5", "the last seal that a notary can sign", "", at(entropy.NotaryLinks)),
		vectorOf("2.5", "a seal beyond the last one, whose link is on the chain", "5.8", at(entropy.NotaryLinks+1)),
	}
}
