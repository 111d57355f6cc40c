package storytest

import (
	"context"
	"strings"

	"peernomic/app/view"
)

type game struct {
	room    string
	at      int // moment of the past
	drafts  map[string]string
	changed func()
	said    []view.Comment
}

const digest = "1f8bd03c77a09e2b441c0de98a6c53f0aa17be4290d3c65178efb2a90c1d4e67"

func (g *game) Watch(f func()) func() { g.changed = f; return func() {} }

var net = view.Net{Relay: "connected", Direct: []string{"Bo"}, ByRelay: []string{"Cy"}, SyncedAt: now - 2*minute, Writer: true,
	FromDirect: 214, FromRelay: 31}

func (g *game) Shell(context.Context) (*view.Shell, error) {
	var moment *view.Moment
	if g.at > 0 {
		moment = &view.Moment{At: g.at, Of: len(lines), Line: lines[g.at-1]}
	}
	return &view.Shell{Moment: moment, Room: view.RoomAt(g.room, g.at), Later: later(g.room), Title: "The Dragon Farm", Ruleset: "Dragons", Accent: "oxblood", Issue: 214, Clock: now,
		Me: people[0], Words: view.Words{Player: "Breeder", Players: "Breeders", Head: "Dragonmaster"}, Digest: digest, Net: net,
		Needs: 2, OpenMatters: 2, CanPropose: true, Summons: summons(g.room),
		Undo: &view.Action{Name: "Undo", Title: "Undo", Open: true, Params: []view.Param{{Name: "entry", Kind: "integer"}}},
		Here: []view.Person{people[0], people[1], people[2]},
		Waiting: []view.Waiting{
			{Text: "Dee and Eli have not voted on “Aerobics toughens the scales”", Href: "/g/demo/matters/12", Until: now + 11*hour},
			{Text: "An admin may admit Fay", Href: "/g/demo/people"},
		}}, nil
}

func lo(n int64) *int64 { return &n }

var dragonChoices = []view.Choice{{Value: int64(1), Label: "Ember (yours)"}, {Value: int64(2), Label: "Slate"}, {Value: int64(3), Label: "Puddle"}}

func (g *game) Now(context.Context) (*view.Now, error) {
	return &view.Now{
		Decisions: []view.Decision{{ID: 2, Question: "May Ember strike again?", Options: []view.Choice{{Value: true, Label: "Strike again"}, {Value: false, Label: "End the turn"}}, Otherwise: "End the turn", Until: now + 3*hour}},
		Needs: []view.Need{
			{Kind: "due", Title: "Turn in [Duel] Ember against Bo", Text: "Your Dragon faces Norbert.", Until: now + 5*hour, Href: "/g/demo/boards/battle/1", Go: "Go there"},
			{Kind: "vote", Title: "Vote on “Aerobics toughens the scales”", Text: "3 FOR, 1 AGAINST; one more FOR and it passes.",
				Until: now + 11*hour, Href: "/g/demo/matters/12", Go: "Read and vote"},
			{Kind: "admit", Title: "Fay asks to be admitted", Text: "You are an admin.", Href: "/g/demo/people", Go: "To the door"},
		},
		Next: "Bo can enact “Cheaper cookies” from 18:05.",
		Groups: []view.Group{
			{Title: "Training", Actions: []view.Action{
				{Name: "Aerobics", Title: "Aerobics", Rule: "Aerobics", Open: true, Dice: "DICE3", Left: "once today",
					Help:   "Flame rises by the roll; on 1 or 2 Muscle too.",
					Params: []view.Param{{Name: "dragon", Label: "Dragon", Kind: "row", Table: "dragons", Choices: dragonChoices[:1], Default: int64(1)}}},
				{Name: "Hunting Expedition", Title: "Hunting Expedition", Rule: "Hunting Expedition", Open: true, Dice: "DICE4",
					Left: "once today", Help: "Out into the hills. It always costs heartbeat."},
			}},
			{Title: "Cookies", Actions: []view.Action{
				{Name: "Feed", Title: "Feed a dragon", Rule: "Feeding", Open: true, Left: "once today", Help: "Spend cookies to raise a dragon's heartbeat, up to 100.",
					Params: []view.Param{
						{Name: "dragon", Label: "Dragon", Kind: "row", Choices: dragonChoices},
						{Name: "cookies", Label: "Cookies", Kind: "integer", Min: lo(1), Max: lo(34), Default: int64(1)},
						{Name: "note", Label: "Note", Kind: "text", MaxLen: 80, Optional: true},
					}},
				{Name: "Weekly increase", Title: "Take the weekly increase", Rule: "Cookies", Open: true, Left: "once this week",
					Params: []view.Param{{Name: "how", Label: "How", Kind: "choice", Choices: []view.Choice{{Value: "10", Label: "10 cookies"}, {Value: "20%", Label: "20% of 34, which is 7"}}}}},
			}},
		},
		Closed: []view.Action{
			{Name: "Adopt", Title: "Adopt a dragon", Reason: "Ember is alive", Rule: "Dragons"},
			{Name: "Allowance", Title: "Take the allowance", Reason: "you have 34 cookies; it is for those with less than 20", Rule: "Cookies"},
			{Name: "Ritual", Title: "Ritual of Power", Reason: "you trained today", Until: now + 6*hour, Rule: "Ritual of Power"},
		},
	}, nil
}

func (g *game) Act(_ context.Context, name string, args map[string]any) (*view.Result, error) {
	switch name {
	case "Ritual":
		return &view.Result{Refused: "you trained today", Until: now + 6*hour, Rule: "Training"}, nil
	case "Comment", "Vote":
		text, _ := args["text"].(string)
		ic, _ := args["icon"].(string)
		g.said = append(g.said, view.Comment{Author: "Ana", Text: text, Icon: ic, Glyph: "check", Time: now, Tentative: true})
		return &view.Result{Waits: "and waits for its place in the order"}, nil
	case "Aerobics":
		return &view.Result{Rolls: []view.Chip{{ID: "a1", Sides: 3, Value: 2}}, Changes: []view.Change{
			{Row: "Ember", Column: "Flame", Old: "7", New: "9"}, {Row: "Ember", Column: "Muscle", Old: "6", New: "7"}}}, nil
	}
	return &view.Result{Notes: []string{"Noted."}}, nil
}

func (g *game) Fate(context.Context, string) (*view.Result, error) { return nil, nil }

func (g *game) Preview(_ context.Context, name string, _ map[string]any) (*view.Preview, error) {
	if name != "Aerobics" {
		return &view.Preview{Outcomes: []view.Outcome{{Changes: []view.Change{{Row: "Ana", Column: "Cookies", Old: "34", New: "33"}}}}}, nil
	}
	return &effects, nil
}

var effects = view.Preview{Outcomes: []view.Outcome{
	{Chance: "1 in 3", Dice: "DICE3 shows 1", Changes: []view.Change{{Row: "Ember", Column: "Flame", Old: "7", New: "8"}, {Row: "Ember", Column: "Muscle", Old: "6", New: "7"}, {Row: "Ember", Column: "Heartbeat", Old: "88", New: "98"}}},
	{Chance: "1 in 3", Dice: "DICE3 shows 2", Changes: []view.Change{{Row: "Ember", Column: "Flame", Old: "7", New: "9"}, {Row: "Ember", Column: "Muscle", Old: "6", New: "7"}}},
	{Chance: "1 in 3", Dice: "DICE3 shows 3", Changes: []view.Change{{Row: "Ember", Column: "Flame", Old: "7", New: "10"}}},
}}

func (g *game) VoteEffect(_ context.Context, _ int64, _ string, args map[string]any) (*view.VoteEffect, error) {
	if args["icon"] == "DEFERENTIAL" {
		return &view.VoteEffect{Says: []string{"Your vote DEFERENTIAL counts as FOR (follows the Dragonmaster, who votes FOR).", "That makes 4 FOR, 1 AGAINST, with a quorum of 4.", "It can be enacted in 11 hours."}}, nil
	}
	return &view.VoteEffect{Refused: "the text has changed since you read it"}, nil
}

func (g *game) Check(_ context.Context, list []any) (*view.DraftCheck, error) {
	v := &view.DraftCheck{Recognised: []string{"**Dynastic**: what it changes are rules of this dynasty, and values that they define."}}
	for _, a := range list {
		m, _ := a.(map[string]any)
		if text, _ := m["text"].(string); strings.Contains(text, "oops") {
			line := 1 + strings.Count(text[:strings.Index(text, "oops")], "\n")
			v.Problems = []view.Problem{{Rule: "Aerobics", Line: line, Message: "“oops” is not defined here"}}
		}
	}
	return v, nil
}

func (g *game) Draft(_ context.Context, key string) (string, error) { return g.drafts[key], nil }
func (g *game) SaveDraft(_ context.Context, key, text string) error {
	g.drafts[key] = text
	return nil
}
func (g *game) Export(context.Context) ([]byte, error) { return []byte("made up"), nil }

func (g *game) Pages(context.Context) (*view.Pages, error) {
	return &view.Pages{Boards: []view.BoardLink{
		{Title: "Battles", Href: "/g/demo/boards/battle", Many: true},
		{Title: "Item Shop", Href: "/g/demo/boards/shop"},
	}, Pages: []view.RulePage{
		{Name: "eggs", Title: "Dragon Eggs", Rule: "Dragon Eggs", Body: "| Owner | Color | Muscle | Scales |\n|---|---|---:|---:|\n| Bo | Red | 6 | 4 |\n| Dee | Silver | 5 | 7 |\n\nEggs are laid by *two* willing dragons. See [the wiki](https://example.org/x) or ![a picture](https://evil.example/pixel.png) <script>alert(1)</script> [click](javascript:alert(1))."},
		{Name: "records", Title: "Records of the arena", Rule: "Battles", Body: "Nobody has fought yet."},
	}}, nil
}

func (g *game) Board(_ context.Context, name string, gallery bool) (*view.Board, error) {
	card := func(name, colour, owner string, mine bool, heart int64) view.Part {
		return view.Part{Kind: "card", Card: &view.Card{Title: name, Subtitle: colour, Swatch: colour, Owner: owner, Mine: mine,
			Stats:  []view.StatGroup{{Stats: []view.Stat{{Title: "Muscle", Value: "7 (5 +2)"}, {Title: "Scales", Value: "5"}, {Title: "Flame", Value: "8"}, {Title: "Wings", Value: "3"}}}},
			Meters: []view.Meter{{Title: "Heartbeat", Value: heart, Max: 100, Fill: heart * 10, Low: heart < 20}}}}
	}
	a := view.Action{Name: "Dragon Fang", Title: "Dragon Fang", Help: "Three dice of your Muscle less their Scales.", Dice: "3DICE(Muscle)", Open: true}
	shut := view.Action{Name: "Dragon Dive", Title: "Dragon Dive", Reason: "Smaug did not fly in its previous turn"}
	first := view.Action{Name: "Defend!", Title: "Defend!", Reason: "first decide how your Move goes on"}
	too := view.Action{Name: "Retreat!", Title: "Retreat!", Reason: first.Reason}
	potion := view.Part{Kind: "card", Card: &view.Card{Title: "Blood Salve", Text: "Ten dice of Heartbeat.", Parts: []view.Part{{Kind: "deeds", Deeds: []view.Deed{
		{Action: view.Action{Name: "Use Potion", Title: "Use Potion", Help: "In your turn of a Battle, use a Potion up.", Open: true}}}}}}}
	return &view.Board{Title: "[Duel] Smaug against Bo", Rule: "Battles", Under: "Battles", UnderHref: "/stories/g/demo/boards/battle",
		Decisions: []view.Decision{{ID: 1, Question: "Roll for your Thunder Ring?", Options: []view.Choice{{Value: true, Label: "Roll"}, {Value: false, Label: "Do not roll"}}, Otherwise: "Do not roll", Until: now + 3*hour}},
		Parts: []view.Part{
			{Kind: "place", Shape: "row", Parts: []view.Part{card("Smaug", "Red", "Ana", true, 64), card("Norbert", "Green", "Bo", false, 12)}},
			{Kind: "place", Title: "Your turn", Shape: "stack", Until: now + 3*hour, Parts: []view.Part{{Kind: "deeds", Title: "Moves", Deeds: []view.Deed{{Action: a}, {Action: first}, {Action: shut}, {Action: too}}}, potion}},
			{Kind: "thread", Title: "Blow by blow", Lines: []view.ThreadLine{{Who: "Bo", Text: "Dragon Claw: 7 damage.", Time: now - hour, Rolls: []view.Chip{{ID: "a1", Sides: 3, Value: 2}}}}},
		}}, nil
}

func (g *game) Forecast(context.Context, string, map[string]any) (*view.Forecast, error) {
	return &view.Forecast{Lines: []string{"Norbert: Heartbeat 12 → -3 to 12, on average 4.5", "Status: Over in 12%"}}, nil
}

func (g *game) Rolls(context.Context) (*view.Rolls, error) {
	return &view.Rolls{Waiting: "A roll of Ana: the dice fall when the device of Cy has witnessed it by itself, or without it in 12 seconds.", Rolls: []view.RollLine{
		{Chip: view.Chip{ID: "a3", Sides: 4, Value: 3, Tentative: true}, Who: "Ana", For: "Hunting Expedition", Time: now - minute},
		{Chip: view.Chip{ID: "a1", Sides: 3, Value: 2}, Who: "Bo", For: "Aerobics", Time: now - hour, Witnessed: "1 of 2 witnesses"},
		{Chip: view.Chip{ID: "a2", Sides: 39, Value: 31}, Who: "Cy", For: "Ritual of Power", Time: now - day},
	}}, nil
}

func (g *game) Roll(_ context.Context, id string) (*view.Roll, error) {
	if !strings.HasPrefix(id, "a") {
		return nil, view.ErrNone
	}
	line := view.RollLine{Chip: view.Chip{ID: id, Sides: 3, Value: 2}, Who: "Bo", For: "Aerobics", Time: now - hour}
	return &view.Roll{RollLine: line, All: []view.Chip{line.Chip, {ID: "a2", Sides: 10, Value: 7}},
		Facts: []view.Fact{
			{Name: "Commitment (anchor of the roller's chain)", Value: digest, Code: true},
			{Name: "The roller's link 17", Value: "9c" + digest[2:], Code: true},
			{Name: "Link of seal 212", Value: "b7" + digest[2:], Code: true},
			{Name: "Seed", Value: "e0" + digest[2:], Code: true},
		},
		Checks: []view.Proof{
			{Text: "The action was signed by Bo's device.", Detail: "Ed25519, action 17 of the device", OK: true},
			{Text: "Its link hashes back to what the device was bound to before.", Detail: "17 steps to the anchor in the enrolment", OK: true},
			{Text: "The seal's link hashes back to the notary's anchor.", Detail: "212 steps", OK: true},
			{Text: "The dice are what the two links give.", OK: true},
		}, JSON: "{}", Transcript: []byte("made up")}, nil
}
