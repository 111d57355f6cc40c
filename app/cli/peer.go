package cli

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"peernomic/app/client"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

type peerOptions struct {
	name, data string
	control    bool
	noDirect   bool
}

func newPeer() *cobra.Command {
	var o peerOptions
	cmd := &cobra.Command{
		Use:   "peer INVITE",
		Short: "Be a member of a game, without a browser",
		Long: `Joins a game by its invite link and stays: keeps a complete copy in the data folder,
checks everything, and gives it to other members who lack something, directly or
through the relay. Without --name it only reads.

With --control it also plays. It is told what to do on standard input, one command a
line, and answers with one line of JSON for each; lines without a "line" say that
something has changed. The end of standard input ends it.

  act NAME [KEY=VALUE]...   take an action: act "Edit post" post=3 body="two words"
  show                      how things stand
  motions                   the conventions of the game, and everybody's keys
  convene repair amendments=[...]     call a convention to change the game outside the rules,
  convene seat from=KEY to=KEY        or to give a seat to another key; each may have why="..."
  sign MOTION               sign a convention that somebody has called
  withdraw MOTION           take the signature back
  move RELAY [left=NAME]    open a new room at a relay in which the game goes on, and invite everybody but one;
                            it may have why="..."
  moves                     the rooms in which the game goes on, and how they stand
  go ROOM                   go along to one of them: the commands that follow mean the game there
  stay ROOM                 do not go along
  export FILE               write the whole game to a file
  transcript ACTION FILE    write the proof of a roll
  quit`,
		Example: `  nomic peer 'https://nomic.example/#/join/SECRET.GAME' --data archive`,
		Args:    takes(1, 1, "the INVITE link to a game", "nomic peer 'https://nomic.example/#/join/SECRET.GAME'"),
		RunE:    func(cmd *cobra.Command, args []string) error { return peer(cmd, args[0], o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.name, "name", "", "`name` to introduce oneself by; empty to only read")
	flags.StringVar(&o.data, "data", "peer", "`folder` of keys and games")
	flags.BoolVar(&o.control, "control", false, "take commands on standard input")
	flags.BoolVar(&o.noDirect, "no-direct", false, "make no direct connections: everything goes through the relay")
	return cmd
}

func peer(cmd *cobra.Command, invite string, o peerOptions) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	const another = "nomic peer INVITE --data peer-2"
	if err := os.MkdirAll(o.data, 0o700); err != nil {
		return folderError(err, o.data, another)
	}
	hub, err := client.OpenFolder(ctx, o.data, !o.noDirect)
	if err != nil {
		return folderError(err, o.data, another)
	}
	defer hub.Close()
	room, err := hub.Join(ctx, invite, o.name)
	if err != nil {
		return err
	}
	session, err := hub.Open(ctx, room)
	if err != nil {
		return err
	}
	p := &member{hub: hub, session: session, out: json.NewEncoder(cmd.OutOrStdout())}
	stopWatching := hub.Watch(func() { p.changed(ctx) })
	defer stopWatching()
	p.changed(ctx)
	if !o.control {
		<-ctx.Done()
		return nil
	}
	return p.obey(ctx, cmd.InOrStdin())
}

// member is a peer as it talks to whoever runs it.
type member struct {
	hub *client.Hub

	mu      sync.Mutex
	session *client.Session // of the newest chapter that it went along to
	out     *json.Encoder
	state   peerState
}

func (p *member) current() *client.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session
}

// peerState is how things stand.
type peerState struct {
	Title     string `json:"title,omitempty"`
	Standing  string `json:"standing,omitempty"` // of this person: "stranger", "applicant", "player", "left"
	Me        int64  `json:"me,omitempty"`
	Seals     uint64 `json:"seals"`
	Placed    int    `json:"placed"`
	Tentative int    `json:"tentative"`
	Digest    string `json:"digest,omitempty"` // of the state after the newest seal
	Relay     string `json:"relay"`
	Direct    int    `json:"direct"` // members that are linked directly
	Unsent    int    `json:"unsent"`
	Problem   string `json:"problem,omitempty"`
}

// answer is a line of output.
type answer struct {
	Event   string            `json:"event"` // "state", "done", "refused", "motions", "moves", "error"
	Line    int               `json:"line,omitempty"`
	Text    string            `json:"text,omitempty"`
	Action  string            `json:"action,omitempty"`
	Motion  string            `json:"motion,omitempty"`
	Motions []motion          `json:"motions,omitempty"`
	Moves   []offer           `json:"moves,omitempty"`
	People  map[string]string `json:"people,omitempty"` // their keys, by name
	peerState
}

func (p *member) say(a answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.out.Encode(a) // whoever reads has gone: there is nobody left to tell
}

// look asks the session how things stand.
func (p *member) look(ctx context.Context) (peerState, error) {
	var s peerState
	err := p.current().Do(ctx, func(g *game.Game) {
		if genesis, ok := g.Replica().Genesis(); ok {
			s.Title = genesis.Title
		}
		if broken := g.Broken(); broken != nil {
			s.Problem = broken.Error()
		}
		var digest [32]byte
		if s.Seals, digest = g.Confirmed(); s.Seals > 0 {
			s.Digest = hex.EncodeToString(digest[:])
		}
		s.Placed, s.Tentative = len(g.Replica().Placed()), len(g.Replica().Tentative())
		s.Me = p.current().Me()
		if w := g.World(); w != nil {
			for _, person := range w.Players() {
				if person.ID == s.Me {
					s.Standing = person.Standing
				}
			}
		}
	})
	net := p.current().Net()
	s.Relay, s.Unsent = net.Relay, net.Unsent
	if net.Problem != "" {
		s.Problem = net.Problem
	}
	for _, other := range net.Peers {
		if other.Path == client.PathDirect {
			s.Direct++
		}
	}
	return s, err
}

// changed says how things stand, if that is new.
func (p *member) changed(ctx context.Context) {
	s, err := p.look(ctx)
	if err != nil {
		return // the session is ending
	}
	p.mu.Lock()
	same := s == p.state
	p.state = s
	p.mu.Unlock()
	if !same {
		p.say(answer{Event: "state", peerState: s})
	}
}

// obey carries out the commands on standard input until it ends.
func (p *member) obey(ctx context.Context, in io.Reader) error {
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() {
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
		failed <- scanner.Err()
		close(lines)
	}()
	for number := 1; ; number++ {
		select {
		case <-ctx.Done():
			return nil
		case text, more := <-lines:
			if !more {
				return <-failed
			}
			l, err := parseLine(text)
			if err == nil && len(l.words) == 1 && l.words[0] == "quit" {
				return nil
			}
			if err == nil {
				var a answer
				a, err = p.carryOut(ctx, l)
				if err == nil {
					a.Line = number
					p.say(a)
					continue
				}
			}
			p.say(answer{Event: "error", Line: number, Text: err.Error()})
		}
	}
}

// usages say what each command is given.
var usages = map[string]string{
	"act":        `the name of one action, in quotes if it is several words: act "Edit post" post=3 body="two words"`,
	"show":       "nothing: show",
	"motions":    "nothing: motions",
	"convene":    `what to change: convene repair amendments=[...], or convene seat from=KEY to=KEY`,
	"sign":       "the id of one motion, which motions lists: sign MOTION",
	"withdraw":   "the id of one motion, which motions lists: withdraw MOTION",
	"move":       `the address of a relay: move https://nomic.example why="the link has leaked" left=Mal`,
	"moves":      "nothing: moves",
	"go":         "one room, which moves lists: go ROOM",
	"stay":       "one room, which moves lists: stay ROOM",
	"export":     "one file, which it writes: export our.game",
	"transcript": "the id of an action and one file, which it writes: transcript ACTION roll.cbor",
	"quit":       "nothing: quit",
}

// errCommand says what there is, or what the command that was meant is given.
func errCommand(words []string) error {
	if len(words) > 0 && usages[words[0]] != "" {
		return fmt.Errorf("%s is given %s", words[0], usages[words[0]])
	}
	what := "no command stands first"
	if len(words) > 0 {
		what = fmt.Sprintf("there is no command %q", words[0])
	}
	return fmt.Errorf("%s; the commands are %s", what, strings.Join(slices.Sorted(maps.Keys(usages)), ", "))
}

func (p *member) carryOut(ctx context.Context, l line) (answer, error) {
	if len(l.words) == 0 {
		return answer{}, errCommand(nil)
	}
	switch verb, words := l.words[0], l.words[1:]; {
	case verb == "act" && len(words) == 1:
		return p.act(ctx, words[0], l.args)
	case verb == "show" && len(words) == 0:
		s, err := p.look(ctx)
		return answer{Event: "state", peerState: s}, err
	case verb == "motions" && len(words) == 0:
		return p.motions(ctx)
	case verb == "convene" && len(words) == 1:
		return p.convene(ctx, words[0], l.args)
	case verb == "sign" && len(words) == 1:
		return p.ballot(ctx, words[0], ledger.VerbAssent)
	case verb == "withdraw" && len(words) == 1:
		return p.ballot(ctx, words[0], ledger.VerbWithdraw)
	case verb == "move" && len(words) == 1:
		return p.move(ctx, words[0], l.args)
	case verb == "moves" && len(words) == 0:
		return p.moves(ctx)
	case verb == "go" && len(words) == 1:
		return p.goAlong(ctx, words[0])
	case verb == "stay" && len(words) == 1:
		return p.stay(ctx, words[0])
	case verb == "export" && len(words) == 1:
		file, err := p.current().Export(ctx)
		if err != nil {
			return answer{}, err
		}
		return answer{Event: "done", Text: fmt.Sprintf("%d bytes", len(file))}, os.WriteFile(words[0], file, 0o600)
	case verb == "transcript" && len(words) == 2:
		return p.transcript(ctx, words[0], words[1])
	default:
		return answer{}, errCommand(l.words)
	}
}

// act takes an action and says what the rules make of it as things stand here; the last word is theirs
// when a seal places it.
func (p *member) act(ctx context.Context, name string, args map[string]any) (answer, error) {
	id, err := p.current().Act(ctx, name, args)
	for end := time.Now().Add(arrival); notYet(err) && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(arrivalPoll)
		id, err = p.current().Act(ctx, name, args)
	}
	if notYet(err) {
		s, lookErr := p.look(ctx)
		return answer{}, errors.Join(fmt.Errorf("%w; the relay is %s", err, s.Relay), lookErr)
	}
	if err != nil {
		return answer{}, err
	}
	a := answer{Event: "done", Action: hex.EncodeToString(id[:])}
	err = p.current().Do(ctx, func(g *game.Game) {
		entries := g.Entries()
		for n := len(entries) - 1; n >= 0; n-- {
			e := entries[n]
			if e.Action == id {
				if e.Outcome != nil && e.Outcome.Refused != nil {
					a.Event, a.Text = "refused", e.Outcome.Refused.Error()
					if hint := whatThereIs(g.World(), p.current().Me(), name, e.Outcome.Refused.Code); hint != "" {
						a.Text += "; " + hint
					}
				}
				return
			}
		}
	})
	return a, err
}

// whatThereIs lists the actions, if there is none of this name, or the parameters of one that was given
// others.
func whatThereIs(w *rules.World, me int64, name string, code rules.Code) string {
	types := w.ActionTypes(name)
	switch {
	case types == nil:
		return "the actions are " + strings.Join(w.ActionNames(), ", ")
	case code != rules.CodeArgument:
		return ""
	case len(types) == 0:
		return name + " takes no parameters"
	}
	takes := slices.Sorted(maps.Keys(types))
	for _, a := range w.Actions(me) {
		if a.Name != name || len(a.Params) != len(types) {
			continue // it is not open, and its form not worked out
		}
		for i, param := range a.Params {
			takes[i] = param.Name
			if param.Optional || param.Initial != nil {
				takes[i] += " (may be left out)"
			}
		}
	}
	return name + " takes " + strings.Join(takes, ", ")
}

// An action may be wanted before the game, or the introduction of this device, has arrived.
const (
	arrival     = 20 * time.Second
	arrivalPoll = 50 * time.Millisecond
)

func notYet(err error) bool {
	return errors.Is(err, client.ErrNotHere) || errors.Is(err, client.ErrNotIntroduced)
}

func (p *member) transcript(ctx context.Context, action, file string) (answer, error) {
	raw, err := hex.DecodeString(action)
	if err != nil || len(raw) != len(ledger.ActionID{}) {
		return answer{}, fmt.Errorf("%s is not the id of an action", action)
	}
	var proof []byte
	doErr := p.current().Do(ctx, func(g *game.Game) { proof, err = g.Transcript(ledger.ActionID(raw)) })
	if err := errors.Join(doErr, err); err != nil {
		return answer{}, err
	}
	return answer{Event: "done", Text: fmt.Sprintf("%d bytes", len(proof))}, os.WriteFile(file, proof, 0o600)
}
