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
}

// Convention is what is decided outside the rules: by more than two thirds of the active
// players.
type Convention struct {
	Motions []Motion // those that are open come first, by how many have signed
	Hidden  int      // open ones that are not among them
	Claims  []Claim
	Player  bool // whether I can sign
	// Seats are the players whose seat can be given to somebody, Newcomers those to whom.
	Seats, Newcomers []Person
	Clock            string // why the game's clock is not to be trusted, or empty
}

// Motion is what a convention would do, and how it stands.
type Motion struct {
	ID, Kind       string // kind: "repair" or "seat"
	Title, Why, By string
	Changes        []Amendment // of a repair
	At, DoneAt     int64
	Assents        []string // names of those whose signature counts
	Missing        []string // names of the others whose signature would count
	Needed         int
	Mine           bool   // I have signed
	Status         string // "open", "done" or "failed"
	Problem        string // why it failed, or would now
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

// Summons says that something outside the rules waits for me, such as my signature.
type Summons struct{ Text, Page, Go string } // the page that it leads to, and the words of the link

// Call is a convention that somebody calls.
type Call struct {
	Kind       string // as in Motion
	Why        string
	Amendments []any
	From, To   int64 // persons
}
