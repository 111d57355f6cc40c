package game

import (
	"testing"
)

// dynasty is a whole game: from its founding, through a dynasty with duels, a tournament and a
// breeding, to victory by the Succession Challenge, ascension with other words, and the days after.
// What the dice show decides who it is that wins.
func (s *story) dynasty() {
	s.arrive()
	for device := 1; device < 4; device++ {
		s.do(device, "Cookie Increase", map[string]any{"by": "10"})
	}
	s.train(3)
	s.pass(2, "Proposal: Naps", []any{map[string]any{"op": "enact", "section": int64(2), "parent": "Training", "after": "Ritual of Power",
		"text": "# Nap\n\nA nap raises Heartbeat by the result of a DICE4.\n\n```starlark\nload(\"Training\", \"method\")\n\n" +
			"method(\"Nap\", lambda dragon: [{\"heartbeat\": roll(4)}], dice=\"DICE4\", help=\"Rest.\")\n```\n"}})

	// Duels, each until one of the two has enough.
	for host := 1; host < 4; host++ {
		guest := host%3 + 1
		s.do(host, "Announce Duel", map[string]any{"guest": int64(guest + 1), "bet": int64(5)})
		s.do(guest, "Join Duel", map[string]any{"duel": s.battle("host", host)})
		s.fight(s.battle("host", host), 40)
	}

	// A breeding.
	s.do(3, "Breeding", map[string]any{"mate": s.row("dragons", "owner", 1)})
	breeding := s.row("breedings", "asker", 3)
	s.do(1, "Answer Breeding", map[string]any{"breeding": breeding, "icon": "FOR"})
	s.do(3, "Claim Eggs", map[string]any{"breeding": breeding})
	s.do(1, "Claim Eggs", map[string]any{"breeding": breeding})
	s.do(3, "Transfer Egg", map[string]any{"egg": s.row("eggs", "owner", 3), "to": int64(3)})
	for device := 1; device < 4; device++ {
		if s.open(device, "Feed") && s.heartbeat(device) < 90 {
			s.do(device, "Feed", map[string]any{"dragon": s.row("dragons", "owner", device), "cookies": int64(10)})
		}
	}

	// A tournament: matches until one is left.
	for device := 1; device < 4; device++ {
		s.do(device, "Enter Tournament", nil)
	}
	s.wait(24)
	for round := 0; s.champion() < 0; round++ {
		if round > 10 {
			s.t.Fatal("the tournament does not end")
		}
		for device := 1; device < 4; device++ {
			if !s.open(device, "Start Match") {
				continue
			}
			s.do(device, "Start Match", nil)
			s.do(device, "Announce Official Duel", map[string]any{"bet": int64(0)})
			duel := s.battle("host", device)
			s.do(s.device("battles", duel, "guest"), "Join Duel", map[string]any{"duel": duel})
			s.fight(duel, 20)
			break
		}
	}
	s.do(s.champion(), "End Tournament", nil)

	// The Succession Challenge: one after the other, until somebody wins.
	s.wait(7 * 24)
	for device := 1; device < 4; device++ {
		if s.open(device, "Cookie Allowance") {
			s.do(device, "Cookie Allowance", nil)
		}
		if s.open(device, "Adopt") { // where the arena has left none
			s.do(device, "Adopt", map[string]any{"name": []string{"", "Smaug II", "Fafnir II", "Glaurung II"}[device], "color": "Green"})
		}
	}
	s.do(0, "Announce Succession Challenge", map[string]any{"cost": int64(5), "name": "Ancalagon", "color": "Black",
		"heartbeat": int64(60), "muscle": int64(5), "scales": int64(2), "flame": int64(3), "wings": int64(2)})
	challenge := s.battle("host", 0)
	for device, tries := 1, 0; s.status(challenge) != "over"; device, tries = device%3+1, tries+1 {
		if tries > 20 {
			s.t.Fatal("nobody wins the challenge")
		}
		if s.open(device, "Join Challenge") {
			s.do(device, "Join Challenge", map[string]any{"challenge": challenge})
			s.fight(challenge, 0)
		}
	}
	victor := s.device("battles", challenge, "winner")

	// Victory, and other words for another dynasty.
	s.do(victor, "Declare victory", map[string]any{"title": "Victory: the arena", "body": "I won the Succession Challenge."})
	declaration := s.newest().ID
	for device := range 4 {
		s.do(device, "Respond", map[string]any{"post": declaration, "icon": "FOR"})
	}
	s.wait(24)
	s.do(0, "Resolve", map[string]any{"post": declaration})
	s.do(victor, "Ascension Address", map[string]any{"theme": "Otters", "body": "The farm is flooded.", "amendments": []any{
		map[string]any{"op": "repeal", "rule": "Tournament"},
		map[string]any{"op": "repeal", "rule": "Breeding"},
		map[string]any{"op": "repeal", "rule": "Succession"},
		map[string]any{"op": "keyword", "key": "Player", "one": "Otter", "many": "Otters"},
		map[string]any{"op": "keyword", "key": "Head", "one": "Holtmaster", "many": "Holtmasters"},
	}})
	s.do(0, "Adopt", map[string]any{"name": "Scatha", "color": "Silver"})
	s.do(0, "Nap", nil)
	s.train(2)
	s.pass(0, "Proposal: More naps", []any{map[string]any{"op": "move", "rule": "Nap", "section": int64(2), "parent": "Training"}})
}

// fight fights a battle until it is not going on any more. Who has less Heartbeat left than enough in
// their own turn retreats, if they can; with 0 nobody does.
func (s *story) fight(battle int64, enough int64) {
	s.t.Helper()
	for n := 0; s.status(battle) == "running"; n++ {
		if n > 200 {
			s.t.Fatal("the battle does not end")
		}
		if waiting := s.full.World().Decisions(); len(waiting) > 0 {
			d := waiting[0]
			s.do(int(d.Person)-1, "Decide", map[string]any{"decision": d.ID, "choice": d.Options[0].Value})
			continue
		}
		device := s.device("battles", battle, "turn")
		if device != 0 && s.heartbeat(device) < enough && s.open(device, "Retreat!") {
			s.do(device, "Retreat!", map[string]any{"battle": battle})
			continue
		}
		moves := []string{"Dragon Dive", "Dragon Breath", "Dragon Claw"}
		switch n % 5 {
		case 2:
			moves = []string{"Dragon Flight"}
		case 3:
			moves = []string{"Dragon Dive", "Dragon Fang"}
		case 4:
			moves = []string{"Dragon Dive", "Dragon Charge"}
		}
		for _, move := range moves {
			if !s.open(device, move) {
				continue
			}
			args := map[string]any{"battle": battle}
			if move == "Dragon Claw" {
				args["stat"] = "scales"
			}
			s.do(device, move, args)
			break
		}
	}
}

func (s *story) status(battle int64) string {
	v, _ := s.full.World().Cell("battles", battle, "status")
	text, _ := v.(string)
	return text
}

func (s *story) heartbeat(device int) int64 {
	v, _ := s.full.World().Cell("dragons", s.row("dragons", "owner", device), "heartbeat")
	n, _ := v.(int64)
	return n
}

// champion returns the device of the only one who is still in the tournament, or -1.
func (s *story) champion() int {
	for device := 1; device < 4; device++ {
		if s.open(device, "End Tournament") {
			return device
		}
	}
	return -1
}

// device returns whose a cell is that refers to a player.
func (s *story) device(table string, row int64, column string) int {
	v, _ := s.full.World().Cell(table, row, column)
	id, _ := v.(int64)
	return int(id) - 1
}

// row returns the newest row of a table that refers to somebody.
func (s *story) row(table, column string, device int) int64 {
	s.t.Helper()
	ids := s.full.World().Rows(table)
	for i := len(ids) - 1; i >= 0; i-- {
		if s.device(table, ids[i], column) == device {
			return ids[i]
		}
	}
	s.t.Fatalf("no row of %s has device %d as its %s", table, device, column)
	return 0
}

// battle returns the newest battle of somebody.
func (s *story) battle(column string, device int) int64 { return s.row("battles", column, device) }

// The golden dynasty is a whole game: it goes through everything that one has, to its second dynasty.
func TestGoldenDynastyIsAWholeGame(t *testing.T) {
	g, done := playedGolden(t, "dragons-dynasty")
	rolls := 0
	for _, e := range g.World().Log() {
		rolls += len(e.Rolls)
	}
	for _, name := range []string{"Admit", "Enact", "Join Duel", "Retreat!", "Dragon Dive", "Answer Breeding", "Claim Eggs", "Start Match", "End Tournament",
		"Announce Succession Challenge", "Join Challenge", "Declare victory", "Resolve", "Ascension Address", "Decide", "Nap"} {
		if done[name] == 0 {
			t.Errorf("nobody did %q", name)
		}
	}
	_, gone := g.World().RuleTitled("Tournament")
	_, kept := g.World().RuleTitled("Nap")
	if gone || !kept || g.World().Word("Players") != "Otters" {
		t.Errorf("in the second dynasty there is a tournament: %v, are naps: %v, and players are called %s", gone, kept, g.World().Word("Players"))
	}
	if rolls < 100 {
		t.Errorf("%d dice were rolled", rolls)
	}
}
