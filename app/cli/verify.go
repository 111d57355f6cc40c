package cli

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

func newVerify() *cobra.Command {
	var asJSON bool
	var from string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check the proof of a roll, or a whole exported game",
		Long: `Checks a file that somebody else made, trusting nobody.

An exported game is checked as a whole: every seal, envelope, signature and link, the
order they give, and then every action is carried out again and every roll recomputed.

The proof of a roll shows which dice an action and a seal give, and who was bound to
that. It does not show that this is the roll that counted: a player can make other
proofs of the same action with other dice. With --game, that is checked too.

Exit code 0: every check passes, which for the proof of a roll without --game is not
that the roll counted. 1: bad, with the clause of the specification that fails first
(engine/dice/SPEC.md for rolls, engine/ledger/SPEC.md for games), or not the roll that
counted. 2: the file could not be read, or is neither.`,
		Example: `  nomic verify --game our.game roll.cbor
  nomic verify roll.cbor
  nomic verify --json our.game`,
		Args: takes(1, 1, "the FILE of a roll's proof or of an exported game", "nomic verify roll.cbor"),
		RunE: func(cmd *cobra.Command, args []string) error { return verify(cmd.OutOrStdout(), args[0], from, asJSON) },
	}
	cmd.Flags().StringVar(&from, "game", "", "the exported game that the roll is from: check that it counted there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// finding is what verification says of a file.
type finding struct {
	File   string `json:"file"`
	Kind   string `json:"kind"`             // kindRoll, kindGame, or empty if the file is neither or cannot be read
	OK     bool   `json:"ok"`               // every check passes; whether a roll counted is another question
	Clause string `json:"clause,omitempty"` // the first that fails
	Text   string `json:"text,omitempty"`

	Game  string `json:"game,omitempty"`
	Title string `json:"title,omitempty"`
	Room  string `json:"room,omitempty"`

	Roll    *rollFinding   `json:"roll,omitempty"`
	Ledger  *gameFinding   `json:"ledger,omitempty"`  // of the last chapter
	Earlier []*gameFinding `json:"earlier,omitempty"` // of the chapters before it, oldest first

	report dice.Report  // of a roll
	games  []*game.Game // of a good game: its chapters
}

// Kinds of files.
const (
	kindRoll = "roll"
	kindGame = "game"
)

// rollFinding is what a transcript shows.
type rollFinding struct {
	Action   string     `json:"action"`
	Device   string     `json:"device"`
	Identity string     `json:"identity"`
	Name     string     `json:"name"`   // what the person came as: nothing vouches for it
	Roller   string     `json:"roller"` // both in words
	Number   uint64     `json:"number"`
	Seal     uint64     `json:"seal"`
	Time     string     `json:"time"`
	Seed     string     `json:"seed"`
	Mode     string     `json:"mode"` // as the proof says, in words
	Dice     []dieShown `json:"dice"`
	// Whether this is the roll that counted: "yes" and "no" by the game that was given with it.
	Counted string   `json:"counted"`
	Bound   []string `json:"bound"`
}

// What [rollFinding.Counted] says.
const (
	countedYes     = "yes"
	countedNo      = "no"
	countedUnknown = "not shown"
)

type dieShown struct {
	Sides uint64 `json:"sides"`
	Value uint64 `json:"value"`
}

// gameFinding counts what was checked in an exported game.
type gameFinding struct {
	Seals     uint64          `json:"seals"`
	Placed    int             `json:"placed"`
	Tentative int             `json:"tentative"`
	Forks     int             `json:"forks"`
	Refused   int             `json:"refused"`          // placed actions that the rules refused
	Rolls     int             `json:"rolls"`            // dice that were recomputed
	Witnesses game.Attendance `json:"witnesses"`        // of rolls in the mode witnessed(k)
	Practice  bool            `json:"practice"`         // the notary is the founder's own device
	Bound     string          `json:"bound"`            // what bound the notary and the devices, in words
	Digest    string          `json:"digest,omitempty"` // of the state after the newest seal
	Order     string          `json:"order"`            // the order's digest (engine/ledger/SPEC.md, 7.10)
	Throws    []throwFinding  `json:"throws"`           // every action that rolled, for other programs to recompute
	Until     string          `json:"until,omitempty"`  // the time of the newest seal
}

// throwFinding is the dice of one action, with what their seed was made of.
type throwFinding struct {
	Action    string     `json:"action"`
	Seal      uint64     `json:"seal"`
	Time      string     `json:"time"`
	For       string     `json:"for"`      // what was done, as the rules call it
	Identity  string     `json:"identity"` // whose device rolled; empty if the rules keep it back
	Dice      []dieShown `json:"dice"`
	Wanted    int        `json:"wanted"`    // witnesses
	Witnesses []string   `json:"witnesses"` // the actions of those who came, in the order in which they were asked
}

// What a file is that cannot be checked.
var (
	errNeither = errors.New("neither the proof of a roll nor an exported game: it does not begin like one")
	errEmpty   = errors.New("empty: perhaps a download that broke off")
	errKey     = errors.New("the backup of a key, in which there is nothing to check")
	errNewer   = errors.New("of a newer version than this program reads: get a newer nomic")
	errNoRoll  = errors.New("not the proof of a roll, and --game is for one: check the game by itself")
)

func verify(out io.Writer, name, from string, asJSON bool) error {
	f, unread := examineFile(name, from)
	f.File = name
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(f); err != nil {
			return err
		}
	} else if unread == nil {
		f.print(out)
	}
	if unread != nil {
		return unread
	}
	if !f.OK {
		return bad()
	}
	return nil
}

// examineFile checks a file, the proof of a roll together with the game that it is from if that is named. If there
// is nothing to check, the finding says so as the error does.
func examineFile(name, from string) (finding, error) {
	f, err := examineNamed(name)
	if err == nil && from != "" {
		f, err = examineTogether(f, name, from)
	}
	if err != nil {
		f = finding{Text: err.Error()}
	}
	return f, err
}

func examineNamed(name string) (finding, error) {
	file, err := readFile(name)
	if err != nil {
		return finding{}, err
	}
	f, err := examine(file)
	if err != nil {
		return finding{}, fmt.Errorf("%s is %w", name, err)
	}
	return f, nil
}

// examineTogether finds whether a roll counted in a game.
func examineTogether(f finding, name, from string) (finding, error) {
	if f.Kind != kindRoll {
		return f, fmt.Errorf("%s is %w", name, errNoRoll)
	}
	in, err := examineNamed(from)
	switch {
	case err != nil:
		return f, err
	case in.Kind != kindGame:
		return f, fmt.Errorf("%s is not an exported game", from)
	case !in.OK:
		in.Text = from + ": " + in.Text
		return in, nil
	case !f.OK:
		return f, nil
	}
	f.Roll.Counted = countedYes
	at := max(0, slices.IndexFunc(in.games, func(g *game.Game) bool { return g.Replica().Game() == f.report.Game }))
	if err := in.games[at].Counted(f.report, nil); err != nil {
		f.OK, f.Roll.Counted = false, countedNo
		f.Text = "the dice follow, but this is not the roll that counted in " + from + ": " + err.Error()
	}
	return f, nil
}

// examine checks a file of either kind.
func examine(file []byte) (finding, error) {
	switch game.KindOf(file) {
	case game.GameFile:
		return examineGame(file), nil
	case game.RollFile:
		return examineRoll(file), nil
	case game.KeyFile:
		return finding{}, errKey
	case game.NewerFile:
		return finding{}, errNewer
	}
	if len(file) == 0 {
		return finding{}, errEmpty
	}
	return finding{}, errNeither
}

func examineRoll(file []byte) finding {
	r := dice.VerifyTranscript(file)
	f := finding{Kind: kindRoll, OK: r.OK, Clause: r.Clause, Text: r.Text, report: r}
	if !r.OK {
		return f
	}
	f.Game, f.Title, f.Room = hex.EncodeToString(r.Game[:]), r.Title, hex.EncodeToString(r.Room[:])
	f.Roll = &rollFinding{
		Action: hex.EncodeToString(r.Action[:]), Device: hex.EncodeToString(r.Device[:]),
		Identity: r.Identity.String(), Name: r.Name, Roller: r.Roller(), Number: r.Seq,
		Seal: r.Seal, Time: showTime(r.Time), Seed: hex.EncodeToString(r.Seed[:]), Mode: r.Mode(),
		Counted: countedUnknown, Bound: r.Bound,
	}
	for _, die := range r.Rolls {
		f.Roll.Dice = append(f.Roll.Dice, dieShown{die.Sides, die.Value})
	}
	return f
}

func examineGame(file []byte) finding {
	f := finding{Kind: kindGame}
	chapters, err := ledger.ReadArchive(file)
	if err == nil {
		err = game.VerifySeams(chapters)
	}
	if err != nil {
		f.Text = err.Error()
		var wrong *ledger.ArchiveError
		if errors.As(err, &wrong) {
			f.Clause, f.Text = wrong.Clause, wrong.Text
			if wrong.Err != nil {
				f.Text += ": " + wrong.Err.Error()
			}
		}
		return f
	}
	f.OK = true
	for _, replica := range chapters {
		if f.Ledger != nil {
			f.Earlier = append(f.Earlier, f.Ledger)
		}
		f.chapter(replica)
	}
	return f
}

// chapter adds what is found in one room of a game.
func (f *finding) chapter(replica *ledger.Replica) {
	genesis, _ := replica.Genesis()
	id := replica.Game()
	f.Title, f.Game, f.Room = genesis.Title, hex.EncodeToString(id[:]), hex.EncodeToString(genesis.Room[:])
	placed := replica.Placed()
	f.Ledger = &gameFinding{Seals: replica.OrderedSeals(), Placed: len(placed), Tentative: len(replica.Tentative()), Forks: len(replica.Forks()),
		Practice: genesis.Dice == ledger.DicePractice, Bound: game.Bound(replica)}
	order := replica.OrderDigest()
	f.Ledger.Order, f.Ledger.Throws = hex.EncodeToString(order[:]), []throwFinding{}
	var last int64
	if n := len(placed); n > 0 {
		last = placed[n-1].Time
		f.Ledger.Until = showTime(last)
	}
	g := game.FromReplica(replica)
	f.games = append(f.games, g)
	f.replay(g, last)
}

// replay carries every action out again: the dice are recomputed from the links on the way, and whoever
// has the same digest has the same state.
func (f *finding) replay(g *game.Game, now int64) {
	g.Advance(now)
	if err := g.Broken(); err != nil {
		f.OK, f.Text = false, "the log is good, but the game cannot be carried out: "+err.Error()
		return
	}
	_, digest := g.Confirmed()
	f.Ledger.Digest = hex.EncodeToString(digest[:])
	f.Ledger.Witnesses = g.Attendance()
	for _, e := range g.Entries() {
		switch {
		case e.Tentative || e.Outcome == nil:
		case e.Outcome.Refused != nil:
			f.Ledger.Refused++
		case len(e.Outcome.Rolls) > 0:
			f.Ledger.Rolls += len(e.Outcome.Rolls)
			f.Ledger.Throws = append(f.Ledger.Throws, thrown(g.Replica(), e))
		}
	}
}

func thrown(r *ledger.Replica, e game.Entry) throwFinding {
	t := throwFinding{Action: e.Action.String(), Seal: e.Seal, Time: showTime(e.Time), For: e.Outcome.Action,
		Wanted: e.Wanted, Witnesses: []string{}}
	if owner, _ := r.Enrolment(e.Device); e.Player != 0 {
		t.Identity = owner.Identity.String()
	}
	for _, die := range e.Outcome.Rolls {
		t.Dice = append(t.Dice, dieShown{uint64(die.Sides), uint64(die.Value)})
	}
	for _, w := range e.Witnesses {
		if w.Came {
			t.Witnesses = append(t.Witnesses, w.Action.String())
		}
	}
	return t
}

// specification is where the clauses of such a file stand.
func (f finding) specification() string {
	if f.Kind == kindRoll {
		return "engine/dice/SPEC.md"
	}
	return "engine/ledger/SPEC.md"
}

// print says the finding in sentences.
func (f finding) print(out io.Writer) {
	if !f.OK {
		if f.Clause == "" {
			fmt.Fprintf(out, "BAD: %s\n", f.Text)
			return
		}
		fmt.Fprintf(out, "BAD: clause %s of %s: %s\n", f.Clause, f.specification(), f.Text)
		return
	}
	switch {
	case f.Roll != nil:
		r := f.Roll
		verdict, text := "FOLLOWS", f.Text+" "+dice.Ask
		if r.Counted == countedYes {
			verdict, text = "COUNTED", "This is the roll that counted in the game."
		}
		fmt.Fprintf(out, "%s:%s in %q at %s, by %s\n  %s\n", verdict, showDice(r.Dice), f.Title, r.Time, r.Roller, text)
		if r.Counted != countedYes {
			fmt.Fprintf(out, "  what to do: nomic verify --game GAME %s\n  mode: %s\n", f.File, r.Mode)
		}
		fmt.Fprintf(out, "  not shown: %s\n", dice.NeverShown)
		for _, line := range r.Bound {
			fmt.Fprintf(out, "  bound: %s\n", line)
		}
		fmt.Fprintf(out, "  action %s, number %d of device %s\n  seal %d, seed %s\n", r.Action, r.Number, r.Device, r.Seal, r.Seed)
	case f.Ledger != nil:
		l := f.Ledger
		fmt.Fprintf(out, "GOOD: %q, %d actions in order by %d seals", f.Title, l.Placed, l.Seals)
		if l.Until != "" {
			fmt.Fprintf(out, " until %s", l.Until)
		}
		fmt.Fprintf(out, "\n  game  %s\n  order %s\n  state %s\n", f.Game, l.Order, l.Digest)
		fmt.Fprintf(out, "  bound: %s\n", l.Bound)
		fmt.Fprintf(out, "  all actions carried out again: %d dice recomputed, %d actions refused by the rules\n", l.Rolls, l.Refused)
		if text := l.Witnesses.String(); text != "" {
			fmt.Fprintf(out, "  %s\n", text)
		}
		if l.Tentative > 0 {
			fmt.Fprintf(out, "  %d more without a place yet\n", l.Tentative)
		}
		if l.Forks > 0 {
			fmt.Fprintf(out, "  %d times a device signed two actions with one number; the first in order stands\n", l.Forks)
		}
		for _, t := range l.Throws {
			fmt.Fprintf(out, "  rolled:%s by seal %d at %s for %q%s, action %s%s\n", showDice(t.Dice), t.Seal, t.Time, t.For,
				t.roller(), t.Action, t.attended())
		}
	}
}

// roller says by whom, if the rules do not keep it back.
func (t throwFinding) roller() string {
	if t.Identity == "" {
		return ""
	}
	return " by the key " + ledger.Fingerprint(t.Identity)
}

// attended says how many witnesses a roll had, if it was to have some.
func (t throwFinding) attended() string {
	if t.Wanted == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of %d witnesses", len(t.Witnesses), t.Wanted)
}

func showDice(all []dieShown) string {
	var b strings.Builder
	for _, die := range all {
		fmt.Fprintf(&b, " %d (of %d)", die.Value, die.Sides)
	}
	return b.String()
}

// showTime writes Unix milliseconds for people and programs alike.
func showTime(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}
