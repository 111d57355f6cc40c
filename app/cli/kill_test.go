package cli

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"peernomic/app/client"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal"
	"peernomic/signal/killtest"
)

// testChild makes the test binary be another program: the command, or a relay at the
// address and with the folder that are its arguments.
const testChild = "PEERNOMIC_TEST_CHILD"

// beChild is what the test binary does as another program.
func beChild(kind string) int {
	if kind == "nomic" {
		return Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}
	relay, err := signal.NewServer(signal.Config{
		Data: os.Args[2], Log: slog.New(slog.DiscardHandler),
		Limits: signal.Limits{AttemptRate: 1e6, AttemptBurst: 1e6, EnvelopeRate: 1e6, RoomEnvelopeRate: 1e6, WantRate: 1e6, MessageRate: 1e6},
	})
	if err == nil {
		err = http.ListenAndServe(os.Args[1], relay.Handler())
	}
	for errors.Is(err, syscall.EADDRINUSE) { // somebody took the port when this relay was killed
		time.Sleep(50 * time.Millisecond)
		err = http.ListenAndServe(os.Args[1], relay.Handler())
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// victim is a program that is killed and started again, over and over.
type victim struct {
	t    *testing.T
	kind string
	args []string

	cmd   *exec.Cmd
	stdin io.WriteCloser
	gone  chan struct{} // closed when it has ended and all that it said was read

	mu    sync.Mutex
	done  []string // actions that it called done, in all its lives
	state answer   // how it last said that things stand
}

func (v *victim) start() {
	v.t.Helper()
	v.cmd = exec.Command(os.Args[0], v.args...)
	v.cmd.Env = append(os.Environ(), testChild+"="+v.kind)
	v.cmd.Stderr = os.Stderr
	v.gone = make(chan struct{})
	stdin, err := v.cmd.StdinPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	stdout, err := v.cmd.StdoutPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.stdin = stdin
	if v.kind == "nomic" {
		v.act()
	}
	go func() {
		defer close(v.gone)
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			v.hear(lines.Bytes())
		}
	}()
}

// hear takes in a line of a member, and has it act again when it has acted.
func (v *victim) hear(line []byte) {
	var a answer
	if json.Unmarshal(line, &a) != nil {
		return // cut off by the end
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if a.Event == "state" {
		v.state = a
		return
	}
	if a.Action != "" {
		v.done = append(v.done, a.Action)
	}
	v.act()
}

// act tells a member to act; if it has gone, nothing comes of it.
func (v *victim) act() { _, _ = io.WriteString(v.stdin, "act Dig\n") }

func (v *victim) kill() {
	if err := v.cmd.Process.Kill(); err != nil {
		v.t.Fatal(err)
	}
	<-v.gone
	_ = v.cmd.Wait() // it says that it was killed
}

// end kills it if that is still to be done.
func (v *victim) end() {
	select {
	case <-v.gone:
	default:
		v.kill()
	}
}

// Members without a browser, and the relay, are killed at random moments while the members
// act. What any of them called done is in the game in the end, and counts; no feed and no
// chain of seals is forked; all have one state.
func TestKilledPeers(t *testing.T) {
	rounds := killtest.Wanted(t, 4)
	folder := t.TempDir()
	address := freeAddress(t)
	relay := &victim{t: t, kind: "relay", args: []string{address, filepath.Join(folder, "relay")}}
	relay.start()
	t.Cleanup(relay.end)
	founder := foundHere(t, filepath.Join(folder, "founder"), "http://"+address)

	victims := []*victim{relay}
	for i := range 3 {
		v := &victim{t: t, kind: "nomic", args: []string{
			"peer", founder.Invite(), "--name", fmt.Sprint("Peer ", i), "--data", filepath.Join(folder, fmt.Sprint(i)), "--control",
		}}
		v.start()
		t.Cleanup(v.end)
		victims = append(victims, v)
	}
	random := killtest.Random(t)
	done := func() (count int) {
		for _, v := range victims {
			v.mu.Lock()
			count += len(v.done)
			v.mu.Unlock()
		}
		return count
	}
	for range rounds {
		before := done()
		waitFor(t, "somebody acts", func() bool { return done() > before })
		time.Sleep(time.Duration(random.IntN(700)) * time.Millisecond)
		v := victims[random.IntN(len(victims))]
		v.kill()
		v.start()
	}
	wanted := map[string]bool{}
	for _, v := range victims[1:] {
		v.mu.Lock()
		for _, id := range v.done {
			wanted[id] = true
		}
		v.mu.Unlock()
	}
	if len(wanted) < rounds {
		t.Errorf("only %d actions were done", len(wanted))
	}
	waitFor(t, "everything that was done is in the game", func() bool { return len(missing(t, founder, wanted)) == 0 })
	for _, v := range victims[1:] {
		// Those that go on acting are never at rest: they end, and are asked what they hold.
		v.kill()
	}
	compare(t, folder, founder, len(victims)-1)
	t.Logf("%d kills: %d actions were called done, none is missing", rounds, len(wanted))
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// foundHere founds a game in which anybody can act.
func foundHere(t *testing.T, folder, relay string) *client.Session {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	hub, err := client.OpenFolder(t.Context(), folder, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hub.Close() })
	const rule = "# Dig\n\n```starlark\n" + `
column("gold", integer())
def dig(me):
    me.gold += roll(6)
action("Dig", run=dig, who="anyone")
` + "```\n"
	founding := client.Founding{Title: "Killed", Name: "Founder", Relay: relay, Ruleset: []ledger.Document{
		{Path: "1-core/01-dig.md", Text: rule}, {Path: "ruleset.md", Text: "# Test\n\nA test."},
	}}
	var room wire.RoomID
	waitFor(t, "the relay has started", func() bool {
		room, err = hub.Found(t.Context(), founding)
		return err == nil
	})
	s, err := hub.Open(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// missing returns which of the actions are not placed, or do not count. It also looks for
// forks, which must never be.
func missing(t *testing.T, s *client.Session, wanted map[string]bool) map[string]bool {
	t.Helper()
	left := map[string]bool{}
	for id := range wanted {
		left[id] = true
	}
	err := s.Do(t.Context(), func(g *game.Game) {
		for _, p := range g.Replica().Placed() {
			id := p.Action.ID()
			if p.Void == nil {
				delete(left, hex.EncodeToString(id[:]))
			}
		}
		if n := len(g.Replica().Forks()) + len(g.Replica().NotaryForks()); n > 0 {
			t.Errorf("%d forks", n)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// compare opens the members' folders one by one, and waits until each has the founder's state.
func compare(t *testing.T, folder string, founder *client.Session, members int) {
	t.Helper()
	confirmed := func(s *client.Session) (text string) {
		if err := s.Do(t.Context(), func(g *game.Game) {
			seal, digest := g.Confirmed()
			text = fmt.Sprintf("%d %x", seal, digest)
		}); err != nil {
			t.Fatal(err)
		}
		return text
	}
	for i := range members {
		hub, err := client.OpenFolder(t.Context(), filepath.Join(folder, fmt.Sprint(i)), false)
		if err != nil {
			t.Fatal(err)
		}
		s, err := hub.Open(t.Context(), founder.Room())
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, fmt.Sprintf("member %d has the founder's state", i), func() bool { return confirmed(s) == confirmed(founder) })
		if err := hub.Close(); err != nil {
			t.Error(err)
		}
	}
}
