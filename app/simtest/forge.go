package simtest

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Forge makes what no honest program makes, from the specification alone: its package
// ledger would not. It signs with the keys of a member of the room.
type Forge struct {
	person   *ledger.Identity
	pen      *ledger.Pen
	room     wire.RoomID
	sign     ed25519.PrivateKey // the member's device
	chain    *entropy.Chain
	envelope []byte
	nonce    []byte
	count    uint64
}

// forgeries are the ways in which an envelope can be garbage, and by which check each must be
// refused.
var forgeries = map[string]ledger.Code{
	"noise":     ledger.CodeDecrypt,
	"epoch":     ledger.CodeEpoch,
	"padding":   ledger.CodePadding,
	"nonce":     ledger.CodeNonce,
	"content":   ledger.CodeContent,
	"unsigned":  ledger.CodeSigned,
	"shape":     ledger.CodeAction,
	"signature": ledger.CodeSignature,
	"version":   ledger.CodeActionVersion,
	"heads":     ledger.CodeHeads,
	"claimed":   ledger.CodeClaimed,
	"kind":      ledger.CodeKind,
	"game":      ledger.CodeGame,
	"feed":      ledger.CodeFeed,
	"link":      ledger.CodeLink,
	"enrolment": ledger.CodeEnrol,
	"rival":     ledger.CodeGame,
	"waiting":   "", // depends on what nobody has: it waits, and is no garbage as far as anyone can tell
}

// Forgeries returns their names, in order.
func Forgeries() []string { return slices.Sorted(maps.Keys(forgeries)) }

// NewForge returns the forge of a member, whose device holds the pen, of the room with a secret.
func NewForge(secret ledger.RoomSecret, person *ledger.Identity, pen *ledger.Pen) (*Forge, error) {
	room := secret.Keys().ID
	b, err := pen.Device().MarshalBinary()
	if err != nil {
		return nil, err
	}
	var stored struct {
		_       struct{} `cbor:",toarray"`
		Version uint
		Sign    [32]byte
		Box     [32]byte
		Chain   [32]byte
	}
	if err := wire.Decode(b, &stored); err != nil {
		return nil, err
	}
	chain, err := pen.Device().Chain(room)
	if err != nil {
		return nil, err
	}
	f := &Forge{person: person, pen: pen, room: room, sign: ed25519.NewKeyFromSeed(stored.Sign[:]), chain: chain}
	if f.envelope, err = hkdf.Key(sha256.New, secret[:], nil, "peernomic/room/envelope/v1", 32); err != nil {
		return nil, err
	}
	f.nonce, err = hkdf.Key(sha256.New, secret[:], nil, "peernomic/room/nonce/v1", 32)
	return f, err
}

// Make forges an envelope of one of [Forgeries] that fits what a replica holds, and says how it
// must be refused: by no code if it only waits.
func (f *Forge) Make(kind string, r *ledger.Replica, now int64) ([]byte, ledger.Code) {
	f.count++
	unique := binary.BigEndian.AppendUint64(nil, f.count)
	device := f.pen.Device()
	at := r.Position(device.Key())
	a := ledger.Action{
		Version: ledger.ActionVersion, Game: at.Game, Device: device.Key(), Seq: at.Seq + 1, Prev: at.Prev,
		Heads: []ledger.ActionID{}, Claimed: now, Kind: ledger.KindAct, Body: unique, Parts: []ledger.PartID{},
	}
	a.Link, _ = f.chain.Link(a.Seq) // the crook does not act 65536 times
	code := forgeries[kind]
	switch kind {
	case "noise":
		b := f.seal(1, unique)
		copy(b[wire.EnvelopeHeader:], unique)
		return b, code
	case "epoch":
		b := f.seal(1, unique)
		b[36] = 1
		return b, code
	case "padding":
		return f.sealPlain(append(f.plain(1, unique), unique...)), code
	case "nonce":
		plain := f.plain(1, unique)
		return f.encrypt(plain, [24]byte(sha256.New().Sum(unique))), code
	case "content":
		return f.seal(9, unique), code
	case "unsigned":
		return f.seal(1, unique), code
	case "shape":
		b, err := wire.Sign(f.sign, ledger.ActionLabel, unique)
		return f.seal(1, must(b, err)), code
	case "signature":
		b := f.signed(a)
		b[len(b)-1] ^= 1
		return f.seal(1, b), code
	case "version":
		a.Version = 2
	case "heads":
		a.Heads = []ledger.ActionID{{2}, {1}}
	case "claimed":
		a.Claimed = -1
	case "kind":
		a.Kind = 77
	case "game":
		a.Game[0] ^= 1
	case "feed":
		a.Seq++
		a.Link, _ = f.chain.Link(a.Seq)
	case "link":
		a.Link[0] ^= 1
	case "enrolment":
		seed := sha256.Sum256(append([]byte("nobody"), unique...))
		key := ed25519.NewKeyFromSeed(seed[:])
		a.Device, a.Kind, a.Seq, a.Prev = ledger.DeviceKey(key.Public().(ed25519.PublicKey)), ledger.KindEnrol, 1, ledger.ActionID{}
		genesis, _ := r.Genesis()
		e := ledger.Enrolment{
			Identity: genesis.Founder.Identity, Box: [32]byte(device.Box().PublicKey().Bytes()),
			Anchor: a.Link.Parent(), Name: genesis.Founder.Name, Proof: make([]byte, ed25519.SignatureSize),
		}
		a.Body = must(wire.Encode(e))
		b, err := wire.Sign(key, ledger.ActionLabel, must(wire.Encode(a)))
		return f.seal(1, must(b, err)), code
	case "rival":
		e, err := f.pen.Found(f.person, "A rival", ledger.Genesis{
			Kernel: 1, Title: "Another game", Notary: wire.NotaryKey(device.Key()), Anchor: wire.Link{1},
			Dice: ledger.DiceBeacon, Options: map[string]string{}, Salt: [16]byte(append(make([]byte, 8), unique...)),
			Ruleset: []ledger.Document{{Path: "ruleset.md", Text: "# Mine"}},
		}, now)
		return must(e, err).Envelope(), code
	case "waiting":
		a.Heads = []ledger.ActionID{ledger.ActionID(sha256.Sum256(unique))}
	}
	return f.seal(1, f.signed(a)), code
}

// Again forges the device's next action after what a replica holds, with a body in the parts of another action, which cannot be
// (SPEC.md, 4.15).
func (f *Forge) Again(parts []ledger.PartID, r *ledger.Replica, now int64) []byte {
	at := r.Position(f.pen.Device().Key())
	a := ledger.Action{
		Version: ledger.ActionVersion, Game: at.Game, Device: f.pen.Device().Key(), Seq: at.Seq + 1, Prev: at.Prev,
		Heads: []ledger.ActionID{}, Claimed: now, Kind: ledger.KindAct, Body: []byte{}, Parts: parts,
	}
	a.Link, _ = f.chain.Link(a.Seq) // the crook does not act 65536 times
	return f.seal(1, f.signed(a))
}

func (f *Forge) signed(a ledger.Action) []byte {
	return must(wire.Sign(f.sign, ledger.ActionLabel, must(wire.Encode(a))))
}

// plain is what an envelope encrypts (SPEC.md, section 3).
func (f *Forge) plain(content byte, data []byte) []byte {
	const around = wire.EnvelopeHeader + 16
	size := 256
	for size < around+32+1+4+len(data) {
		size *= 2
	}
	plain := make([]byte, size-around)
	plain[32] = content
	binary.BigEndian.PutUint32(plain[33:], uint32(len(data)))
	copy(plain[37:], data)
	return plain
}

func (f *Forge) seal(content byte, data []byte) []byte { return f.sealPlain(f.plain(content, data)) }

func (f *Forge) sealPlain(plain []byte) []byte {
	m := hmac.New(sha256.New, f.nonce)
	m.Write(wire.Envelope{Room: f.room}.Prefix())
	m.Write(plain)
	return f.encrypt(plain, [24]byte(m.Sum(nil)))
}

func (f *Forge) encrypt(plain []byte, nonce [24]byte) []byte {
	e := wire.Envelope{Room: f.room, Nonce: nonce}
	aead, err := chacha20poly1305.NewX(f.envelope)
	e.Ciphertext = must(aead, err).Seal(nil, nonce[:], plain, e.AAD())
	return e.Bytes()
}

// must is for what fails only if the forge itself is wrong.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
