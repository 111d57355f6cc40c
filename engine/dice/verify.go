package dice

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/entropy"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
)

// Report is the result of verifying a transcript.
type Report struct {
	OK     bool   // every clause of section 5 passes: the dice are right; whether the roll counted is another question
	Clause string // the clause of SPEC.md that fails first, or ""
	Text   string // a sentence for people: [Follows] if it is OK

	Game      ledger.GameID
	Title     string
	Room      wire.RoomID
	Notary    wire.NotaryKey
	Action    ledger.ActionID
	Device    ledger.DeviceKey
	Identity  ledger.IdentityKey // the roller; the transcript binds the identity, not a name
	Name      string             // the roller's name in the enrolment; anybody can take any name
	Seq       uint64
	Seal      uint64 // the seal that places the action, as the transcript claims
	Time      int64  // its time, Unix ms
	Seed      [32]byte
	Wanted    uint64   // how many witnesses the roll asked for, as the transcript claims
	Witnesses []string // the witnesses that came, in the form of [Report.Roller]
	Rolls     []Roll
	Bound     []string // sentences: which commitment bound whom
}

// Roller returns the roller's name and identity, of which the transcript binds the identity.
func (r Report) Roller() string { return somebody(r.Identity, r.Name) }

// somebody is a person by their key, with the name that they came with, quoted so that nothing in it is
// invisible.
func somebody(id ledger.IdentityKey, name string) string {
	return fmt.Sprintf("a device of the person with the key %s, who came as %q", ledger.Fingerprint(id.String()), name)
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
	if t.Magic != TranscriptMagic || len(t.Rolls) > MaxRolls || t.Wanted > MaxWitnesses || uint64(len(t.Witnesses)) > t.Wanted {
		return t, fmt.Errorf("transcript: not one of version 1")
	}
	return t, nil
}

// VerifyTranscript checks a transcript, clause by clause in the order of SPEC.md, section 5.
// It needs nothing but the transcript.
func VerifyTranscript(b []byte) Report { return VerifyInTurns(b, nil) }

// VerifyInTurns is VerifyTranscript with pauses for other work: the notary's chain can take millions of hashes. Pause is as
// in [entropy.Checker]. Once it returns false, the report is invalid.
func VerifyInTurns(b []byte, pause func(done, total uint64) bool) Report {
	t, err := ParseTranscript(b)
	if err != nil {
		return Report{Clause: "5.1", Text: err.Error()}
	}
	v := verifier{t: t, pause: pause}
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
		{"5.9", v.witnesses},
		{"5.10", v.rolls},
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
	t        Transcript
	report   Report
	founding ledger.Genesis
	roller   party
	first    wire.SignedSeal // that names the action
	last     wire.SignedSeal // that places it
	links    []wire.Link     // the witnesses'
	chain    entropy.Checker // of the notary's links
	pause    func(done, total uint64) bool
}

// party is a device in the transcript, with the action that reveals its link.
type party struct {
	enrolment ledger.Enrolment
	device    ledger.DeviceKey
	id        ledger.ActionID
	action    ledger.Action
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
	v.chain = entropy.NewChecker(v.founding.Anchor)
	v.chain.Pause = v.pause
	v.report.Game = ledger.GameID(g.ID())
	v.report.Title = v.founding.Title
	v.report.Room = room
	v.report.Notary = v.founding.Notary
	return nil
}

func (v *verifier) device() error {
	p, err := v.enrolled(v.t.Device)
	if err != nil {
		return err
	}
	v.roller = p
	v.report.Device = p.device
	v.report.Identity, v.report.Name = p.enrolment.Identity, p.enrolment.Name
	return nil
}

// enrolled reads a device's first action.
func (v *verifier) enrolled(s Sealed) (party, error) {
	var p party
	d, room, err := s.open()
	if err != nil {
		return p, fmt.Errorf("first action: %w", err)
	}
	if room != v.report.Room {
		return p, fmt.Errorf("first action: of another room")
	}
	a := d.Action()
	p.device = a.Device
	switch {
	case ledger.GameID(d.ID()) == v.report.Game:
		p.enrolment = v.founding.Founder
	case a.Kind == ledger.KindEnrol && a.Game == v.report.Game && len(a.Parts) == 0:
		if p.enrolment, err = ledger.DecodeEnrolment(a.Body); err != nil {
			return p, err
		}
		if err := p.enrolment.Check(room, a.Device); err != nil {
			return p, err
		}
	default:
		return p, fmt.Errorf("first action: it does not enrol a device in this game")
	}
	if p.enrolment.Anchor != a.Link.Parent() {
		return p, fmt.Errorf("first action: its link does not follow from the anchor")
	}
	return p, nil
}

func (v *verifier) action() error {
	if err := v.acts(&v.roller, v.t.Action); err != nil {
		return err
	}
	v.report.Action = v.roller.id
	v.report.Seq = v.roller.action.Seq
	return nil
}

// acts reads an action of a device.
func (v *verifier) acts(p *party, s Sealed) error {
	a, room, err := s.open()
	if err != nil {
		return fmt.Errorf("action: %w", err)
	}
	p.id, p.action = a.ID(), a.Action()
	game := p.action.Game
	if p.action.Kind == ledger.KindGenesis {
		game = ledger.GameID(a.ID())
	}
	if room != v.report.Room || game != v.report.Game {
		return fmt.Errorf("action: of another game")
	}
	if p.action.Device != p.device {
		return fmt.Errorf("action: of another device")
	}
	return nil
}

func (v *verifier) deviceLink() error { return v.roller.bound() }

func (p party) bound() error {
	if !entropy.Reaches(p.action.Link, p.action.Seq, p.enrolment.Anchor) {
		return fmt.Errorf("the device's link is not link %d of the chain that it published", p.action.Seq)
	}
	return nil
}

func (v *verifier) named() error {
	var err error
	v.first, err = v.names(v.t.Named, v.t.Action)
	return err
}

// names reads a seal and checks that it names an action's envelope.
func (v *verifier) names(b []byte, action Sealed) (wire.SignedSeal, error) {
	s, err := v.seal(b)
	if err == nil && !slices.Contains(s.Envelopes, wire.HashEnvelope(action.Envelope)) {
		err = fmt.Errorf("seal %d does not name the action's envelope", s.Number)
	}
	return s, err
}

func (v *verifier) placed() error {
	var err error
	if v.last, err = v.places(v.t.Placed, v.first); err != nil {
		return err
	}
	v.report.Seal, v.report.Time = v.last.Number, v.last.Time
	return nil
}

// places reads a seal and checks that it can place an action that it, or an earlier seal, names.
func (v *verifier) places(b []byte, first wire.SignedSeal) (wire.SignedSeal, error) {
	s, err := v.seal(b)
	if err == nil && (s.Number < first.Number || s.Time < first.Time || s.Number == first.Number && s.Hash != first.Hash) {
		err = fmt.Errorf("seal %d cannot place what seal %d names", s.Number, first.Number)
	}
	return s, err
}

func (v *verifier) seal(b []byte) (wire.SignedSeal, error) {
	s, err := wire.OpenSeal(b)
	switch {
	case err != nil:
		return s, err
	case s.Room != v.report.Room:
		return s, fmt.Errorf("seal %d is of another room", s.Number)
	case s.Game != v.report.Game:
		return s, fmt.Errorf("seal %d is of another game", s.Number)
	case s.Notary != v.report.Notary:
		return s, fmt.Errorf("seal %d is not by the game's notary", s.Number)
	}
	return s, nil
}

func (v *verifier) sealLinks() error { return v.linked(v.first, v.last) }

func (v *verifier) linked(seals ...wire.SignedSeal) error {
	for _, s := range seals {
		if s.Number > entropy.NotaryLinks {
			return fmt.Errorf("seal %d is beyond the %d that one notary can sign", s.Number, entropy.NotaryLinks)
		}
		if !v.chain.Reaches(s.Link, s.Number) {
			return fmt.Errorf("the seal's link is not link %d of the chain that the notary published", s.Number)
		}
	}
	return nil
}

func (v *verifier) witnesses() error {
	people := []ledger.IdentityKey{v.roller.enrolment.Identity}
	v.report.Wanted = v.t.Wanted
	for i, a := range v.t.Witnesses {
		p, err := v.witness(a)
		if err != nil {
			return fmt.Errorf("witness %d: %w", i+1, err)
		}
		if slices.Contains(people, p.enrolment.Identity) {
			return fmt.Errorf("witness %d: the roller, or a witness before", i+1)
		}
		people = append(people, p.enrolment.Identity)
		v.links = append(v.links, p.action.Link)
		v.report.Witnesses = append(v.report.Witnesses, somebody(p.enrolment.Identity, p.enrolment.Name))
	}
	return nil
}

// witness checks one witness's part, in the order of clause 5.9.
func (v *verifier) witness(a Attest) (party, error) {
	p, err := v.enrolled(a.Device)
	if err != nil {
		return p, err
	}
	if err := v.acts(&p, a.Action); err != nil {
		return p, err
	}
	if !(WitnessBody{Action: v.roller.id, Seal: v.last.Hash}).Attests(p.action) {
		return p, errWitness
	}
	if err := p.bound(); err != nil {
		return p, err
	}
	named, err := v.names(a.Named, a.Action)
	if err != nil {
		return p, err
	}
	placed, err := v.places(a.Placed, named)
	if err != nil {
		return p, err
	}
	if err := v.linked(named, placed); err != nil {
		return p, err
	}
	if placed.Number < v.last.Number || placed.Time < v.last.Time || placed.Time-v.last.Time >= WitnessTime {
		return p, fmt.Errorf("it came too late, or before the roll")
	}
	return p, nil
}

func (v *verifier) rolls() error {
	v.report.Seed = WitnessedSeed(v.report.Game, v.report.Action, v.roller.action.Link, v.last.Link, v.t.Wanted, v.links)
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
	r.Text = Follows
	r.Bound = []string{
		fmt.Sprintf("To what this action gives at seal %d, the roller was bound by the anchor in the device's first action, and by this action, before that seal revealed the notary's link.", r.Seal),
		"The notary was bound by the anchor in the genesis, before anybody rolled.",
	}
	if n := len(r.Witnesses); n > 0 {
		r.Bound = append(r.Bound, fmt.Sprintf("It was witnessed by %s: each was bound by the anchor in the device's first action, and revealed its link after seal %d, which decided the roll.", strings.Join(r.Witnesses, "; "), r.Seal))
	}
	if uint64(len(r.Witnesses)) < r.Wanted {
		r.Bound = append(r.Bound, fmt.Sprintf("It was to have %d witnesses, and %d came: for the rest of its trust it stands on roller and notary alone.", r.Wanted, len(r.Witnesses)))
	}
	if v.founding.Dice == ledger.DicePractice {
		r.Bound = append(r.Bound, "The notary is the founder's own device: this is practice, which nobody else witnessed.")
	}
}
