// Package storetest is the suite that every store of a relay passes.
package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"peernomic/engine/wire"
	"peernomic/signal/notary"
	"peernomic/signal/store"
)

// chain is the length of the notaries' chains in the suite.
const chain = 2 * notary.Spacing

// Run tests a kind of store. Open returns an empty one; it is called once for each
// test. Reopen, if not nil, closes a store and opens what it has kept.
func Run(t *testing.T, open func(t *testing.T) store.Store, reopen func(t *testing.T, s store.Store) store.Store) {
	tests := []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"Create", testCreate},
		{"Found", testFound},
		{"AppendAndRead", testAppendAndRead},
		{"HeadIsChecked", testHeadIsChecked},
		{"AllOrNothing", testAllOrNothing},
		{"RoomsAreApart", testRoomsAreApart},
		{"LargestAppend", testLargestAppend},
		{"ReadStops", testReadStops},
		{"SlicesAreNotShared", testSlicesAreNotShared},
		{"RacingAppends", testRacingAppends},
		{"Unused", testUnused},
		{"Remove", testRemove},
		{"Closed", testClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.test(t, open(t)) })
	}
	if reopen != nil {
		t.Run("Reopen", func(t *testing.T) { testReopen(t, open(t), reopen) })
	}
}

// writer appends to a room as a relay does.
type writer struct {
	t      *testing.T
	s      store.Store
	id     wire.RoomID
	notary *notary.Notary
	state  store.State
}

func create(t *testing.T, s store.Store, n byte) *writer {
	t.Helper()
	secrets, marks := notary.NewSecrets(chain)
	w := &writer{t: t, s: s, id: wire.RoomID{n}}
	if err := s.Create(w.id, secrets, marks, int64(n)); err != nil {
		t.Fatal(err)
	}
	w.notary = notary.New(w.id, wire.GameID{n}, secrets, func() ([]wire.Link, error) { return s.Marks(w.id) })
	return w
}

// next makes an append of one seal for each list of contents.
func (w *writer) next(seals ...[]string) store.Append {
	w.t.Helper()
	a := store.Append{Room: w.id, Base: w.state, Next: w.state}
	for _, contents := range seals {
		var hashes []wire.EnvelopeHash
		for _, c := range contents {
			e := store.Envelope{Hash: wire.HashEnvelope([]byte(c)), Bytes: []byte(c)}
			hashes = append(hashes, e.Hash)
			a.Envelopes = append(a.Envelopes, e)
			a.Next.Envelopes++
			a.Next.Bytes += uint64(len(c))
		}
		seal, err := w.notary.Seal(a.Next.Head, 0, hashes)
		if err != nil {
			w.t.Fatal(err)
		}
		a.Seals = append(a.Seals, seal)
		a.Next.Head = notary.HeadOf(seal)
	}
	return a
}

func (w *writer) append(seals ...[]string) {
	w.t.Helper()
	a := w.next(seals...)
	if err := w.s.Append([]store.Append{a}); err != nil {
		w.t.Fatal(err)
	}
	w.state = a.Next
}

// log is what a room holds: the contents of each seal.
func log(t *testing.T, s store.Store, id wire.RoomID, from uint64) [][]string {
	t.Helper()
	var all [][]string
	number := max(from, 1)
	err := s.Read(id, from, func(seal []byte, envelopes [][]byte) bool {
		parsed, err := wire.OpenSeal(seal)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Number != number {
			t.Errorf("read seal %d, want %d", parsed.Number, number)
		}
		number++
		var contents []string
		for i, e := range envelopes {
			if wire.HashEnvelope(e) != parsed.Envelopes[i] {
				t.Errorf("envelope %d of seal %d is another", i, parsed.Number)
			}
			contents = append(contents, string(e))
		}
		all = append(all, contents)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func wantLog(t *testing.T, s store.Store, id wire.RoomID, from uint64, want ...[]string) {
	t.Helper()
	if got := log(t, s, id, from); !reflect.DeepEqual(got, want) {
		t.Errorf("from %d: got %q, want %q", from, got, want)
	}
}

func testCreate(t *testing.T, s store.Store) {
	id := wire.RoomID{1}
	if _, err := s.Room(id); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Room before: got %v, want ErrNoRoom", err)
	}
	if _, err := s.Marks(id); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Marks before: got %v, want ErrNoRoom", err)
	}
	if _, err := s.Has(id, nil); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Has before: got %v, want ErrNoRoom", err)
	}
	if err := s.Read(id, 1, nil); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Read before: got %v, want ErrNoRoom", err)
	}
	if err := s.Append([]store.Append{{Room: id}}); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Append before: got %v, want ErrNoRoom", err)
	}
	secrets, marks := notary.NewSecrets(chain)
	if err := s.Create(id, secrets, marks, 77); err != nil {
		t.Fatal(err)
	}
	want := store.Room{Secrets: secrets, Opened: 77, Used: 77}
	if got, err := s.Room(id); err != nil || got != want {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
	if got, err := s.Marks(id); err != nil || !reflect.DeepEqual(got, marks) {
		t.Errorf("marks differ (%v)", err)
	}
	other, otherMarks := notary.NewSecrets(chain)
	if err := s.Create(id, other, otherMarks, 78); !errors.Is(err, store.ErrRoomExists) {
		t.Errorf("second Create: got %v, want ErrRoomExists", err)
	}
	if got, err := s.Room(id); err != nil || got != want {
		t.Errorf("a second Create changed the room: %+v (%v)", got, err)
	}
	if n, err := s.Rooms(); n != 1 || err != nil {
		t.Errorf("got %d rooms (%v), want 1", n, err)
	}
	wantLog(t, s, id, 1)
}

func testFound(t *testing.T, s store.Store) {
	id, mine := wire.RoomID{1}, wire.GameID{2}
	if err := s.Found(id, mine); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Found before Create: got %v, want ErrNoRoom", err)
	}
	w := create(t, s, 1)
	other := create(t, s, 2)
	for range 2 { // the second time changes nothing
		if err := s.Found(id, mine); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Found(id, wire.GameID{3}); !errors.Is(err, store.ErrOtherGame) {
		t.Errorf("another game: got %v, want ErrOtherGame", err)
	}
	w.append([]string{"a"})
	if got, err := s.Room(id); err != nil || got.Game != mine || got.State != w.state {
		t.Errorf("got %+v (%v), want game %s", got, err, mine)
	}
	if got, err := s.Room(other.id); err != nil || got.Game != (wire.GameID{}) {
		t.Errorf("another room got the game: %+v (%v)", got, err)
	}
	if err := s.Remove(id); err != nil {
		t.Fatal(err)
	}
	create(t, s, 1)
	if got, err := s.Room(id); err != nil || got.Game != (wire.GameID{}) {
		t.Errorf("a room made anew has a game: %+v (%v)", got, err)
	}
}

func testAppendAndRead(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	w.append([]string{"a", "b"})
	w.append([]string{"c"}, []string{"d", "e"})
	all := [][]string{{"a", "b"}, {"c"}, {"d", "e"}}
	wantLog(t, s, w.id, 0, all...)
	wantLog(t, s, w.id, 1, all...)
	wantLog(t, s, w.id, 2, all[1:]...)
	wantLog(t, s, w.id, 3, all[2:]...)
	wantLog(t, s, w.id, 4)
	if got, err := s.Room(w.id); err != nil || got.State != w.state || got.Head.Number != 3 || got.Envelopes != 5 {
		t.Errorf("got %+v (%v), want %+v", got, err, w.state)
	}
	hash := func(c string) wire.EnvelopeHash { return wire.HashEnvelope([]byte(c)) }
	has, err := s.Has(w.id, []wire.EnvelopeHash{hash("e"), hash("x"), hash("a")})
	if err != nil || !reflect.DeepEqual(has, []bool{true, false, true}) {
		t.Errorf("Has: got %v (%v)", has, err)
	}
}

func testHeadIsChecked(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	w.append([]string{"a"})
	rival := w.next([]string{"rival"})
	w.append([]string{"b"})
	if err := s.Append([]store.Append{rival}); !errors.Is(err, store.ErrHead) {
		t.Errorf("a second seal 2: got %v, want ErrHead", err)
	}
	wrong := w.next([]string{"c"})
	wrong.Base.Head.Hash[0]++
	if err := s.Append([]store.Append{wrong}); !errors.Is(err, store.ErrHead) {
		t.Errorf("another hash: got %v, want ErrHead", err)
	}
	wantLog(t, s, w.id, 1, []string{"a"}, []string{"b"})
}

func testAllOrNothing(t *testing.T, s store.Store) {
	a, b := create(t, s, 1), create(t, s, 2)
	good, bad := a.next([]string{"a"}), b.next([]string{"b"})
	bad.Base.Bytes++
	if err := s.Append([]store.Append{good, bad}); !errors.Is(err, store.ErrHead) {
		t.Errorf("got %v, want ErrHead", err)
	}
	wantLog(t, s, a.id, 1)
	if has, err := s.Has(a.id, []wire.EnvelopeHash{good.Envelopes[0].Hash}); err != nil || has[0] {
		t.Errorf("an append that failed left an envelope (%v)", err)
	}
	bad.Base.Bytes--
	if err := s.Append([]store.Append{good, bad}); err != nil {
		t.Fatal(err)
	}
	wantLog(t, s, a.id, 1, []string{"a"})
	wantLog(t, s, b.id, 1, []string{"b"})
}

func testRoomsAreApart(t *testing.T, s store.Store) {
	a, b := create(t, s, 1), create(t, s, 2)
	a.append([]string{"same", "a"})
	b.append([]string{"same"})
	b.append([]string{"b"})
	wantLog(t, s, a.id, 1, []string{"same", "a"})
	wantLog(t, s, b.id, 1, []string{"same"}, []string{"b"})
	if n, err := s.Rooms(); n != 2 || err != nil {
		t.Errorf("got %d rooms (%v), want 2", n, err)
	}
}

func testLargestAppend(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	var contents []string
	for i := range store.MaxAppend / wire.MaxEnvelope {
		contents = append(contents, fmt.Sprintf("%0*d", wire.MaxEnvelope-store.Overhead, i))
	}
	w.append(contents)
	wantLog(t, s, w.id, 1, contents)
	var small []string
	for i := range store.MaxAppend / (store.Overhead + 77) {
		small = append(small, fmt.Sprintf("%077d", i))
	}
	var seals [][]string
	for rest := small; len(rest) > 0; {
		n := min(len(rest), wire.MaxSealEnvelopes)
		seals = append(seals, rest[:n])
		rest = rest[n:]
	}
	w.append(seals...)
	wantLog(t, s, w.id, 2, seals...)
}

func testReadStops(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	w.append([]string{"a"}, []string{"b"}, []string{"c"})
	calls := 0
	if err := s.Read(w.id, 1, func([]byte, [][]byte) bool { calls++; return calls < 2 }); err != nil {
		t.Fatal(err)
	}
	if calls != 2 {
		t.Errorf("called %d times, want 2", calls)
	}
}

func testSlicesAreNotShared(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	a := w.next([]string{"abc"})
	if err := s.Append([]store.Append{a}); err != nil {
		t.Fatal(err)
	}
	a.Envelopes[0].Bytes[0] = 'x'
	a.Seals[0].Bytes[0]++
	scribble := func(seal []byte, envelopes [][]byte) bool {
		seal[0]++
		envelopes[0][0] = 'y'
		return true
	}
	if err := s.Read(w.id, 1, scribble); err != nil {
		t.Fatal(err)
	}
	wantLog(t, s, w.id, 1, []string{"abc"})
}

// testRacingAppends has several writers try for the same place: one wins each time.
func testRacingAppends(t *testing.T, s store.Store) {
	const rounds, writers = 20, 4
	w := create(t, s, 1)
	for round := range rounds {
		appends := make([]store.Append, writers)
		for i := range appends {
			appends[i] = w.next([]string{fmt.Sprint(round, i)})
		}
		errs := make([]error, writers)
		var wg sync.WaitGroup
		for i := range appends {
			wg.Go(func() { errs[i] = s.Append(appends[i : i+1]) })
		}
		wg.Wait()
		won := -1
		for i, err := range errs {
			switch {
			case err == nil && won >= 0:
				t.Fatalf("round %d: two appends took one place", round)
			case err == nil:
				won = i
			case !errors.Is(err, store.ErrHead):
				t.Fatalf("round %d: got %v, want ErrHead", round, err)
			}
		}
		if won < 0 {
			t.Fatalf("round %d: no append won", round)
		}
		w.state = appends[won].Next
	}
	if got := len(log(t, s, w.id, 1)); got != rounds {
		t.Errorf("got %d seals, want %d", got, rounds)
	}
}

func testUnused(t *testing.T, s store.Store) {
	rooms := map[wire.RoomID]string{}
	for i, name := range []string{"", "old empty", "new empty", "old", "new"} {
		if i == 0 {
			continue
		}
		w := create(t, s, byte(i)) // created, and so used, at time i
		rooms[w.id] = name
		if name == "old" || name == "new" {
			w.append([]string{name})
		}
	}
	for id, name := range rooms {
		if name == "new" || name == "new empty" {
			if err := s.Use(id, 100); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		used, empty int64
		want        []string
	}{
		{0, 0, nil},
		{0, 50, []string{"old empty"}},
		{50, 0, []string{"old", "old empty"}},
		{0, 101, []string{"new empty", "old empty"}},
		{100, 100, []string{"old", "old empty"}},
		{101, 0, []string{"new", "new empty", "old", "old empty"}},
	} {
		ids, err := s.Unused(test.used, test.empty)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, id := range ids {
			got = append(got, rooms[id])
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("Unused(%d, %d): got %q, want %q", test.used, test.empty, got, test.want)
		}
	}
	if room, err := s.Room(wire.RoomID{4}); err != nil || room.Used != 100 || room.Opened != 4 {
		t.Errorf("got %+v (%v), want used at 100, opened at 4", room, err)
	}
	if err := s.Use(wire.RoomID{77}, 1); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Use of no room: got %v, want ErrNoRoom", err)
	}
}

func testRemove(t *testing.T, s store.Store) {
	w, other := create(t, s, 1), create(t, s, 2)
	var contents []string
	for i := range wire.MaxSealEnvelopes {
		contents = append(contents, fmt.Sprint(i))
	}
	const seals = 5
	for i := range seals {
		for k := range contents {
			contents[k] = fmt.Sprint(i, " ", k)
		}
		w.append(contents)
	}
	other.append([]string{"a"})
	if err := s.Remove(w.id); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(w.id); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("second Remove: got %v, want ErrNoRoom", err)
	}
	if _, err := s.Room(w.id); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("Room afterwards: got %v, want ErrNoRoom", err)
	}
	if n, err := s.Rooms(); n != 1 || err != nil {
		t.Errorf("got %d rooms (%v), want 1", n, err)
	}
	if ids, err := s.Unused(1000, 1000); len(ids) != 1 || err != nil {
		t.Errorf("Unused afterwards: got %v (%v), want the other room", ids, err)
	}
	wantLog(t, s, other.id, 1, []string{"a"})
	again := create(t, s, 1) // nothing of the old room is in the new one
	wantLog(t, s, again.id, 1)
	has, err := s.Has(again.id, []wire.EnvelopeHash{wire.HashEnvelope([]byte(contents[0]))})
	if err != nil || has[0] {
		t.Errorf("a new room has an old envelope (%v)", err)
	}
	again.append([]string{"b"})
	wantLog(t, s, again.id, 1, []string{"b"})
}

func testClosed(t *testing.T, s store.Store) {
	w := create(t, s, 1)
	a := w.next([]string{"a"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"Rooms":  func() error { _, err := s.Rooms(); return err },
		"Room":   func() error { _, err := s.Room(w.id); return err },
		"Create": func() error { return s.Create(wire.RoomID{2}, notary.Secrets{}, nil, 0) },
		"Marks":  func() error { _, err := s.Marks(w.id); return err },
		"Has":    func() error { _, err := s.Has(w.id, nil); return err },
		"Append": func() error { return s.Append([]store.Append{a}) },
		"Read":   func() error { return s.Read(w.id, 1, nil) },
		"Use":    func() error { return s.Use(w.id, 1) },
		"Unused": func() error { _, err := s.Unused(1, 1); return err },
		"Remove": func() error { return s.Remove(w.id) },
	} {
		if err := f(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", name, err)
		}
	}
}

func testReopen(t *testing.T, s store.Store, reopen func(*testing.T, store.Store) store.Store) {
	w := create(t, s, 1)
	want := [][]string{}
	for i := range 5 {
		contents := []string{fmt.Sprint("a", i), fmt.Sprint("b", i)}
		w.append(contents)
		want = append(want, contents)
		s = reopen(t, s)
		w.s = s
		room, err := s.Room(w.id)
		if err != nil || room.State != w.state {
			t.Fatalf("reopened: got %+v (%v), want %+v", room.State, err, w.state)
		}
		wantLog(t, s, w.id, 1, want...)
		w.notary = notary.New(w.id, wire.GameID{1}, room.Secrets, func() ([]wire.Link, error) { return s.Marks(w.id) })
	}
}
