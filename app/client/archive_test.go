//go:build !js

package client

import (
	cryptorand "crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/dial"
)

// sameReading reads an archive at once and in turns, and compares what comes of it.
func sameReading(t *testing.T, file []byte) (wrong *ledger.ArchiveError) {
	t.Helper()
	replicas, wantErr := ledger.ReadArchive(file)
	if wantErr == nil {
		wantErr = game.VerifySeams(replicas)
	}
	chapters, err := ReadGame(t.Context(), file, func(done, total int) {
		if done < 0 || done > total || total != 1000 {
			t.Errorf("progress %d of %d", done, total)
		}
	})
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("in turns: %v; at once: %v", err, wantErr)
	}
	if err != nil {
		errors.As(err, &wrong)
		return wrong
	}
	g, replica := chapters[len(chapters)-1], replicas[len(replicas)-1]
	want := game.FromReplica(replica)
	_, _, now := replica.LastSeal()
	want.Advance(now)
	if want.Broken() != nil { // the vectors' chapters begin with no world
		if g.Broken() == nil {
			t.Errorf("it can be played, and not when it is read at once: %v", want.Broken())
		}
		return nil
	}
	seal, digest := g.Confirmed()
	if (g.World() == nil) != (want.World() == nil) {
		t.Fatal("in turns and at once, only one can be played")
	}
	if want.World() == nil {
		return nil // nothing in it can be played
	}
	if wantSeal, wantDigest := want.Confirmed(); seal != wantSeal || digest != wantDigest || len(g.Entries()) != len(want.Entries()) || g.World().Digest() != want.World().Digest() {
		t.Errorf("%d actions and seal %d, want %d and %d; or another digest", len(g.Entries()), seal, len(want.Entries()), wantSeal)
	}
	return nil
}

// Golden games, and what anybody could make of one: read in turns, each has the
// verdict that it has when it is read at once.
func TestReadingInTurnsGivesTheSameVerdict(t *testing.T) {
	files, err := filepath.Glob("../../engine/game/testdata/golden/*.game")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d golden games: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.ReadFile(name)
			check(t, err)
			if wrong := sameReading(t, file); wrong != nil {
				t.Fatal(wrong)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(file))))
			clauses := map[string]int{}
			for range 25 {
				bad := append([]byte(nil), file...)
				switch at := r.IntN(len(bad)); r.IntN(4) {
				case 0:
					bad = bad[:at]
				default:
					bad[at] ^= 1 << r.IntN(8)
				}
				if wrong := sameReading(t, bad); wrong != nil {
					clauses[wrong.Clause]++
				}
			}
			if len(clauses) < 3 {
				t.Errorf("only clauses %v were broken", clauses)
			}
		})
	}
}

// The vectors' archives have the same verdict in turns, too.
func TestReadingVectorsInTurns(t *testing.T) {
	b, err := os.ReadFile("../../engine/ledger/testdata/vectors.json")
	check(t, err)
	var vectors struct {
		Archives []struct {
			Name, Bytes string
		}
	}
	check(t, json.Unmarshal(b, &vectors))
	if len(vectors.Archives) == 0 {
		t.Fatal("the vectors have no archives")
	}
	for _, a := range vectors.Archives {
		file, err := hex.DecodeString(a.Bytes)
		check(t, err)
		t.Logf("%s: %v", a.Name, sameReading(t, file))
	}
}

// Somebody without the key signs in the name of a device, and the relay seals it. Who imports the game counts it as
// little as those who received it, also after a restart.
func TestImportedForgeryDoesNotCount(t *testing.T) {
	ana, _, a, b := twoPlayers(t, startRelay(t))
	export := func() []byte {
		file, err := a.Export(t.Context())
		check(t, err)
		return file
	}
	before := export()
	var forged []byte
	check(t, a.do(t.Context(), func() {
		pen, err := ledger.NewPen(a.keys, ana.hub.device)
		check(t, err)
		body, err := game.EncodeAct("Join", nil)
		check(t, err)
		entry, err := pen.Write(a.game().Replica().Position(a.Device()), ledger.KindAct, body, 0)
		check(t, err)
		signed := slices.Clone(entry.Action.Bytes())
		signed[len(signed)-1] ^= 1
		parsed, err := ledger.Parse(signed)
		check(t, err)
		forged, err = a.keys.SealAction(ledger.Verified(parsed))
		check(t, err)
	}))
	conn, _, err := dial.Relay(t.Context(), b.Relay(), b.keys.Sign, b.gameID)
	check(t, err)
	defer conn.Close()
	check(t, conn.Send(t.Context(), wire.Envelopes{Envelopes: [][]byte{forged}}))
	until(t, "the forgery is sealed", func() (named bool) {
		check(t, a.do(t.Context(), func() { named = a.game().Replica().Named(wire.HashEnvelope(forged)) }))
		return named
	})
	act(t, b, "after it")
	agree(t, 4, a, b)

	for name, files := range map[string][][]byte{"at once": {export()}, "on top of an older export": {before, export()}} {
		cy := newDevice(t, "Cy")
		cy.open()
		var room wire.RoomID
		for _, file := range files {
			room, err = cy.hub.Import(t.Context(), file, "")
			check(t, err)
		}
		t.Log(name)
		agree(t, 4, a, cy.session(room))
		cy.restart()
		agree(t, 4, a, cy.session(room))
	}
}

// An archive with another game of a room that this device has is refused, and does not seem to be added.
func TestImportOfAnotherGameInTheRoom(t *testing.T) {
	ana := newDevice(t, "Ana")
	s := ana.session(ana.found(""))
	device, err := ledger.NewDevice(cryptorand.Reader)
	check(t, err)
	notary, err := device.PracticeNotary(s.keys.ID)
	check(t, err)
	pen, err := ledger.NewPen(s.keys, device)
	check(t, err)
	entry, err := pen.Found(ana.hub.Identity(), "Ana", ledger.Genesis{Kernel: game.Kernel, Title: "Another", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: ledger.DicePractice,
		Options: map[string]string{}, Ruleset: []ledger.Document{{Path: "1-core/01-join.md", Text: joinRule}}}, 1)
	check(t, err)
	replica := ledger.NewReplica(s.keys, ledger.GameID(entry.Action.ID()))
	for _, e := range entry.Envelopes {
		_, err := replica.AddEnvelope(e)
		check(t, err)
	}
	file, err := ledger.WriteArchive(replica)
	check(t, err)
	if _, err := ana.hub.Import(t.Context(), file, ""); !errors.Is(err, errOtherGame) {
		t.Errorf("imported: %v", err)
	}
}
