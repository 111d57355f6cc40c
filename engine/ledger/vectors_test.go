package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/vectors.json anew; read the difference with care")

const vectorsFile = "testdata/vectors.json"

// vectors is what testdata/vectors.json holds: everything that another implementation of SPEC.md
// needs to test itself. Bytes are in hexadecimal.
type vectors struct {
	Comment  string             `json:"comment"`
	Derived  []derivedVector    `json:"derived"`
	Messages []messageVector    `json:"messages"`
	Checks   []checkVector      `json:"checks"`
	Orders   []orderVector      `json:"orders"`
	Archives []archiveVector    `json:"archives"`
	Forks    []forkProofVector  `json:"fork_proofs"`
	Notaries []forkNotaryVector `json:"notary_proofs"`
	Ballots  []ballotVector     `json:"ballots"`
	Moves    []moveVector       `json:"moves"`
	Readings []readingVector    `json:"readings"`
}

// moveVector is the body of an announcement.
type moveVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	Body   string `json:"body"`
	Want   string `json:"want"` // a code, or "" if it is accepted
}

// readingVector is a text or message that is read with something that the reader has.
type readingVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	Kind   string `json:"kind"` // "invite", "words", "backup", "signal" or "invitation"
	In     string `json:"in"`
	With   string `json:"with,omitempty"` // a passphrase, or the room's secret
	Out    string `json:"out"`            // a secret, a seed or what a signal says; empty if it is refused
}

// ballotVector is the body of a convention's action in the vectors' game.
type ballotVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	Body   string `json:"body"`
	Want   string `json:"want"`             // a code, or "" if it is accepted
	Motion string `json:"motion,omitempty"` // id
}

// derivedVector is a value that follows from others.
type derivedVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	In     string `json:"in"`
	Out    string `json:"out"`
}

// messageVector is an envelope or seal that checks and orders refer to by name.
type messageVector struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // "envelope" or "seal"
	Bytes string `json:"bytes"`
	Hash  string `json:"hash"`
	ID    string `json:"id,omitempty"` // of the action, if the envelope opens to one
}

// checkVector says what an empty replica of the room that was given some messages says to one
// more.
type checkVector struct {
	Clause string   `json:"clause"`
	Name   string   `json:"name"`
	Given  []string `json:"given"` // in this order; "!" marks one that is refused
	Add    string   `json:"add"`
	Want   string   `json:"want"` // a code, or "" if it is accepted
	// Game is the game that the replica is of, if it is not the one of the message "genesis".
	Game string `json:"game,omitempty"`
}

// orderVector says what order the given messages have.
type orderVector struct {
	Clause    string        `json:"clause"`
	Name      string        `json:"name"`
	Given     []string      `json:"given"`
	Placed    []placeVector `json:"placed"`
	Tentative []placeVector `json:"tentative"`
	Missing   int           `json:"missing"`
	Digest    string        `json:"digest"` // of the order
}

type placeVector struct {
	Action string `json:"action"` // name of its message
	Seal   uint64 `json:"seal"`
	Void   string `json:"void,omitempty"`
}

type archiveVector struct {
	Clause string `json:"clause"`
	Name   string `json:"name"`
	Bytes  string `json:"bytes"`
	Want   string `json:"want"` // a clause, or "" if it is accepted
}

type forkProofVector struct {
	Name   string `json:"name"`
	First  string `json:"first"`
	Second string `json:"second"`
	Device string `json:"device"`
	Seq    uint64 `json:"seq"`
	Good   bool   `json:"good"`
}

type forkNotaryVector struct {
	Name   string `json:"name"`
	First  string `json:"first"`
	Second string `json:"second"`
	Good   bool   `json:"good"`
}

// TestVectors checks that the vectors in the repository are the ones that this code makes, and
// that this code judges them as they say. The first half keeps formats from changing unnoticed;
// the second needs nothing but the file.
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
	keys := must(NewRoomSecret(source("room"))).Keys()
	messages := map[string]messageVector{}
	names := map[string]string{}
	for _, m := range v.Messages {
		messages[m.Name] = m
		if m.ID != "" {
			names[m.ID] = m.Name
		}
	}
	add := func(r *Replica, name string) error {
		m, ok := messages[name]
		if !ok {
			t.Fatalf("no message %q", name)
		}
		b := unhex(t, m.Bytes)
		if m.Type == "seal" {
			return r.AddSeal(b)
		}
		hash, err := r.AddEnvelope(b)
		if len(b) <= wire.MaxEnvelope && hash.String() != m.Hash {
			t.Errorf("%s has hash %v, want %s", name, hash, m.Hash)
		}
		return err
	}
	clauses := map[string]bool{}
	game := GameID(unhex(t, messages["genesis"].ID))
	for _, c := range v.Checks {
		t.Run("clause "+c.Clause+" "+c.Name, func(t *testing.T) {
			clauses[c.Clause] = true
			r := NewReplica(keys, game)
			if c.Game != "" {
				r = NewReplica(keys, GameID(unhex(t, c.Game)))
			}
			for _, name := range c.Given {
				refused, isRefused := strings.CutPrefix(name, "!")
				if err := add(r, refused); (err != nil) != isRefused {
					t.Fatalf("%s: %v", name, err)
				}
			}
			before := view(r)
			err := add(r, c.Add)
			wantCode(t, err, Code(c.Want))
			if c.Want != "" && Code(c.Want).Clause() != c.Clause {
				t.Errorf("code %s is of clause %s, not %s", c.Want, Code(c.Want).Clause(), c.Clause)
			}
			if err != nil && view(r) != before {
				t.Error("a refused message changed the replica")
			}
			if again := add(r, c.Add); CodeOf(again) != CodeOf(err) {
				t.Errorf("added again, the verdict is %v", again)
			}
		})
	}
	for _, code := range []Code{
		CodeSize, CodeVersion, CodeRoom, CodeEpoch, CodeDecrypt, CodePadding, CodeContent, CodePart, CodeNonce,
		CodeSigned, CodeAction, CodeDevice, CodeActionVersion, CodeSeq, CodePrev, CodeHeads, CodeClaimed, CodeKind, CodeFirst,
		CodeNoGame, CodeBody, CodeKey, CodeSignature, CodeGenesis, CodeGame, CodeDepends, CodeEnrol, CodeFeed, CodeLink,
		CodeSeal, CodeSealKey, CodeSealSign, CodeSealRoom, CodeNotary, CodeNotaryFork, CodeSealAhead, CodeSealPrev, CodeSealLink,
		CodeSealTime,
	} {
		if !clauses[code.Clause()] {
			t.Errorf("no vector fails clause %s, %s", code.Clause(), code)
		}
	}
	for _, o := range v.Orders {
		t.Run("clause "+o.Clause+" "+o.Name, func(t *testing.T) {
			for _, backward := range []bool{false, true} {
				r := NewReplica(keys, game)
				for i := range o.Given {
					if backward {
						i = len(o.Given) - 1 - i
					}
					add(r, o.Given[i])
				}
				comparePlaces(t, "placed", r.Placed(), o.Placed, names)
				comparePlaces(t, "tentative", r.Tentative(), o.Tentative, names)
				if got := r.OrderDigest(); hex.EncodeToString(got[:]) != o.Digest {
					t.Errorf("the order's digest is %x, want %s", got, o.Digest)
				}
				if got := len(r.MissingEnvelopes()); got != o.Missing {
					t.Errorf("%d envelopes missing, want %d", got, o.Missing)
				}
			}
		})
	}
	for _, a := range v.Archives {
		t.Run("clause "+a.Clause+" "+a.Name, func(t *testing.T) {
			_, err := ReadArchive(unhex(t, a.Bytes))
			var wrong *ArchiveError
			got := ""
			if err != nil {
				wrong = err.(*ArchiveError)
				got = wrong.Clause
			}
			if got != a.Want {
				t.Errorf("fails clause %q (%v), want %q", got, err, a.Want)
			}
		})
	}
	for _, c := range v.Readings {
		t.Run("clause "+c.Clause+" "+c.Name, func(t *testing.T) {
			if got, err := read(c.Kind, unhex(t, c.In), unhex(t, c.With)); hex.EncodeToString(got) != c.Out || (err == nil) != (c.Out != "") {
				t.Errorf("read as %x, %v, want %s", got, err, c.Out)
			}
		})
	}
	for _, b := range v.Ballots {
		t.Run("clause "+b.Clause+" "+b.Name, func(t *testing.T) {
			clauses[b.Clause] = true
			ballot, err := DecodeBallot(game, unhex(t, b.Body))
			wantCode(t, err, Code(b.Want))
			if b.Want != "" && Code(b.Want).Clause() != b.Clause {
				t.Errorf("code %s is of clause %s, not %s", b.Want, Code(b.Want).Clause(), b.Clause)
			}
			if err == nil && ballot.ID.String() != b.Motion {
				t.Errorf("the motion is %v, want %s", ballot.ID, b.Motion)
			}
		})
	}
	for _, m := range v.Moves {
		t.Run("clause "+m.Clause+" "+m.Name, func(t *testing.T) {
			_, err := DecodeMove(unhex(t, m.Body))
			wantCode(t, err, Code(m.Want))
		})
	}
	for _, f := range v.Forks {
		t.Run("clause 7.6 "+f.Name, func(t *testing.T) {
			p := ForkProof{Device: DeviceKey(unhex(t, f.Device)), Seq: f.Seq, First: unhex(t, f.First), Second: unhex(t, f.Second)}
			if err := p.Check(); (err == nil) != f.Good {
				t.Errorf("the proof is judged %v", err)
			}
		})
	}
	for _, f := range v.Notaries {
		t.Run("clause 6.6 "+f.Name, func(t *testing.T) {
			first, err := wire.ParseSeal(unhex(t, f.First))
			if err != nil {
				t.Fatal(err)
			}
			p := NotaryProof{Notary: first.Notary, Number: first.Number, First: unhex(t, f.First), Second: unhex(t, f.Second)}
			if err := p.Check(); (err == nil) != f.Good {
				t.Errorf("the proof is judged %v", err)
			}
		})
	}
}

// view is what can be seen of a replica, as text.
func view(r *Replica) string {
	b, _ := json.Marshal([]any{
		order(r.Placed()), order(r.Tentative()), r.Feeds(), r.Heads(), len(r.Forks()), r.Seals(), r.OrderedSeals(),
		r.MissingEnvelopes(), r.Unsealed(),
	})
	return string(b)
}

func comparePlaces(t *testing.T, what string, got []Placement, want []placeVector, names map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d %s, want %d", len(got), what, len(want))
		return
	}
	for i, p := range got {
		void := ""
		if p.Void != nil {
			void = string(p.Void.Code)
		}
		if g := (placeVector{names[p.Action.ID().String()], p.Seal, void}); g != want[i] {
			t.Errorf("%s %d is %+v, want %+v", what, i, g, want[i])
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
