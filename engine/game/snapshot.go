package game

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/wire"
)

// This file opens a game from a snapshot, without carrying out every action again. A device makes
// snapshots of the confirmed state for itself, and takes none from another device. It still reads and
// orders the whole log. Only the outcomes of the actions up to a seal come from the snapshot.

const snapshotVersion = 3

// chunk is how many actions a snapshot encodes together: few enough to decode in a millisecond or two.
const chunk = 64

var (
	errUnfit     = errors.New("the snapshot is of another game, or of another order of it")
	errUnsettled = errors.New("the game waits for something in its order")
	errBegun     = errors.New("the game has been carried out already")
)

// snapshot is a confirmed state: the state of a machine after a seal, without the parts that follow from the order.
type snapshot struct {
	_        struct{} `cbor:",toarray"`
	Version  uint
	Kernel   uint
	Seal     uint64 // the newest that is carried out
	SealHash wire.SealHash
	Placed   uint64   // how many actions the seals up to it have ordered
	Order    [32]byte // of them, see orderOf
	Digest   [32]byte // of the world
	Begin    int64    // the world's time at the beginning
	World    []byte
	Entries  [][]byte // of each chunk, its entries as a list
	Admitted []int64
	Acted    []keptAct // in ascending order of persons
	Motions  []keptMotion
}

// keptEntry is an [Entry] without the fields that its placement gives.
type keptEntry struct {
	_         struct{} `cbor:",toarray"`
	Player    int64
	Logged    int64        // the outcome's number in the world's log, or 0
	Loose     *rules.Entry // an outcome that is not in the log
	Wanted    int
	Witnesses []Witness
}

// keptAct is when somebody last signed something, see register.
type keptAct struct {
	_      struct{} `cbor:",toarray"`
	Person int64
	Time   int64
}

// keptMotion is a record of the register.
type keptMotion struct {
	_                  struct{} `cbor:",toarray"`
	Motion             []byte
	CalledBy, CalledAt int64
	Counted, Active    []int64 // when it was decided
	Status             MotionStatus
	Refused            *rules.Refusal
	DoneAt             int64
	Assents            []int64 // as the people last decided, in ascending order
}

// Snapshot returns the confirmed state for [Game.Resume]. It fails while the order waits for
// an envelope, or a roll waits for its witnesses.
func (g *Game) Snapshot() ([]byte, error) {
	m := &g.core
	if m.world == nil || m.broken != nil {
		return nil, errUnsettled
	}
	m.world.Revert(g.base)
	b, err := m.snapshot()
	g.stale = true
	g.Advance(g.now)
	return b, err
}

func (m *machine) snapshot() ([]byte, error) {
	seal, ok := m.replica.Seal(m.seal)
	if !ok || m.world == nil || m.broken != nil || m.waiting != nil || m.confirmed != m.seal {
		return nil, errUnsettled
	}
	placed := m.replica.Placed()[:len(m.entries)]
	s := snapshot{
		Version: snapshotVersion, Kernel: Kernel, Seal: m.seal, SealHash: seal.Hash,
		Placed: uint64(len(placed)), Order: orderOf(placed), Digest: m.digest, Begin: m.begin,
		Admitted: slices.Sorted(maps.Keys(m.register.admitted)),
	}
	var err error
	if s.World, err = m.world.Encode(); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	for some := range slices.Chunk(m.entries, chunk) {
		kept := make([]keptEntry, len(some))
		for i, e := range some {
			kept[i] = keptOf(e)
		}
		b, err := wire.Encode(kept)
		if err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		s.Entries = append(s.Entries, b)
	}
	for _, person := range slices.Sorted(maps.Keys(m.register.acted)) {
		s.Acted = append(s.Acted, keptAct{Person: person, Time: m.register.acted[person]})
	}
	for _, id := range m.register.order {
		r := m.register.motions[id]
		b, _, err := r.Motion.Motion.Encode()
		if err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		k := keptMotion{Motion: b, CalledBy: r.CalledBy, CalledAt: r.CalledAt, Counted: r.Assents, Active: r.Active, Status: r.Status, Refused: r.Refused, DoneAt: r.DoneAt}
		k.Assents = slices.Sorted(maps.Keys(r.assents))
		s.Motions = append(s.Motions, k)
	}
	return wire.Encode(s)
}

func keptOf(e Entry) keptEntry {
	k := keptEntry{Player: e.Player, Wanted: e.Wanted, Witnesses: e.Witnesses}
	switch {
	case e.Outcome == nil:
	case e.Outcome.Number > 0:
		k.Logged = e.Outcome.Number
	default:
		k.Loose = &e.Outcome.Entry
	}
	return k
}

// orderOf hashes the order of actions, and which of them count.
func orderOf(placed []ledger.Placement) [32]byte {
	var b bytes.Buffer
	for _, p := range placed {
		id := p.Action.ID()
		b.Write(id[:])
		if p.Void != nil {
			b.WriteString(string(p.Void.Code))
		}
		b.WriteByte(0)
	}
	return wire.Digest("peernomic/snapshot-order/v1", b.Bytes())
}

// Resume restores the confirmed state from a snapshot that [Game.Snapshot] made of this game, on this
// device and by this program. Call it after the log is read, and before the first [Game.Advance]. On an
// error nothing has changed: the snapshot is damaged, or it belongs to another log.
func (g *Game) Resume(b []byte) error { return g.ResumeInTurns(b, func() {}) }

// ResumeInTurns is [Game.Resume], and calls pause after every few actions, so that other work can be done
// in between. Pause must not use this game.
func (g *Game) ResumeInTurns(b []byte, pause func()) error {
	if len(g.core.entries) > 0 {
		return errBegun
	}
	var s snapshot
	if err := wire.Decode(b, &s); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	pause()
	m := machine{replica: g.replica}
	if err := m.resume(s, pause); err != nil {
		return err
	}
	g.core = m
	g.base, g.tail, g.stale = m.world.Mark(), nil, true
	return nil
}

func (m *machine) resume(s snapshot, pause func()) error {
	all := m.replica.Placed()
	seal, ok := m.replica.Seal(s.Seal)
	if s.Version != snapshotVersion || s.Kernel != Kernel || !ok || seal.Hash != s.SealHash || m.replica.OrderedSeals() < s.Seal ||
		s.Placed == 0 || s.Placed > uint64(len(all)) || uint64(len(all)) > s.Placed && all[s.Placed].Seal <= s.Seal {
		return errUnfit
	}
	placed := all[:s.Placed]
	if orderOf(placed) != s.Order {
		return errUnfit
	}
	pause()
	var err error
	if m.world, err = rules.DecodeWorldInTurns(s.World, pause); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if m.world.Digest() != s.Digest {
		return errUnfit
	}
	m.game, m.seal, m.confirmed, m.digest, m.begin = m.gameOf(placed[0]), s.Seal, s.Seal, s.Digest, s.Begin
	if err := m.resumeEntries(placed, s.Entries, pause); err != nil {
		return err
	}
	return m.resumeRegister(s)
}

func (m *machine) resumeEntries(placed []ledger.Placement, chunks [][]byte, pause func()) error {
	m.entries = make([]Entry, 0, len(placed))
	for some := range slices.Chunk(placed, chunk) {
		if len(chunks) == 0 {
			return errUnfit
		}
		var kept []keptEntry
		if err := wire.Decode(chunks[0], &kept); err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		if len(kept) != len(some) {
			return errUnfit
		}
		chunks = chunks[1:]
		for i, k := range kept {
			e := entryOf(some[i], m.time(some[i].Time))
			e.Player, e.Wanted, e.Witnesses = k.Player, k.Wanted, k.Witnesses
			logged, held := m.world.LogEntry(k.Logged)
			switch {
			case k.Logged != 0 && (!held || k.Loose != nil):
				return errUnfit
			case k.Logged > 0:
				e.Outcome = &rules.Outcome{Entry: logged}
			case k.Loose != nil:
				e.Outcome = &rules.Outcome{Entry: *k.Loose}
			}
			m.entries = append(m.entries, e)
			m.recordLast(some[i])
		}
		pause()
	}
	if len(chunks) > 0 {
		return errUnfit
	}
	return nil
}

func (m *machine) resumeRegister(s snapshot) error {
	m.register = newRegister()
	for _, person := range s.Admitted {
		m.register.admitted[person] = true
	}
	for _, a := range s.Acted {
		m.register.acted[a.Person] = a.Time
	}
	for _, k := range s.Motions {
		motion, id, err := ledger.DecodeMotion(k.Motion)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		r := &record{assents: map[int64]bool{}, Motion: Motion{Motion: motion, ID: id, CalledBy: k.CalledBy, CalledAt: k.CalledAt,
			Assents: k.Counted, Active: k.Active, Status: k.Status, Refused: k.Refused, DoneAt: k.DoneAt}}
		for _, person := range k.Assents {
			r.assents[person] = true
		}
		m.register.motions[id] = r
		m.register.order = append(m.register.order, id)
	}
	return nil
}
