package view

import "context"

// Mover serves the page Move, and does what is done there.
type Mover interface {
	// Moves returns the rooms in which the game goes on, and what a move from here would be.
	Moves(ctx context.Context) (*Moves, error)
	// Move opens a room in which the game goes on, and announces it unless that is not wanted. It returns the room, even
	// if only the announcement failed.
	Move(ctx context.Context, m NewRoom) (room string, err error)
	// GoAlong takes me to the room of an offer.
	GoAlong(ctx context.Context, room string) error
	// Stay notes that I do not go to the room of an offer.
	Stay(ctx context.Context, room string) error
	// Again does here what I did in the chapter before and what did not come along. Without again it is only noted that
	// it stays behind.
	Again(ctx context.Context, action string, again bool) error
}

// Moves is how a game goes on in other rooms.
type Moves struct {
	Offers   []Offer
	Behind   []Behind // what I did in the chapter before that did not come along
	Player   bool     // whether the others would see my announcement
	Relay    string   // address proposed for the new room
	People   []Person // the others with a seat
	Placed   int      // actions in place: moments to go on from
	Newest   int      // the moment proposed
	Disputed bool     // the relay has signed two orders, and Newest is the last moment that both share
}

// NewRoom is a room that somebody moves a game to.
type NewRoom struct {
	Relay, Title, Why string // an empty title is that of the game
	After             int    // actions that come along; 0 for the moment proposed
	People            []int64
	Secretly          bool // a fork: nobody is told
}

// States of an offer.
const (
	OfferOut      = "out"      // I have no invitation
	OfferChecking = "checking" // the new game, or a part of this one, is not here yet
	OfferAway     = "away"     // the same, and its relay cannot be reached
	OfferWrong    = "wrong"    // it does not begin as this game was
	OfferOpen     = "offered"  // I can go along
	OfferStays    = "stays"    // I can, and have said that I stay
	OfferWent     = "went"
)

// Offer is a room in which the game goes on.
type Offer struct {
	Room, State string // the room is empty without an invitation
	By          string // who announced it; empty if it came by a link
	Mine        bool   // I announced it
	At          int64
	Why         string
	Tentative   bool
	Relay       string
	After       int      // actions of this game that come along
	Time        int64    // when the last of them was placed
	Out         []string // people with a seat here who are not invited
	Gone        []string // people with a seat who have done something there
	Seats       int
	Behind      []Behind // my actions that do not come along
	Problem     string   // why it is wrong
}

// Behind is an action of mine that a move left behind.
type Behind struct {
	Ref, Title string
	At         int64
}
