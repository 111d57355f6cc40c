package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// misfits says what of a page does not fit its window: what has to be scrolled sideways to be read,
// running text that is pressed into a column of a few letters, fields for long texts that leave their
// form empty, and numbers and headings that touch what is beside or above them.
const misfits = `(() => {
	const out = [];
	const beyond = document.documentElement.scrollWidth - innerWidth;
	if (beyond > 0) out.push("the page is " + beyond + " px too wide");
	for (const e of document.querySelectorAll("main *, header *, nav *")) {
		const text = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data.trim()).join(" ").trim();
		if (text.length < 60 || !e.checkVisibility() || e.matches("pre, code, textarea, option, svg *")) continue;
		const box = e.getBoundingClientRect();
		if (box.width > 1 && box.width < 150) out.push(Math.round(box.width) + " px for: " + text);
	}
	for (const e of document.querySelectorAll(".number")) {
		const next = document.createRange();
		if (!e.checkVisibility() || !e.nextSibling) continue;
		next.selectNodeContents(e.nextSibling);
		const number = document.createRange();
		number.selectNodeContents(e);
		const gap = next.getBoundingClientRect().left - number.getBoundingClientRect().right;
		if (gap < 6) out.push("the number " + e.textContent + " stands " + Math.round(gap) + " px from what it numbers");
	}
	for (const e of document.querySelectorAll("main h2")) {
		const before = e.parentElement.previousElementSibling;
		if (!e.checkVisibility() || e.previousElementSibling || !before?.matches("section")) continue;
		const gap = e.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
		if (gap < 12) out.push("the heading " + e.textContent + " stands " + Math.round(gap) + " px under the section before");
	}
	for (const e of document.querySelectorAll("form textarea")) {
		const room = e.closest("form").clientWidth;
		if (e.checkVisibility() && e.clientWidth < 0.6 * room) out.push("a field of " + e.clientWidth + " px in a form of " + room + " px");
	}
	return out;
})()`

// fits holds the page that is open to both widths.
func (b *browser) fits(page string) {
	b.t.Helper()
	for _, width := range []int64{390, 1280} {
		b.run("changing the window", chromedp.EmulateViewport(width, 844))
		found, err := evaluate[[]string](b, misfits)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, misfit := range found {
			b.t.Errorf("%s, %d px wide: %s", page, width, misfit)
		}
	}
}

// Every page can be read on a phone and on a desktop.
func TestPagesFitTheirWindows(t *testing.T) {
	server := startServer(t)
	ana := launch(t, "Ana", layCable(t, server))
	for _, address := range []string{"/", "/import", "/verify", "/found"} {
		ana.open(address)
		ana.seesIn("main", "a")
		ana.fits(address)
	}
	ana.founds("The Dragon Farm")
	for _, page := range []string{
		"now", "feed", "matters", "rules", "tracker", "pages", "people", "dice", "history", "settings", "propose", "propose?rule=Aerobics", "convention", "move", "guide/first-rule",
	} {
		ana.visit(page)
		ana.fits(page)
	}
}
