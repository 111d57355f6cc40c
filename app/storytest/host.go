// Package storytest fills the pages with made-up data, so that each can be seen and
// tested without a game: a host whose one game never changes except for what is
// typed into it.
package storytest

import (
	"context"
	"errors"
	"strings"

	"peernomic/app/view"
)

// now is when the stories take place.
const now = int64(1_795_269_600_000)

const (
	minute = int64(60_000)
	hour   = 60 * minute
	day    = 24 * hour
)

type host struct{ empty bool }

// New returns the made-up host. An empty one has no games yet.
func New(empty bool) view.Host { return host{empty} }

var rulesets = []view.Ruleset{
	{Name: "dragons", Title: "The Dragon Farm", Accent: "oxblood",
		Summary: "Raise a dragon, feed it cookies, train it, and bring it to the arena. The rules of the farm are yours to change.",
		Mood:    "playful, a little dangerous", Learn: "an evening to learn",
		Options: []view.Option{
			{Name: "head", Label: "Who rules first", Help: "The founder, or nobody.", Default: "founder",
				Choices: []view.Choice{{Value: "founder", Label: "the founder"}, {Value: "nobody", Label: "nobody"}}},
			{Name: "pace", Label: "Pace", Help: "The rulesets count in hours; fast makes them minutes.", Default: "1",
				Choices: []view.Choice{{Value: "1", Label: "the ruleset's own hours"}, {Value: "60", Label: "fast: an evening"}}},
		}},
	{Name: "minimal", Title: "A Bare Nomic", Accent: "ink", Summary: "A handful of rules: propose, vote, enact. Everything else is up to you.",
		Mood: "a blank page", Learn: "five minutes to learn"},
}

func (h host) Home(context.Context) (*view.Home, error) {
	v := &view.Home{Name: "Ana"}
	if h.empty {
		v.Name = ""
		return v, nil
	}
	v.Games = []view.GameLine{
		{Room: "demo", Title: "The Dragon Farm", Ruleset: "Dragons", Accent: "oxblood", Needs: 2, Players: 7,
			Line: "Vote on “Aerobics toughens the scales”: closes in 11 hours"},
		{Room: "demo2", Title: "Sunday Republic", Ruleset: "A bare nomic", Accent: "forest", Players: 3,
			Line: "Nothing waits for you. Bo can enact from 18:05."},
	}
	return v, nil
}

func (host) Look(context.Context, string) error { return nil }

func (host) Rulesets(context.Context) ([]view.Ruleset, error) { return rulesets, nil }

func (host) Watch(func()) func() { return func() {} }

func (host) Found(_ context.Context, f view.Founding) (string, error) {
	if strings.EqualFold(f.Name, "fail") {
		return "", errors.New("the relay refused the room: too many rooms from this address today")
	}
	return "demo", nil
}

func (host) Invitation(_ context.Context, invite string) (*view.Invitation, error) {
	if strings.HasPrefix(invite, "moved") {
		return &view.Invitation{Title: "The Dragon Farm", Inviter: "Ana", Ruleset: "Dragons", Players: 7, Earlier: "demo"}, nil
	}
	return &view.Invitation{Title: "The Dragon Farm", Inviter: "Ana", Ruleset: "Dragons", Players: 7}, nil
}

func (host) ComesAs(_ context.Context, _, name string) (string, error) {
	if strings.EqualFold(name, "Ana") {
		return name + " 2", nil
	}
	return name, nil
}

func (host) GoAlong(context.Context, string) (string, error)      { return "demo", nil }
func (host) Join(context.Context, string, string) (string, error) { return "demo", nil }
func (host) Leave(context.Context, string) error                  { return nil }
func (host) Import(context.Context, []byte) (string, error) {
	return "", errors.New("this is no exported game: clause LEDGER-41 fails")
}

func (host) VerifyRoll(context.Context, []byte, []byte, func(int, int)) (*view.Verdict, error) {
	return &view.Verdict{What: "A roll by Ana", Text: "it is not the roll that counted: the action has its place by seal 7, and the proof shows it at seal 9"}, nil
}

func (host) Verify(context.Context, []byte, func(int, int)) (*view.Verdict, error) {
	return &view.Verdict{What: "An exported game", Text: "the signature of action 17 does not hold", Clause: "L5.3"}, nil
}

func (host) Manual(_ context.Context, page string) (string, error) {
	if page == "reference" {
		return "# What rules can say\n\n## Types\n\n- **`integer(min=None, max=None)`**: whole numbers.\n\n" +
			"## While a function runs\n\n- **`roll(sides)`**: one die.\n- **`refuse(reason, until=None)`**: ends the action.\n", nil
	}
	return "# Your first rule\n\nA rule is a page of text. It begins with a die: `roll`.\n", nil
}

func (host) Open(_ context.Context, room string) (view.Game, error) {
	if !strings.HasPrefix(room, "demo") {
		return nil, errors.New("this device has no such game")
	}
	room, at := view.SplitRoom(room)
	return &game{room: room, at: at, drafts: map[string]string{}}, nil
}

func (host) Opening(string) *view.Opening { return nil }

func (host) Backup(context.Context, string) (*view.Backup, error) {
	return &view.Backup{Words: strings.Fields("acorn river lantern oak silver fox marble ember quail harbor juniper stone"),
		File: []byte("made up"), Name: "peernomic-key.backup"}, nil
}
func (host) Restore(context.Context, string, []byte, string) error { return nil }
