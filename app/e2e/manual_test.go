package e2e

import "testing"

// Tutorial and reference are there for whoever writes a rule, also when the server is not.
func TestManualIsThereOffline(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	ana.open("/")
	ana.press("found")
	ana.founds("The Dragon Farm")
	ana.workerIsReady()
	ana.expectOffline(true)
	server.kill()

	ana.visit("rules")
	ana.pressAt(`a[href$="/guide/first-rule"]`)
	ana.seesIn(mark("guide"), "That is a complete rule.")
	ana.visit("propose?rule=Aerobics")
	ana.pressAt(mark("lookup-fold") + " > summary")
	ana.write(mark("lookup"), "rol")
	ana.seesIn(mark("lookup-list"), "roll(sides)")
	ana.run("seeing what was looked up, and no more", until(`!document.querySelector('[data-test="lookup-list"]').innerText.includes("weekly(")`))
}
