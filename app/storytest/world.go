package storytest

import (
	"context"

	"peernomic/app/view"
)

var people = []view.Person{
	{ID: 1, Name: "Ana", Standing: "player", Admin: true, You: true, Here: "direct", Acted: now - 10*minute, Fingerprint: "oak-marble-quail-ember  3f2a 9c11 04de", Devices: []view.Device{{Fingerprint: "77ab 01c4", This: true, Actions: 61}, {Fingerprint: "c0de 14aa", Actions: 4}}},
	{ID: 2, Name: "Bo", Standing: "player", Head: true, Here: "direct", Acted: now - hour, Fingerprint: "fox-river-silver-lark  11aa 0c3d 7e81"},
	{ID: 3, Name: "Cy", Standing: "player", Here: "relay", Acted: now - day},
	{ID: 4, Name: "Dee", Standing: "player", Acted: now - 3*day},
	{ID: 5, Name: "Eli Ransome-Whittaker", Standing: "player", Acted: now - 2*day},
	{ID: 6, Name: "Gus", Standing: "player", Idle: true, Acted: now - 8*day,
		Forks: []view.Fork{{Device: "09f1 77c2", Number: 12, First: "d28443a1", Second: "d28443a2"}}},
	{ID: 7, Name: "Fay", Standing: "applicant"},
}

func (g *game) People(context.Context) (*view.People, error) {
	list := append([]view.Person(nil), people...)
	list[6].Admit = &view.Action{Name: "Admit", Title: "Admit Fay", Open: true,
		Params: []view.Param{{Name: "player", Kind: "player"}}}
	return &view.People{People: list, Invite: invite, Actions: []view.Action{
		{Name: "Idle", Title: "Make a Breeder idle", Open: true, Help: "Somebody who asked for it, or has been silent for seven days.",
			Params: []view.Param{{Name: "player", Label: "Breeder", Kind: "player", Choices: []view.Choice{{Value: int64(4), Label: "Dee"}}}}},
		{Name: "Leave", Title: "Leave the game", Reason: "you are in a battle"},
	}}, nil
}

const invite = "https://nomic.example/#/join/Zk3QyFvS1n0r8cH2x7mJtLqWb5aUeXoP4dRgYi9TfNc.q0vX7bTn3mYcJ8dRzKf5hLpW2sGa9eUoQ1iVxB4tN6w"

func (g *game) Settings(context.Context) (*view.Settings, error) {
	return &view.Settings{Invite: invite, RelayURL: "wss://nomic.example/relay", Version: "3f9a1c", Notary: digest, Digest: digest, Seals: 214, Placed: 214,
		Tentative: 1, Net: net, Options: []view.Fact{{Name: "Dice", Value: "beacon"}},
		Findings: []view.Finding{{Code: "signature", Text: "the signature does not match", Count: 2}}}, nil
}

func n(v int64) view.Cell  { return view.Cell{Text: itoa(v), Raw: itoa(v), Number: v, Numeric: true} }
func s(v string) view.Cell { return view.Cell{Text: v, Raw: v} }

func itoa(v int64) string {
	if v < 0 {
		return "-" + itoa(-v)
	}
	if v < 10 {
		return string(rune('0' + v))
	}
	return itoa(v/10) + string(rune('0'+v%10))
}

func num(name, title string, edit bool) view.Column {
	return view.Column{Name: name, Title: title, Kind: "integer", Edit: edit, Doc: "How much damage it can take."}
}

var tables = []view.Table{
	{Name: "dragons", Title: "Dragons", One: "Dragon", Columns: []view.Column{
		{Name: "owner", Title: "Owner", Kind: "player"}, {Name: "color", Title: "Color", Kind: "choice", Edit: true,
			Choices: []view.Choice{{Value: "Silver", Label: "Silver"}, {Value: "Red", Label: "Red"}, {Value: "Purple", Label: "Purple"}}},
		num("heartbeat", "Heartbeat", true), num("muscle", "Muscle", true), num("scales", "Scales", true), num("flame", "Flame", true), num("wings", "Wings", true),
		{Name: "dead", Title: "Dead", Kind: "flag", Derived: true},
	}, Rows: []view.Row{
		{ID: 1, Label: "Ember", Mine: true, Cells: []view.Cell{s("Ana"), s("Red"), {Text: "88", Raw: "88", Number: 88, Numeric: true, Changed: true}, n(6), n(5), {Text: "7", Raw: "7", Number: 7, Numeric: true, Tentative: true}, n(5), s("no")}},
		{ID: 2, Label: "Slate", Cells: []view.Cell{s("Bo"), s("Black"), n(100), n(9), n(8), n(5), n(4), s("no")}},
		{ID: 3, Label: "Puddle", Cells: []view.Cell{s("Cy"), s("Silver"), n(62), n(5), n(5), n(5), n(9), s("no")}},
		{ID: 4, Label: "Old Thornback", Cells: []view.Cell{s("Dee"), s("Green"), n(-4), n(12), n(7), n(6), n(1), s("yes")}},
	}},
	{Name: "players", Title: "Breeders", One: "Breeder", Columns: []view.Column{num("cookies", "Cookies", true), {Name: "admin", Title: "Admin", Kind: "flag"}}, Rows: []view.Row{
		{ID: 1, Label: "Ana", Mine: true, Cells: []view.Cell{n(34), s("yes")}}, {ID: 2, Label: "Bo", Cells: []view.Cell{n(21), s("no")}}, {ID: 3, Label: "Cy", Cells: []view.Cell{n(40), s("no")}}}},
}

func (g *game) Tracker(context.Context) (*view.Tracker, error) {
	return &view.Tracker{Tables: tables, DiceWords: []string{"DICE6", "FRUIT", "COLOUR"}, Since: now - 2*day,
		Variables: []view.Variable{{Name: "hiatus", Title: "Hiatus", Text: "no"}, {Name: "dynasty", Title: "Dynasty", Text: "the second, of Bo"}},
		Edit:      &view.Action{Name: "Edit", Title: "Edit by hand", Open: true},
		Log: []view.Entry{
			{Number: 215, Ref: "215", Who: "Ana", Action: "Hunting Expedition", Time: now - minute, Tentative: true, Waits: "waits for a connection",
				Rolls: []view.Chip{{ID: "a3", Sides: 4, Value: 3, Tentative: true}}, Changes: []view.Change{{Row: "Ember", Column: "Flame", Old: "6", New: "7"}}},
			{Number: 214, Ref: "214", Who: "Bo", Action: "Aerobics", Time: now - hour, Rolls: []view.Chip{{ID: "a1", Sides: 3, Value: 2}},
				Changes: []view.Change{{Row: "Slate", Column: "Flame", Old: "3", New: "5"}, {Row: "Slate", Column: "Muscle", Old: "8", New: "9"}}, CanUndo: true},
			{Number: 213, Ref: "213", Who: "Dee", Action: "Edit", Time: now - 5*hour, Comment: "forgot the cookie for the newcomer DICE6", Rolls: []view.Chip{{ID: "a4", Sides: 6, Value: 4}},
				Changes: []view.Change{{Row: "Dee", Column: "Cookies", Old: "17", New: "21"}}, CanUndo: true},
			{Number: 212, Ref: "212", Who: "Gus", Action: "Vote", Time: now - 6*hour, Refused: "Gus is idle", RefusedBy: "Idling"},
		}}, nil
}
