package simtest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/notary"
)

const (
	relayName = "relay"
	crookName = "crook"
	founder   = "a"

	relayAddress = "wss://relay.example/relay"
)

// honest are the honest devices. The second and third are one person's.
var honest = []string{"a", "b", "c", "d"}

var persons = map[string]string{"a": "Ana", "b": "Bo", "c": "Bo", "d": "Di", crookName: "Crook"}

// begin is when every run begins.
var begin = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// sealsOfNotary is how many seals a simulated notary can cut.
const sealsOfNotary = 1 << 13

// Cast is who plays: keys, pens and the game's beginning. It is made once, because growing
// entropy chains takes longer than many a run, and never changes.
type Cast struct {
	secret  ledger.RoomSecret
	keys    ledger.RoomKeys
	person  map[string]*ledger.Identity
	device  map[string]*ledger.Device
	pen     map[string]*ledger.Pen
	notary  notary.Secrets
	marks   []wire.Link
	genesis ledger.Entry
	founder string                      // whose device has founded the game
	since   time.Duration               // when, since begin
	out     []string                    // who is not invited
	moved   bool                        // the game goes on from another room
	spare   map[string]*ledger.Identity // of an honest device: what its person's seat can be given to
	anew    map[string]hand             // of an honest device: who comes back on it when its disk was lost
}

// rules is the game that is played: it rolls dice, at once and by a timer, with witnesses or
// without, and keeps a value for everybody. Who digs is a player. Anybody can ruin it: then every
// act is refused, and only a convention repairs it.
const rules = "# All\n\n```starlark\n" + `
column("gold", integer())
variable("ruined", flag(), default=False)
gate(lambda me, action: "ruined" if game.ruined else None)
def dig(me):
    me.standing = "player"
    me.gold += dice(2, 6)
action("Dig", run=dig, who="anyone")
def mine(me, n):
    dig(me)
action("Mine", run=mine, params=[param("n", integer())], who="anyone")
def watch(me, n):
    game.witnesses = n
action("Watch", run=watch, params=[param("n", integer())], who="anyone")
def ruin(me):
    game.ruined = True
action("Ruin", run=ruin, who="anyone")
def ring(args):
    find("players", id=1).gold += roll(100)
handler("ring", ring)
def wind(me):
    schedule(now() + hours(1), "ring")
action("Wind", run=wind, who="anyone")
` + "```\n"

// NewCast makes the cast. It is always the same.
func NewCast() (*Cast, error) {
	c := &Cast{founder: founder, person: map[string]*ledger.Identity{}, device: map[string]*ledger.Device{}, pen: map[string]*ledger.Pen{},
		spare: map[string]*ledger.Identity{}, anew: map[string]hand{}}
	var err error
	if c.secret, err = ledger.NewRoomSecret(source("room")); err != nil {
		return nil, err
	}
	c.keys = c.secret.Keys()
	for _, name := range append([]string{crookName}, honest...) {
		if c.person[name], err = ledger.NewIdentity(source("person " + persons[name])); err != nil {
			return nil, err
		}
		if c.spare[name], err = ledger.NewIdentity(source("spare " + persons[name])); err != nil {
			return nil, err
		}
		if c.device[name], err = ledger.NewDevice(source("device " + name)); err != nil {
			return nil, err
		}
		if c.pen[name], err = ledger.NewPen(c.keys, c.device[name]); err != nil {
			return nil, err
		}
	}
	for _, name := range honest {
		h := hand{name: name + " anew", person: c.spare[name]}
		if h.device, err = ledger.NewDevice(source("device " + h.name)); err != nil {
			return nil, err
		}
		if h.pen, err = ledger.NewPen(c.keys, h.device); err != nil {
			return nil, err
		}
		c.anew[name] = h
	}
	c.notary.Seed = sha256.Sum256([]byte("notary"))
	c.notary.Anchor, c.marks = notary.Grow(sha256.Sum256([]byte("links")), sealsOfNotary)
	c.genesis, err = c.pen[founder].Found(c.person[founder], persons[founder], ledger.Genesis{
		Kernel: game.Kernel, Title: "A simulated game", Notary: c.notary.Key(), Anchor: c.notary.Anchor,
		Dice: ledger.DiceBeacon, Options: map[string]string{},
		Ruleset: []ledger.Document{{Path: "1-core/01-all.md", Text: rules}, {Path: "ruleset.md", Text: "# Test\n\nA test."}},
	}, begin.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("the cast's game: %w", err)
	}
	return c, nil
}

// source is a stream of bytes that a label gives.
func source(label string) io.Reader { return &stream{label: label} }

type stream struct {
	label string
	n     uint64
}

func (s *stream) Read(p []byte) (int, error) {
	for i := 0; i < len(p); {
		block := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(s.label), s.n))
		s.n++
		i += copy(p[i:], block[:])
	}
	return len(p), nil
}

// game is the id of the game that all play.
func (c *Cast) game() wire.GameID { return ledger.GameID(c.genesis.Action.ID()) }
