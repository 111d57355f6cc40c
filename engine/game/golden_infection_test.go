package game

import (
	"math/rand/v2"
	"strings"
	"testing"

	"peernomic/engine/rules"
)

// infection is a whole dynasty among people whose bodies change: they dig, carry, fight, speak for
// the Alien with secret words that are shown in the end, swarm, and ascend. What the dice show
// decides who it is that wins.
func (s *story) infection() {
	const (
		kim = iota
		bo
		cy
		kevan
	)
	for device, name := range []string{"", "Bo", "Cy", "Kevan"} {
		if name != "" {
			s.do(device, "Apply", map[string]any{"name": name})
			s.do(kim, "Admit", map[string]any{"player": s.id(device)})
		}
	}

	// The one with the best brain speaks for the Alien.
	s.do(kevan, "Mature", map[string]any{"lower": "Limbs", "higher": "Brain"})
	s.do(kevan, "Become the Communicant", map[string]any{"title": "Your new Communicant"})
	s.doSealed(kevan, "Choose the Calls", map[string]any{"distress": "flood", "mobbing": "honey"})

	// Two dig into the Supply Room; the Alien is against it and has to come out.
	s.dig(cy, "Proposal: A flood of goods", bo, kevan, []any{s.amended("Supply Room", "here and nowhere else", "here and nowhere else, for nothing")}, "AGAINST")
	for _, device := range []int{bo, kevan} {
		s.do(device, "Take a Tool Box", nil)
		s.do(device, "Take a Teleportation Ring", nil)
		s.do(device, "Teleport", map[string]any{"diamonds": int64(0), "to": "Roam"})
		for n := 0; s.number(device, "diamonds") < 3; n++ {
			if n > 200 {
				s.t.Fatal("no Diamonds are found")
			}
			s.do(device, "Pick up a Rock", nil)
			s.do(device, "Mine for a Diamond", nil)
		}
	}

	// An egg for the Alien, and a quarrel at the Crash Site.
	s.do(cy, "Have the Alien gain an Egg", nil)
	s.do(kim, "Mature", map[string]any{"lower": "Brain", "higher": "Size"})
	s.do(kim, "Grow a Claw", nil)
	s.do(kim, "Grow Fangs", nil)
	s.dig(bo, "Proposal: Honey at the Crash Site", kim, cy, []any{s.amended("Crash Site", "They stay where they are", "There they stay")}, "FOR")
	s.do(kim, "Conflict", map[string]any{"beta": s.id(cy), "lower": "Limbs", "gain": "Brain"})

	// To the Royal Chamber, each with three Diamonds, and there they swarm.
	s.wait(24)
	for _, device := range []int{bo, kevan} {
		s.do(device, "Teleport", map[string]any{"diamonds": int64(3), "to": "The Royal Chamber"})
	}
	s.do(bo, "Swarm", nil)
	victor := bo
	if v, _ := s.full.World().Cell("players", s.id(kevan), "victory"); v == "Swarming" {
		victor = kevan
	}

	// Somebody else becomes the Communicant, and the old Calls are shown.
	s.do(cy, "Mature", map[string]any{"lower": "Size", "higher": "Brain"})
	s.do(cy, "Mature", map[string]any{"lower": "Size", "higher": "Brain"})
	s.do(cy, "Become the Communicant", map[string]any{"title": "A Communicant again"})
	s.doSealed(kevan, "Show old Calls", nil)

	// Victory, and other words for another dynasty, in which there is no Alien.
	s.do(victor, "Declare victory", map[string]any{"title": "DoV: Swarming", "body": "The die has spoken."})
	declaration := s.newest().ID
	for device := range 4 {
		if device != victor {
			s.do(device, "Vote", map[string]any{"post": declaration, "icon": "FOR"})
		}
	}
	s.wait(24)
	s.do(kim, "Enact declaration", map[string]any{"post": declaration})
	s.do(victor, "Ascension Address", map[string]any{"theme": "Gardeners", "body": "It is spring.", "keep": []any{"Mutation"},
		"player": "Gardener", "players": "Gardeners", "head": "Head Gardener", "heads": "Head Gardeners"})
	s.do(cy, "Mature", map[string]any{"lower": "Brain", "higher": "Size"})
	s.do(cy, "Propose", map[string]any{"title": "Proposal: Roses", "amendments": []any{map[string]any{"op": "enact", "section": int64(2), "text": "# Roses\n\nThere are roses."}}})
}

// id returns the id of a device's person: the Alien has one, too.
func (s *story) id(device int) int64 { return s.full.PersonOfDevice(s.pens[device].Device().Key()) }

func (s *story) number(device int, column string) int64 {
	v, _ := s.full.World().Cell("players", s.id(device), column)
	n, _ := v.(int64)
	return n
}

// doSealed carries out an action with secrets, as the session of a device does.
func (s *story) doSealed(device int, name string, args map[string]any) {
	s.t.Helper()
	args, err := s.full.Prepare(s.pens[device].Device(), name, args, rand.NewChaCha8([32]byte{byte(device), byte(len(s.seals))}))
	must(s.t, err)
	s.do(device, name, args)
}

// amended returns the amendment that changes a passage of a rule.
func (s *story) amended(title, old, fresh string) any {
	s.t.Helper()
	r, ok := s.full.World().RuleTitled(title)
	if !ok {
		s.t.Fatalf("there is no rule %q", title)
	}
	text := strings.Replace(r.Text, old, fresh, 1)
	if text == r.Text {
		s.t.Fatalf("%q is not in the rule %q", old, title)
	}
	return map[string]any{"op": "amend", "rule": title, "base": r.Fingerprint, "text": text}
}

// dig makes a Hive Proposal, has the Alien vote and two dig, and enacts it.
func (s *story) dig(author int, title string, one, two int, amendments []any, alien string) {
	s.t.Helper()
	s.do(author, "Propose", map[string]any{"title": title, "body": "Let us see.", "amendments": amendments})
	post := s.newest().ID
	row := []any{alien, alien, alien, alien, alien, alien, "ARROW"}
	s.doSealed(3, "Vote", map[string]any{"post": post, "icons": row})
	for _, device := range []int{one, two} {
		s.do(device, "Vote", map[string]any{"post": post, "icon": "FOR", "text": "Dig!"})
	}
	for device := range 4 {
		if device != one && device != two && device != author {
			s.do(device, "Vote", map[string]any{"post": post, "icon": "FOR"})
		}
	}
	s.wait(12)
	s.do(0, "Enact", map[string]any{"post": post})
}

// The golden infection goes through everything that its dynasty has, to the next one.
func TestGoldenInfectionIsAWholeGame(t *testing.T) {
	g, done := playedGolden(t, "infected-dynasty")
	for _, name := range []string{"Admit", "Mature", "Become the Communicant", "Choose the Calls", "Propose", "Vote", "Enact", "Teleport", "Mine for a Diamond",
		"Have the Alien gain an Egg", "Conflict", "Swarm", "Show old Calls", "Declare victory", "Enact declaration", "Ascension Address"} {
		if done[name] == 0 {
			t.Errorf("nobody did %q", name)
		}
	}
	matched := false
	for _, p := range g.World().Posts() {
		matched = matched || p.Title == "Old Calls: flood and honey" && p.Body == "Distress: flood. Mobbing: honey. All 2 rows matched."
	}
	if !matched {
		t.Error("the old Calls were not shown, or did not match")
	}
	_, gone := g.World().RuleTitled("The Chambers")
	if gone || g.World().Word("Players") != "Gardeners" || entities(g.World()) != 0 {
		t.Errorf("in the second dynasty there are Chambers: %v, players are called %s, and %d are nobody", gone, g.World().Word("Players"), entities(g.World()))
	}
}

// entities counts those who play and are no person.
func entities(w *rules.World) int {
	n := 0
	for _, p := range w.Players() {
		if name, _ := w.Cell("players", p.ID, "entity"); name != "" && p.Standing == rules.StandingPlayer {
			n++
		}
	}
	return n
}
