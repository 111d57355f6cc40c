//go:build !js

package client

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"peernomic/app/client/disk"
	"peernomic/engine/ledger"
	"peernomic/signal/killtest"
)

// victimFolder names the folder in which this program, started again by its own test,
// plays until it is killed.
const victimFolder = "PEERNOMIC_TEST_VICTIM"

func TestMain(m *testing.M) {
	if folder := os.Getenv(victimFolder); folder != "" {
		if err := playUntilKilled(folder); err != nil {
			fmt.Println("error:", err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func openVictim(ctx context.Context, folder string) (*Hub, *Session, error) {
	identity, err := disk.OpenBadger(folder + "/identity")
	if err != nil {
		return nil, nil, err
	}
	games, err := disk.OpenBadger(folder + "/games")
	if err != nil {
		return nil, nil, err
	}
	hub, err := OpenHub(ctx, Config{Identity: identity, Games: games})
	if err != nil {
		return nil, nil, err
	}
	list, err := hub.Games(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 {
		room, err := hub.Found(ctx, Founding{Title: "A game", Name: "Ana", Ruleset: []ledger.Document{{Path: "1-core/01-one.md", Text: "# One\n\nBe kind."}}})
		if err != nil {
			return nil, nil, err
		}
		s, err := hub.Open(ctx, room)
		return hub, s, err
	}
	s, err := hub.Open(ctx, list[0].Room)
	return hub, s, err
}

func playUntilKilled(folder string) error {
	_, s, err := openVictim(context.Background(), folder)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		id, err := s.writeBody(context.Background(), ledger.KindAct, fmt.Append(nil, i))
		if err != nil {
			return err
		}
		fmt.Println(id)
	}
}

// Whatever moment a program is killed at: what it called done is there at the next
// start, and its feed goes on without a fork.
func TestKilledProgramLosesNothing(t *testing.T) {
	rounds := killtest.Wanted(t, 5)
	folder := t.TempDir()
	var done []string
	for round := range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victimFolder+"="+folder)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for count := 0; lines.Scan(); count++ {
			if strings.HasPrefix(lines.Text(), "error:") {
				t.Fatalf("round %d: %s", round, lines.Text())
			}
			if len(lines.Text()) == 64 {
				done = append(done, lines.Text())
			}
			if count == 20+7*(round%10) {
				cmd.Process.Kill()
			}
		}
		if cmd.Wait() == nil {
			t.Fatal("the program ended by itself")
		}
	}
	hub, s, err := openVictim(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	act(t, s, "at last")
	s.do(t.Context(), func() {
		replica := s.node().Game().Replica()
		held := map[string]bool{}
		for _, p := range replica.Placed() {
			held[p.Action.ID().String()] = true
		}
		for _, id := range done {
			if !held[id] {
				t.Errorf("lost %s", id)
			}
		}
		if n := len(replica.Forks()) + len(replica.NotaryForks()); n > 0 {
			t.Errorf("%d forks", n)
		}
	})
	t.Logf("%d kills: %d actions were called done, none is missing", rounds, len(done))
	if len(done) < 20*rounds {
		t.Errorf("only %d actions were done", len(done))
	}
}
