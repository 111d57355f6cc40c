package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const secondVerifier = "../../engine/ledger/testdata/verify-game.mjs"

// The verifier that was written from the specifications, in another language, finds every golden game
// good, and in it what this program finds: the order, and every roll.
func TestSecondVerifierAgrees(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal("node is not installed, so the second verifier cannot run")
	}
	if err != nil {
		t.Skip("node is not installed, so the second verifier cannot run")
	}
	games, err := filepath.Glob("../../engine/game/testdata/golden/*.game")
	if err != nil || len(games) == 0 {
		t.Fatalf("no golden games: %v", err)
	}
	rolls, witnessed := 0, 0
	for _, file := range games {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var said bytes.Buffer
			if code := Main([]string{"verify", "--json", file}, nil, &said, &said); code != exitGood {
				t.Fatalf("exit code %d: %s", code, said.String())
			}
			var f finding
			if err := json.Unmarshal(said.Bytes(), &f); err != nil {
				t.Fatal(err)
			}
			judge := func(f finding) (string, error) {
				b, err := json.Marshal(f)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Join(t.TempDir(), "said.json")
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(node, secondVerifier, "--said", name, file).CombinedOutput()
				return string(out), err
			}
			if out, err := judge(f); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			f.Ledger.Order = strings.Repeat("0", 64)
			for i, throw := range f.Ledger.Throws {
				if n := len(throw.Witnesses); n > 0 {
					f.Ledger.Throws[i].Witnesses = throw.Witnesses[1:]
					witnessed += n
				} else {
					f.Ledger.Throws[i].Dice[0].Value++
				}
			}
			rolls += len(f.Ledger.Throws)
			if out, err := judge(f); err == nil || strings.Count(out, "WRONG") != 1+len(f.Ledger.Throws) {
				t.Errorf("another order, other dice or witnesses are not noticed: %s", out)
			}
		})
	}
	if rolls < 20 || witnessed != 3 {
		t.Errorf("only %d rolls with %d witnesses were judged", rolls, witnessed)
	}
	t.Logf("%d rolls, %d witnesses", rolls, witnessed)
}
