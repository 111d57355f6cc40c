package simtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"peernomic/engine/dice"
)

// Storm plays the run that a seed and a number of events give; then everything settles. It
// returns what was played, whether the run failed or not. The error is a [*Failure], or says
// that the run could not begin.
func Storm(cast *Cast, boot Boot, seed uint64, events int) (played Played, err error) {
	w, err := NewWorld(cast, boot)
	if err != nil {
		return Played{}, err
	}
	defer w.end()
	return w.Storm(seed, events)
}

// Storm plays on in a room.
func (w *World) Storm(seed uint64, events int) (played Played, err error) {
	s := storm{w: w, random: rand.New(rand.NewPCG(seed, 0))}
	s.split = s.random.IntN(12) == 0
	s.calm = s.random.IntN(4) == 0
	s.losing = s.random.IntN(4) == 0
	s.tabbing = s.random.IntN(3) == 0
	do := func(e Event) error { return w.Do(len(w.played.Script), e) }
	for i, name := range everybody {
		err = errors.Join(err, do(event("connect", name, relayName)))
		if i > 0 && s.random.IntN(2) == 0 {
			err = errors.Join(err, do(event("connect", name, everybody[s.random.IntN(i)])))
		}
	}
	for range events {
		if err == nil {
			err = do(s.next())
		}
	}
	if err == nil {
		err = do(event("settle"))
	}
	return w.Played(), err
}

type storm struct {
	w       *World
	random  *rand.Rand
	split   bool    // the notary will sign two chains
	calm    bool    // the links keep order and lose nothing
	losing  bool    // players lose their disks
	tabbing bool    // players have the game in two tabs
	plan    []Event // what players have yet to do about what has happened
}

func event(verb string, args ...string) Event { return Event{Verb: verb, Args: args} }

func (s *storm) pick(names []string) string { return names[s.random.IntN(len(names))] }

// busy picks a direction of a link on which something is on its way.
func (s *storm) busy() (from, to string, waiting int) {
	keys := s.w.linkKeys()
	s.random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys {
		l := s.w.links[key]
		first := s.random.IntN(2)
		for _, i := range [2]int{first, 1 - first} {
			if n := len(l.queue[i]); n > 0 {
				return key[1-i], key[i], n
			}
		}
	}
	return "", "", 0
}

// next draws what happens next, mostly something that can.
func (s *storm) next() Event {
	for {
		if e := s.draw(s.random.IntN(1000)); e.Verb != "" {
			return e
		}
	}
}

// goOn is the next of what is planned.
func (s *storm) goOn() Event {
	e := s.plan[0]
	s.plan = s.plan[1:]
	return e
}

func (s *storm) draw(n int) Event {
	programs := append([]string{relayName}, honest...)
	if s.tabbing && s.random.IntN(4) == 0 {
		return s.tabs()
	}
	if s.losing && s.random.IntN(2) == 0 && (len(s.plan) > 0 || s.random.IntN(20) == 0) {
		return s.lose()
	}
	switch {
	case n < 110:
		return event("act", s.pick(honest))
	case n < 140:
		return s.outside()
	case n < 380:
		return event("flow", strconv.Itoa(1+s.random.IntN(30)))
	case n < 560:
		return s.message()
	case n < 680:
		if s.w.relay.runs && s.w.relay.waits() {
			return event("commit")
		}
		return Event{}
	case n < 740:
		return s.time()
	case n < 800:
		x, y := s.pick(everybody), s.pick(programs)
		if x == y || s.w.between(x, y) != nil && s.random.IntN(4) > 0 {
			return Event{}
		}
		return event("connect", x, y)
	case n < 830:
		if keys := s.w.linkKeys(); len(keys) > 0 {
			key := keys[s.random.IntN(len(keys))]
			return event("cut", key[0], key[1])
		}
		return Event{}
	case n < 870:
		return s.trouble(s.pick(programs))
	case n < 910:
		for _, name := range programs {
			if !s.w.runs(name) && s.random.IntN(2) == 0 {
				return event("start", name)
			}
		}
		return Event{}
	case n < 914:
		if name := s.pick(programs); name != relayName {
			return event("clock", name, fmt.Sprintf("%dm", s.random.IntN(6000)-3000))
		}
		return event("clock", relayName, fmt.Sprintf("%dm", s.random.IntN(1200)-600))
	case n < 917 && s.split && s.w.relay.runs && len(s.w.relay.chains) == 1 && s.w.relay.chains[0].state.Head.Number > 2:
		names := slices.Clone(honest)
		s.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		return event("equivocate", names[:1+s.random.IntN(len(names)-1)]...)
	case n < 918:
		return event("settle")
	case n > 940 && len(s.plan) == 0: // a crook who is active is one more whom it takes
		return s.crime()
	}
	return Event{}
}

// outside is what somebody does about the rules themselves, or outside them.
func (s *storm) outside() Event {
	who := s.pick(honest)
	switch n := s.random.IntN(30); {
	case n < 2:
		return event("ruin", who)
	case n < 6:
		return event("watch", who, strconv.Itoa(s.random.IntN(dice.MaxWitnesses+1)))
	case n < 9:
		return event("repair", who)
	case n < 11:
		return event("seat", who, s.pick(honest))
	case n < 25:
		return event("assent", who, strconv.Itoa(s.random.IntN(3)))
	case n < 27:
		return event("withdraw", who, strconv.Itoa(s.random.IntN(3)))
	default:
		return event("branch", who, strconv.Itoa(s.random.IntN(200)))
	}
}

// lose is what happens around a disk that is lost: the others wait until who had it is not active any more, as
// they would be too few to change anything, and then give the seat to the key on the next disk. It goes wrong
// often enough, as other things happen in between.
func (s *storm) lose() Event {
	if len(s.plan) > 0 {
		return s.goOn()
	}
	who := s.pick(honest)
	if s.random.IntN(3) > 0 {
		return event("find", who)
	}
	for _, name := range honest {
		s.plan = append(s.plan, event("start", name), event("connect", name, relayName))
	}
	flow, commit := event("flow", "200"), event("commit")
	s.plan = append(s.plan, event("start", relayName), flow, commit, flow, event("wait", "750h"))
	var others []string
	for _, name := range honest {
		if persons[name] != persons[who] {
			others = append(others, name)
			s.plan = append(s.plan, event("act", name))
		}
	}
	s.plan = append(s.plan, flow, commit, flow, event("seat", s.pick(others), who), flow, commit, flow)
	for _, name := range others {
		s.plan = append(s.plan, event("assent", name, "0"))
	}
	s.plan = append(s.plan, flow, commit, flow, event("act", who))
	return event("wipe", who)
}

// tabs is what happens between two tabs.
func (s *storm) tabs() Event {
	who := s.pick(honest)
	d := s.w.devices[who]
	n := s.random.IntN(20)
	switch {
	case d.reader == nil:
		return event("open", who)
	case d.program == nil:
		return event("start", who)
	case n < 7:
		return event("ask", who)
	case n < 11:
		return event("heed", who)
	case n < 15:
		return event("news", who)
	case n < 17:
		return s.trouble(who)
	case n < 19:
		return event("close", who)
	default:
		return event("shut", who)
	}
}

// message is what becomes of one message.
func (s *storm) message() Event {
	from, to, waiting := s.busy()
	if waiting == 0 {
		return Event{}
	}
	if s.calm {
		return event("deliver", from, to, "0")
	}
	at := strconv.Itoa(s.random.IntN(min(waiting, 20)))
	switch n := s.random.IntN(10); {
	case n < 5:
		return event("deliver", from, to, at)
	case n < 8:
		return event("repeat", from, to, at)
	default:
		return event("drop", from, to, at)
	}
}

func (s *storm) time() Event {
	switch n := s.random.IntN(20); {
	case n < 8:
		return event("wait", fmt.Sprintf("%dms", 20+s.random.IntN(400)))
	case n < 15:
		return event("wait", fmt.Sprintf("%ds", 1+s.random.IntN(12)))
	case n < 19:
		return event("wait", fmt.Sprintf("%dm", 1+s.random.IntN(90)))
	case s.random.IntN(8) == 0: // so long that who is away is not active any more
		return event("wait", "750h")
	default:
		return event("wait", fmt.Sprintf("%dh", 1+s.random.IntN(72)))
	}
}

// trouble is what can happen to a program.
func (s *storm) trouble(name string) Event {
	if !s.w.runs(name) {
		return event("start", name)
	}
	after := strconv.Itoa(s.random.IntN(4))
	switch n := s.random.IntN(10); {
	case n < 3:
		return event("crash", name, "before", after)
	case n < 6:
		return event("crash", name, "after", after)
	case n < 9 || name == relayName:
		return event("kill", name)
	default:
		return event("full", name, after)
	}
}

// crime is something that the crook does, to somebody it is linked to.
func (s *storm) crime() Event {
	var targets []string
	for _, name := range append([]string{relayName}, honest...) {
		if s.w.between(crookName, name) != nil {
			targets = append(targets, name)
		}
	}
	if len(targets) == 0 {
		return event("connect", crookName, s.pick(append([]string{relayName}, honest...)))
	}
	to := s.pick(targets)
	switch s.random.IntN(14) {
	case 12:
		return event("bomb", to, strconv.Itoa(s.random.IntN(40)))
	case 13:
		// Some are more than a device remembers, or takes from one sender at once.
		return event(s.pick([]string{"swamp", "flood"}), to, strconv.Itoa(1+s.random.IntN(30)*s.random.IntN(34)))
	case 0, 1:
		return event("honest", to)
	case 2, 3:
		return event("fork", to, s.pick(targets))
	case 4:
		return event("backdate", to)
	case 5:
		return event("postdate", to)
	case 6:
		return event("replay", to, strconv.Itoa(s.random.IntN(200)))
	case 7:
		return event("withhold", to)
	case 8:
		return event("release", to)
	case 9:
		return event("flood", to, strconv.Itoa(1+s.random.IntN(30)))
	default:
		return event("garbage", to, s.pick(Forgeries()))
	}
}
