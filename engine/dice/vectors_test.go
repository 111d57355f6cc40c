package dice

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"testing"

	"peernomic/engine/entropy"
	"peernomic/engine/wire"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/vectors.json anew; read the difference with care")

const vectorsFile = "testdata/vectors.json"

// vectors is what testdata/vectors.json holds. Bytes are hexadecimal; 64-bit numbers are
// strings, because JSON's readers are not all exact with them.
type vectors struct {
	Comment     string             `json:"comment"`
	Chains      []chainVector      `json:"chains"`
	Seeds       []seedVector       `json:"seeds"`
	Words       []wordsVector      `json:"words"`
	Folds       []foldVector       `json:"folds"`
	Streams     []streamVector     `json:"streams"`
	Transcripts []transcriptVector `json:"transcripts"`
}

type chainVector struct {
	Clause string   `json:"clause"`
	Seed   string   `json:"seed"`
	Length uint64   `json:"length"`
	Links  []string `json:"links"` // from the anchor on
}

type seedVector struct {
	Clause string   `json:"clause"`
	In     []string `json:"in"`
	Seed   string   `json:"seed"`
}

type wordsVector struct {
	Clause string   `json:"clause"`
	Seed   string   `json:"seed"`
	Words  []string `json:"words"`
}

type foldVector struct {
	Clause string `json:"clause"`
	Word   uint64 `json:"word,string"`
	Sides  uint64 `json:"sides,string"`
	Value  uint64 `json:"value,string"` // 0 if the word is rejected
}

type streamVector struct {
	Clause string       `json:"clause"`
	Name   string       `json:"name"`
	Seed   string       `json:"seed"`
	Rolls  []rollVector `json:"rolls"`
	Taken  uint64       `json:"taken"` // words, rejected ones included
}

type rollVector struct {
	Sides uint64 `json:"sides,string"`
	Value uint64 `json:"value,string"`
}

type transcriptVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	Bytes  string `json:"bytes"`
	Want   string `json:"want"` // the clause that fails, or "" if it is good
	Seed   string `json:"seed,omitempty"`
	// What it does not show, if it is good (clause 5.12).
}

// TestVectors checks that the vectors in the repository are the ones that this code makes, and
// that this code judges them as they say.
func TestVectors(t *testing.T) {
	want, err := json.MarshalIndent(makeVectors(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *rewrite {
		if err := os.WriteFile(vectorsFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code makes: a format has changed, or -rewrite was forgotten", vectorsFile)
	}
	var v vectors
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Chains {
		t.Run("clause "+c.Clause+" chain", func(t *testing.T) { checkChain(t, c) })
	}
	for _, c := range v.Seeds {
		in := make([][]byte, len(c.In))
		for i, s := range c.In {
			in[i] = unhex(t, s)
		}
		game, middle, link := [32]byte(in[0]), [32]byte(in[1]), wire.Link(in[2])
		var got [32]byte
		switch c.Clause {
		case "3.1":
			got = Seed(game, middle, link, wire.Link(in[3]))
		case "3.2":
			got = TimerSeed(game, middle, link)
		case "3.6":
			var witnesses []wire.Link
			for _, l := range in[5:] {
				witnesses = append(witnesses, wire.Link(l))
			}
			got = WitnessedSeed(game, middle, link, wire.Link(in[3]), uint64(in[4][0]), witnesses)
		}
		if hex.EncodeToString(got[:]) != c.Seed {
			t.Errorf("clause %s: seed %x, want %s", c.Clause, got, c.Seed)
		}
	}
	for _, c := range v.Words {
		s := NewStream([32]byte(unhex(t, c.Seed)))
		for i, want := range c.Words {
			if got := strconv.FormatUint(s.word(), 10); got != want {
				t.Errorf("clause %s: word %d is %s, want %s", c.Clause, i, got, want)
			}
		}
	}
	for _, c := range v.Folds {
		got, ok := fold(c.Word, c.Sides)
		if got != c.Value || ok != (c.Value != 0) {
			t.Errorf("clause %s: word %d gives %d of %d sides, want %d", c.Clause, c.Word, got, c.Sides, c.Value)
		}
	}
	for _, c := range v.Streams {
		t.Run("clause "+c.Clause+" "+c.Name, func(t *testing.T) {
			s := NewStream([32]byte(unhex(t, c.Seed)))
			for i, r := range c.Rolls {
				if got := s.Roll(r.Sides); got != r.Value {
					t.Errorf("die %d of %d sides shows %d, want %d", i, r.Sides, got, r.Value)
				}
			}
			if s.Taken() != c.Taken {
				t.Errorf("%d words taken, want %d", s.Taken(), c.Taken)
			}
		})
	}
	clauses := map[string]bool{}
	for _, c := range v.Transcripts {
		t.Run("clause "+c.Clause+" "+c.Name, func(t *testing.T) {
			clauses[c.Want] = true
			r := VerifyTranscript(unhex(t, c.Bytes))
			if r.Clause != c.Want || r.OK != (c.Want == "") || (r.Error() == nil) != r.OK {
				t.Errorf("fails clause %q (%s), want %q", r.Clause, r.Text, c.Want)
			}
			if r.OK && hex.EncodeToString(r.Seed[:]) != c.Seed {
				t.Errorf("seed %x, want %s", r.Seed, c.Seed)
			}
		})
	}
	for _, clause := range []string{"", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "5.10"} {
		if !clauses[clause] {
			t.Errorf("no transcript fails clause %q", clause)
		}
	}
}

func checkChain(t *testing.T, c chainVector) {
	chain, err := entropy.NewChain([32]byte(unhex(t, c.Seed)), c.Length)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range c.Links {
		got, err := chain.Link(uint64(i))
		if err != nil || got.String() != want {
			t.Errorf("link %d is %v, %v, want %s", i, got, err, want)
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
