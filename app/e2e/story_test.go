package e2e

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// table is a game with everybody at it: two browsers and two members without one.
type table struct {
	t        *testing.T
	server   *server
	ana, bo  *browser
	cy, di   *headless
	matters  map[string]string // addresses of proposals within the game, by title
	pictures string            // where pictures of the game are wanted; empty for none
}

// picturesVariable names a folder for pictures of the game as it is played, for the README.
const picturesVariable = "PEERNOMIC_PICTURES"

// TestTwoBrowsersPlayANomic is the whole of it: a game is founded, joined, argued, changed, rolled,
// played offline, interrupted by a crash, and checked by a program that trusts nobody.
func TestTwoBrowsersPlayANomic(t *testing.T) {
	g := &table{t: t, server: startServer(t), matters: map[string]string{}, pictures: os.Getenv(picturesVariable)}
	g.foundAndJoin()
	g.amendAerobics()
	g.trainAndSeeTheSame()
	g.checkTheDataPath()
	g.playOffline()
	g.crash()
	g.verifyTheExport()
}

// 1. Ana founds a game, Bo comes by the link, introduces himself and is admitted; so are two others.
func (g *table) foundAndJoin() {
	g.t.Helper()
	g.ana = launch(g.t, "Ana", layCable(g.t, g.server))
	start := time.Now()
	g.ana.open("/")
	g.ana.press("found")
	report("the way to the first form, nothing cached: %d ms", time.Since(start).Milliseconds())
	invite := g.ana.founds("The Dragon Farm")
	g.picture(g.ana, "settings")

	g.bo = launch(g.t, "Bo", layCable(g.t, g.server))
	g.bo.comesBy(invite)

	g.cy, g.di = joins(g.t, invite, "Cy"), joins(g.t, invite, "Di")
	for _, h := range []*headless{g.cy, g.di} {
		h.acts("Introduce yourself", "name="+h.name)
	}
	for _, name := range []string{"Bo", "Cy", "Di"} {
		g.ana.admits(name)
	}
	g.agree("after the first actions")
}

// agree waits until everybody has the same state.
func (g *table) agree(when string) {
	g.t.Helper()
	eventually(g.t, "all have the same state "+when, func() bool {
		digest := g.ana.settled()
		return digest != "" && g.bo.settled() == digest &&
			g.cy.digest() == digest && g.di.digest() == digest
	})
}

const amended = "Aerobics toughens the scales"

// 2. Bo proposes to amend a rule, prose and script. It is seen, previewed, voted for, and enacted after
// its time; the rule has then changed for both.
func (g *table) amendAerobics() {
	g.t.Helper()
	g.propose(g.bo, amended, "Aerobics", func(prose, script string) (string, string) {
		return strings.Replace(prose, "Laps around the meadow", "Laps around the meadow make Scales rise by 1. Laps around the meadow", 1),
			strings.Replace(script, `COLORS.get((dragon.color, result), {})]`, `COLORS.get((dragon.color, result), {}), {"scales": 1}]`, 1)
	})
	g.open(g.ana, amended)
	g.ana.press("tab-changes")
	g.ana.seesIn(mark("amendment"), "make Scales rise by 1")
	g.ana.seesIn(mark("amendment"), `{"scales": 1}`)
	g.picture(g.ana, "changes")
	g.ana.press("tab-effects")
	g.ana.seesIn(mark("preview"), "Aerobics")
	g.vote(g.ana, amended, "FOR", "The scales could use it.")
	for _, h := range []*headless{g.cy, g.di} {
		h.acts("Vote", "post="+g.number(amended), "icon=FOR")
	}
	g.picture(g.ana, "matter")
	g.server.advance(12*time.Hour + time.Minute)
	g.enact(g.ana, amended)
	for _, b := range []*browser{g.ana, g.bo} {
		b.visit("rules/Aerobics")
		b.seesIn(mark("rule"), "make Scales rise by 1")
		b.press("tab-script")
		b.seesIn(mark("script"), `{"scales": 1}`)
	}
	g.agree("after the amendment")
}

// propose makes a proposal that amends one rule.
func (g *table) propose(b *browser, title, rule string, amend func(prose, script string) (string, string)) {
	g.t.Helper()
	b.visit("propose?rule=" + url.QueryEscape(rule))
	b.write(mark("propose-title"), title)
	prose, script := amend(b.value(mark("edit-prose")), b.value(mark("edit-script")))
	b.write(mark("edit-prose"), prose)
	b.write(mark("edit-script"), script)
	b.run("waiting for the check", until(`document.querySelector('[data-test="check-good"]') !== null`))
	g.picture(b, "propose")
	g.submit(b, title)
}

// submit makes the proposal that has been written, and keeps its address.
func (g *table) submit(b *browser, title string) {
	g.t.Helper()
	b.press("propose-submit")
	b.run("waiting for the proposal", until(`/\/matters\/\d+$/.test(location.pathname)`), until(`document.querySelector('[data-test="matter"]') !== null`))
	path, err := evaluate[string](b, `location.pathname`)
	if err != nil {
		g.t.Fatal(err)
	}
	g.matters[title] = path[strings.Index(path, "/matters/")+1:]
}

// number is the number of a proposal's post.
func (g *table) number(title string) string {
	return strings.TrimPrefix(g.matters[title], "matters/")
}

// open goes to a proposal, which may still be on its way.
func (g *table) open(b *browser, title string) {
	g.t.Helper()
	eventually(g.t, b.name+" has the proposal "+title, func() bool {
		b.visit(g.matters[title])
		return b.try(time.Second, until(`document.querySelector('[data-test="matter"]') !== null`)) == nil
	})
	b.seesIn(mark("matter-title"), title)
}

func (g *table) vote(b *browser, title, icon, comment string) {
	g.t.Helper()
	g.open(b, title)
	b.press("icon-" + slugOf(icon))
	b.write(mark("comment-text"), comment)
	b.press("comment-submit")
	b.seesIn(mark("comment"), comment)
}

func (g *table) comment(b *browser, title, text string) {
	g.t.Helper()
	g.open(b, title)
	b.write(mark("comment-text"), text)
	b.press("comment-submit")
	b.seesIn(mark("comment"), text)
}

func (g *table) enact(b *browser, title string) {
	g.t.Helper()
	g.open(b, title)
	b.pressAt(mark("way-enact") + " button[type=submit]")
	b.seesIn(mark("status"), "Enacted")
}

// 3. Bo adopts a dragon and trains: both see the same roll and the same values, the new rule's included.
func (g *table) trainAndSeeTheSame() {
	g.t.Helper()
	g.bo.does("Adopt", "name=Smaug", "color=Silver")
	g.bo.goTo("now")
	g.picture(g.bo, "now")
	g.bo.does("Aerobics")
	g.agree("after the training")
	var rows, rolls [2]string
	for n, b := range []*browser{g.ana, g.bo} {
		b.visit("tracker/dragons")
		b.run("waiting for the dragon", until(`document.querySelector('tr[data-label="Smaug"]') !== null`))
		rows[n] = b.read(`[...document.querySelectorAll('tr[data-label="Smaug"] td')].map((td) => td.dataset.test.replace(/.*-/, "") + "=" + td.dataset.value).join(" ")`)
		b.visit("dice")
		b.run("waiting for the roll", until(`document.querySelector('[data-test="roll"]') !== null`))
		rolls[n] = b.read(`[...document.querySelectorAll('main [data-test="roll"]')].map((e) => e.innerText.trim()).join(" ")`)
	}
	if rows[0] != rows[1] || !regexp.MustCompile(`\bscales=6\b`).MatchString(rows[0]) {
		g.t.Fatalf("the dragon is, for Ana, %q, and for Bo, %q; Scales should be 5 and 1 more by the new rule", rows[0], rows[1])
	}
	if rolls[0] != rolls[1] || rolls[0] == "" {
		g.t.Fatalf("the rolls are, for Ana, %q, and for Bo, %q", rolls[0], rolls[1])
	}
	g.ana.pressAt(`main [data-test="roll"]`)
	g.ana.run("seeing the proof", until(`document.querySelectorAll('[data-test="checks"] li, .checks li').length > 0`))
	g.picture(g.ana, "roll")
	g.ana.visit("tracker/dragons")
	g.picture(g.ana, "tracker")
}

// read evaluates an expression whose value is text.
func (b *browser) read(expression string) string {
	b.t.Helper()
	text, err := evaluate[string](b, expression)
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// picture keeps a picture of a page if they are wanted.
func (g *table) picture(b *browser, name string) {
	if g.pictures == "" {
		return
	}
	// What was said is read by now, also what is said while transitions end, and the top of the page is
	// what a reader sees first. Nothing depends on the pauses.
	for range 2 {
		time.Sleep(500 * time.Millisecond)
		b.run("tidying up", script(`document.querySelectorAll(".unsay").forEach((e) => e.click()); window.scrollTo(0, 0)`))
	}
	time.Sleep(500 * time.Millisecond)
	if err := b.picture(filepath.Join(g.pictures, name+".png")); err != nil {
		g.t.Errorf("a picture of %s: %v", name, err)
	}
}

// 5. Ana and Bo are connected directly; without that, the relay carries everything. What the direct
// connection carries alone is seen when the server is gone, in [table.crash].
func (g *table) checkTheDataPath() {
	g.t.Helper()
	g.linked()
	g.bo.does("Cookie Allowance")
	g.agree("after an action over both paths")
	g.bo.blockDirect()
	for _, b := range []*browser{g.ana, g.bo} {
		b.run("waiting for the direct connection to be given up",
			until("!"+directWith(other(b.name))))
	}
	relayed := g.ana.counted("relay")
	g.bo.does("Cookie Increase", "by=10")
	g.agree("after an action through the relay")
	if after := g.ana.counted("relay"); after <= relayed {
		g.t.Errorf("%d envelopes came to Ana through the relay before Bo acted, %d after it", relayed, after)
	}
	g.bo.conditions(whole)
}

// linked waits until Ana and Bo are connected directly.
func (g *table) linked() {
	g.t.Helper()
	for _, b := range []*browser{g.ana, g.bo} {
		b.run("waiting for the direct connection with "+other(b.name), until(directWith(other(b.name))))
	}
}

// directWith is true in a page that says it is connected directly with somebody.
func directWith(name string) string {
	return fmt.Sprintf(`(document.querySelector('[data-test="net-sentence"]')?.innerText.match(/^Direct with (.*?)(, by relay|;|\.|$)/)?.[1] ?? "").includes(%s)`, js(name))
}

func other(name string) string {
	if name == "Ana" {
		return "Bo"
	}
	return "Ana"
}

// counted is how many envelopes came first by a way, "direct" or "relay".
func (b *browser) counted(way string) int {
	b.t.Helper()
	n, err := strconv.Atoi(b.data(mark("net"), way))
	if err != nil {
		b.t.Fatalf("%s: what came by way of %s: %v", b.name, way, err)
	}
	return n
}

const second = "Aerobics is good for the wings"

// 4. Bo is cut off: his page goes on, also when it is reloaded; what he does is tentative. Ana votes
// otherwise meanwhile. When he is back, both have the same state.
func (g *table) playOffline() {
	g.t.Helper()
	g.propose(g.ana, second, "Aerobics", func(prose, script string) (string, string) {
		return prose, strings.Replace(script, `{"scales": 1}`, `{"scales": 1, "wings": 1}`, 1)
	})
	g.open(g.bo, second)
	g.edit(g.bo, "Smaug", "heartbeat", "60", "A long night, DICE6 bottles")
	g.agree("before the cut")
	g.bo.workerIsReady()

	g.bo.cutNetwork()
	g.bo.run("noticing", until(`document.querySelector('[data-test="net-state"]')?.dataset.state === "offline"`))
	g.bo.run("reloading without a network", reload())
	g.bo.ready()
	g.vote(g.bo, second, "FOR", "Up, up and away.")
	g.bo.sees("Tentative")
	g.bo.does("Feed", "dragon=Smaug", "cookies=10")
	g.picture(g.bo, "offline")
	g.vote(g.ana, second, "AGAINST", "Too much of a good thing.")

	start := time.Now()
	g.bo.mendNetwork()
	g.agree("after Bo came back")
	report("both browsers have the same state again after %d ms of reconnection", time.Since(start).Milliseconds())
	g.bo.expectOffline(false)
	g.open(g.ana, second)
	g.ana.run("seeing Bo's vote", until(`document.querySelector('[data-test="vote-of-bo"]')?.dataset.icon === "FOR"`))
	g.ana.visit("tracker/dragons")
	g.ana.run("seeing the dragon fed", until(`document.querySelector('tr[data-label="Smaug"] [data-test$="-heartbeat"]')?.dataset.value === "70"`))
}

// edit sets a value of a dragon by hand.
func (g *table) edit(b *browser, label, column, value, comment string) {
	g.t.Helper()
	b.visit("tracker/dragons")
	cell := fmt.Sprintf(`tr[data-label=%q] [data-test$="-%s"]`, label, column)
	b.pressAt(cell + " button")
	b.write("#edit-value", value)
	b.write(mark("edit-comment"), comment)
	b.press("edit-save")
	b.run("seeing the value set", until(fmt.Sprintf(`document.querySelector(%s)?.dataset.value === %s`, js(cell), js(value))))
}

// 6. The server dies as in a power cut and comes back: nothing that it acknowledged is missing.
func (g *table) crash() {
	g.t.Helper()
	g.cy.acts("Comment", "post="+g.number(second), `text="Before the crash."`)
	eventually(g.t, "the comment is acknowledged", func() bool { return g.cy.tell("show").Unsent == 0 })
	g.linked()
	for _, b := range []*browser{g.ana, g.bo} {
		b.expectOffline(true)
	}
	g.server.kill()
	direct := g.ana.counted("direct")
	g.ana.run("noticing", until(`document.querySelector('[data-test="net-sentence"]')?.innerText.includes("not reached") || document.querySelector('[data-test="net-state"]')?.dataset.state === "offline"`))
	// What Bo says now can only come directly. It is tentative: nobody seals it.
	g.comment(g.bo, second, "During the crash.")
	g.open(g.ana, second)
	g.ana.seesIn(mark("comment"), "During the crash.")
	if after := g.ana.counted("direct"); after <= direct {
		g.t.Errorf("%d envelopes came to Ana directly before Bo spoke, %d after it", direct, after)
	}
	g.server.restart()
	// Somebody new has nothing but what the server kept.
	g.ana.visit("settings")
	dora := joins(g.t, g.ana.value(mark("invite")), "Dora")
	g.agree("after the crash")
	eventually(g.t, "a newcomer gets the whole game", func() bool {
		return dora.digest() == g.ana.digest()
	})
	g.open(g.ana, second)
	g.ana.seesIn(mark("comment"), "Before the crash.")
	g.cy.acts("Comment", "post="+g.number(second), `text="After the crash."`)
	g.ana.seesIn(mark("comment"), "After the crash.")
	for _, b := range []*browser{g.ana, g.bo} {
		b.expectOffline(false)
	}
}

// 7. Ana exports the game; nomic verify finds it good, and finds every change.
func (g *table) verifyTheExport() {
	g.t.Helper()
	g.ana.visit("settings")
	file := g.ana.download("export")
	path := filepath.Join(g.t.TempDir(), "game.nomic")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		g.t.Fatal(err)
	}
	out, err := exec.Command(binary(g.t), "verify", path).CombinedOutput()
	if err != nil {
		g.t.Fatalf("nomic verify: %v\n%s", err, out)
	}
	g.t.Logf("%s", out)
	for _, place := range []int{len(file) / 4, len(file) / 2, len(file) * 3 / 4, len(file) - 40} {
		changed := append([]byte(nil), file...)
		changed[place] ^= 1
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			g.t.Fatal(err)
		}
		out, err := exec.Command(binary(g.t), "verify", path).CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 || !strings.Contains(string(out), "BAD: clause ") {
			g.t.Errorf("byte %d changed: %v\n%s", place, err, out)
		}
	}
}
