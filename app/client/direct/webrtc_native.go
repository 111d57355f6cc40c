//go:build !js

package direct

import (
	"context"

	"github.com/pion/webrtc/v3"
)

// peer is pion's side of a WebRTC connection, with the connection's one data channel.
type peer struct {
	pc *webrtc.PeerConnection
	dc *webrtc.DataChannel
}

// newPeer begins a connection that tells the channel what happens to it.
func newPeer(servers []string, c *channel) (*peer, error) {
	var settings webrtc.SettingEngine
	// Several members on one machine, without any network, link up too.
	settings.SetIncludeLoopbackCandidate(true)
	var config webrtc.Configuration
	if len(servers) > 0 {
		config.ICEServers = []webrtc.ICEServer{{URLs: servers}}
	}
	pc, err := webrtc.NewAPI(webrtc.WithSettingEngine(settings)).NewPeerConnection(config)
	if err != nil {
		return nil, err
	}
	ordered, negotiated, id := true, true, streamID
	dc, err := pc.CreateDataChannel(label, &webrtc.DataChannelInit{Ordered: &ordered, Negotiated: &negotiated, ID: &id})
	if err != nil {
		_ = pc.Close() // the first error is the one to tell
		return nil, err
	}
	dc.SetBufferedAmountLowThreshold(lowWater)
	dc.OnBufferedAmountLow(func() { poke(c.drained) })
	dc.OnOpen(c.opened)
	dc.OnClose(func() { c.fail(ErrClosed) })
	dc.OnMessage(func(m webrtc.DataChannelMessage) { c.take(m.Data) })
	pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		if s == webrtc.PeerConnectionStateFailed || s == webrtc.PeerConnectionStateClosed {
			c.fail(ErrClosed)
		}
	})
	return &peer{pc: pc, dc: dc}, nil
}

// offer makes an offer the local description, which begins the search for addresses.
func (p *peer) offer(context.Context) error {
	d, err := p.pc.CreateOffer(nil)
	if err != nil {
		return err
	}
	return p.pc.SetLocalDescription(d)
}

// answer takes an offer and makes the answer the local description.
func (p *peer) answer(_ context.Context, offer string) error {
	if err := p.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		return err
	}
	d, err := p.pc.CreateAnswer(nil)
	if err != nil {
		return err
	}
	return p.pc.SetLocalDescription(d)
}

// accept takes the answer to the offer.
func (p *peer) accept(answer string) error {
	return p.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer})
}

// gathered is closed when all addresses are found.
func (p *peer) gathered() <-chan struct{} { return webrtc.GatheringCompletePromise(p.pc) }

// description is the local one, with the addresses found so far.
func (p *peer) description() string { return p.pc.LocalDescription().SDP }

func (p *peer) send(chunk []byte) error { return p.dc.Send(chunk) }

// buffered counts the bytes that wait to be sent.
func (p *peer) buffered() uint64 { return p.dc.BufferedAmount() }

func (p *peer) close() {
	// The link is of no use any more, whatever these report.
	_ = p.dc.Close()
	_ = p.pc.Close()
}
