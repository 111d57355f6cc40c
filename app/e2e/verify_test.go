package e2e

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// gives puts a file into an input, as dropping it there does.
func (b *browser) gives(selector, name string, file []byte) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.run("giving "+name, chromedp.SetUploadFiles(chromedp.CSS(selector), []string{path}))
}

// oneRoll plays a game of one roll, and returns the file of the game and the proof of the roll.
func oneRoll(t *testing.T, server *server) (exported, proof []byte) {
	t.Helper()
	ana := launch(t, "Ana", layCable(t, server))
	ana.expectOffline(true) // she stays until the end
	ana.open("/found")
	ana.founds("The Dragon Farm")
	ana.does("Roll dice", "comment=For strangers DICE6")
	ana.visit("dice")
	ana.pressAt(`main [data-test="roll"]`)
	ana.run("seeing the proof", until(`document.querySelectorAll('[data-test="checks"] li').length > 0`))
	proof = ana.download("save-transcript")
	ana.visit("settings")
	return ana.download("export"), proof
}

// rolledBetter returns the proof of a roll with another value of its last die, which stands at its end.
func rolledBetter(t *testing.T, proof []byte) []byte {
	t.Helper()
	r := dice.VerifyTranscript(proof)
	if !r.OK || len(r.Rolls) != 1 || r.Rolls[0].Sides != 6 {
		t.Fatalf("the roll is %+v", r)
	}
	better := slices.Clone(proof)
	better[len(better)-1] = byte(r.Rolls[0].Value%6 + 1)
	return better
}

// withChangedAction returns an exported game with one byte of its last signed action changed.
func withChangedAction(t *testing.T, exported []byte) []byte {
	t.Helper()
	chapters, err := ledger.ReadArchive(exported)
	if err != nil {
		t.Fatal(err)
	}
	replica := chapters[len(chapters)-1]
	placed := replica.Placed()
	envelope, _ := replica.Envelope(placed[len(placed)-1].Envelope)
	at := bytes.Index(exported, envelope)
	if at < 0 {
		t.Fatal("the file does not hold the action")
	}
	changed := slices.Clone(exported)
	changed[at+wire.EnvelopeHeader] ^= 1
	return changed
}

// A stranger, who is in no game and whom no server helps, checks files in the browser: what is good is said
// to be, with what was checked and what bound whom; what is not, with the clause that it breaks; and what
// cannot be checked is told in a sentence.
func TestStrangerChecksFilesWithoutAServer(t *testing.T) {
	server := startServer(t)
	exported, proof := oneRoll(t, server)
	better := rolledBetter(t, proof)
	chapters, err := ledger.ReadArchive(exported)
	if err != nil {
		t.Fatal(err)
	}
	replica := chapters[len(chapters)-1]
	id := replica.Game()
	order := replica.OrderDigest()

	bo := launch(t, "Bo", layCable(t, server))
	bo.open("/verify")
	bo.workerIsReady()
	bo.expectOffline(true)
	server.kill()
	bo.run("reloading without a server", reload())
	bo.ready()

	const bound, notShown, broken, meaning = "fact-bound", "fact-not-shown-by-this-alone", "fact-what-it-breaks", "fact-what-this-means"
	tests := []struct {
		name  string
		file  []byte
		ok    string
		says  string
		facts map[string]string // what they hold, by their marks; of the four above, no others are shown
	}{
		{"good.game", exported, "true", "The exported game “The Dragon Farm” is good. Every seal, signature and link holds, " +
			"and every action was carried out again, with its dice.", map[string]string{
			"fact-game": hex.EncodeToString(id[:]), "fact-order": hex.EncodeToString(order[:]), "fact-forks-found": "0",
			bound:    "was bound by the anchor in the genesis, and each device by the one in its first action",
			notShown: "did not work together",
		}},
		{"changed.game", withChangedAction(t, exported), "false", "An exported game is not good: ", map[string]string{
			broken: "Clause 3.5 of engine/ledger/SPEC.md, the first that fails.", meaning: "Nothing in it can be relied on.",
		}},
		{"good.roll", proof, "false", `who came as "Ana", in “The Dragon Farm”: ` + dice.Follows + " " + dice.Ask, map[string]string{
			"fact-a-die-with-6-sides":    fmt.Sprint(dice.VerifyTranscript(proof).Rolls[0].Value),
			bound:                        "The notary was bound by the anchor in the genesis, before anybody rolled.",
			"fact-not-shown-by-anything": dice.NeverShown, "fact-mode": "was to have no witnesses",
		}},
		{"changed.roll", better, "false", "The proof of a roll is not good: ", map[string]string{
			broken: "Clause 5.10 of engine/dice/SPEC.md, the first that fails.", meaning: "Nothing in it can be relied on.",
		}},
		{"roses.txt", []byte("Roses are red"), "false", "This is neither an exported game nor the proof of a roll: " +
			"it does not begin like one. Choose the file as it was exported.", nil},
	}
	for _, test := range tests {
		bo.gives("#verify-file", test.name, test.file)
		bo.seesIn(mark("verdict"), test.says)
		if got := bo.data(mark("verdict"), "ok"); got != test.ok {
			t.Errorf("%s: good is %q", test.name, got)
		}
		for fact, text := range test.facts {
			bo.seesIn(mark(fact), text)
		}
		for _, fact := range []string{bound, notShown, broken, meaning} {
			if _, wanted := test.facts[fact]; !wanted && bo.shows(mark(fact)) {
				t.Errorf("%s: there is %s too", test.name, fact)
			}
		}
		shown := bo.read(`document.querySelector('[data-test="verdict"]').innerText.trim()`)
		if test.facts == nil && shown != test.says {
			t.Errorf("%s: more is said than a sentence: %q", test.name, shown)
		}
	}

	bo.gives("#verify-file", "again.roll", proof)
	bo.seesIn(mark("verdict"), dice.Follows)
	bo.gives("#verify-game", "its.game", exported)
	bo.seesIn(mark("verdict"), "is good. The game shows that this is the roll that counted")
	if got := bo.data(mark("verdict"), "ok"); got != "true" {
		t.Errorf("a roll with its game: good is %q", got)
	}
}
