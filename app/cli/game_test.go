package cli

import (
	"crypto/rand"
	"os"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// sample is a small game with a roll in it, as files.
type sample struct{ archive, transcript []byte }

// makeSample plays a game of one founder, in one of the ledger's modes, whose second action rolls two dice.
func makeSample(mode string) (sample, error) {
	secret, err := ledger.NewRoomSecret(rand.Reader)
	if err != nil {
		return sample{}, err
	}
	keys := secret.Keys()
	identity, err := ledger.NewIdentity(rand.Reader)
	if err != nil {
		return sample{}, err
	}
	device, err := ledger.NewDevice(rand.Reader)
	if err != nil {
		return sample{}, err
	}
	pen, err := ledger.NewPen(keys, device)
	if err != nil {
		return sample{}, err
	}
	notary, err := ledger.NewNotary(keys.ID, [32]byte{1}, 64)
	if err != nil {
		return sample{}, err
	}
	var replica *ledger.Replica
	now := int64(1_767_607_200_000)
	take := func(e ledger.Entry) error {
		if e.Action.Action().Kind == ledger.KindGenesis {
			notary.Found(ledger.GameID(e.Action.ID()))
			replica = ledger.NewReplica(keys, ledger.GameID(e.Action.ID()))
		}
		var hashes []wire.EnvelopeHash
		for _, envelope := range e.Envelopes {
			hash, err := replica.AddEnvelope(envelope)
			if err != nil {
				return err
			}
			hashes = append(hashes, hash)
		}
		now += 1000
		seal, err := notary.Seal(now, hashes)
		if err != nil {
			return err
		}
		return replica.AddSeal(seal.Bytes)
	}
	entry, err := pen.Found(identity, "Kim", ledger.Genesis{
		Kernel: 1, Title: "A small game", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: mode,
		Ruleset: []ledger.Document{{Path: "ruleset.md", Text: "# Rules\n"}},
	}, now)
	if err != nil {
		return sample{}, err
	}
	if err := take(entry); err != nil {
		return sample{}, err
	}
	if entry, err = pen.Write(replica.Position(device.Key()), ledger.KindAct, []byte("roll"), now); err != nil {
		return sample{}, err
	}
	if err := take(entry); err != nil {
		return sample{}, err
	}
	placed := replica.Placed()[1]
	seed := dice.Seed(placed.Action.Action().Game, placed.Action.ID(), placed.Action.Action().Link, placed.SealLink)
	stream := dice.NewStream(seed)
	var s sample
	if s.transcript, err = dice.NewTranscript(replica, placed, []dice.Roll{
		{Sides: 6, Value: stream.Roll(6)}, {Sides: 20, Value: stream.Roll(20)}}, 0, nil); err != nil {
		return sample{}, err
	}
	s.archive, err = ledger.WriteArchive(replica)
	return s, err
}

// writeSample is a command of the test scripts: it leaves game.nomic and roll.cbor, the same proof as
// sound.cbor, and a game of practice.
func writeSample() error {
	s, err := makeSample(ledger.DiceBeacon)
	if err != nil {
		return err
	}
	practice, err := makeSample(ledger.DicePractice)
	if err != nil {
		return err
	}
	for name, file := range map[string][]byte{"game.nomic": s.archive, "roll.cbor": s.transcript, "sound.cbor": s.transcript, "practice.nomic": practice.archive} {
		if err := os.WriteFile(name, file, 0o644); err != nil {
			return err
		}
	}
	return nil
}
