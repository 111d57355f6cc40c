//go:build js

package client

import (
	"context"
	"fmt"
	"peernomic/app/client/journal"
	"syscall/js"
	"testing"
	"time"

	"peernomic/app/client/direct"
	"peernomic/app/client/disk"
	"peernomic/app/client/tabs"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rulesets"
	"peernomic/engine/wire"
)

// Two devices in one page, with everything real: databases, locks, the relay over a
// WebSocket, links over the browser's WebRTC.

func needsBrowser(t *testing.T) string {
	t.Helper()
	location := js.Global().Get("location")
	if !location.Truthy() {
		t.Skip("no browser")
	}
	return location.Get("origin").String()
}

// realDisk is the browser's database, or memory where there is none.
func realDisk(tb testing.TB) disk.Disk {
	tb.Helper()
	if !js.Global().Get("indexedDB").Truthy() {
		return &disk.Memory{}
	}
	if err := disk.DeleteIndexedDB(tb.Context(), "peernomic-benchmark"); err != nil {
		tb.Fatal(err)
	}
	d, err := disk.OpenIndexedDB(tb.Context(), "peernomic-benchmark")
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// watchPage watches for how long nothing else is done in the page, until the longest such time is asked for.
func watchPage() (longest func() time.Duration) {
	js.Global().Call("eval", `globalThis.watched = { longest: 0, last: performance.now() };
		watched.timer = setInterval(() => { const now = performance.now(); watched.longest = Math.max(watched.longest, now - watched.last); watched.last = now; }, 1);`)
	return func() time.Duration {
		ms := js.Global().Call("eval", `clearInterval(watched.timer); watched.longest`).Float()
		return time.Duration(ms * float64(time.Millisecond))
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func openNamed(t *testing.T, name string) *Hub {
	t.Helper()
	identity, err := disk.OpenIndexedDB(t.Context(), name+"-identity")
	if err != nil {
		t.Fatal(err)
	}
	games, err := disk.OpenIndexedDB(t.Context(), name+"-games")
	if err != nil {
		t.Fatal(err)
	}
	hub, err := OpenHub(t.Context(), Config{Identity: identity, Games: games, Tabs: prefixed{name}, Network: direct.NewWebRTC(nil), Program: "tests"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	return hub
}

// prefixed keeps the locks of two devices in one browser apart.
type prefixed struct{ name string }

func (p prefixed) Lock(ctx context.Context, name string) (func(), error) {
	return tabs.Browser{}.Lock(ctx, p.name+name)
}

func (p prefixed) TryLock(ctx context.Context, name string) (func(), bool, error) {
	return tabs.Browser{}.TryLock(ctx, p.name+name)
}

func (p prefixed) Open(name string) (tabs.Channel, error) { return tabs.Browser{}.Open(p.name + name) }

func foundDragons(t *testing.T, hub *Hub, relay string) wire.RoomID {
	t.Helper()
	docs, err := rulesets.Load("dragons")
	if err != nil {
		t.Fatal(err)
	}
	f := Founding{Title: "Dragons", Name: "Ana", Relay: relay}
	for _, d := range docs {
		f.Ruleset = append(f.Ruleset, ledger.Document{Path: d.Path, Text: d.Text})
	}
	room, err := hub.Found(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return room
}

func open(t *testing.T, hub *Hub, room wire.RoomID) *Session {
	t.Helper()
	s, err := hub.Open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func confirmed(t *testing.T, s *Session) string {
	t.Helper()
	var text string
	if err := s.Do(t.Context(), func(g *game.Game) {
		seal, digest := g.Confirmed()
		text = fmt.Sprintf("%d %x", seal, digest)
	}); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBrowserPlaysWithAnother(t *testing.T) {
	origin := needsBrowser(t)
	ana, bo := openNamed(t, "ana"), openNamed(t, "bo")
	a := open(t, ana, foundDragons(t, ana, origin))
	until(t, "the founder plays", func() bool { return a.Me() != 0 })
	room, err := bo.Join(t.Context(), a.Invite(), "Bo")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, bo, room)
	until(t, "the newcomer is known", func() bool { return b.Me() != 0 && a.Net().Synced })
	for _, s := range []*Session{a, b} {
		until(t, "they are linked", func() bool {
			n := s.Net()
			return len(n.Peers) == 1 && n.Peers[0].Path == PathDirect && n.Peers[0].Proven
		})
	}
	if _, err := b.Act(t.Context(), "Introduce yourself", map[string]any{"name": "Bo"}); err != nil {
		t.Fatal(err)
	}
	// The relay may be faster, but not always.
	until(t, "something came directly", func() bool {
		if a.Net().EnvelopesDirect > 0 {
			return true
		}
		if _, err := b.Act(t.Context(), "No such action", nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		return false
	})
	until(t, "the states are the same", func() bool { return confirmed(t, a) == confirmed(t, b) && b.Net().Synced })

	// Everything is there again after the page is loaded anew.
	before := confirmed(t, b)
	if err := bo.Close(); err != nil {
		t.Fatal(err)
	}
	bo = openNamed(t, "bo")
	b = open(t, bo, room)
	if got := confirmed(t, b); got != before {
		t.Errorf("after opening again: %s, before: %s", got, before)
	}
	games, err := bo.Games(t.Context())
	if err != nil || len(games) != 1 || games[0].Title != "Dragons" {
		t.Errorf("games %+v, %v", games, err)
	}
}

func TestBrowserHandsOver(t *testing.T) {
	needsBrowser(t)
	first, second := openNamed(t, "shared"), openNamed(t, "shared")
	if first.Identity().Key() != second.Identity().Key() {
		t.Fatal("two tabs made two identities")
	}
	room := foundDragons(t, first, "")
	writer, reader := open(t, first, room), open(t, second, room)
	until(t, "the reader follows", func() bool { n := reader.Net(); return n.CanWrite && !n.Writer })
	id, err := reader.Act(t.Context(), "Post", map[string]any{"title": "Hello"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Session{writer, reader} {
		until(t, "both have the action", func() bool {
			found := false
			if err := s.Do(t.Context(), func(g *game.Game) { _, found = g.Replica().Action(id) }); err != nil {
				t.Fatal(err)
			}
			return found
		})
	}
	writer.Close()
	until(t, "the reader takes over", func() bool { return reader.Net().Writer })
	if _, err := reader.Act(t.Context(), "Post", map[string]any{"title": "Hello again"}); err != nil {
		t.Fatal(err)
	}
}

// The snapshot of a game is kept in the browser's database and gone on from.
func TestBrowserGoesOnFromSnapshot(t *testing.T) {
	needsBrowser(t)
	secret, id, items := longGame(t, 200)
	room := secret.Keys().ID
	hub := openNamed(t, "keeper")
	if err := hub.addGame(t.Context(), journal.Room{Secret: secret, Game: id, Title: "Long"}, items, nil); err != nil {
		t.Fatal(err)
	}
	s := open(t, hub, room)
	before := confirmed(t, s)
	hub.keepSnapshots() // as when the page is hidden
	key := "snapshot/" + room.String()
	until(t, "the snapshot is kept", func() bool { _, ok, err := hub.journal.Games.Get(t.Context(), key); return ok && err == nil })
	if err := hub.Close(); err != nil {
		t.Fatal(err)
	}
	hub = openNamed(t, "keeper")
	s = open(t, hub, room)
	if err := s.do(t.Context(), func() {
		if s.room.SnapshotOf() != 200 {
			t.Errorf("began with %d actions", s.room.SnapshotOf())
		}
	}); err != nil {
		t.Fatal(err)
	}
	if got := confirmed(t, s); got != before {
		t.Errorf("%s, before: %s", got, before)
	}
}
