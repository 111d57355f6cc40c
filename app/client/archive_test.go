//go:build !js

package client

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
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
