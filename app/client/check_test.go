//go:build !js

package client

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"peernomic/app/client/judge"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// planted is the log of a game in which the signature of one action, deep in its feed, is bad.
type planted struct {
	secret ledger.RoomSecret
	items  []logItem
	acts   int
	bad    int // number of the act with the bad signature
}

// plant plays a game of so many acts, each sealed, of which one is signed badly. With bad 0, none is.
func plant(t *testing.T, d *device, acts, bad int) planted {
	t.Helper()
	p := planted{secret: ledger.RoomSecret{7}, acts: acts, bad: bad}
	keys := p.secret.Keys()
	dev, err := ledger.NewDevice(constant(5))
	check(t, err)
	id, err := ledger.NewIdentity(constant(6))
	check(t, err)
	pen, err := ledger.NewPen(keys, dev)
	check(t, err)
	notary, err := ledger.NewNotary(keys.ID, [32]byte{1}, 1<<14)
	check(t, err)
	replica := ledger.NewReplica(keys)
	now := int64(1_767_607_200_000)
	add := func(e ledger.Entry, spoil bool) {
		t.Helper()
		var hashes []wire.EnvelopeHash
		for _, b := range e.Envelopes {
			_, err := replica.AddEnvelope(b)
			check(t, err)
			if spoil {
				signed := slices.Clone(e.Action.Bytes())
				signed[len(signed)-1] ^= 1
				b = sealRaw(t, p.secret, signed)
			}
			p.items = append(p.items, logItem{Kind: itemEnvelope, Bytes: b})
			hashes = append(hashes, wire.HashEnvelope(b))
		}
		s, err := notary.Seal(now, hashes)
		check(t, err)
		p.items = append(p.items, logItem{Kind: itemSeal, Bytes: s.Bytes})
		now += 1000
	}
	e, err := pen.Found(id, "Ana", ledger.Genesis{
		Kernel: game.Kernel, Title: "Planted", Notary: notary.Key(), Anchor: notary.Anchor(), Dice: ledger.DiceBeacon,
		Ruleset: []ledger.Document{{Path: "1-core/01-all.md", Text: witnessRules}},
	}, now)
	check(t, err)
	add(e, false)
	for n := 1; n <= acts; n++ {
		body, err := game.EncodeAct("Dig", nil)
		check(t, err)
		e, err := pen.Write(replica.Position(dev.Key()), ledger.KindAct, body, now)
		check(t, err)
		add(e, n == bad)
	}
	d.open()
	check(t, d.hub.addGame(t.Context(), roomRecord{Secret: p.secret, Title: "Planted"}, p.items, nil))
	return p
}

// judgedFirst is the game as it is when every signature is judged before anything else.
func (p planted) judgedFirst(t *testing.T) *game.Game {
	g := game.New(p.secret.Keys())
	for _, item := range p.items {
		if item.Kind == itemSeal {
			check(t, g.ReceiveSeal(item.Bytes))
		} else {
			_, _ = g.Receive(item.Bytes) // one of them is refused
		}
	}
	g.Advance(time.Now().UnixMilli())
	return g
}

// constant is a source of one byte.
type constant byte

func (c constant) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sealRaw makes the envelope of what is no action, as SPEC.md, section 3, says.
func sealRaw(t *testing.T, secret ledger.RoomSecret, data []byte) []byte {
	t.Helper()
	derive := func(label string) []byte {
		key, err := hkdf.Key(sha256.New, secret[:], nil, label, 32)
		check(t, err)
		return key
	}
	size := 256
	for size < 77+37+len(data) {
		size *= 2
	}
	plain := make([]byte, size-77)
	plain[32] = byte(ledger.ContentAction)
	binary.BigEndian.PutUint32(plain[33:], uint32(len(data)))
	copy(plain[37:], data)
	id := secret.Keys().ID
	head := append(append([]byte{1}, id[:]...), 0, 0, 0, 0)
	mac := hmac.New(sha256.New, derive("peernomic/room/nonce/v1"))
	mac.Write(head)
	mac.Write(plain)
	nonce := mac.Sum(nil)[:24]
	head = append(head, nonce...)
	box, err := chacha20poly1305.NewX(derive("peernomic/room/envelope/v1"))
	check(t, err)
	return box.Seal(head, nonce, plain, head)
}

// The game opens on its newest signatures. One that is bad, deep in a feed, is found while it is
// already shown; until then nothing is signed or exported; and then the replica is what it is when
// all is judged first, on this start and the next.
func TestBadSignatureDeepInAFeedIsFound(t *testing.T) {
	d := newPlayer(t, "Ana")
	d.network = nil
	p := plant(t, d, 600, 40)
	want := p.judgedFirst(t)
	wantSeal, wantDigest := want.Confirmed()
	if n := len(want.Replica().Placed()); n != p.bad {
		t.Fatalf("%d actions have a place when all is judged first, want %d", n, p.bad)
	}

	hold, asked := make(chan struct{}), 0
	j := judge.New()
	d.hub.config.judge = func(ctx context.Context, claims []wire.Claim) ([]bool, error) {
		<-hold
		asked += len(claims)
		return j.All(ctx, claims)
	}
	s := d.session(p.secret.Keys().ID)
	var placed int
	check(t, s.Do(t.Context(), func(g *game.Game) { placed = len(g.Replica().Placed()) }))
	if status := s.Net(); placed != p.acts+1 || status.Checking == nil || status.Checking.Total != 2*p.acts+2 {
		t.Fatalf("%d actions are shown at once, checking %+v", placed, status.Checking)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Export(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an export before all is judged: %v", err)
	}
	if err := s.do(t.Context(), func() {
		if err := s.guard(); !errors.Is(err, ErrUnchecked) {
			t.Errorf("signing before all is judged: %v", err)
		}
		if have := s.whatWeHave(); have.Digest != ([32]byte{}) {
			t.Error("a digest is told before all is judged")
		}
	}); err != nil {
		t.Fatal(err)
	}

	close(hold)
	same := func(s *Session) {
		t.Helper()
		until(t, "all is judged", func() bool { return s.Net().Checking == nil })
		check(t, s.Do(t.Context(), func(g *game.Game) {
			seal, digest := g.Confirmed()
			if len(g.Replica().Placed()) != p.bad || seal != wantSeal || digest != wantDigest {
				t.Errorf("%d actions have a place, seal %d and digest %x; want %d, %d, %x", len(g.Replica().Placed()), seal, digest, p.bad, wantSeal, wantDigest)
			}
		}))
		if n := s.Net().BadSignatures; n != 1 {
			t.Errorf("%d bad signatures are told of", n)
		}
	}
	same(s)
	if asked != 2*p.acts+2 {
		t.Errorf("%d signatures were judged, want %d", asked, 2*p.acts+2)
	}
	if _, err := s.Export(t.Context()); err != nil {
		t.Error(err)
	}
	d.restart()
	same(d.session(p.secret.Keys().ID))
}

// A bad signature among the newest is found before anything is shown.
func TestBadNewestSignatureIsNeverShown(t *testing.T) {
	d := newPlayer(t, "Ana")
	d.network = nil
	p := plant(t, d, 100, 100)
	d.hub.config.judge = func(ctx context.Context, claims []wire.Claim) ([]bool, error) {
		return nil, fmt.Errorf("nothing else is judged: %w", errors.Join(ctx.Err()))
	}
	s := d.session(p.secret.Keys().ID)
	check(t, s.Do(t.Context(), func(g *game.Game) {
		if n := len(g.Replica().Placed()); n != p.acts {
			t.Errorf("%d actions are shown, want %d", n, p.acts)
		}
	}))
}

// What a game has is judged, if nothing is bad, and then it can be played.
func TestGoodGameIsCheckedAndPlayed(t *testing.T) {
	d := newPlayer(t, "Ana")
	d.network = nil
	p := plant(t, d, 20, 0)
	s := d.session(p.secret.Keys().ID)
	until(t, "all is judged", func() bool { return s.Net().Checking == nil })
	if n := s.Net().BadSignatures; n != 0 {
		t.Errorf("%d bad signatures", n)
	}
	check(t, s.do(t.Context(), func() {
		if err := s.guard(); err != nil {
			t.Error(err)
		}
	}))
}

// What a second tab hands over while the first one still judges is done when that is over.
func TestSecondTabWaitsForTheCheck(t *testing.T) {
	d := newPlayer(t, "Ana")
	d.network = nil
	p := plant(t, d, 100, 0)
	hold := make(chan struct{})
	j := judge.New()
	d.hub.config.judge = func(ctx context.Context, claims []wire.Claim) ([]bool, error) {
		<-hold
		return j.All(ctx, claims)
	}
	first := d.session(p.secret.Keys().ID)
	reader := d.tab(d.tabs).session(p.secret.Keys().ID)
	until(t, "the second tab has judged all by itself", func() bool { return reader.Net().Checking == nil })
	answer := make(chan error, 1)
	go func() {
		_, err := reader.write(t.Context(), ledger.KindTick, []byte{})
		answer <- err
	}()
	until(t, "the first tab has been asked", func() bool { return first.Net().Checking != nil && len(reader.forwardsNow()) == 1 })
	close(hold)
	// The device has no part in this game, which is what the answer says once there is one.
	if err := <-answer; err == nil || err.Error() != ErrNotIntroduced.Error() {
		t.Errorf("the answer: %v", err)
	}
}

func (s *Session) forwardsNow() (ids [][16]byte) {
	s.do(context.Background(), func() {
		for id := range s.forwards {
			ids = append(ids, id)
		}
	})
	return ids
}
