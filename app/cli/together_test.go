package cli

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// run returns what a command prints and how it ends.
func run(args ...string) (said string, code int) {
	var out bytes.Buffer
	code = Main(args, nil, &out, &out)
	return out.String(), code
}

// Every roll that nomic verify lists of a game has a proof that it finds to be of the roll that counted, together with the
// game; the same action shown without its witnesses follows, too, and did not count.
func TestProofTogetherWithItsGame(t *testing.T) {
	const file = "../../engine/game/testdata/golden/witnessed-1.game"
	archive, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := examine(archive)
	if err != nil || len(f.Ledger.Throws) != 3 {
		t.Fatalf("%v: %+v", err, f)
	}
	listed, code := run("verify", file)
	if code != exitGood || strings.Count(listed, "  rolled: ") != 3 {
		t.Errorf("%d: %s", code, listed)
	}
	for i, throw := range f.Ledger.Throws {
		attended := []string{", 2 of 2 witnesses", ", 1 of 2 witnesses", ", 0 of 2 witnesses"}[i]
		if line := "  rolled:" + showDice(throw.Dice) + " by seal "; !strings.Contains(listed, line) || !strings.Contains(listed, throw.Action+attended+"\n") {
			t.Errorf("the list does not have %q, %q", line, throw.Action+attended)
		}
		action, err := hex.DecodeString(throw.Action)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := f.games[0].Transcript(ledger.ActionID(action))
		if err != nil {
			t.Fatal(err)
		}
		name, forged := filepath.Join(t.TempDir(), "a.roll"), filepath.Join(t.TempDir(), "b.roll")
		for name, b := range map[string][]byte{name: proof, forged: unwitnessed(t, proof)} {
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
			said, code := run("verify", name)
			if code != exitGood || !strings.HasPrefix(said, "FOLLOWS: ") || !strings.Contains(said, dice.Follows) || !strings.Contains(said, dice.NeverShown) {
				t.Errorf("a proof alone: %d, %s", code, said)
			}
		}
		said, code := run("verify", "--game", file, name)
		if code != exitGood || !strings.HasPrefix(said, "COUNTED:"+showDice(throw.Dice)) || strings.Contains(said, "its place") || !strings.Contains(said, "did not work together") {
			t.Errorf("with its game: %d, %s", code, said)
		}
		said, code = run("verify", "--game", file, forged)
		if code != exitBad || !strings.Contains(said, "this is not the roll that counted in "+file+": the rules wanted 2 witnesses, and the proof shows the roll with 0") {
			t.Errorf("another mode, with its game: %d, %s", code, said)
		}
	}
}

// unwitnessed is the proof of a roll as one that was to have no witnesses, with the dice that this gives.
func unwitnessed(t *testing.T, proof []byte) []byte {
	t.Helper()
	x, err := dice.ParseTranscript(proof)
	if err != nil {
		t.Fatal(err)
	}
	encode := func() []byte {
		b, err := wire.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	x.Wanted, x.Witnesses, x.Rolls = 0, []dice.Attest{}, []dice.Roll{}
	x.Rolls = []dice.Roll{{Sides: 6, Value: dice.NewStream(dice.VerifyTranscript(encode()).Seed).Roll(6)}}
	return encode()
}

// A game says what bound whom.
func TestGameSaysWhatBoundIt(t *testing.T) {
	said, _ := run("verify", "../../engine/game/testdata/golden/convention-1.game")
	if !strings.Contains(said, "was bound by the anchor in the genesis, and each device by the one in its first action.\n") {
		t.Error(said)
	}
	f, err := os.ReadFile("../../engine/game/testdata/golden/convention-1.game")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := examine(f); err != nil || found.Ledger.Practice {
		t.Errorf("%v: %+v", err, found.Ledger)
	}
}
