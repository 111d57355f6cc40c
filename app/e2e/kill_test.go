package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/wire"
	"peernomic/signal/killtest"
)

// processes returns the ids of the browser's processes of a kind, such as "renderer"; of every kind
// if it is empty.
func (b *browser) processes(kind string) []int {
	b.t.Helper()
	all, err := cdp.Call(b.ctx, chromedp.FromContext(b.ctx).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	var ids []int
	for _, p := range all.ProcessInfo {
		if kind == "" || p.Type == kind {
			ids = append(ids, int(p.ID))
		}
	}
	return ids
}

// actsOn has the page act again and again, as fast as it tells that the last action is done, and say
// on the console which ones it told so of. Nobody waits for it.
func (b *browser) actsOn(label string) {
	b.t.Helper()
	b.goTo("now")
	b.run("beginning to act", script(fmt.Sprintf(`(async () => {
		const pause = () => new Promise((on) => setTimeout(on, 5));
		const find = (selector) => {
			const e = document.querySelector(selector);
			return e && !e.disabled && e.getAttribute("aria-busy") !== "true" ? e : null;
		};
		const told = () => [...document.querySelectorAll('[data-test="said-good"], [data-test="said-wait"]')]
			.filter((e) => e.innerText.includes("Roll dice: done"))
			.reduce((newest, e) => Math.max(newest, e.parentElement.tagName.replace(/\D/g, "")), 0);
		for (let n = 1;; n++) {
			const comment = %s + n;
			const before = told();
			let input, button;
			for (let turn = 0; !(input && button); turn++) {
				const opener = find('[data-test="action-roll-dice"]') ?? find('[data-test="seldom-actions"][aria-expanded="false"]');
				if (!find('[data-test="form-roll-dice"]') && turn %% 100 === 0) opener?.click(); // a second press would close what opens slowly
				await pause();
				input = find('[data-test="form-roll-dice"] [data-test="param-comment"] :is(input, textarea)');
				button = find('[data-test="do-roll-dice"]');
			}
			input.value = comment + " DICE6";
			input.dispatchEvent(new Event("input", { bubbles: true }));
			input.dispatchEvent(new Event("change", { bubbles: true }));
			button.click();
			// A press on a form that was just closing is lost: only what is told to be done counts.
			for (let turn = 0; turn < 2000 && told() <= before; turn++) await pause();
			if (told() <= before) continue;
			console.info(comment);
		}
	})()`, js(label+"-"))))
}

// done returns which of these actions the page called done.
func (b *browser) done() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.told...)
}

// rolled returns the comments of all actions that count in a game, and fails if a device used a
// number twice.
func rolled(t *testing.T, file []byte) map[string]bool {
	t.Helper()
	chapters, err := ledger.ReadArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	replica := chapters[len(chapters)-1]
	if forks := replica.Forks(); len(forks) > 0 {
		t.Errorf("%d numbers were signed twice", len(forks))
	}
	found := map[string]bool{}
	for _, p := range append(replica.Placed(), replica.Tentative()...) {
		var act game.ActBody
		if p.Action.Action().Kind != ledger.KindAct || p.Void != nil || wire.Decode(p.Body(), &act) != nil {
			continue
		}
		if comment, ok := act.Args["comment"].(string); ok {
			found[strings.TrimSuffix(comment, " DICE6")] = true
		}
	}
	return found
}

// profileFolder makes a folder for what Chromium keeps. Some of Chromium's processes outlive the one that was started and may
// still write there, so that the folder may not go away at once.
func profileFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "peernomic-profile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eventually(t, "the profile is removed", func() bool { return os.RemoveAll(folder) == nil }) })
	return folder
}

// Chromium is killed while its page acts: the whole of it, or the process that draws the page, at
// random moments, in some rounds without a network. Whatever the page had called done is there when the same profile is opened again,
// no number is signed twice, and the game goes on, for the others too.
func TestKilledBrowserLosesNothing(t *testing.T) {
	rounds := killtest.Wanted(t, 6)
	server := startServer(t)
	profile := profileFolder(t)
	cable := layCable(t, server) // what a browser keeps belongs to an address
	reopen := func() *browser { return launch(t, "Ana", cable, chromedp.UserDataDir(profile)) }
	ana := reopen()
	ana.open("/found")
	invite := ana.founds("A Hard Life")
	cy := joins(t, invite, "Cy")
	address, err := evaluate[string](ana, `location.pathname.replace(/[^/]*$/, "now")`)
	if err != nil {
		t.Fatal(err)
	}
	random := killtest.Random(t)

	ana.workerIsReady()

	var done []string
	for round := range rounds {
		whole, alone := round%2 == 0, round/2%2 == 1
		if alone {
			ana.cutNetwork() // nobody can give back what is lost
		}
		ana.actsOn(fmt.Sprint(round))
		eventually(t, "the page acts", func() bool { return len(ana.done()) > 0 })
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		kind := "renderer"
		if whole {
			kind = ""
		}
		killed := ana.processes(kind)
		for _, id := range killed {
			_ = syscall.Kill(id, syscall.SIGKILL) // one may be gone by the death of another
		}
		done = append(done, ana.done()...)
		if whole {
			ana = reopen()
		} else {
			eventually(t, "the browser notices", func() bool {
				return !slices.ContainsFunc(ana.processes(kind), func(id int) bool { return slices.Contains(killed, id) })
			})
			ana, _ = ana.tab() // nothing draws the old one any more
		}
		ana.expectOffline(true) // of a round alone, or of requests that were cut short
		ana.open(address)
		ana.goTo("settings")
		found := rolled(t, ana.download("export"))
		for _, comment := range done {
			if !found[comment] {
				t.Errorf("round %d: %s was called done and is lost", round, comment)
			}
		}
		if alone {
			ana.mendNetwork()
		}
	}
	ana.does("Roll dice", "comment=At last DICE6")
	done = append(done, "At last")
	eventually(t, "everything has its place, and all have the same state", func() bool {
		return ana.settled() != "" && cy.digest() == ana.settled()
	})
	file := filepath.Join(t.TempDir(), "game.nomic")
	if e := cy.tell("export " + file); e.Event != "done" {
		t.Fatalf("export: %+v", e)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := rolled(t, content)
	for _, comment := range done {
		if !found[comment] {
			t.Errorf("%s was called done and did not reach the others", comment)
		}
	}
	if len(done) < rounds {
		t.Errorf("only %d actions were done", len(done))
	}
	if t.Failed() {
		return
	}
	report("a browser killed %d times: %d actions were called done, none is missing", rounds, len(done))
}
