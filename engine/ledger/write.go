package ledger

import (
	"bytes"
	"fmt"
	"slices"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

// Entry is a new action of a device with the envelopes that carry it. The caller stores it before
// sending it.
type Entry struct {
	Action    Verified
	Body      []byte
	Envelopes [][]byte // the parts first, the action last
}

// Envelope returns the envelope of the action itself.
func (e Entry) Envelope() []byte { return e.Envelopes[len(e.Envelopes)-1] }

// Position is the end of a device's feed and the heads: a device's next action must name them.
type Position struct {
	Game  GameID
	Seq   uint64     // number of the newest action; 0 if there is none
	Prev  ActionID   // its id
	Heads []ActionID // of the other devices
}

// Pen writes the actions of one device in one room. It holds the device's entropy chain, which
// takes a moment to grow. It does not change; keep it as long as the device.
type Pen struct {
	keys  RoomKeys
	dev   *Device
	chain *entropy.Chain
}

// NewPen returns the pen of a device in a room.
func NewPen(keys RoomKeys, dev *Device) (*Pen, error) {
	chain, err := dev.Chain(keys.ID)
	if err != nil {
		return nil, fmt.Errorf("pen: %w", err)
	}
	return &Pen{keys: keys, dev: dev, chain: chain}, nil
}

// Device returns the device whose pen it is.
func (p *Pen) Device() *Device { return p.dev }

// Anchor returns link 0 of the device's chain in this room.
func (p *Pen) Anchor() wire.Link { return p.chain.Anchor() }

// Found writes the genesis of a game: the device's first action. The founder, the room and
// the order of the documents are filled in. A game that continues an earlier one has its documents
// in parts, even if they are short: the inline head is shown to strangers, the documents are not.
func (p *Pen) Found(id *Identity, name string, g Genesis, claimed int64) (Entry, error) {
	e, err := p.enrolment(id, name)
	if err != nil {
		return Entry{}, err
	}
	g.Founder = e
	g.Room = p.keys.ID
	g.Ruleset = slices.Clone(g.Ruleset)
	slices.SortFunc(g.Ruleset, func(a, b Document) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	if err := g.Check(p.keys.ID, p.dev.Key()); err != nil {
		return Entry{}, err
	}
	if err := g.checkRuleset(); err != nil {
		return Entry{}, err
	}
	head, ruleset, err := g.encode()
	if err != nil {
		return Entry{}, err
	}
	a := Action{Seq: 1, Claimed: claimed, Kind: KindGenesis}
	whole := append(slices.Clone(head), ruleset...)
	inline, parts := whole, [][]byte(nil)
	if len(whole) > MaxInline || g.Continues != nil {
		if parts, err = a.pack(ruleset); err != nil {
			return Entry{}, err
		}
		inline = head
	}
	return p.write(a, inline, parts, whole)
}

// Enrol writes the first action of a device that joins a game. The heads may be empty.
func (p *Pen) Enrol(id *Identity, name string, game GameID, heads []ActionID, claimed int64) (Entry, error) {
	e, err := p.enrolment(id, name)
	if err != nil {
		return Entry{}, err
	}
	body, err := wire.Encode(e)
	if err != nil {
		return Entry{}, fmt.Errorf("enrolment: %w", err)
	}
	return p.write(Action{Game: game, Seq: 1, Heads: heads, Claimed: claimed, Kind: KindEnrol}, body, nil, body)
}

// Write writes the device's next action after a position, which is [Replica.Position] of the
// device. Writing twice after one position forks the feed.
func (p *Pen) Write(at Position, kind Kind, body []byte, claimed int64) (Entry, error) {
	a := Action{Game: at.Game, Device: p.dev.Key(), Seq: at.Seq + 1, Prev: at.Prev, Heads: at.Heads, Claimed: claimed, Kind: kind}
	if len(body) <= MaxInline {
		return p.write(a, body, nil, body)
	}
	parts, err := a.pack(body)
	if err != nil {
		return Entry{}, err
	}
	return p.write(a, nil, parts, body)
}

func (p *Pen) write(a Action, inline []byte, parts [][]byte, whole []byte) (Entry, error) {
	link, err := p.chain.Link(a.Seq)
	if err != nil {
		return Entry{}, refuseFor(CodeSeq, "the device has signed all actions that it can; enrol a new one", err)
	}
	a.Link = link
	a.Body = inline
	var envelopes [][]byte
	for _, part := range parts {
		a.Parts = append(a.Parts, HashPart(part))
		env, err := p.keys.SealPart(part)
		if err != nil {
			return Entry{}, err
		}
		envelopes = append(envelopes, env)
	}
	v, err := sign(p.dev, a)
	if err != nil {
		return Entry{}, err
	}
	env, err := p.keys.SealAction(v)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Action: v, Body: whole, Envelopes: append(envelopes, env)}, nil
}
