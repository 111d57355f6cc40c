package client

import (
	"context"
	"crypto/rand"
	"errors"
	"reflect"
	"time"

	"peernomic/app/client/direct"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

const (
	// announceAfter gathers changes before peers are told of them.
	announceAfter = 150 * time.Millisecond
	// askAgain is how long a want that brought nothing counts as under way. Once everything was
	// asked for in vain, the next waits for askSeldom.
	askAgain  = 5 * time.Second
	askSeldom = time.Minute
	// haveAgain is when a peer is told what we have though nothing has changed. A link loses
	// nothing, and who lacks something asks by itself, so nothing is known that this mends: it
	// bounds for how long a mistake of either program can keep two devices apart.
	haveAgain = 5 * time.Minute
	// A peer that sends more messages a second, or more refused things, than these
	// does not keep to the protocol. Its link is ended.
	maxMessages = 2000
	maxRefused  = 32
	// answerSeals is how many seals one answer to a want carries.
	answerSeals = 64
)

// ErrOffline reports that the relay cannot be reached now.
var ErrOffline = errors.New("the relay cannot be reached")

// peer is another member with a link to this one.
type peer struct {
	member direct.Member
	link   direct.Link
	out    chan wire.Message
	hangUp func() // ends the link; does not wait for it

	have     *wire.Have // what it last said it has
	told     wire.Have  // what it was last told that we have
	toldAt   time.Time
	asked    time.Time // when it was last asked for what is missing; zero if that brought something
	gained   bool      // something new came from it since
	back     uint64    // how much earlier in all feeds it is asked, because asking brought nothing
	owed     []wire.EnvelopeHash
	refused  int
	blamed   map[wire.EnvelopeHash]bool // refused envelopes that it sent, until it is clear whether a seal names them
	messages int
	second   time.Time
	checked  wire.SealHash // the newest seal whose chain was compared with ours, and
	backTo   uint64        // from where
	greeted  bool          // this device has shown the peer which one it is
	hello    *wire.Hello   // waits for the peer's enrolment
	proven   bool          // the peer has shown that it is the device on its card
	warned   accusation    // the proof that it knows, that the notary signed two chains
}

func (s *Session) newMesh() *direct.Mesh {
	return direct.NewMesh(direct.Config{
		Self:    s.instance,
		Card:    s.card(),
		Network: s.config.Network,
		Send:    s.sendNote,
		Serve:   s.servePeer,
		Changed: func() { s.post(func() {}) }, // settling publishes the members
	})
}

// sendNote passes a note of the mesh through the relay, encrypted for the room.
func (s *Session) sendNote(ctx context.Context, to wire.PeerID, note []byte) error {
	data, err := s.keys.EncryptSignal(note, rand.Reader)
	if err != nil {
		return err
	}
	offline := false
	err = s.do(ctx, func() {
		offline = s.relay.conn == nil
		s.toRelay(wire.Signal{Peer: to, Data: data})
	})
	if err == nil && offline {
		err = ErrOffline
	}
	return err
}

// servePeer uses a link until it ends.
func (s *Session) servePeer(ctx context.Context, m direct.Member, link direct.Link) {
	p := &peer{member: m, link: link, out: make(chan wire.Message, outQueue)}
	p.hangUp = func() { s.config.aside(func() { _ = link.Close() }) }
	if !s.post(func() { s.peerCame(p) }) {
		return
	}
	defer s.post(func() { s.peerLeft(p) })
	sent := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer func() { cancel(); <-sent }()
	go func() {
		defer close(sent)
		p.sendAll(ctx)
	}()
	for {
		frame, err := link.Receive(ctx)
		var m wire.Message
		if err == nil {
			m, err = wire.DecodeMessage(frame)
		}
		if errors.Is(err, direct.ErrChunk) || errors.Is(err, wire.ErrMessage) {
			s.post(func() { s.turnAway(garbled) })
		}
		if err != nil {
			return // whoever sends what is no message does not get another chance
		}
		if !s.post(func() { s.fromPeer(p, m) }) {
			return
		}
	}
}

func (p *peer) sendAll(ctx context.Context) {
	for {
		select {
		case m := <-p.out:
			frame, err := wire.EncodeMessage(m)
			if err == nil {
				err = p.link.Send(ctx, frame)
			}
			if err != nil {
				_ = p.link.Close() // Receive tells the rest
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// send queues a message. A peer that does not keep up loses its link.
func (p *peer) send(m wire.Message) {
	select {
	case p.out <- m:
	default:
		p.hangUp()
	}
}

func (s *Session) peerCame(p *peer) {
	if old := s.peers[p.member.Instance]; old != nil {
		old.hangUp()
	}
	s.peers[p.member.Instance] = p
	s.greet(p)
	s.tell(p, s.whatWeHave())
	s.tellProof(p)
}

// tell tells a peer what we have.
func (s *Session) tell(p *peer, have wire.Have) {
	p.told, p.toldAt = have, s.config.steady()
	p.send(have)
}

func (s *Session) peerLeft(p *peer) {
	if s.peers[p.member.Instance] == p {
		delete(s.peers, p.member.Instance)
	}
}

// whatWeHave describes the replica as far as its state has a digest.
func (s *Session) whatWeHave() wire.Have {
	replica := s.game.Replica()
	number, digest := s.config.confirmed(s.game)
	seal, _ := replica.Seal(number)
	return wire.Have{Seals: number, SealHash: seal.Hash, Digest: digest, Feeds: replica.Feeds()}
}

// tellPeers announces what changed, a little later, so that a burst is one message.
func (s *Session) tellPeers() {
	if !s.announce || len(s.peers) == 0 || s.announcing {
		return
	}
	s.announcing = true
	s.config.later(announceAfter, func() {
		s.post(func() {
			s.announce, s.announcing = false, false
			have := s.whatWeHave()
			for _, p := range s.peers {
				s.greetAgain(p)
				if !reflect.DeepEqual(have, p.told) || s.config.since(p.toldAt) >= haveAgain {
					s.tell(p, have)
				}
				s.tellProof(p)
			}
		})
	})
}

// push sends own envelopes to every peer at once.
func (s *Session) push(envelopes [][]byte) {
	for _, p := range s.peers {
		p.sendEnvelopes(envelopes)
	}
}

func (p *peer) sendEnvelopes(envelopes [][]byte) {
	for len(envelopes) > 0 {
		count, size := 0, 0
		for count < len(envelopes) && count < wire.MaxBatch && (count == 0 || size+len(envelopes[count]) <= frameBytes) {
			size += len(envelopes[count])
			count++
		}
		p.send(wire.Envelopes{Envelopes: envelopes[:count]})
		envelopes = envelopes[count:]
	}
}

// fromPeer carries out one message of a peer. Nothing in it is trusted: envelopes and
// seals prove themselves, and the rest only asks or informs.
func (s *Session) fromPeer(p *peer, m wire.Message) {
	if s.peers[p.member.Instance] != p || !p.allowed(s.config.steady()) {
		return
	}
	switch m.(type) {
	case wire.Envelopes, wire.Seals:
	default:
		p.blame()
	}
	turns := s.config.turns()
	switch m := m.(type) {
	case wire.Hello:
		s.recognise(p, m)
	case wire.Have:
		p.have = &m
		if p.gained {
			p.gained, p.asked, p.back = false, time.Time{}, 0
		}
		s.compare(p)
		s.noteHeld(p)
		s.ask(p)
	case wire.Want:
		s.answer(p, m)
	case wire.Envelopes:
		before := len(s.fresh)
		for _, e := range m.Envelopes {
			if err := s.receiveEnvelope(e, p); isFault(err) && s.mayBeSealed(e) {
				p.suspect(e)
			} else {
				p.judge(err)
			}
			turns.pause()
		}
		p.gained = p.gained || len(s.fresh) > before
	case wire.Seals:
		if proof, ok := proofIn(m); ok {
			err := s.receiveProof(proof)
			s.turnAway(err)
			p.judge(err)
			return
		}
		before := len(s.fresh)
		for _, b := range m.Seals {
			err := s.receiveSeal(b)
			p.judge(err)
			if !isFault(err) {
				p.excuse(b)
			}
			turns.pause()
		}
		p.blame()
		p.gained = p.gained || len(s.fresh) > before
	case wire.Ack:
		for _, h := range m.Hashes {
			if o := s.outgoing[h]; o != nil && p.proven {
				o.peers = true
			}
		}
	default:
		s.turnAway(unexpected)
		p.hangUp() // devices send each other nothing else
	}
}

func (p *peer) allowed(now time.Time) bool {
	if now.Sub(p.second) > time.Second {
		p.second, p.messages = now, 0
	}
	p.messages++
	if p.messages > maxMessages {
		p.hangUp()
		return false
	}
	return true
}

// judge notes that a peer sent what is refused.
func (p *peer) judge(err error) {
	if isFault(err) {
		p.count(1)
	}
}

// count counts what a peer sent that is refused, and ends the link when that is too much.
func (p *peer) count(refused int) {
	if p.refused += refused; p.refused >= maxRefused {
		p.hangUp()
	}
}

// isFault reports whether what a peer sent was refused for what is its fault. Seals that do not fit together are not:
// the notary alone can sign them. Nor is what belongs to a rival game: the peer may not know better yet.
func isFault(err error) bool {
	switch ledger.CodeOf(err) {
	case ledger.CodeNotaryFork, ledger.CodeSealPrev, ledger.CodeGenesis, ledger.CodeGame, ledger.CodeDepends:
		return false
	}
	return err != nil
}

// mayBeSealed reports whether a relay seals an envelope, whatever it holds.
func (s *Session) mayBeSealed(envelope []byte) bool {
	e, err := wire.ParseEnvelope(envelope)
	return err == nil && e.Room == s.keys.ID
}

// suspect notes that a peer sent an envelope that is refused: it is the peer's fault, unless a seal that comes with it names it.
func (p *peer) suspect(envelope []byte) {
	h := wire.HashEnvelope(envelope)
	switch {
	case p.blamed[h]:
		p.count(1)
	case len(p.blamed) == wire.MaxSealEnvelopes:
		p.blame() // more than the next seal can name
	case p.blamed == nil:
		p.blamed = map[wire.EnvelopeHash]bool{h: true}
	default:
		p.blamed[h] = true
	}
}

// excuse takes back the blame for envelopes that a seal names, in whichever order of the notary: they were asked for with it.
func (p *peer) excuse(seal []byte) {
	s, err := wire.ParseSeal(seal)
	if err != nil {
		return // it was judged
	}
	for _, h := range s.Envelopes {
		delete(p.blamed, h)
	}
}

// blame notes that a peer sent envelopes that are refused and that the seal which came with them does not name.
func (p *peer) blame() {
	p.count(len(p.blamed))
	clear(p.blamed)
}

// noteHeld finds out from a peer's feeds that it holds this device's newest action. A
// stranger's word does not count.
func (s *Session) noteHeld(p *peer) {
	if p.have == nil || !p.proven {
		return
	}
	mine := s.device.Key()
	for _, f := range p.have.Feeds {
		if f.Device == [32]byte(mine) {
			s.heldByPeers = max(s.heldByPeers, f.Seq)
		}
	}
}

// ask asks a peer for what it has and this device has not. If that brings nothing, it may
// be that a third device forked its feed and each of us has another branch: numbers do not
// show that. Then it is asked again for ever older actions, until what is missing is found.
func (s *Session) ask(p *peer) {
	patience := askAgain
	if p.back == wire.MaxBatch {
		patience = askSeldom
	}
	if s.config.since(p.asked) < patience {
		return
	}
	replica := s.game.Replica()
	feeds := replica.Feeds()
	if p.have.Seals <= replica.OrderedSeals() && !lacks(feeds, p.have.Feeds) {
		return
	}
	if !p.asked.IsZero() {
		p.back = min(max(2*p.back, 1), wire.MaxBatch)
	}
	for i := range feeds {
		feeds[i].Seq -= min(p.back, feeds[i].Seq)
	}
	p.asked = s.config.steady()
	p.send(wire.Want{FromSeal: replica.OrderedSeals() + 1, Feeds: feeds})
}

// askOn asks those again whom asking brought nothing.
func (s *Session) askOn() {
	for _, p := range s.peers {
		if !p.asked.IsZero() {
			s.ask(p)
		}
	}
}

// lacks reports whether other feeds go beyond mine.
func lacks(mine, other []wire.FeedPosition) bool {
	has := make(map[[32]byte]uint64, len(mine))
	for _, f := range mine {
		has[f.Device] = f.Seq
	}
	for _, f := range other {
		if f.Seq > has[f.Device] {
			return true
		}
	}
	return false
}

// parted reports whether a peer has another chain than ours, by a notary that has signed two: then our seals do not
// follow its own, and what it lacks does not come with them.
func (s *Session) parted(p *peer) bool {
	if p.have == nil {
		return false
	}
	mine, ok := s.game.Replica().Seal(p.have.Seals)
	return ok && mine.Hash != p.have.SealHash
}

// answer sends a peer one batch of what it lacks, and then what we have, so that it
// asks again if that was not all.
func (s *Session) answer(p *peer, m wire.Want) {
	replica := s.game.Replica()
	size, sent := 0, false
	for _, seal := range replica.SealsFrom(m.FromSeal, answerSeals) {
		if seal.Number > replica.OrderedSeals() || (sent && size > frameBytes) {
			break
		}
		var envelopes [][]byte
		for _, h := range seal.Envelopes {
			if b, ok := replica.Envelope(h); ok {
				envelopes = append(envelopes, b)
				size += len(b)
			}
		}
		p.sendEnvelopes(envelopes)
		p.send(wire.Seals{Seals: [][]byte{seal.Bytes}})
		sent = true
	}
	if !sent || s.parted(p) {
		p.sendEnvelopes(replica.EnvelopesAfter(m.Feeds, wire.MaxBatch))
	}
	s.tell(p, s.whatWeHave())
}
