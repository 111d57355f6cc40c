package game

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"peernomic/engine/dice"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

var (
	errNotPlaced = errors.New("no seal has ordered this action yet")
	errNoRoll    = errors.New("the rules had no part in this action, so it rolled nothing")
)

// Entry is an action of the log with its outcome.
type Entry struct {
	Action    ledger.ActionID
	Device    ledger.DeviceKey
	Seq       uint64
	Kind      ledger.Kind
	Player    int64 // 0 if the device belongs to nobody, or if the rules hide the player
	Claimed   int64 // Unix ms, by the device's clock
	Time      int64 // Unix ms: of its seal; while tentative, the time of the trial
	Seal      uint64
	SealHash  wire.SealHash
	Tentative bool
	Void      *ledger.Void   // why it has no effect; nil if it counts
	Outcome   *rules.Outcome // by the rules; nil if the action needs none, or if the tail is too long to try it
	// Of a roll in the dice mode witnessed(k): k, and the witnesses that were asked. These are fewer
	// than k if there are fewer other players.
	Wanted    int
	Witnesses []Witness
}

// ActBody is the body of an action of [ledger.KindAct]: an action that the rules declare, and its arguments.
type ActBody struct {
	_    struct{} `cbor:",toarray"`
	Name string
	Args map[string]any
}

// EncodeAct returns the body of an action.
func EncodeAct(name string, args map[string]any) ([]byte, error) {
	normal, err := state.Normalize(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m, _ := normal.(map[string]any)
	return wire.Encode(ActBody{Name: name, Args: m})
}

// machine carries out placements, one after the other.
type machine struct {
	replica *ledger.Replica
	world   *rules.World
	begin   int64 // the world's time at the game's beginning
	broken  error
	game    ledger.GameID
	seal    uint64 // the newest seal whose time has come
	entries []Entry
	seen    map[ledger.DeviceKey]lastAct
	waiting *Waiting // the roll that the machine cannot go beyond yet
	// The newest seal that is carried out completely, and the world's digest after it.
	confirmed uint64
	digest    [32]byte

	register register // of conventions
	until    uint64   // the last seal that it may look at; 0 for all
}

// rollStream is a [dice.Stream] as the rules roll it.
type rollStream struct{ stream *dice.Stream }

func (s rollStream) Roll(sides uint64) (uint64, error) { return s.stream.Roll(sides), nil }

// catchUp carries out the first n placements, each at the time of its seal. Then it
// advances time to the newest complete seal. It stops at a roll that waits for its
// witnesses.
func (m *machine) catchUp(n int) {
	m.carryOutTo(n)
	if n == len(m.placed()) && len(m.entries) == n {
		m.confirm(m.ordered())
	}
}

// carryOutTo is catchUp without the time after the last placement.
func (m *machine) carryOutTo(n int) {
	all := m.placed()
	ordered := m.ordered()
	for i := len(m.entries); i < n; i++ {
		p := all[i]
		if p.Seal > ordered {
			m.confirm(ordered)
		}
		m.advanceTo(p.Seal)
		e, ok := m.settle(p, all[i+1:])
		if !ok {
			return
		}
		m.entries = append(m.entries, e)
		m.recordLast(p)
	}
}

// time returns the game's time at a seal's time, Unix ms. In a game that continues another, the
// world may be ahead of the first seals. Its time never runs back.
func (m *machine) time(seal int64) int64 { return max(seal, m.begin) }

// confirm advances time to a seal and takes the digest. Everything up to that seal must
// have been carried out. It takes no digest if a later action has been carried out, too.
func (m *machine) confirm(seal uint64) {
	m.advanceTo(seal)
	if m.world != nil && m.seal == seal && m.confirmed != seal {
		m.confirmed, m.digest = seal, m.world.Digest()
	}
}

// placed returns the order as far as the machine may look.
func (m *machine) placed() []ledger.Placement {
	all := m.replica.Placed()
	if m.until == 0 {
		return all
	}
	i, _ := slices.BinarySearchFunc(all, m.until+1, func(p ledger.Placement, seal uint64) int { return cmp.Compare(p.Seal, seal) })
	return all[:i]
}

// ordered returns the newest seal whose envelopes are all held, as far as the machine may look.
func (m *machine) ordered() uint64 {
	ordered := m.replica.OrderedSeals()
	if m.until != 0 {
		return min(ordered, m.until)
	}
	return ordered
}

// advanceTo advances time to a seal and runs the timers that are due. A timer that rolls
// takes the link of the first seal at or after its time.
func (m *machine) advanceTo(number uint64) {
	for m.seal < number {
		m.seal++
		seal, ok := m.replica.Seal(m.seal)
		if !ok || m.world == nil {
			continue
		}
		m.world.Advance(m.time(seal.Time), func(timer int64) rules.DiceSource {
			return rollStream{dice.NewStream(dice.TimerSeed([32]byte(m.game), timerName(timer), seal.Link))}
		})
		m.register.admit(m.world)
	}
}

func (m *machine) gameOf(p ledger.Placement) ledger.GameID {
	if p.Action.Action().Kind == ledger.KindGenesis {
		return ledger.GameID(p.Action.ID())
	}
	return p.Action.Action().Game
}

// entryOf returns an entry with the fields that its placement gives.
func entryOf(p ledger.Placement, time int64) Entry {
	a := p.Action.Action()
	return Entry{Action: p.Action.ID(), Device: a.Device, Seq: a.Seq, Kind: a.Kind, Claimed: a.Claimed, Time: time, Seal: p.Seal, SealHash: p.SealHash, Void: p.Void}
}

// carryOut carries out one placement.
func (m *machine) carryOut(p ledger.Placement, time int64, rolls rules.DiceSource) Entry {
	a := p.Action.Action()
	e := entryOf(p, time)
	if p.Void != nil || m.broken != nil {
		return e
	}
	switch {
	case a.Kind == ledger.KindGenesis:
		m.game, m.register = m.gameOf(p), newRegister()
		e.Player = m.found(p, time)
		time = m.time(time)
		e.Time = time
	case m.world == nil:
		return e
	case a.Kind == ledger.KindEnrol:
		e.Player, e.Outcome = m.enrol(p, time)
	default:
		e.Player = m.person(a.Device)
	}
	if m.world == nil {
		return e
	}
	m.register.recordActivity(e.Player, p, time)
	switch a.Kind {
	case ledger.KindAct:
		e.Outcome = m.act(e.Player, p, time, rolls)
		e.Player = e.Outcome.Player // 0 if the rules hide the player
	case ledger.KindConvention:
		e.Outcome = m.vote(e.Player, p, time)
	}
	m.register.admit(m.world)
	return e
}

func (m *machine) found(p ledger.Placement, time int64) int64 {
	g, err := ledger.DecodeGenesis(p.Body())
	if err != nil {
		m.broken = fmt.Errorf("genesis: %w", err)
		return 0
	}
	if g.Kernel != Kernel {
		m.broken = fmt.Errorf("the game is played by kernel %d, and this program has kernel %d: get a newer program", g.Kernel, Kernel)
		return 0
	}
	m.world, err = Found(g, time)
	if err != nil {
		m.broken = fmt.Errorf("the founding ruleset cannot be played: %w", err)
		return 0
	}
	m.begin = m.world.Now()
	return m.world.PersonOf(g.Founder.Identity.String())
}

// enrol gives a device to its person, and introduces the person to the world if they are new.
func (m *machine) enrol(p ledger.Placement, time int64) (int64, *rules.Outcome) {
	en, err := ledger.DecodeEnrolment(p.Body())
	if err != nil {
		return 0, nil
	}
	if id := m.world.PersonOf(en.Identity.String()); id != 0 {
		return id, nil
	}
	id, out := m.world.Knock(en.Identity.String(), en.Name, time)
	return id, &out
}

// person returns the owner of a device, or 0.
func (m *machine) person(dev ledger.DeviceKey) int64 {
	en, ok := m.replica.Enrolment(dev)
	if !ok {
		return 0
	}
	return m.world.PersonOf(en.Identity.String())
}

func (m *machine) act(player int64, p ledger.Placement, time int64, rolls rules.DiceSource) *rules.Outcome {
	var body ActBody
	if b := p.Body(); !wire.AtMost(b, ledger.MaxValues) || wire.Decode(b, &body) != nil || len(body.Name) > rules.MaxLabel {
		return &rules.Outcome{Entry: rules.Entry{Player: player, Refused: &rules.Refusal{Code: rules.CodeArgument, Reason: "the action cannot be read"}}}
	}
	out := m.world.Do(rules.Act{Player: player, Name: body.Name, Args: body.Args, Time: time, Dice: rolls})
	return &out
}
