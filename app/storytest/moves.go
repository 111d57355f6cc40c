package storytest

import (
	"context"

	"peernomic/app/view"
)

// The room "demo-old" is a chapter that was left, and "demo-new" the one that followed it.
func later(room string) string {
	if room == "demo-old" {
		return "demo-new"
	}
	return ""
}

func summons(room string) []view.Summons {
	switch room {
	case "demo-old":
		return nil
	case "demo-new":
		return []view.Summons{{Text: "2 actions of yours did not come along from the earlier chapter.", Page: "move", Go: "Look and decide"}}
	}
	return []view.Summons{
		{Text: "Dee moved the game to another room: The relay is gone.", Page: "move", Go: "Look and decide"},
		{Text: "Bo calls a convention: A repair of the rules.", Page: "convention", Go: "Read and decide"},
	}
}

var behind = []view.Behind{{Ref: "b1", Title: "Aerobics", At: now - hour}, {Ref: "b2", Title: "Feed a dragon", At: now - 30*minute}}

func (g *game) Moves(context.Context) (*view.Moves, error) {
	v := &view.Moves{Player: true, Relay: "https://nomic.example", People: people[1:6], Placed: 214, Newest: 214}
	offer := view.Offer{Room: "demo-new", By: "Dee", At: now - hour, Why: "The relay is gone.\nMine is on all day.", Relay: "wss://dee.example/relay", After: 212, Time: now - 2*hour,
		Out: []string{"Gus"}, Gone: []string{"Dee", "Bo"}, Seats: 7}
	with := func(state string, change func(*view.Offer)) {
		o := offer
		o.State, o.Room = state, "demo-"+state
		change(&o)
		v.Offers = append(v.Offers, o)
	}
	switch g.room {
	case "demo-new":
		v.Behind = behind
	case "demo-old":
		with(view.OfferWent, func(o *view.Offer) { o.Room = "demo-new" })
	default:
		v.Disputed, v.Newest = true, 212
		with(view.OfferOpen, func(o *view.Offer) { o.Behind = behind })
		with(view.OfferStays, func(o *view.Offer) { o.By, o.Why, o.Out = "Bo", "Cheaper cookies for all.", nil })
		with(view.OfferOut, func(o *view.Offer) { o.Room, o.By, o.Relay, o.Seats, o.Out = "", "Cy", "", 0, []string{"Ana"} })
		with(view.OfferChecking, func(o *view.Offer) { o.By, o.Tentative, o.Seats = "Eli Ransome-Whittaker", true, 0 })
		with(view.OfferAway, func(o *view.Offer) { o.By, o.Seats = "Fay", 0 })
		with(view.OfferWrong, func(o *view.Offer) {
			o.By, o.At, o.Why, o.Problem = "", 0, "", "The new game's world is not what it was here."
		})
	}
	return v, nil
}

func (g *game) Move(context.Context, view.NewRoom) (string, error) { return "demo-new", nil }
func (g *game) GoAlong(context.Context, string) error              { return nil }
func (g *game) Stay(context.Context, string) error                 { return nil }
func (g *game) Again(context.Context, string, bool) error          { return nil }
