package ledger

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"peernomic/engine/wire"
)

// Dice modes that a genesis may name.
const (
	// DiceBeacon rolls from the roller's link and the notary's.
	DiceBeacon = "beacon"
	// DicePractice is the same, but the notary is the founder's own device. Nobody else
	// witnesses the rolls.
	DicePractice = "practice"
)

// Document is one rule of the founding ruleset.
type Document struct {
	_    struct{} `cbor:",toarray"`
	Path string
	Text string
}

// Genesis holds everything that a game starts from, so that a game does not depend on the files of
// a later program. It is the body of the game's first action.
type Genesis struct {
	Kernel  uint32 // version of the kernel that the rules run on
	Title   string // the game's name
	Notary  wire.NotaryKey
	Anchor  wire.Link // link 0 of the notary's entropy chain
	Dice    string    // DiceBeacon or DicePractice
	Options map[string]string
	Founder Enrolment
	Room    wire.RoomID
	Salt    [16]byte // random, so that no two games have the same genesis
	Ruleset []Document
	// Continues names the earlier game that this one continues, and its seal; nil in a new game. The
	// ruleset then holds [SnapshotPath] and [SecretPath] and nothing else.
	Continues *Seam
}

// Seam is the point from which a game continues an earlier one: SPEC.md, 13.1.
type Seam struct {
	_        struct{} `cbor:",toarray"`
	Game     GameID   // the earlier one
	Seal     uint64   // its last seal that counts here
	SealHash wire.SealHash
	State    [32]byte // digest of the world after that seal
	Order    [32]byte // digest of the order up to that seal, see [Replica.OrderDigestAt]
}

// The documents of a game that continues an earlier one.
const (
	// SecretPath holds the secret of the earlier game's room, so that members can read that room. It
	// is not in the head, because the proof of a roll shows the head to strangers.
	SecretPath = "room.secret"
	// SnapshotPath holds the world with which the game begins.
	SnapshotPath = "world.snapshot"
)

// Earlier returns the secret of the earlier game's room. It fails with
// [ErrRoomSecret] in a game that begins anew.
func (g Genesis) Earlier() (RoomSecret, error) {
	if g.Continues == nil || len(g.Ruleset) == 0 || g.Ruleset[0].Path != SecretPath {
		return RoomSecret{}, ErrRoomSecret
	}
	return ParseRoomSecret(g.Ruleset[0].Text)
}

// genesisHead is the inline part of every genesis. The proof of a roll shows it without the ruleset,
// because it names the notary's anchor.
type genesisHead struct {
	_       struct{} `cbor:",toarray"`
	Kernel  uint32
	Title   string
	Notary  wire.NotaryKey
	Anchor  wire.Link
	Dice    string
	Options map[string]string
	Founder Enrolment
	Room    wire.RoomID
	Salt    [16]byte
	Ruleset [32]byte // Digest of the encoded documents
	// Continues has one element if the game continues an earlier one, and otherwise none.
	Continues []Seam
}

const rulesetLabel = "peernomic/ruleset/v1"

// encode returns the body of a genesis in two pieces: the inline head and the ruleset.
func (g Genesis) encode() (head, ruleset []byte, err error) {
	ruleset, err = wire.Encode(g.Ruleset)
	if err != nil {
		return nil, nil, fmt.Errorf("genesis: %w", err)
	}
	h := genesisHead{
		Kernel: g.Kernel, Title: g.Title, Notary: g.Notary, Anchor: g.Anchor, Dice: g.Dice,
		Options: g.Options, Founder: g.Founder, Room: g.Room, Salt: g.Salt,
		Ruleset: wire.Digest(rulesetLabel, ruleset),
	}
	if g.Continues != nil {
		h.Continues = []Seam{*g.Continues}
	}
	enc, err := wire.Encode(h)
	if err != nil {
		return nil, nil, fmt.Errorf("genesis: %w", err)
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(enc))), enc...), ruleset, nil
}

// DecodeGenesis reads the body of a genesis, parts included, and does not check its content. A
// replica has checked its own.
func DecodeGenesis(body []byte) (Genesis, error) {
	g, digest, rest, err := decodeGenesisHead(body)
	if err != nil {
		return Genesis{}, err
	}
	if wire.Digest(rulesetLabel, rest) != digest {
		return Genesis{}, refuse(CodeGenesis, "the ruleset is not the one that the genesis names")
	}
	if err := wire.Decode(rest, &g.Ruleset); err != nil {
		return Genesis{}, refuseFor(CodeGenesis, "the ruleset is not in canonical form", err)
	}
	return g, nil
}

// DecodeGenesisHead reads the inline part of a genesis: everything but the ruleset. It names the
// notary and the founder.
func DecodeGenesisHead(inline []byte) (Genesis, error) {
	g, _, _, err := decodeGenesisHead(inline)
	return g, err
}

func decodeGenesisHead(body []byte) (g Genesis, ruleset [32]byte, rest []byte, err error) {
	if len(body) < 4 || uint64(binary.BigEndian.Uint32(body)) > uint64(min(len(body), MaxInline)-4) {
		return g, ruleset, nil, refuse(CodeGenesis, "the genesis is shorter than it says")
	}
	end := 4 + int(binary.BigEndian.Uint32(body))
	var h genesisHead
	if err := wire.Decode(body[4:end], &h); err != nil {
		return g, ruleset, nil, refuseFor(CodeGenesis, "not a genesis in canonical form", err)
	}
	g = Genesis{
		Kernel: h.Kernel, Title: h.Title, Notary: h.Notary, Anchor: h.Anchor, Dice: h.Dice,
		Options: h.Options, Founder: h.Founder, Room: h.Room, Salt: h.Salt,
	}
	switch len(h.Continues) {
	case 0:
	case 1:
		g.Continues = &h.Continues[0]
	default:
		return g, ruleset, nil, refuse(CodeGenesis, "the genesis goes on from more than one game")
	}
	return g, h.Ruleset, body[end:], nil
}

// Check checks the content of a genesis by a device, in the order of the specification. The error is
// a [*Refusal].
func (g Genesis) Check(room wire.RoomID, dev DeviceKey) error {
	switch {
	case g.Kernel == 0:
		return refuse(CodeGenesis, "the genesis names no kernel")
	case g.Room != room:
		return refuse(CodeGenesis, "the genesis is of another room")
	case !validText(g.Title, MaxTitle):
		return refuse(CodeGenesis, "the title is empty, too long, or has spaces around it or control characters in it")
	case g.Dice != DiceBeacon && g.Dice != DicePractice:
		return refuse(CodeGenesis, "the dice mode is unknown")
	case !wire.ValidKey(g.Notary):
		return refuse(CodeGenesis, "the notary is not a valid public key")
	case len(g.Options) > MaxOptions:
		return refuse(CodeGenesis, fmt.Sprintf("more than %d options", MaxOptions))
	case g.Continues != nil && g.Continues.Seal == 0:
		return refuse(CodeGenesis, "the genesis goes on from no seal")
	}
	return g.Founder.Check(room, dev)
}

// checkRuleset judges the documents: paths are short, ascending and different from each
// other, texts are UTF-8. A game that continues an earlier one has exactly two.
func (g Genesis) checkRuleset() error {
	if g.Continues != nil {
		if _, err := g.Earlier(); err != nil || len(g.Ruleset) != 2 || g.Ruleset[1].Path != SnapshotPath {
			return refuse(CodeGenesis, "a game that goes on from another holds the secret of its room and its world, and nothing else")
		}
	}
	if len(g.Ruleset) > MaxDocuments {
		return refuse(CodeGenesis, fmt.Sprintf("more than %d documents", MaxDocuments))
	}
	last := ""
	for _, d := range g.Ruleset {
		if !validText(d.Path, MaxPath) || d.Path <= last || !utf8.ValidString(d.Text) {
			return refuse(CodeGenesis, fmt.Sprintf("document %q is out of order or its path or text is not valid", d.Path))
		}
		last = d.Path
	}
	return nil
}
