//go:build !js

package client

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"testing"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// junkSeals signs seals with a key of its own that could each follow a game's newest.
func junkSeals(t *testing.T, s *Session, count int) (seals [][]byte) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s.do(t.Context(), func() {
		base, _ := s.machine.Replica().Seal(s.machine.Replica().Seals())
		for n := range count {
			seal, err := wire.SignSeal(key, wire.Seal{Room: s.keys.ID, Number: base.Number + 1, Prev: base.Hash, Time: base.Time + int64(n), Envelopes: []wire.EnvelopeHash{}})
			if err != nil {
				t.Error(err)
			}
			seals = append(seals, seal.Bytes)
		}
	})
	return seals
}

// loggedSeals counts the seals of a session's log that another than the game's first notary signed.
func loggedSeals(t *testing.T, s *Session) (foreign int) {
	t.Helper()
	s.do(t.Context(), func() {
		first, _ := s.machine.Replica().Seal(1)
		_, err := s.store.readLog(t.Context(), s.Room(), 0, func(item logItem, _, _ int) {
			if seal, err := wire.ParseSeal(item.Bytes); item.Kind == itemSeal && err == nil && seal.Notary != first.Notary {
				foreign++
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	return foreign
}

// A member who sends seals by a key of their own loses the link, and leaves nothing in the log; the game goes on, to
// another relay, too.
func TestJunkSealsEndTheLink(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	_, _, a, b := twoPlayers(t, old)
	far, done := deafPeer(t, a)
	few := junkSeals(t, a, 20)
	for range 20 { // the same ones again are not more
		if err := far.Send(t.Context(), frame(t, wire.Seals{Seals: few})); err != nil {
			t.Fatal(err)
		}
	}
	for range ledger.MaxGuests/20 + 1 {
		if far.Send(t.Context(), frame(t, wire.Seals{Seals: junkSeals(t, a, 20)})) != nil {
			break
		}
	}
	<-done
	if n := loggedSeals(t, a); n != 0 {
		t.Errorf("%d junk seals are in the log", n)
	}
	id, err := b.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	if err := a.Ballot(t.Context(), id, ledger.VerbAssent); err != nil {
		t.Fatal(err)
	}
	until(t, "both are at the new relay", func() bool {
		return a.Net().Relay == RelayConnected && b.Net().Relay == RelayConnected && a.Relay() == b.Relay() && a.Relay() == mustURL(t, next.url())
	})
	until(t, "the new relay's seals are kept", func() bool { return loggedSeals(t, a) > 0 })
}

// A relay that sends seals by keys that nobody has signed for is hung up on, and the player is told why.
func TestRelayWithJunkSealsIsHungUpOn(t *testing.T) {
	_, _, a, _ := twoPlayers(t, startRelay(t))
	seals := junkSeals(t, a, ledger.MaxGuests+1)
	hungUp := false
	a.do(t.Context(), func() {
		conn := a.relay.conn
		a.fromRelay(conn, wire.Seals{Seals: seals[:ledger.MaxGuests]})
		if a.relay.conn != conn {
			t.Error("hung up on before it was too much")
		}
		a.fromRelay(conn, wire.Seals{Seals: seals[ledger.MaxGuests:]})
		hungUp = a.relay.conn == nil
	})
	if !hungUp {
		t.Fatal("nobody hung up")
	}
	until(t, "the player is told", func() bool { return a.Net().Relay != RelayRefused || a.Net().Problem == errGuests.Error() })
	until(t, "it is tried again", func() bool { return a.Net().Relay == RelayConnected })
	if n := loggedSeals(t, a); n != 0 {
		t.Errorf("%d junk seals are in the log", n)
	}
}

// A seal that comes before those who speak for it is in the log once they do.
func TestGuestIsKeptOnceSpokenFor(t *testing.T) {
	old, next := startRelay(t), startRelay(t)
	_, _, a, b := twoPlayers(t, old)
	id, err := b.MoveTo(t.Context(), next.url(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	agree(t, 4, a, b)
	before := int(mustSeals(t, a))
	old.stop()
	if err := a.Ballot(t.Context(), id, ledger.VerbAssent); err != nil { // reaches nobody but the new relay
		t.Fatal(err)
	}
	until(t, "the new relay goes on", func() bool { return int(mustSeals(t, a)) > before-1 && a.Relay() == mustURL(t, next.url()) })
	var first []byte
	var rest [][]byte
	a.do(t.Context(), func() {
		r := a.machine.Replica()
		base := r.Successions()[0].Motion.Base
		seal, _ := r.Seal(base + 1)
		first = seal.Bytes
		for _, h := range seal.Envelopes {
			e, _ := r.Envelope(h)
			rest = append(rest, e)
		}
	})
	b.do(t.Context(), func() {
		if guest, err := b.receiveSeal(first); err != nil || !guest {
			t.Errorf("guest %v, %v", guest, err)
		}
	})
	if n := loggedSeals(t, b); n != 0 {
		t.Errorf("%d seals that nothing speaks for are in the log", n)
	}
	b.do(context.Background(), func() {
		for _, e := range rest {
			_ = b.receiveEnvelope(e, nil)
		}
	})
	until(t, "it is in the log", func() bool { return loggedSeals(t, b) > 0 })
}

func mustSeals(t *testing.T, s *Session) (n uint64) {
	t.Helper()
	if err := s.Do(t.Context(), func(g *game.Game) { n = g.Replica().Seals() }); err != nil {
		t.Fatal(err)
	}
	return n
}
