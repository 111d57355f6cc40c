package simtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Event is one thing that happens: a verb and its arguments, as they stand in a line of a
// script. An event that makes no sense at its place, such as a delivery from an empty link,
// does nothing, so that any part of a script is a script.
type Event struct {
	Verb string
	Args []string
}

// Script is a run: its events, in order. It begins in a room with a relay, a crook and some
// honest devices, where the first has founded the game.
type Script []Event

func (e Event) String() string { return strings.Join(append([]string{e.Verb}, e.Args...), " ") }

func (s Script) String() string {
	var b strings.Builder
	for _, e := range s {
		b.WriteString(e.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// An argument of a verb: what it may be.
type argument int

const (
	anEnd      argument = iota // a device, relay or crook
	aProgram                   // a device or relay
	aDevice                    // an honest device
	aSide                      // before or after
	aNumber                    // 0 to 999
	aDuration                  // such as -36h
	aForgery                   // what garbage
	someDevice                 // like aDevice, any number of them
)

// verbs says which events there are and what their arguments may be.
var verbs = map[string][]argument{
	"act":     {aDevice},                  // the device's person does something
	"deliver": {anEnd, anEnd, aNumber},    // a message from one to the other arrives: 0 is the next
	"repeat":  {anEnd, anEnd, aNumber},    // it arrives, and will again
	"drop":    {anEnd, anEnd, aNumber},    // it is lost
	"flow":    {aNumber},                  // so many messages arrive, in order, from all links in turn
	"connect": {anEnd, anEnd},             // a link is made, anew if there is one
	"cut":     {anEnd, anEnd},             // a link breaks, and both ends notice
	"commit":  {},                         // the relay stores and seals what it was sent
	"crash":   {aProgram, aSide, aNumber}, // it will, before or after so many more writes
	"kill":    {aProgram},                 // it crashes now
	"full":    {aDevice, aNumber},         // the write after so many more fails
	"wipe":    {aDevice},                  // its disk is lost, once; its person comes back on another as somebody new
	"find":    {aDevice},                  // the lost disk is used after all, or again the one in its place
	"start":   {aProgram},                 // it starts from what it has stored, unless it runs
	"open":    {aDevice},                  // the game is opened in a second tab, which reads along
	"close":   {aDevice},                  // the tab that writes is closed; to start then is to take over
	"shut":    {aDevice},                  // the tab that reads along is closed
	"ask":     {aDevice},                  // the device's person does something in the tab that reads along
	"heed":    {aDevice},                  // the tab that writes hears what the other said next
	"news":    {aDevice},                  // and the other way round
	"wait":    {aDuration},                // time passes
	"clock":   {aProgram, aDuration},      // its clock is off by so much from now on

	"honest":     {anEnd},           // the crook acts like anybody and sends it there
	"fork":       {anEnd, anEnd},    // it signs two actions with one number, one for each
	"backdate":   {anEnd},           // it claims a time long past
	"postdate":   {anEnd},           // it claims a time to come
	"replay":     {anEnd, aNumber},  // it sends old envelopes again
	"garbage":    {anEnd, aForgery}, // it sends what some check has to refuse
	"withhold":   {anEnd},           // it sends what depends on something that it keeps back
	"release":    {anEnd},           // it sends what it kept back
	"flood":      {anEnd, aNumber},  // it sends so many actions at once
	"swamp":      {anEnd, aNumber},  // it sends so many envelopes that nobody can read
	"bomb":       {anEnd, aNumber},  // it sends a text that expands far, and so many actions that name its parts
	"equivocate": {someDevice},      // the notary shows these devices a chain of their own from now on

	"ruin":     {aDevice},          // its person makes the rules refuse everything from now on
	"watch":    {aDevice, aNumber}, // from now on so many witnesses, at most 8, are asked for a roll
	"repair":   {aDevice},          // it calls a convention to make the rules work again
	"seat":     {aDevice, aDevice}, // it calls one to give the seat of the other's person to another key
	"assent":   {aDevice, aNumber}, // it signs a motion: 0 is the one last called
	"withdraw": {aDevice, aNumber}, // it takes its signature back
	"branch":   {aDevice, aNumber}, // it founds the game anew in another room, as it was at some place

	"settle": {}, // everything is repaired and comes to rest, and is checked
}

// ParseScript reads a script. Empty lines and what follows # are left out.
func ParseScript(text string) (Script, error) {
	var script Script
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e := Event{Verb: words[0], Args: words[1:]}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		script = append(script, e)
	}
	return script, nil
}

func (e Event) check() error {
	want, ok := verbs[e.Verb]
	if !ok {
		return fmt.Errorf("no such event: %s", e.Verb)
	}
	for i, word := range e.Args {
		kind := aNumber
		switch {
		case i < len(want):
			kind = want[i]
		case len(want) > 0 && want[len(want)-1] == someDevice:
			kind = someDevice
		default:
			return fmt.Errorf("%s: %q is too much", e.Verb, word)
		}
		if !kind.takes(word) {
			return fmt.Errorf("%s: %q is not possible here", e.Verb, word)
		}
	}
	if len(e.Args) < len(want) {
		return fmt.Errorf("%s needs %d arguments", e.Verb, len(want))
	}
	return nil
}

func (a argument) takes(word string) bool {
	switch a {
	case anEnd:
		return word == relayName || word == crookName || slices.Contains(honest, word)
	case aProgram:
		return word == relayName || slices.Contains(honest, word)
	case aDevice, someDevice:
		return slices.Contains(honest, word)
	case aSide:
		return word == "before" || word == "after"
	case aForgery:
		return slices.Contains(Forgeries(), word)
	case aDuration:
		_, err := time.ParseDuration(word)
		return err == nil
	default:
		n, err := strconv.Atoi(word)
		return err == nil && n >= 0 && n < 1000
	}
}

func (e Event) number(i int) int {
	n, _ := strconv.Atoi(e.Args[i]) // checked when it was made
	return n
}

func (e Event) duration(i int) time.Duration {
	d, _ := time.ParseDuration(e.Args[i]) // checked when it was made
	return d
}
