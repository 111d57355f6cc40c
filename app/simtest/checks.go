package simtest

import (
	"math/rand/v2"
	"slices"
	"time"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	kernel "peernomic/engine/rules"
	"peernomic/engine/wire"
)

// checks is what everybody was promised so far, and what must hold.
type checks struct {
	w    *World
	acts int

	order    []placed                 // the one order, as far as anybody has it
	counted  map[used]ledger.ActionID // which action with a number counts
	looked   map[string]int           // how much of it each device was compared with, in this life
	lives    map[string]uint64
	actions  map[string][]ledger.ActionID              // what each hand called done
	acked    [chainsOfWorld]map[wire.EnvelopeHash]bool // what the relay acknowledged, by chain
	seals    [chainsOfWorld]map[uint64]wire.SealHash   // what it showed, by chain
	vouched  map[string]map[wire.EnvelopeHash]bool     // what it acknowledged to others
	split    bool                                      // the notary has two chains
	parting  uint64                                    // their last common seal
	refusals map[wire.EnvelopeHash]ledger.Code         // how the crook's garbage is to be refused
	forks    []forked
	saw      map[ledger.ActionID][]ledger.ActionID // what a device had before it acted
	hasty    map[ledger.ActionID]bool              // done by a device whose clock was far ahead
	ordered  map[string]uint64                     // how many seals each hand had in order
	asked    map[string]asked                      // how often each hand asked for the end of a wait
}

// placed is one place in the order.
type placed struct {
	action ledger.ActionID
	seal   uint64
	time   int64
	void   ledger.Code
}

// used is a number that a device used.
type used struct {
	device ledger.DeviceKey
	seq    uint64
}

// forked is a number that the crook used twice.
type forked struct {
	seq       uint64
	envelopes [2]wire.EnvelopeHash
}

func newChecks(w *World) *checks {
	c := &checks{
		w: w, looked: map[string]int{}, lives: map[string]uint64{}, counted: map[used]ledger.ActionID{},
		actions: map[string][]ledger.ActionID{}, vouched: map[string]map[wire.EnvelopeHash]bool{},
		refusals: map[wire.EnvelopeHash]ledger.Code{}, hasty: map[ledger.ActionID]bool{},
		saw: map[ledger.ActionID][]ledger.ActionID{}, asked: map[string]asked{}, ordered: map[string]uint64{},
	}
	for i := range chainsOfWorld {
		c.acked[i] = map[wire.EnvelopeHash]bool{}
		c.seals[i] = map[uint64]wire.SealHash{}
	}
	return c
}

// acknowledged notes what the relay promises.
func (c *checks) acknowledged(chain int, hashes []wire.EnvelopeHash) {
	for _, h := range hashes {
		c.acked[chain][h] = true
	}
}

// acknowledgedAll reports whether the first relay promised all of these.
func (c *checks) acknowledgedAll(envelopes [][]byte) bool {
	for _, e := range envelopes {
		if !c.acked[firstChain][wire.HashEnvelope(e)] {
			return false
		}
	}
	return true
}

// said notes what a device promises to another.
func (c *checks) said(from, to string, m wire.Message) {
	ack, ok := m.(wire.Ack)
	if !ok || to == relayName {
		return
	}
	self := c.w.hand(from).name
	if c.vouched[self] == nil {
		c.vouched[self] = map[wire.EnvelopeHash]bool{}
	}
	for _, h := range ack.Hashes {
		c.vouched[self][h] = true
	}
}

// done notes that a device called an action done. It will count, unless the device's clock is
// far ahead and it has not heard the relay's since.
func (c *checks) done(name string, id ledger.ActionID, before []ledger.ActionID) {
	self := c.w.hand(name).name
	c.actions[self] = append(c.actions[self], id)
	c.saw[id] = before
	if c.isHasty(name) || c.w.devices[name].hasty {
		c.hasty[id] = true
	}
}

func (c *checks) isHasty(name string) bool {
	d := c.w.devices[name]
	return d.offset > ledger.MaxClaimAhead*time.Millisecond-maxRelayOffset-time.Hour && !d.timely
}

// shown checks a seal that the relay shows.
func (c *checks) shown(chain int, b []byte) {
	s, err := wire.OpenSeal(b)
	if err != nil {
		c.w.fail("seal", "the relay shows what is no seal: %v", err)
		return
	}
	if before, ok := c.seals[chain][s.Number]; ok && before != s.Hash {
		c.w.fail("seal-fork", "the notary signed two seals with number %d", s.Number)
	}
	c.seals[chain][s.Number] = s.Hash
}

// equivocated notes that the notary goes on with two chains after a seal.
func (c *checks) equivocated(parting uint64) { c.split, c.parting = true, parting }

// notWelcome judges that a device does not want the relay: it must only do so if the
// notary has two chains.
func (c *checks) notWelcome(name string, err error) {
	if !c.split {
		c.w.fail("relay", "%s does not want the relay: %v", name, err)
	}
}

// started checks what a device holds at its start: all that it called done, and all that it
// vouched for to others.
func (c *checks) started(name string) {
	replica := c.w.devices[name].program.State().Replica
	c.holds(name, replica)
	if now, before := replica.OrderedSeals(), c.ordered[c.w.hand(name).name]; now < before {
		c.w.fail("forgot", "%s had the order up to seal %d, and has it up to %d after its start", name, before, now)
	}
}

// holds checks that a replica of a device holds all that the device called done, and all that it vouched for.
func (c *checks) holds(name string, replica *ledger.Replica) {
	self := c.w.hand(name).name
	for _, id := range c.actions[self] {
		if _, ok := replica.Action(id); !ok {
			c.w.fail("lost", "%s called %s done and does not hold it any more", name, id)
		}
	}
	for h := range c.vouched[self] {
		if _, ok := replica.Envelope(h); !ok {
			c.w.fail("vouched", "%s told another device that it holds %s, and it does not any more", name, h)
		}
	}
}

// step checks what must hold at any time.
func (c *checks) step(name string) {
	d := c.w.devices[name]
	if d.program == nil || c.w.failure != nil {
		return
	}
	s := d.program.State()
	c.look(name, d.life, s)
	if !s.Halted {
		c.ordered[c.w.hand(name).name] = s.Replica.OrderedSeals()
	}
	if s.Diverged {
		c.w.fail("diverged", "%s stopped because another device sees another state", name)
	}
}

// look holds what a program has placed since it was last looked at against the order.
func (c *checks) look(name string, start uint64, s State) {
	if c.lives[name] != start {
		c.lives[name], c.looked[name] = start, 0
	}
	all := s.Replica.Placed()
	if len(all) < c.looked[name] {
		c.w.fail("order", "%s took back places", name)
		return
	}
	for i := c.looked[name]; i < len(all); i++ {
		c.compare(name, i, all[i])
	}
	c.looked[name] = len(all)
}

// compare holds one place of a device against the order.
func (c *checks) compare(name string, i int, p ledger.Placement) {
	at := placed{action: p.Action.ID(), seal: p.Seal, time: p.Time}
	if p.Void != nil {
		at.void = p.Void.Code
		if at.void == ledger.CodeFork {
			if err := p.Void.Fork.Check(); err != nil {
				c.w.fail("proof", "%s voids %s with a proof that is none: %v", name, at.action, err)
			}
		}
	}
	if c.split && p.Seal > c.parting {
		return
	}
	if a := p.Action.Action(); p.Void == nil {
		use := used{a.Device, a.Seq}
		if other, ok := c.counted[use]; ok && other != at.action {
			c.w.fail("fork", "%s counts two actions of one device with the number %d", name, a.Seq)
		}
		c.counted[use] = at.action
	}
	if ahead := p.Action.Action().Claimed > p.Time+ledger.MaxClaimAhead; ahead && at.void == "" && p.Named == p.Seal {
		c.w.fail("claimed", "%s counts %s, which claims a time to come", name, at.action)
	}
	switch {
	case i < len(c.order) && c.order[i] != at:
		c.w.fail("order", "%s places %s (seal %d, void %q) as number %d, where another has %s (seal %d, void %q)",
			name, at.action, at.seal, at.void, i, c.order[i].action, c.order[i].seal, c.order[i].void)
	case i == len(c.order):
		if i > 0 && at.time < c.order[i-1].time {
			c.w.fail("time", "%s places %s before the time of what is placed before it", name, at.action)
		}
		c.order = append(c.order, at)
	}
}

// settled checks what must hold when everything is repaired and nothing moves. In two is whether the honest devices
// go by two orders of the notary.
func (c *checks) settled(inTwo bool) {
	for _, name := range c.w.present() {
		c.checkDevice(name, inTwo)
		c.checkTabs(name)
	}
	for _, chain := range c.w.relay.chains {
		c.checkStore(chain)
	}
	if inTwo {
		c.checkProofs()
	} else {
		c.checkSame()
	}
}

func (c *checks) checkDevice(name string, inTwo bool) {
	s := c.w.devices[name].program.State()
	switch {
	case s.Halted:
		c.w.fail("halted", "%s does not sign: %s", name, s.Problem)
	case !s.Synced && !inTwo:
		c.w.fail("unsynced", "%s does not know that others hold what it did", name)
	case s.Replica.MissingEnvelopes() != nil:
		c.w.fail("missing", "%s lacks envelopes that seals name", name)
	}
	c.checkCost(name, s)
	for h := range c.vouched[c.w.hand(name).name] {
		if _, ok := s.Replica.Envelope(h); !ok {
			c.w.fail("vouched", "%s told another device that it holds %s and does not", name, h)
		}
	}
	for _, f := range s.Replica.Forks() {
		if err := f.Check(); err != nil {
			c.w.fail("proof", "%s shows a proof of a fork that is none: %v", name, err)
		}
		if f.Device != c.w.cast.device[crookName].Key() {
			c.w.fail("honest-fork", "an honest device forked its feed at %d", f.Seq)
		}
	}
	for h, want := range c.refusals {
		b, held := s.Replica.Envelope(h)
		if !held {
			continue
		}
		_, err := s.Replica.AddEnvelope(b)
		if got := ledger.CodeOf(err); got != want && !(err == nil && waits(s.Replica, b)) {
			c.w.fail("refusal", "%s refuses the crook's garbage with %q, not %q", name, got, want)
		}
	}
}

// checkCost checks that a device reads and keeps no more for the crook than was stored for it.
func (c *checks) checkCost(name string, s State) {
	expanded, parts := 0, map[ledger.PartID]bool{}
	for _, p := range s.Replica.Placed() {
		if a := p.Action.Action(); a.Kind != ledger.KindGenesis && len(a.Parts) > 0 {
			expanded += len(p.Body())
			for _, id := range a.Parts {
				parts[id] = true
			}
		}
	}
	if expanded > ledger.MaxExpansion*ledger.MaxPart*len(parts) {
		c.w.fail("expanded", "%s expands %d parts to %d bytes", name, len(parts), expanded)
	}
	if s.Game.World() == nil {
		return
	}
	for _, e := range s.Game.World().Log() {
		if b, err := wire.Encode(e.Args); e.Refused != nil && (err != nil || len(b) > kernel.MaxRefused) {
			c.w.fail("kept", "%s keeps %d bytes of an action that was refused", name, len(b))
		}
	}
}

// waits reports whether an envelope's action waits for what it depends on: then it cannot
// be refused yet, and does nothing.
func waits(r *ledger.Replica, b []byte) bool {
	o, err := r.Keys().Open(b)
	if err != nil {
		return false
	}
	p, err := ledger.Parse(o.Data)
	if err != nil {
		return false
	}
	_, complete := r.Action(p.ID())
	return !complete
}

// checkStore checks that a chain holds all that the relay acknowledged there.
func (c *checks) checkStore(chain *chain) {
	envelopes, seals, err := chain.stored(c.w.cast.keys.ID)
	if err != nil {
		c.w.fail("relay", "%v", err)
		return
	}
	holds := map[wire.EnvelopeHash]bool{}
	for _, e := range envelopes {
		h := wire.HashEnvelope(e)
		if holds[h] {
			c.w.fail("twice", "the relay sealed %s twice", h)
		}
		holds[h] = true
	}
	for h := range c.acked[chain.number] {
		if !holds[h] {
			c.w.fail("acknowledged", "the relay acknowledged %s and does not hold it", h)
		}
	}
	for number, h := range c.seals[chain.number] {
		if number > uint64(len(seals)) {
			c.w.fail("seal-lost", "the relay showed seal %d and does not have it", number)
			continue
		}
		if s, err := wire.OpenSeal(seals[number-1]); err != nil || s.Hash != h {
			c.w.fail("seal-fork", "the relay showed another seal %d than it has", number)
		}
	}
}

// checkSame checks that all devices agree with each other, and with an empty replica that is
// given everything in another order; that all that was done is in the order and counts; and
// that every fork is shown by everybody who could know.
func (c *checks) checkSame() {
	chain := c.w.relay.chains[0]
	envelopes, seals, err := chain.stored(c.w.cast.keys.ID)
	if err != nil {
		return // said already
	}
	random := rand.New(rand.NewPCG(uint64(len(envelopes)), uint64(len(seals))))
	items := append(slices.Clone(envelopes), seals...)
	stranger := game.New(c.w.cast.keys, c.w.cast.game())
	for _, i := range random.Perm(len(items)) {
		if i < len(envelopes) {
			_, _ = stranger.Receive(items[i]) // junk is refused, and remembered as such
		} else if err := stranger.ReceiveSeal(items[i]); err != nil {
			c.w.fail("seal", "a stranger refuses a seal of the relay: %v", err)
		}
	}
	for _, b := range envelopes { // it asks again for what was refused beyond what it remembers (SPEC 9.2)
		_, _ = stranger.Receive(b)
	}
	stranger.Advance(begin.Add(c.w.now).UnixMilli())
	seal, digest := stranger.Confirmed()
	if seal != chain.state.Head.Number {
		c.w.fail("stuck", "a stranger gets to seal %d of %d", seal, chain.state.Head.Number)
	}
	for _, name := range c.w.present() {
		s := c.w.devices[name].program.State()
		if s.Seal != seal || s.Digest != digest {
			c.w.fail("digest", "%s is at seal %d with %x, a stranger at %d with %x", name, s.Seal, s.Digest[:4], seal, digest[:4])
		}
		c.checkForks(name, s.Replica)
		if !c.w.cast.moved { // the count begins with the game
			c.checkConventions(name, s.Game)
		}
	}
	c.checkWitnesses("a stranger", stranger)
	counts := map[ledger.ActionID]ledger.Code{}
	place := map[ledger.ActionID]int{}
	for i, p := range c.order {
		counts[p.action], place[p.action] = p.void, i
	}
	for id, before := range c.saw {
		for _, cause := range before {
			if at, ok := place[id]; ok && place[cause] > at {
				c.w.fail("cause", "%s is placed before %s, which its device had seen", id, cause)
			}
		}
	}
	for _, h := range c.w.hands() {
		for _, id := range c.actions[h.name] {
			if _, sealed := stranger.Replica().Action(id); c.w.isLost(h) && !sealed && !c.w.isHeld(id) {
				continue // gone with the disk: nobody else had it, or had all that it depends on
			}
			void, ok := counts[id]
			if !ok || void != "" && (void != ledger.CodeClaimed || !c.hasty[id]) {
				c.w.fail("lost", "%s called %s done, and it does not count: in its place: %v, void: %q", h.name, id, ok, void)
			}
			for _, name := range c.w.present() {
				if _, ok := c.w.devices[name].program.State().Replica.Action(id); !ok {
					c.w.fail("lost", "%s called %s done, and %s does not hold it", h.name, id, name)
				}
			}
		}
	}
}

// checkForks checks that a replica that holds both branches of a fork shows the proof.
func (c *checks) checkForks(name string, r *ledger.Replica) {
	shows := map[uint64]bool{}
	for _, f := range r.Forks() {
		shows[f.Seq] = true
	}
	for _, f := range c.forks {
		var held [2]bool
		for i, h := range f.envelopes {
			b, ok := r.Envelope(h)
			if ok {
				_, err := r.AddEnvelope(b)
				ok = err == nil
			}
			held[i] = ok
		}
		if held[0] && held[1] && !shows[f.seq] && r.Waiting() == 0 {
			c.w.fail("unproved", "%s holds both of the crook's actions number %d and shows no proof", name, f.seq)
		}
	}
}

// parted reports whether there are two seals with one number. As long as only one of the chains goes
// on, or both were cut over the same at the same moment, there are not, and nothing can be shown.
func (c *checks) parted() bool {
	followed := map[uint64]wire.SealHash{}
	for _, name := range c.w.present() {
		r := c.w.devices[name].program.State().Replica
		for _, s := range r.SealsFrom(1, int(r.Seals())) {
			if before, ok := followed[s.Number]; ok && before != s.Hash {
				return true
			}
			followed[s.Number] = s.Hash
		}
	}
	for number, h := range c.seals[0] {
		if other, ok := c.seals[1][number]; ok && other != h {
			return true
		}
	}
	return false
}

// checkProofs checks that everybody who could have seen both chains of the notary shows it.
func (c *checks) checkProofs() {
	if !c.parted() {
		return
	}
	for _, name := range c.w.present() {
		proofs := c.w.devices[name].program.State().Replica.NotaryForks()
		if len(proofs) == 0 {
			c.w.fail("unproved", "%s does not know that the notary has two chains after seal %d", name, c.parting)
		}
		for _, p := range proofs {
			if err := p.Check(); err != nil {
				c.w.fail("proof", "%s shows a proof against the notary that is none: %v", name, err)
			}
		}
	}
}
