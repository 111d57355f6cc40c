package storytest

import (
	"context"

	"peernomic/app/view"
)

func (g *game) Convention(context.Context) (*view.Convention, error) {
	return &view.Convention{Player: true,
		Motions: []view.Motion{
			{ID: "m1", Kind: "repair", Title: "A repair of the rules", By: "Bo", At: now - 3*hour, Status: "open", Needed: 3,
				Why:     "Since “Calm Councils” a proposal needs more votes than we are. This puts the old rule back.",
				Assents: []string{"Bo"}, Missing: []string{"Ana", "Cy", "Dee"},
				Changes: []view.Amendment{{What: "Changes the rule “Enactment”", Document: true,
					Old: "# Enactment\n\nA Proposal needs twenty votes.\n", New: "# Enactment\n\nA Proposal needs the votes of a Quorum.\n"}}},
			{ID: "m3", Kind: "seat", Title: "Eli has the seat again, under a new key", By: "Cy", At: now - 200*hour, DoneAt: now - 190*hour, Status: "done", Needed: 3,
				Assents: []string{"Ana", "Bo", "Cy", "Dee", "Fay", "Gus"}},
			{ID: "m5", Kind: "repair", Title: "A repair of the rules", By: "Cy", At: now - 300*hour, DoneAt: now - 290*hour, Status: "done",
				Changes: []view.Amendment{{What: "Sets Cookies of Bo", Old: "30", New: "30"}}},
		},
		Claims:    []view.Claim{{Motion: "m4", Who: "Dee 2", Was: "Dee", Why: "My phone is in the river.", At: now - hour, Doubtful: true}},
		Hidden:    40,
		Seats:     people[1:],
		Newcomers: []view.Person{{ID: 9, Name: "Dee 2"}},
		Clock:     "The game's clock is 31 days ahead of this device's. Compare dates with the others.",
	}, nil
}

func (g *game) Convene(context.Context, view.Call) error   { return nil }
func (g *game) Ballot(context.Context, string, bool) error { return nil }
