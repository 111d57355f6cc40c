package direct

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"peernomic/engine/wire"
)

// linked returns the two ends of a link over real WebRTC.
func linked(t *testing.T) (Link, Link) {
	t.Helper()
	needsWebRTC(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	network := NewWebRTC(nil)
	a, offer, err := network.Offer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, answer, err := network.Answer(ctx, offer)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Accept(answer); err != nil {
		t.Fatal(err)
	}
	linkA, err := a.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	linkB, err := b.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { linkA.Close(); linkB.Close() })
	return linkA, linkB
}

func TestWebRTCFramesArriveWholeAndInOrder(t *testing.T) {
	a, b := linked(t)
	const count = 200
	sent := make(chan error, 1)
	go func() {
		for i := range count {
			frame := binary.BigEndian.AppendUint32(nil, uint32(i))
			if i%20 == 0 {
				frame = append(frame, make([]byte, wire.MaxFrame-4)...)
			}
			if err := a.Send(t.Context(), frame); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for i := range count {
		frame, err := b.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := binary.BigEndian.Uint32(frame); got != uint32(i) {
			t.Fatalf("frame %d arrived in place of frame %d", got, i)
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
}

func TestWebRTCBothWays(t *testing.T) {
	a, b := linked(t)
	for _, step := range []struct{ from, to Link }{{a, b}, {b, a}} {
		if err := step.from.Send(t.Context(), []byte("hello")); err != nil {
			t.Fatal(err)
		}
		got, err := step.to.Receive(t.Context())
		if err != nil || !bytes.Equal(got, []byte("hello")) {
			t.Fatalf("got %q, %v", got, err)
		}
	}
}

func TestWebRTCClosingEndsBothSides(t *testing.T) {
	a, b := linked(t)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Send(t.Context(), []byte("x")); !errors.Is(err, ErrClosed) {
		t.Errorf("send on a closed link: %v", err)
	}
	if _, err := b.Receive(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("receive after the other side closed: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

func TestWebRTCBadChunkEndsTheLink(t *testing.T) {
	a, b := linked(t)
	if err := a.(*channel).peer.send([]byte("no chunk of ours")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Receive(t.Context()); !errors.Is(err, ErrChunk) {
		t.Errorf("got %v", err)
	}
}

func TestWebRTCBadDescriptions(t *testing.T) {
	needsWebRTC(t)
	network := NewWebRTC(nil)
	for _, offer := range []string{"", "nonsense", "v=0\r\n"} {
		if p, _, err := network.Answer(t.Context(), offer); err == nil {
			p.Close()
			t.Errorf("offer %q was answered", offer)
		}
	}
	p, _, err := network.Offer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Accept("nonsense"); err == nil {
		t.Error("nonsense was accepted as an answer")
	}
}
