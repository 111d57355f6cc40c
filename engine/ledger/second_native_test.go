//go:build !js

package ledger

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/wire"
)

// second runs the verifier that was written from SPEC.md, in another language.
func second(t *testing.T, args ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is not installed, so the second verifier cannot run")
		}
		t.Skip("node is not installed, so the second verifier cannot run")
	}
	out, err := exec.Command(node, append([]string{"testdata/verify-game.mjs"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// A verifier that was written from SPEC.md, in another language, agrees with every vector.
func TestSecondVerifier(t *testing.T) {
	t.Log(second(t, "--vectors", vectorsFile, "../wire/wiretest/signatures.json"))
}

// Whatever is changed in an archive, both verifiers say the same: that it is good and in what order its
// actions are, or which clause fails first.
func TestSecondVerifierOnChangedArchives(t *testing.T) {
	m := newMutator()
	m.bytes()
	m.order()
	m.seals()
	m.actions()
	m.parts()
	two := &mutator{tab: m.tab, records: recordsOf(must(WriteArchive(m.tab.people[0].replica, m.tab.secondChapter(2, func(*Genesis) {}))))}
	two.bytes()
	two.order()
	for _, c := range two.cases {
		c.name = "of two chapters: " + c.name
		m.cases = append(m.cases, c)
	}
	var lines strings.Builder
	for _, c := range m.cases {
		fmt.Fprintln(&lines, base64.StdEncoding.EncodeToString(c.file))
	}
	list := filepath.Join(t.TempDir(), "archives")
	if err := os.WriteFile(list, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	theirs := strings.Split(strings.TrimSpace(second(t, "--verdicts", list)), "\n")
	if len(theirs) != len(m.cases) {
		t.Fatalf("%d verdicts on %d archives: %q", len(theirs), len(m.cases), theirs[len(theirs)-1])
	}
	count := map[string]int{}
	for i, c := range m.cases {
		ours := verdict(c.file)
		if ours != theirs[i] {
			t.Errorf("%s: %s here, %s there", c.name, ours, theirs[i])
		}
		if len(ours) == 64 {
			ours = "good"
		}
		count[ours]++
	}
	t.Logf("%d archives: %v", len(m.cases), count)
	if len(count) < 20 || count["good"] < 20 {
		t.Errorf("the changes try too little: %v", count)
	}
}

// verdict is the digest of an archive's order, or the clause that fails.
func verdict(file []byte) string {
	chapters, err := ReadArchive(file)
	var wrong *ArchiveError
	if errors.As(err, &wrong) {
		return wrong.Clause
	}
	if err != nil {
		return err.Error()
	}
	order := chapters[len(chapters)-1].OrderDigest()
	return hex.EncodeToString(order[:])
}

// mutator changes an archive in many ways.
type mutator struct {
	tab     *table
	seed    wire.Link // what the changes are taken from
	records []recorded
	cases   []mutation
}

type mutation struct {
	name string
	file []byte
}

type recorded struct {
	kind    byte
	content []byte
}

// newMutator makes a game with everything that an archive can hold: parts, a fork, junk, what waits
// for a later seal, and what no seal names.
func newMutator() *mutator {
	tab := newTable(2)
	first := tab.act(0, "first")
	tab.publish(first)
	other := tab.act(1, "before the long one")
	long := tab.act(1, strings.Repeat("a long body, ", 1000)+fmt.Sprint(wire.Digest("test", []byte("noise"))))
	tab.publish(other)
	tab.publish(long) // has the number of the other: a fork
	tab.seal(append(slices.Clone(long.Envelopes), first.Envelope())...)
	after := tab.act(0, "after both")
	tab.publish(after)
	junk := slices.Clone(after.Envelope())
	junk[len(junk)-1] ^= 1
	for _, p := range tab.people {
		_, _ = p.replica.AddEnvelope(junk)
	}
	tab.seal(junk, after.Envelope())
	tab.seal(other.Envelope())
	for i := range 3 {
		tab.publish(tab.act(i%2, fmt.Sprintf("no seal names this %d", i)))
	}
	tab.publish(tab.act(0, strings.Repeat("nor this, which is long, ", 800)))
	return &mutator{tab: tab, records: recordsOf(must(WriteArchive(tab.people[0].replica)))}
}

func recordsOf(file []byte) []recorded {
	var out []recorded
	for rest := file[len(archiveMagic):]; len(rest) > 0; {
		n := 5 + binary.BigEndian.Uint32(rest[1:5])
		out = append(out, recorded{rest[0], rest[5:n]})
		rest = rest[n:]
	}
	return out
}

// assemble writes records as an archive, and the right digest at its end.
func assemble(records []recorded) []byte {
	file := []byte(archiveMagic)
	for _, r := range records {
		content := r.content
		if r.kind == recordEnd && len(content) == 32 {
			sum := newArchiveSum()
			sum.Write(file)
			content = sum.Sum(nil)
		}
		file = append(binary.BigEndian.AppendUint32(append(file, r.kind), uint32(len(content))), content...)
	}
	return file
}

func (m *mutator) add(name string, records []recorded) {
	m.cases = append(m.cases, mutation{name, assemble(records)})
}

// pick returns a number below n. It depends on nothing but how often it was asked.
func (m *mutator) pick(n int) int {
	m.seed = m.seed.Parent()
	return int(binary.BigEndian.Uint32(m.seed[:]) % uint32(n))
}

// with returns the records after one of them was replaced.
func (m *mutator) with(i int, content []byte) []recorded {
	records := slices.Clone(m.records)
	records[i].content = content
	return records
}

// bytes changes one byte, and then makes the digest right or leaves it.
func (m *mutator) bytes() {
	file := assemble(m.records)
	m.cases = append(m.cases, mutation{"nothing", file})
	for range 60 {
		changed := slices.Clone(file)
		at := m.pick(len(file))
		changed[at] ^= 1 << m.pick(8)
		m.cases = append(m.cases, mutation{fmt.Sprintf("byte %d", at), changed})
	}
	for i := range m.records {
		for range 2 {
			content := slices.Clone(m.records[i].content)
			at := m.pick(len(content))
			content[at] ^= 1 << m.pick(8)
			m.add(fmt.Sprintf("byte %d of record %d", at, i), m.with(i, content))
		}
		m.add(fmt.Sprintf("record %d cut off", i), m.with(i, m.records[i].content[:len(m.records[i].content)-1]))
	}
	for range 8 {
		n := m.pick(len(file))
		m.cases = append(m.cases, mutation{fmt.Sprintf("cut to %d bytes", n), file[:n]})
	}
	m.cases = append(m.cases, mutation{"a byte more", append(slices.Clone(file), 0)})
}

// order leaves records out, repeats, exchanges and renames them.
func (m *mutator) order() {
	change := func(name string, i, j int, f func(r []recorded) []recorded) {
		m.add(fmt.Sprintf("record %d %s %d", i, name, j), f(slices.Clone(m.records)))
	}
	for i := range m.records {
		if i+1 < len(m.records) {
			change("exchanged with", i, i+1, func(r []recorded) []recorded { r[i], r[i+1] = r[i+1], r[i]; return r })
		}
		change("left out", i, 0, func(r []recorded) []recorded { return slices.Delete(r, i, i+1) })
		for j := range m.records {
			switch (i + j) % 8 {
			case 0:
				change("exchanged with", i, j, func(r []recorded) []recorded { r[i], r[j] = r[j], r[i]; return r })
			case 1:
				change("repeated at", i, j, func(r []recorded) []recorded { return slices.Insert(r, j, r[i]) })
			}
		}
		for _, kind := range []byte("HESZX") {
			change("named", i, int(kind), func(r []recorded) []recorded { r[i].kind = kind; return r })
		}
	}
}

// seals changes what a seal says and signs it again, and then also all seals after it so that they
// follow.
func (m *mutator) seals() {
	key := m.tab.notary.key
	var at []int
	for i, r := range m.records {
		if r.kind == recordSeal {
			at = append(at, i)
		}
	}
	changes := map[string]func(s *wire.Seal){
		"the number before":  func(s *wire.Seal) { s.Number-- },
		"the next number":    func(s *wire.Seal) { s.Number++ },
		"a far number":       func(s *wire.Seal) { s.Number += MaxSealsAhead + 1 },
		"another room":       func(s *wire.Seal) { s.Room[3] ^= 1 },
		"another game":       func(s *wire.Seal) { s.Game[3] ^= 1 },
		"another one before": func(s *wire.Seal) { s.Prev[3] ^= 1 },
		"an earlier time":    func(s *wire.Seal) { s.Time -= 1001 },
		"time 0":             func(s *wire.Seal) { s.Time = 0 },
		"a late time":        func(s *wire.Seal) { s.Time += MaxSealStep + 1001 },
		"no time":            func(s *wire.Seal) { s.Time = wire.MaxTime + 1 },
		"a day before":       func(s *wire.Seal) { s.Time -= MaxClaimAhead + 5000 },
		"another link":       func(s *wire.Seal) { s.Link[3] ^= 1 },
		"the link before":    func(s *wire.Seal) { s.Link = s.Link.Parent() },
		"nothing named":      func(s *wire.Seal) { s.Envelopes = nil },
		"one named less":     func(s *wire.Seal) { s.Envelopes = s.Envelopes[1:] },
		"another named":      func(s *wire.Seal) { s.Envelopes[0][3] ^= 1 },
		"one named twice":    func(s *wire.Seal) { s.Envelopes = append(s.Envelopes, s.Envelopes[0]) },
		"the other way":      func(s *wire.Seal) { slices.Reverse(s.Envelopes) },
		"nothing changed":    func(s *wire.Seal) {},
	}
	names := make([]string, 0, len(changes))
	for name := range changes {
		names = append(names, name)
	}
	slices.Sort(names)
	for n, i := range at {
		old := must(wire.OpenSeal(m.records[i].content)).Seal
		for _, name := range names {
			s := old
			s.Envelopes = slices.Clone(old.Envelopes)
			changes[name](&s)
			signed := must(wire.SignSeal(key, s))
			m.add(fmt.Sprintf("seal %d: %s", n+1, name), m.with(i, signed.Bytes))
			records := m.with(i, signed.Bytes)
			before := signed.Hash
			for _, j := range at[n+1:] {
				next := must(wire.OpenSeal(records[j].content)).Seal
				next.Prev = before
				again := must(wire.SignSeal(key, next))
				records[j].content, before = again.Bytes, again.Hash
			}
			m.add(fmt.Sprintf("seal %d and all after it: %s", n+1, name), records)
		}
		payload := must(wire.Encode(old))
		for range 6 {
			changed := slices.Clone(payload)
			b := m.pick(len(changed))
			changed[b] ^= 1 << m.pick(8)
			m.add(fmt.Sprintf("seal %d: byte %d signed", n+1, b), m.with(i, must(wire.Sign(key, wire.SealLabel, changed))))
		}
	}
}

// actions changes what an action says, signs it again, and puts it where it was: into what no seal
// names, or under a seal that names it, with all seals after that.
func (m *mutator) actions() {
	pens := map[DeviceKey]*Pen{}
	for _, p := range m.tab.people {
		pens[p.pen.Device().Key()] = p.pen
	}
	for i, r := range m.records {
		if r.kind != recordEnvelope {
			continue
		}
		o, err := m.tab.keys.Open(r.content)
		if err != nil || o.Content != ContentAction {
			continue
		}
		old := must(Parse(o.Data)).Action()
		sign := func(payload []byte) []byte {
			return must(m.tab.keys.sealContent(ContentAction, must(wire.Sign(pens[old.Device].dev.sign, ActionLabel, payload))))
		}
		variants := map[string][]byte{}
		for name, change := range map[string]func(a *Action){
			"the next number":    func(a *Action) { a.Seq++ },
			"number 1":           func(a *Action) { a.Seq = 1 },
			"another one before": func(a *Action) { a.Prev[3] ^= 1 },
			"an unknown head":    func(a *Action) { a.Heads = []ActionID{{3}} },
			"no heads":           func(a *Action) { a.Heads = nil },
			"the genesis a head": func(a *Action) { a.Heads = []ActionID{ActionID(m.tab.game)} },
			"itself renamed":     func(a *Action) { a.Body = append(slices.Clone(a.Body), '!') },
			"a late claim":       func(a *Action) { a.Claimed += MaxClaimAhead + 10000 },
			"an early claim":     func(a *Action) { a.Claimed = 0 },
			"kind 2":             func(a *Action) { a.Kind = KindEnrol },
			"kind 6":             func(a *Action) { a.Kind = KindWitness },
			"kind 255":           func(a *Action) { a.Kind = 255 },
			"another link":       func(a *Action) { a.Link[3] ^= 1 },
			"another game":       func(a *Action) { a.Game[3] ^= 1 },
			"an unknown part":    func(a *Action) { a.Parts = append(slices.Clone(a.Parts), PartID{3}) },
			"no parts":           func(a *Action) { a.Parts = nil },
			"parts reversed":     func(a *Action) { a.Parts = slices.Clone(a.Parts); slices.Reverse(a.Parts) },
			"a part twice":       func(a *Action) { a.Parts = append(slices.Clone(a.Parts), a.Parts...) },
			"another version":    func(a *Action) { a.Version = 1 << 40 },
		} {
			a := old
			change(&a)
			if a.Heads == nil {
				a.Heads = []ActionID{}
			}
			if a.Parts == nil {
				a.Parts = []PartID{}
			}
			variants[name] = sign(must(wire.Encode(a)))
		}
		payload := must(wire.Encode(old))
		for n := range 6 {
			changed := slices.Clone(payload)
			b := m.pick(len(changed))
			changed[b] ^= 1 << m.pick(8)
			variants[fmt.Sprintf("change %d, byte %d signed", n, b)] = sign(changed)
			changed = slices.Clone(o.Data)
			b = m.pick(len(changed))
			changed[b] ^= 1 << m.pick(8)
			variants[fmt.Sprintf("change %d, byte %d of the message", n, b)] = must(m.tab.keys.sealContent(ContentAction, changed))
		}
		for _, name := range slices.Sorted(maps.Keys(variants)) {
			m.replace(i, fmt.Sprintf("action in record %d: %s", i, name), variants[name])
		}
	}
}

// parts changes the content of parts and what stands around them.
func (m *mutator) parts() {
	for i, r := range m.records {
		if r.kind != recordEnvelope {
			continue
		}
		o, err := m.tab.keys.Open(r.content)
		if err != nil || o.Content != ContentPart {
			continue
		}
		for range 8 {
			changed := slices.Clone(o.Data)
			b := m.pick(len(changed))
			changed[b] ^= 1 << m.pick(8)
			m.replace(i, fmt.Sprintf("part in record %d: byte %d", i, b), must(m.tab.keys.SealPart(changed)))
		}
	}
	// Every pair of neighbours that no seal names, with something between them.
	stranger := must(m.tab.keys.SealPart([]byte("belongs to nothing")))
	for i := range m.records {
		m.add(fmt.Sprintf("a part that belongs to nothing before record %d", i), slices.Insert(slices.Clone(m.records), i, recorded{recordEnvelope, stranger}))
	}
}

// replace puts another envelope into a record, and makes the seals name it if they named the old one.
func (m *mutator) replace(i int, name string, envelope []byte) {
	old, now := wire.HashEnvelope(m.records[i].content), wire.HashEnvelope(envelope)
	records := m.with(i, envelope)
	var prev wire.SealHash
	named := false
	for j := range records {
		if records[j].kind != recordSeal {
			continue
		}
		s := must(wire.OpenSeal(records[j].content)).Seal
		s.Envelopes = slices.Clone(s.Envelopes)
		for n := range s.Envelopes {
			if s.Envelopes[n] == old {
				s.Envelopes[n], named = now, true
			}
		}
		s.Prev = prev
		signed := must(wire.SignSeal(m.tab.notary.key, s))
		records[j].content, prev = signed.Bytes, signed.Hash
	}
	m.add(name, records)
	if named && m.pick(5) == 0 {
		m.add(name+", the seals as before", m.with(i, envelope))
	}
}
