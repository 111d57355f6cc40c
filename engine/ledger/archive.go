package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"peernomic/engine/wire"
)

// archiveMagic is the first line of every archive, for people and programs to recognise it.
const archiveMagic = "peernomic archive v1\n"

// Records of an archive: a byte for the type, four for the length, big-endian, then the
// content.
const (
	recordHead     = 'H' // begins a chapter: CBOR of archiveHead
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
	Err    error // the refusal of a message in the archive, or nil
}

func (e *ArchiveError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("clause %s: %s: %v", e.Clause, e.Text, e.Err)
	}
	return fmt.Sprintf("clause %s: %s", e.Clause, e.Text)
}

// Unwrap returns the refusal of a message in the archive, or nil.
func (e *ArchiveError) Unwrap() error { return e.Err }

// WriteArchive returns a whole game in one file: its chapters, oldest first. Of each, it holds the
// room's secret, every seal up to the newest whose envelopes are all held, the envelopes that these
// seals name, and the envelopes that no seal names yet. It fails only for a replica without a
// genesis. It does not check the seams; [ReadArchive] does.
func WriteArchive(chapters ...*Replica) ([]byte, error) {
	var file bytes.Buffer
	file.WriteString(archiveMagic)
	for _, r := range chapters {
		if err := r.writeChapter(func(b []byte) { file.Write(b) }); err != nil {
			return nil, err
		}
	}
	sum := newArchiveSum()
	sum.Write(file.Bytes())
	writeRecord(func(b []byte) { file.Write(b) }, recordEnd, sum.Sum(nil))
	return file.Bytes(), nil
}

func newArchiveSum() hash.Hash {
	h := sha256.New()
	h.Write([]byte("peernomic/archive/v1\x00"))
	return h
}

func writeRecord(out func([]byte), kind byte, content []byte) {
	out(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(content))))
	out(content)
}

func (r *Replica) writeChapter(out func([]byte)) error {
	if r.genesis == nil {
		return refuse(CodeGenesis, "the replica does not hold the game's genesis yet")
	}
	head, err := wire.Encode(archiveHead{Secret: r.keys.secret, Game: r.game})
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	writeRecord(out, recordHead, head)
	written := map[wire.EnvelopeHash]bool{}
	envelope := func(h wire.EnvelopeHash) {
		if !written[h] {
			written[h] = true
			writeRecord(out, recordEnvelope, r.envelopes[h].bytes)
		}
	}
	for i := range r.OrderedSeals() {
		s := r.chain.linked[i]
		for _, h := range s.Envelopes {
			envelope(h)
		}
		writeRecord(out, recordSeal, s.Bytes)
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
