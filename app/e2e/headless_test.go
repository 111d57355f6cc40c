package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// headless is a member without a browser: `nomic peer`, told what to do line by line.
type headless struct {
	t     *testing.T
	name  string
	stdin io.WriteCloser
	log   lockedBuffer

	mu     sync.Mutex
	events []event
	done   bool
}

// event is one line that the member prints.
type event struct {
	Event  string `json:"event"`
	Line   int    `json:"line"` // which command it answers
	Text   string `json:"text"`
	Digest string `json:"digest"`
	Seals  uint64 `json:"seals"`
	Unsent int    `json:"unsent"`
	Direct int    `json:"direct"`
	Moves  []struct {
		Room  string `json:"room"`
		State string `json:"state"`
	} `json:"moves"`
}

// joins starts a member with an invite link.
func joins(t *testing.T, invite, name string) *headless {
	t.Helper()
	h := &headless{t: t, name: name}
	cmd := exec.Command(binary(t), "peer", invite, "--name", name, "--data", t.TempDir(), "--control")
	cmd.Env = append(os.Environ(), "PEERNOMIC_TEST=1")
	cmd.Stderr = &h.log
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if h.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		h.read(stdout)
	}()
	t.Cleanup(func() {
		h.stdin.Close()
		gone := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		<-read
		cmd.Wait()
		gone.Stop()
		if t.Failed() {
			t.Logf("%s's log:\n%s\nthe last that it said: %+v", name, h.log.tail(4000), h.events[max(0, len(h.events)-5):])
		}
	})
	return h
}

func (h *headless) read(stdout io.Reader) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			e = event{Event: "unreadable", Text: lines.Text()}
		}
		h.mu.Lock()
		h.events = append(h.events, e)
		h.mu.Unlock()
	}
	h.mu.Lock()
	h.done = true
	h.mu.Unlock()
}

// tell gives one command and waits for its answer.
func (h *headless) tell(command string) event {
	h.t.Helper()
	h.mu.Lock()
	before := 0
	for _, e := range h.events {
		if e.Line > before {
			before = e.Line
		}
	}
	h.mu.Unlock()
	if _, err := io.WriteString(h.stdin, command+"\n"); err != nil {
		h.t.Fatalf("%s: %v\n%s", h.name, err, h.log.tail(4000))
	}
	var answer event
	eventually(h.t, h.name+" answers to "+command, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, e := range h.events {
			if e.Line > before {
				answer = e
				return true
			}
		}
		return h.done
	})
	return answer
}

// acts takes an action, which must not be refused.
func (h *headless) acts(action string, arguments ...string) {
	h.t.Helper()
	command := fmt.Sprintf("act %q %s", action, strings.Join(arguments, " "))
	if e := h.tell(command); e.Event != "done" {
		h.t.Fatalf("%s: %s: %s: %s", h.name, command, e.Event, e.Text)
	}
}

// goesAlong goes to the room in which the game goes on, once that is compared.
func (h *headless) goesAlong() {
	h.t.Helper()
	eventually(h.t, h.name+" is asked to go along", func() bool {
		moves := h.tell("moves").Moves
		return len(moves) == 1 && moves[0].State == "offered" && h.tell("go "+moves[0].Room).Event == "done"
	})
}

// digest is the state as the member has it.
func (h *headless) digest() string {
	h.t.Helper()
	return h.tell("show").Digest
}
