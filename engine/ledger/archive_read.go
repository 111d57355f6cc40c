package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"peernomic/engine/wire"
)

// ReadArchive reads an archive and makes every check that does not need the rules. It returns the
// game's chapters, oldest first. Each is as trustworthy as a replica that received all messages
// itself, and each continues the one before. The error is an [*ArchiveError] that names the first
// clause that fails.
func ReadArchive(file []byte) ([]*Replica, error) {
	a := NewArchiveReader(file)
	for {
		if over, err := a.Step(); err != nil {
			return nil, err
		} else if over {
			return a.Chapters(), nil
		}
	}
}

// ArchiveReader reads an archive record by record. Make it with [NewArchiveReader].
type ArchiveReader struct {
	file, rest []byte
	chapters   []*Replica // that are read, the present one included
	chapter    chapter    // that is being read
}

// chapter is a chapter of an archive while it is read.
type chapter struct {
	replica *Replica
	begin   int                 // offset of its head in the file
	fresh   []wire.EnvelopeHash // envelopes since the last seal
	refused map[wire.EnvelopeHash]error
	named   map[wire.EnvelopeHash]bool
	seals   uint64
}

// NewArchiveReader begins to read an archive as [ReadArchive] does, in steps.
func NewArchiveReader(file []byte) *ArchiveReader { return &ArchiveReader{file: file, rest: file} }

// Chapters returns the chapters read so far, oldest first.
func (a *ArchiveReader) Chapters() []*Replica { return slices.Clone(a.chapters) }

// Progress returns how many bytes were read, and of how many.
func (a *ArchiveReader) Progress() (done, total int) { return len(a.file) - len(a.rest), len(a.file) }

// Step reads the next record, and reports whether it was the last and the archive is good. The error
// is an [*ArchiveError] that names the first clause that fails.
func (a *ArchiveReader) Step() (over bool, err error) {
	if len(a.rest) == len(a.file) {
		if err := a.firstLine(); err != nil {
			return false, err
		}
	}
	at := len(a.file) - len(a.rest)
	kind, content, err := a.record()
	switch {
	case err != nil:
		return false, err
	case kind == recordHead:
		return false, a.head(at, content)
	case len(a.chapters) == 0:
		return false, fails("8.3", "the archive does not begin with a head", nil)
	case kind == recordEnvelope:
		a.chapter.envelope(content)
		return false, nil
	case kind == recordSeal:
		return false, a.chapter.seal(content)
	default:
		return true, a.end(at, content)
	}
}

func fails(clause, text string, err error) error {
	return &ArchiveError{Clause: clause, Text: text, Err: err}
}

// refusal names the clause of the check that refused something inside the archive.
func refusal(text string, err error) error { return fails(CodeOf(err).Clause(), text, err) }

func (a *ArchiveReader) firstLine() error {
	if len(a.file) > MaxArchive {
		return fails("8.1", "the archive is too large", nil)
	}
	if !bytes.HasPrefix(a.file, []byte(archiveMagic)) {
		return fails("8.1", "not an archive", nil)
	}
	a.rest = a.file[len(archiveMagic):]
	return nil
}

func (a *ArchiveReader) record() (kind byte, content []byte, err error) {
	if len(a.rest) < 5 {
		return 0, nil, fails("8.2", "the archive is cut off", nil)
	}
	kind = a.rest[0]
	n := uint64(binary.BigEndian.Uint32(a.rest[1:5]))
	if n > uint64(len(a.rest)-5) {
		return 0, nil, fails("8.2", "the archive is cut off", nil)
	}
	if bytes.IndexByte([]byte{recordHead, recordEnvelope, recordSeal, recordEnd}, kind) < 0 {
		return 0, nil, fails("8.2", fmt.Sprintf("record of unknown type %q", kind), nil)
	}
	content = a.rest[5 : 5+n : 5+n]
	a.rest = a.rest[5+n:]
	return kind, content, nil
}

// head ends the chapter before, if there is one, and begins the next.
func (a *ArchiveReader) head(at int, content []byte) error {
	if len(a.chapters) > 0 {
		if err := a.endChapter(at); err != nil {
			return err
		}
	}
	var head archiveHead
	if err := wire.Decode(content, &head); err != nil {
		return fails("8.3", "a head is not in canonical form", err)
	}
	a.chapter = chapter{replica: NewReplica(head.Secret.Keys(), head.Game), begin: at, refused: map[wire.EnvelopeHash]error{}, named: map[wire.EnvelopeHash]bool{}}
	a.chapters = append(a.chapters, a.chapter.replica)
	return nil
}

func (c *chapter) envelope(b []byte) {
	hash := wire.HashEnvelope(b)
	if _, held := c.replica.Envelope(hash); !held {
		if _, err := c.replica.AddEnvelope(b); err != nil {
			c.refused[hash] = err // an archive may hold junk if a seal names it
		}
	}
	c.fresh = append(c.fresh, hash)
}

// seal adds a seal. The records before it must be exactly the envelopes that no earlier seal names.
func (c *chapter) seal(b []byte) error {
	s, err := judgeSeal(c.replica.known.OpenSeal(b))
	if err != nil {
		return refusal("the seal is refused", err)
	}
	fresh := c.fresh
	c.fresh = nil
	for _, h := range s.Envelopes {
		if c.named[h] {
			continue
		}
		c.named[h] = true
		if len(fresh) > 0 && fresh[0] == h {
			fresh = fresh[1:]
			continue
		}
		later := slices.Contains(fresh, h)
		for _, f := range fresh {
			if err := c.refused[f]; err != nil && !later {
				return refusal(fmt.Sprintf("seal %d does not name an envelope before it, which is refused", s.Number), err)
			}
		}
		return fails("8.4", fmt.Sprintf("seal %d names an envelope that does not stand before it in its place", s.Number), nil)
	}
	if len(fresh) > 0 {
		return fails("8.4", fmt.Sprintf("seal %d does not name an envelope that stands before it", s.Number), nil)
	}
	if err := c.replica.addSeal(s); err != nil {
		return refusal(fmt.Sprintf("seal %d is refused", s.Number), err)
	}
	c.seals++
	if s.Number != c.seals || c.replica.chain != nil && c.replica.Seals() != c.seals {
		return fails("8.5", fmt.Sprintf("seal %d does not follow", s.Number), nil)
	}
	return nil
}

// endChapter judges the chapter that ends at an offset of the file, and its seam.
func (a *ArchiveReader) endChapter(at int) error {
	c := &a.chapter
	genesis, ok := c.replica.Genesis()
	if !ok {
		return fails("8.6", "the archive does not hold the genesis that its head names", nil)
	}
	for _, h := range c.fresh {
		if err := c.refused[h]; err != nil {
			return refusal("an envelope that no seal names is refused", err)
		}
	}
	if c.replica.OrderedSeals() != c.seals {
		return fails("8.5", "the seals do not order the genesis", nil)
	}
	// Writing the chapter again must give the same bytes. This finds leftovers, such as parts
	// that no action names.
	rest, same := a.file[c.begin:at], true
	err := c.replica.writeChapter(func(b []byte) {
		if same = same && bytes.HasPrefix(rest, b); same {
			rest = rest[len(b):]
		}
	})
	if err != nil || !same || len(rest) > 0 {
		return fails("8.7", "the archive is not in canonical form", err)
	}
	if n := len(a.chapters); n > 1 {
		return CheckSeam(a.chapters[n-2], genesis)
	}
	return nil
}

// CheckSeam checks by the logs that a game continues an earlier one. It does not compare the worlds,
// for which the rules are needed. The error is an [*ArchiveError] with clause 8.9.
func CheckSeam(earlier *Replica, next Genesis) error {
	seam := next.Continues
	if seam == nil || seam.Game != earlier.game {
		return fails("8.9", "a chapter does not go on from the game before it", nil)
	}
	if secret, err := next.Earlier(); err != nil || secret != earlier.keys.secret {
		return fails("8.9", "a chapter names another room than the one before it", nil)
	}
	if s, ok := earlier.Seal(seam.Seal); !ok || s.Hash != seam.SealHash {
		return fails("8.9", fmt.Sprintf("a chapter goes on from seal %d, and the one before it has another, or none", seam.Seal), nil)
	}
	if order, ok := earlier.OrderDigestAt(seam.Seal); !ok || order != seam.Order {
		return fails("8.9", "a chapter goes on from another order of actions", nil)
	}
	return nil
}

// end checks the last chapter and the end of the file.
func (a *ArchiveReader) end(at int, content []byte) error {
	if err := a.endChapter(at); err != nil {
		return err
	}
	sum := newArchiveSum()
	sum.Write(a.file[:at])
	if !bytes.Equal(sum.Sum(nil), content) {
		return fails("8.8", "the digest at the end is not the archive's", nil)
	}
	if len(a.rest) > 0 {
		return fails("8.8", "the archive goes on after its end", nil)
	}
	return nil
}
