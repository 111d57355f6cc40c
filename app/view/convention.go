package view

import "context"

// Convener serves the page Convention, and does what is done there.
type Convener interface {
	// Convention returns what is decided outside the rules.
	Convention(ctx context.Context) (*Convention, error)
	// Convene calls a convention, and signs it. Somebody without a seat asks for one.
	Convene(ctx context.Context, c Call) error
	// Ballot signs a motion, or takes the signature back.
	Ballot(ctx context.Context, motion string, assent bool) error
	// Decide says whether I go along to another relay, by the id of its first seal.
	Decide(ctx context.Context, first string, agreed bool) error
	// Fork founds a game that begins as this one was after so many actions, and returns its
	// room.
	Fork(ctx context.Context, title string, after int) (room string, err error)
}

// Convention is what is decided outside the rules: by more than two thirds of the active
// players.
type Convention struct {
	Motions []Motion // those that are open come first, by how many have signed
	Hidden  int      // open ones that are not among them
	Claims  []Claim
	Player  bool     // whether I can sign
	Active  []string // who counts now
	// Seats are the players whose seat can be given to somebody, Newcomers those to whom.
	Seats, Newcomers []Person
	Placed           int  // actions in place: where a game can be forked
	TwoOrders        bool // the relay has signed two orders of the game
	Departures       []Departure
	Practice         bool
	Crossings        []Crossing
	Clock            string // why the game's clock is not to be trusted, or empty
}

// Departure is from where another relay could go on: the newest that I hold, or the last that both orders of a relay that has
// signed two have. The first one is proposed.
type Departure struct {
	Name    string
	Newest  bool
	At      int64 // as the game was then
	Again   int   // actions on this device that would be played again
	TooMuch bool  // more has come since than another relay can begin with: it cannot be chosen
}

// Crossing is another relay at which others go on with the game from an earlier moment: I decide whether I do.
type Crossing struct {
	First, Relay, Why string // First is the id of its first seal
	State             string // "asked", "refused", or "followed"
	Assents           []string
	Active            int   // how many could have signed
	At                int64 // from which moment of the game it goes on
	Loses             int   // actions that would lose their place
}

// Motion is what a convention would do, and how it stands.
type Motion struct {
	ID, Kind        string // kind: "repair", "relay" or "seat"
	Title, Why, By  string
	Changes         []Amendment // of a repair
	At, DoneAt      int64
	Assents         []string // who has signed and counts
	Missing         []string // who else counts
	Needed          int
	Mine            bool   // I have signed
	Status          string // "open", "done" or "failed"
	Problem         string // why it failed, or would now
	Waits           bool   // it has its majority, and the new relay has to begin
	TooMuch         bool   // more has come since than the new relay can begin with
	Begun           bool   // the new relay goes on, and I do not follow
	Since           int64  // from which moment of the game another relay would go on
	Loses           int    // actions that would lose their place then
	Relay, From, To string
}

// Claim is somebody with a new key who says that a seat is theirs.
type Claim struct {
	Motion   string // id
	Who, Was string
	Why      string
	At       int64
	Mine     bool
	Doubtful bool // whose seat it is has acted since
}

// Summons says that a convention waits for my signature.
type Summons struct{ Text string }

// Call is a convention that somebody calls.
type Call struct {
	Kind       string // as in Motion
	Why        string
	Amendments []any
	Relay      string // address
	Departure  string // the name of one, or empty for the proposed one
	From, To   int64  // persons
}
