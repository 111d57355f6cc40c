package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"

	"peernomic/engine/wire"
)

// archiveMagic opens every archive, so that people and programs can tell what it is.
const archiveMagic = "peernomic archive v1\n"

// Records of an archive: a byte for the type, four for the length, big-endian, then the
// content.
const (
	recordHead     = 'H' // CBOR of archiveHead
	recordEnvelope = 'E'
	recordSeal     = 'S'
	recordEnd      = 'Z' // SHA-256 of all before, in its own domain
)

type archiveHead struct {
	_      struct{} `cbor:",toarray"`
	Secret RoomSecret
	Game   GameID
}

// ArchiveError says which clause of SPEC.md an archive breaks first, and how.
type ArchiveError struct {
	Clause string
	Text   string
	Err    error // the refusal of what the archive holds, if that is what is wrong
}

func (e *ArchiveError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("clause %s: %s: %v", e.Clause, e.Text, e.Err)
	}
	return fmt.Sprintf("clause %s: %s", e.Clause, e.Text)
}

// Unwrap returns the refusal of what the archive holds, or nil.
func (e *ArchiveError) Unwrap() error { return e.Err }

// WriteArchive returns the whole game in one file: the room's secret, every seal up to the
// newest whose envelopes are all held, what they name, and then what no seal names yet. It fails
// only for a replica without a genesis.
func WriteArchive(r *Replica) ([]byte, error) {
	var file bytes.Buffer
	if err := r.writeArchive(func(b []byte) { file.Write(b) }); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

func (r *Replica) writeArchive(out func([]byte)) error {
	if r.genesis == nil {
		return refuse(CodeGenesis, "the replica does not hold the game's genesis yet")
	}
	head, err := wire.Encode(archiveHead{Secret: r.keys.secret, Game: r.game})
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	sum := newArchiveSum()
	emit := func(b []byte) {
		sum.Write(b)
		out(b)
	}
	record := func(kind byte, content []byte) {
		emit(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(content))))
		emit(content)
	}
	emit([]byte(archiveMagic))
	record(recordHead, head)
	written := map[wire.EnvelopeHash]bool{}
	envelope := func(h wire.EnvelopeHash) {
		if !written[h] {
			written[h] = true
			record(recordEnvelope, r.envelopes[h].bytes)
		}
	}
	for i := range r.OrderedSeals() {
		s := r.chain.linked[i]
		for _, h := range s.Envelopes {
			envelope(h)
		}
		record(recordSeal, s.Bytes)
	}
	for _, n := range r.admitted {
		if p := n.position; p != 0 && p.seal() <= r.OrderedSeals() && r.partsWritten(n, written) {
			continue
		}
		for _, id := range n.action.Parts {
			envelope(r.parts[id].envelope.hash)
		}
		if p := n.position; p == 0 || p.seal() > r.OrderedSeals() {
			envelope(n.envelope.hash)
		}
	}
	digest := sum.Sum(nil)
	record(recordEnd, digest)
	return nil
}

func (r *Replica) partsWritten(n *node, written map[wire.EnvelopeHash]bool) bool {
	for _, id := range n.action.Parts {
		if !written[r.parts[id].envelope.hash] {
			return false
		}
	}
	return true
}

// ReadArchive reads an archive and checks all of it: what it returns is as trustworthy as a
// replica that received everything itself. The error is an [*ArchiveError] that names the
// first clause that fails.
func ReadArchive(file []byte) (*Replica, error) {
	a := NewArchiveReader(file)
	for {
		if over, err := a.Step(); err != nil {
			return nil, err
		} else if over {
			return a.Replica(), nil
		}
	}
}

// ArchiveReader reads an archive record by record. Make it with [NewArchiveReader].
type ArchiveReader struct {
	file, rest []byte
	replica    *Replica
	fresh      []wire.EnvelopeHash // envelopes since the last seal
	refused    map[wire.EnvelopeHash]error
	named      map[wire.EnvelopeHash]bool
	seals      uint64
}

// NewArchiveReader begins to read an archive as [ReadArchive] does, in steps.
func NewArchiveReader(file []byte) *ArchiveReader {
	return &ArchiveReader{file: file, rest: file, refused: map[wire.EnvelopeHash]error{}, named: map[wire.EnvelopeHash]bool{}}
}

// Replica returns what was read so far; nil before the first [ArchiveReader.Step].
func (a *ArchiveReader) Replica() *Replica { return a.replica }

// Progress returns how many bytes were read, and of how many.
func (a *ArchiveReader) Progress() (done, total int) { return len(a.file) - len(a.rest), len(a.file) }

// Step reads the next record, and reports whether it was the last and the archive is good. The error
// is an [*ArchiveError] that names the first clause that fails.
func (a *ArchiveReader) Step() (over bool, err error) {
	if a.replica == nil {
		return false, a.begin()
	}
	before := len(a.file) - len(a.rest)
	kind, content, err := a.record()
	if err != nil {
		return false, err
	}
	switch kind {
	case recordEnvelope:
		return false, a.envelope(content)
	case recordSeal:
		return false, a.seal(content)
	case recordEnd:
		if err := a.end(a.file[:before], content); err != nil {
			return false, err
		}
		return true, nil
	case recordHead:
		return false, a.fail("8.3", "the archive has a second head", nil)
	default:
		return false, a.fail("8.2", fmt.Sprintf("record of unknown type %q", kind), nil)
	}
}

// begin reads the head.
func (a *ArchiveReader) begin() error {
	if len(a.file) > MaxArchive {
		return a.fail("8.1", "the archive is too large", nil)
	}
	if !bytes.HasPrefix(a.file, []byte(archiveMagic)) {
		return a.fail("8.1", "not an archive", nil)
	}
	a.rest = a.file[len(archiveMagic):]
	kind, content, err := a.record()
	if err != nil {
		return err
	}
	if kind != recordHead {
		return a.fail("8.3", "the archive does not begin with its head", nil)
	}
	var head archiveHead
	if err := wire.Decode(content, &head); err != nil {
		return a.fail("8.3", "the archive's head is not in canonical form", err)
	}
	a.replica = NewReplica(head.Secret.Keys(), head.Game)
	return nil
}

func (a *ArchiveReader) fail(clause, text string, err error) error {
	return &ArchiveError{Clause: clause, Text: text, Err: err}
}

func (a *ArchiveReader) record() (kind byte, content []byte, err error) {
	if len(a.rest) < 5 {
		return 0, nil, a.fail("8.2", "the archive is cut off", nil)
	}
	kind = a.rest[0]
	n := uint64(binary.BigEndian.Uint32(a.rest[1:5]))
	if n > uint64(len(a.rest)-5) {
		return 0, nil, a.fail("8.2", "the archive is cut off", nil)
	}
	content = a.rest[5 : 5+n : 5+n]
	a.rest = a.rest[5+n:]
	return kind, content, nil
}

func (a *ArchiveReader) envelope(b []byte) error {
	hash := wire.HashEnvelope(b)
	if _, held := a.replica.Envelope(hash); held {
		return a.fail("8.4", "an envelope stands in the archive twice", nil)
	}
	if _, err := a.replica.AddEnvelope(b); err != nil {
		// Junk may stand in an archive only if a seal names it.
		a.refused[hash] = err
	}
	a.fresh = append(a.fresh, hash)
	return nil
}

// seal takes in a seal, before which stand exactly the envelopes that it is the first to name.
func (a *ArchiveReader) seal(b []byte) error {
	s, err := judgeSeal(a.replica.known.OpenSeal(b))
	if err != nil {
		return a.refusal("the seal is refused", err)
	}
	fresh := a.fresh
	a.fresh = nil
	for _, h := range s.Envelopes {
		if a.named[h] {
			continue
		}
		a.named[h] = true
		if len(fresh) > 0 && fresh[0] == h {
			fresh = fresh[1:]
			continue
		}
		for _, f := range fresh {
			if err := a.refused[f]; err != nil && !slices.Contains(fresh, h) {
				return a.refusal(fmt.Sprintf("seal %d does not name an envelope before it, which is refused", s.Number), err)
			}
		}
		return a.fail("8.4", fmt.Sprintf("seal %d names an envelope that does not stand before it in its place", s.Number), nil)
	}
	if len(fresh) > 0 {
		return a.fail("8.4", fmt.Sprintf("seal %d does not name an envelope that stands before it", s.Number), nil)
	}
	if err := a.replica.addSeal(s); err != nil {
		return a.refusal(fmt.Sprintf("seal %d is refused", s.Number), err)
	}
	a.seals++
	if s.Number != a.seals || a.replica.chain != nil && a.replica.Seals() != a.seals {
		return a.fail("8.5", fmt.Sprintf("seal %d does not follow", s.Number), nil)
	}
	return nil
}

// refusal names the clause of the check that refused something inside the archive.
func (a *ArchiveReader) refusal(text string, err error) error {
	return a.fail(CodeOf(err).Clause(), text, err)
}

func (a *ArchiveReader) end(before, content []byte) error {
	if _, ok := a.replica.Genesis(); !ok {
		return a.fail("8.6", "the archive does not hold the genesis that its head names", nil)
	}
	for _, h := range a.fresh {
		if err := a.refused[h]; err != nil {
			return a.refusal("an envelope that no seal names is refused", err)
		}
	}
	if a.replica.OrderedSeals() != a.seals {
		return a.fail("8.5", "the seals do not order the genesis", nil)
	}
	// The archive must be the one that its content gives: this finds what is left over, such
	// as parts that belong to nothing.
	at, same := 0, true
	var digest []byte // what is written last
	err := a.replica.writeArchive(func(b []byte) {
		digest = b
		from, to := min(at, len(before)), min(at+len(b), len(before))
		same = same && bytes.HasPrefix(b, before[from:to])
		at += len(b)
	})
	if err != nil || !same || at != len(before)+5+sha256.Size {
		return a.fail("8.7", "the archive is not in canonical form", err)
	}
	if !bytes.Equal(digest, content) {
		return a.fail("8.8", "the digest at the end is not the archive's", nil)
	}
	if len(a.rest) > 0 {
		return a.fail("8.8", "the archive goes on after its end", nil)
	}
	return nil
}

func newArchiveSum() hash.Hash {
	h := sha256.New()
	h.Write([]byte("peernomic/archive/v1\x00"))
	return h
}
