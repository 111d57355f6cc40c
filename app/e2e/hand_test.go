package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// What a player's hands and eyes do. Elements are found by the data-test mark that the pages carry for
// this purpose; what is read is what is shown.

// mark is the selector of an element.
func mark(name string) string { return fmt.Sprintf(`[data-test=%q]`, name) }

// js puts a Go value into a script.
func js(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// press clicks an element once it is there and can be clicked.
func (b *browser) press(name string) {
	b.t.Helper()
	b.pressAt(mark(name))
}

func (b *browser) pressAt(selector string) {
	b.t.Helper()
	b.run("pressing "+selector, until(fmt.Sprintf(`(() => {
		const e = document.querySelector(%s);
		if (!e || e.disabled || e.getAttribute("aria-busy") === "true") return false;
		e.scrollIntoView({ block: "center" });
		e.click();
		return true;
	})()`, js(selector))))
}

// write puts text into an input, replacing what it held.
func (b *browser) write(selector, text string) {
	b.t.Helper()
	b.run("writing into "+selector, until(fmt.Sprintf(`(() => {
		const e = document.querySelector(%s);
		if (!e || e.disabled || e.getAttribute("aria-busy") === "true") return false;
		e.focus();
		e.value = %s;
		e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
		return true;
	})()`, js(selector), js(text))))
}

// value reads an input.
func (b *browser) value(selector string) string {
	b.t.Helper()
	b.run("waiting for "+selector, until(fmt.Sprintf(`document.querySelector(%s) !== null`, js(selector))))
	value, err := evaluate[string](b, fmt.Sprintf(`document.querySelector(%s).value`, js(selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// choose picks what begins with the label, from a list or from buttons.
func (b *browser) choose(selector, label string) {
	b.t.Helper()
	b.run("choosing "+label+" in "+selector, until(fmt.Sprintf(`(() => {
		const box = document.querySelector(%s), label = %s;
		if (!box) return false;
		const select = box.matches("select") ? box : box.querySelector("select");
		if (select) {
			const option = [...select.options].find((o) => o.text.startsWith(label));
			if (!option) return false;
			select.value = option.value;
			select.dispatchEvent(new Event("change", { bubbles: true }));
			return true;
		}
		const button = [...box.querySelectorAll("label")].find((l) => l.innerText.trim().startsWith(label));
		if (!button) return false;
		button.querySelector("input").click();
		return true;
	})()`, js(selector), js(label))))
}

// goTo opens a page of the game by the navigation.
func (b *browser) goTo(page string) {
	b.t.Helper()
	b.run("going to "+page, until(fmt.Sprintf(`(() => {
		if (location.pathname.endsWith("/" + %[1]s)) return true;
		const link = document.querySelector('[data-test="nav-' + %[1]s + '"]');
		if (link) link.click();
		return false;
	})()`, js(page))), until(`document.querySelector("main h1") !== null`))
}

// visit opens a page of the game by its address, as a link in a message would.
func (b *browser) visit(page string) {
	b.t.Helper()
	b.run("visiting "+page, until(fmt.Sprintf(`(() => {
		const room = location.pathname.split("/").slice(0, 3).join("/");
		if (location.pathname + location.search === room + "/" + %[1]s) return true;
		goappNav(location.origin + room + "/" + %[1]s);
		return false;
	})()`, js(page))), until(`document.querySelector("main h1") !== null`))
}

// sees waits until a text is on the page.
func (b *browser) sees(text string) {
	b.t.Helper()
	b.seesIn("body", text)
}

// seesIn waits until a text is in a part of the page, in whatever capitals the style shows it.
func (b *browser) seesIn(selector, text string) {
	b.t.Helper()
	b.run(fmt.Sprintf("waiting to see %q in %s", text, selector),
		until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.innerText.toLowerCase().includes(%s))`, js(selector), js(strings.ToLower(text)))))
}

// shows reports whether something is on the page now.
func (b *browser) shows(selector string) bool {
	found, err := evaluate[bool](b, fmt.Sprintf(`document.querySelector(%s) !== null`, js(selector)))
	return err == nil && found
}

// data reads a data attribute of an element; empty if either is missing.
func (b *browser) data(selector, name string) string {
	b.t.Helper()
	value, err := evaluate[string](b, fmt.Sprintf(`document.querySelector(%s)?.dataset[%s] ?? ""`, js(selector), js(name)))
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// does takes an action of the page "Now", with arguments by their labels or texts.
func (b *browser) does(action string, arguments ...string) {
	b.t.Helper()
	b.goTo("now")
	slug := slugOf(action)
	if !b.shows(mark("form-" + slug)) {
		b.unfold(mark("action-"+slug), mark("seldom-actions"))
		b.opens(mark("action-"+slug), "form-"+slug)
	}
	b.carriesOut(action, arguments...)
}

// doesThere takes an action on a board, of a card if one is named, with arguments by their labels or texts.
func (b *browser) doesThere(board, card, action string, arguments ...string) {
	b.t.Helper()
	b.visit(board)
	slug, within := slugOf(action), ""
	if card != "" {
		within = mark("card-"+slugOf(card)) + " "
	}
	b.opens(within+mark("deed-"+slug), "form-"+slug)
	b.carriesOut(action, arguments...)
}

// carriesOut fills in the open form of an action and sends it off.
func (b *browser) carriesOut(action string, arguments ...string) {
	b.t.Helper()
	slug := slugOf(action)
	b.fill(slug, arguments...)
	title := b.read(fmt.Sprintf(`document.querySelector(%s).textContent`, js(mark("do-"+slug))))
	before := b.lastSaid(title)
	b.press("do-" + slug)
	eventually(b.t, b.name+"'s "+action+" is taken", func() bool {
		if refusal := b.refusal(); refusal != "" {
			b.t.Fatalf("%s: %s: %s", b.name, action, refusal)
		}
		return b.lastSaid(title) > before
	})
}

// lastSaid is the number of the newest that the page has said of an action that was taken; they grow.
func (b *browser) lastSaid(title string) int {
	b.t.Helper()
	n, err := evaluate[int](b, fmt.Sprintf(`[...document.querySelectorAll('[data-test="said-good"], [data-test="said-wait"]')]
		.filter((e) => e.textContent.trim().startsWith(%s))
		.reduce((newest, e) => Math.max(newest, e.parentElement.tagName.replace(/\D/g, "")), 0)`, js(title)))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// opens presses what opens a form until it is there: a page that is just being drawn anew can lose a press. Each time it waits longer,
// as a second press closes what opens slowly.
func (b *browser) opens(button, form string) {
	b.t.Helper()
	wait := time.Second
	eventually(b.t, form+" is open", func() bool {
		b.pressAt(button)
		wait *= 2
		return b.try(wait, until(fmt.Sprintf(`document.querySelector(%s) !== null`, js(mark(form))))) == nil
	})
}

// unfold opens a fold if what is looked for may be in it.
func (b *browser) unfold(selector, fold string) {
	b.t.Helper()
	b.run("looking for "+selector, until(fmt.Sprintf(`(() => {
		if (document.querySelector(%s)) return true;
		document.querySelector(%s + '[aria-expanded="false"]')?.click();
		return false;
	})()`, js(selector), js(fold))))
}

// refusal is what the page says of an action that was refused.
func (b *browser) refusal() string {
	b.t.Helper()
	text, err := evaluate[string](b, `document.querySelector('[data-test="said-bad"]')?.innerText ?? ""`)
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// fill puts arguments, given as "name=value", into an action's form.
func (b *browser) fill(slug string, arguments ...string) {
	b.t.Helper()
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		param := mark("form-"+slug) + " " + mark("param-"+slugOf(name))
		b.run("waiting for "+param, until(fmt.Sprintf(`document.querySelector(%s) !== null`, js(param))))
		if b.shows(param+" select") || b.shows(param+` input[type="radio"]`) {
			b.choose(param, value)
		} else {
			b.write(param+" :is(input, textarea)", value)
		}
	}
}

// slugOf is how the pages write names in marks.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}
