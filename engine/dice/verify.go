package dice

import (
	"fmt"
	"slices"

	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Report is what the verification of a transcript found.
type Report struct {
	OK     bool
	Clause string // the clause of SPEC.md that fails first, or ""
	Text   string // a sentence for people

	Game      ledger.GameID
	Title     string
	Room      wire.RoomID
	Notary    wire.NotaryKey
	Action    ledger.ActionID
	Device    ledger.DeviceKey
	Name      string // what the roller called themselves
	Seq       uint64
	Seal      uint64 // the seal that places the action
	Time      int64  // its time, Unix ms
	Seed      [32]byte
	Rolls     []Roll
	Bound     []string // who was bound by what, in sentences
	Unchecked []string // what this transcript alone does not show, in sentences
}

// Error returns the finding as an error, or nil if the transcript is good.
func (r Report) Error() error {
	if r.OK {
		return nil
	}
	return fmt.Errorf("clause %s: %s", r.Clause, r.Text)
}

// ParseTranscript reads a transcript and checks its form only.
func ParseTranscript(b []byte) (Transcript, error) {
	var t Transcript
	if len(b) > MaxTranscript {
		return t, fmt.Errorf("transcript: more than %d bytes", MaxTranscript)
	}
	if err := wire.Decode(b, &t); err != nil {
		return t, fmt.Errorf("transcript: %w", err)
	}
	if t.Magic != TranscriptMagic || len(t.Rolls) > MaxRolls {
		return t, fmt.Errorf("transcript: not one of version 1")
	}
	return t, nil
}

// VerifyTranscript checks a transcript, clause by clause in the order of SPEC.md, section 5.
// It needs nothing but the transcript.
func VerifyTranscript(b []byte) Report {
	t, err := ParseTranscript(b)
	if err != nil {
		return Report{Clause: "5.1", Text: err.Error()}
	}
	v := verifier{t: t}
	for _, step := range []struct {
		clause string
		check  func() error
	}{
		{"5.2", v.genesis},
		{"5.3", v.device},
		{"5.4", v.action},
		{"5.5", v.deviceLink},
		{"5.6", v.named},
		{"5.7", v.placed},
		{"5.8", v.sealLinks},
		{"5.9", v.rolls},
	} {
		if err := step.check(); err != nil {
			v.report.Clause, v.report.Text = step.clause, err.Error()
			return v.report
		}
	}
	v.conclude()
	return v.report
}

type verifier struct {
	t         Transcript
	report    Report
	founding  ledger.Genesis
	enrolment ledger.Enrolment
	roller    ledger.Action
	first     wire.SignedSeal
	last      wire.SignedSeal
}

// open opens an envelope of the transcript to a verified action.
func (s Sealed) open() (ledger.Verified, wire.RoomID, error) {
	e, err := wire.ParseEnvelope(s.Envelope)
	if err != nil {
		return ledger.Verified{}, e.Room, err
	}
	if e.Epoch != 0 {
		return ledger.Verified{}, e.Room, fmt.Errorf("unknown key epoch %d", e.Epoch)
	}
	o, err := ledger.OpenWith(s.Key, s.Envelope)
	if err != nil {
		return ledger.Verified{}, e.Room, err
	}
	if o.Content != ledger.ContentAction {
		return ledger.Verified{}, e.Room, fmt.Errorf("the envelope holds no action")
	}
	p, err := ledger.Parse(o.Data)
	if err != nil {
		return ledger.Verified{}, e.Room, err
	}
	a, err := p.Verify()
	return a, e.Room, err
}

func (v *verifier) genesis() error {
	g, room, err := v.t.Genesis.open()
	if err != nil {
		return fmt.Errorf("genesis: %w", err)
	}
	a := g.Action()
	if a.Kind != ledger.KindGenesis {
		return fmt.Errorf("genesis: the action is of another kind")
	}
	v.founding, err = ledger.DecodeGenesisHead(a.Body)
	if err != nil {
		return err
	}
	if err := v.founding.Check(room, a.Device); err != nil {
		return err
	}
	v.report.Game = ledger.GameID(g.ID())
	v.report.Title = v.founding.Title
	v.report.Room = room
	v.report.Notary = v.founding.Notary
	return nil
}

func (v *verifier) device() error {
	d, room, err := v.t.Device.open()
	if err != nil {
		return fmt.Errorf("first action: %w", err)
	}
	if room != v.report.Room {
		return fmt.Errorf("first action: of another room")
	}
	a := d.Action()
	switch {
	case ledger.GameID(d.ID()) == v.report.Game:
		v.enrolment = v.founding.Founder
	case a.Kind == ledger.KindEnrol && a.Game == v.report.Game && len(a.Parts) == 0:
		if v.enrolment, err = ledger.DecodeEnrolment(a.Body); err != nil {
			return err
		}
		if err := v.enrolment.Check(room, a.Device); err != nil {
			return err
		}
	default:
		return fmt.Errorf("first action: it does not enrol a device in this game")
	}
	if v.enrolment.Anchor != a.Link.Parent() {
		return fmt.Errorf("first action: its link does not follow from the anchor")
	}
	v.report.Device = a.Device
	v.report.Name = v.enrolment.Name
	return nil
}

func (v *verifier) action() error {
	a, room, err := v.t.Action.open()
	if err != nil {
		return fmt.Errorf("action: %w", err)
	}
	v.roller = a.Action()
	game := v.roller.Game
	if v.roller.Kind == ledger.KindGenesis {
		game = ledger.GameID(a.ID())
	}
	if room != v.report.Room || game != v.report.Game {
		return fmt.Errorf("action: of another game")
	}
	if v.roller.Device != v.report.Device {
		return fmt.Errorf("action: of another device")
	}
	v.report.Action = a.ID()
	v.report.Seq = v.roller.Seq
	return nil
}

func (v *verifier) deviceLink() error {
	if !entropy.Reaches(v.roller.Link, v.roller.Seq, v.enrolment.Anchor) {
		return fmt.Errorf("the device's link is not link %d of the chain that it published", v.roller.Seq)
	}
	return nil
}

func (v *verifier) named() error {
	s, err := v.seal(v.t.Named)
	if err != nil {
		return err
	}
	if !slices.Contains(s.Envelopes, wire.HashEnvelope(v.t.Action.Envelope)) {
		return fmt.Errorf("seal %d does not name the action's envelope", s.Number)
	}
	v.first = s
	return nil
}

func (v *verifier) placed() error {
	s, err := v.seal(v.t.Placed)
	if err != nil {
		return err
	}
	if s.Number < v.first.Number || s.Time < v.first.Time || s.Number == v.first.Number && s.Hash != v.first.Hash {
		return fmt.Errorf("seal %d cannot place what seal %d names", s.Number, v.first.Number)
	}
	v.last = s
	v.report.Seal, v.report.Time = s.Number, s.Time
	return nil
}

func (v *verifier) seal(b []byte) (wire.SignedSeal, error) {
	s, err := wire.OpenSeal(b)
	switch {
	case err != nil:
		return s, err
	case s.Room != v.report.Room:
		return s, fmt.Errorf("seal %d is of another room", s.Number)
	case s.Notary != v.report.Notary:
		return s, fmt.Errorf("seal %d is not by the game's notary", s.Number)
	}
	return s, nil
}

func (v *verifier) sealLinks() error {
	for _, s := range []wire.SignedSeal{v.first, v.last} {
		if !entropy.Reaches(s.Link, s.Number, v.founding.Anchor) {
			return fmt.Errorf("the seal's link is not link %d of the chain that the notary published", s.Number)
		}
	}
	return nil
}

func (v *verifier) rolls() error {
	v.report.Seed = Seed(v.report.Game, v.report.Action, v.roller.Link, v.last.Link)
	s := NewStream(v.report.Seed)
	for i, r := range v.t.Rolls {
		if r.Sides > MaxSides {
			return fmt.Errorf("die %d has too many sides", i+1)
		}
		if got := s.Roll(r.Sides); got != r.Value {
			return fmt.Errorf("die %d of %d sides shows %d, not %d", i+1, r.Sides, got, r.Value)
		}
	}
	v.report.Rolls = v.t.Rolls
	return nil
}

func (v *verifier) conclude() {
	r := &v.report
	r.OK = true
	r.Text = fmt.Sprintf("%d dice as they fell", len(r.Rolls))
	r.Bound = []string{
		fmt.Sprintf("The roller was bound by the anchor in the device's first action, and by this action, before seal %d revealed the notary's link.", r.Seal),
		"The notary was bound by the anchor in the genesis, before anybody rolled.",
	}
	if v.founding.Dice == ledger.DicePractice {
		r.Bound = append(r.Bound, "The notary is the founder's own device: this is practice, which nobody else witnessed.")
	}
	r.Unchecked = []string{
		"That the rules called for these dice, in this order, only a replay of the whole game shows.",
		"That the roller and the notary did not work together, nothing can show.",
		fmt.Sprintf("That all that the action depends on had its place by seal %d, only the whole game shows.", r.Seal),
	}
}
