package view

import "context"

// Library keeps the games of this device.
type Library interface {
	// Home returns what the front page shows, without waiting: of a game that is not open no more than its title.
	Home(ctx context.Context) (*Home, error)
	// Look opens a game for what the front page says of it.
	Look(ctx context.Context, room string) error
	// Open returns a game of this device. The room may name a moment, see [RoomAt]; the
	// game then shows the past, and nothing can be done in it.
	Open(ctx context.Context, room string) (Game, error)
	// Opening tells how far Open has come with a room, nil if that takes no time. Watch tells when to
	// look again. It may be called on the UI goroutine.
	Opening(room string) *Opening
	// Leave removes a game from this device.
	Leave(ctx context.Context, room string) error
	// Import adds a game from an export and returns its room.
	Import(ctx context.Context, archive []byte) (room string, err error)
}

// Home is the front page: the games of this device.
type Home struct {
	Name     string // the name last used
	Games    []GameLine
	BackedUp bool   // the identity has been backed up
	Storage  string // warning about storage that the browser may drop, or empty
}

// GameLine is one game on the front page.
type GameLine struct {
	Room, Title, Ruleset, Accent string
	Shut                         bool   // it is not open, so that only Room and Title are known
	Needs                        int    // how many things wait for me
	Line                         string // the most urgent of them, or what happens next
	Players                      int
	Practice                     bool // on this device only
}

// Opening is how far the opening of a game has come.
type Opening struct {
	Carrying    bool // false while its log is read, true while its actions are carried out
	Done, Total int
}

// Founder makes new games.
type Founder interface {
	// Rulesets returns what a game can be founded with.
	Rulesets(ctx context.Context) ([]Ruleset, error)
	// Found makes a new game and returns its room. Without a relay it fails with [ErrNoRelay],
	// unless the game is for practice.
	Found(ctx context.Context, f Founding) (room string, err error)
}

// Ruleset is one that a game can be founded with.
type Ruleset struct {
	Name, Title, Summary, Mood, Learn, Accent string
	Options                                   []Option
}

// Option is a choice that the founder makes.
type Option struct {
	Name, Label, Help, Default string
	Choices                    []Choice
}

// Founding is what a new game is made from.
type Founding struct {
	Ruleset, Title, Name string
	Options              map[string]string
	Practice             bool // alone on this device, without a relay
}

// Door is the way into the games of others.
type Door interface {
	// Invitation reads an invite: a whole link, or the secret in it.
	Invitation(ctx context.Context, invite string) (*Invitation, error)
	// ComesAs returns what a person who joins under a name would be called: another name, if that one is
	// taken. A name that cannot be is an error.
	ComesAs(ctx context.Context, invite, name string) (as string, err error)
	// GoAlong enters the game of an invitation that goes on from a game of this device, with the seat from there, and
	// returns its room.
	GoAlong(ctx context.Context, invite string) (room string, err error)
	// Join enters the game of an invitation under a name and returns its room.
	Join(ctx context.Context, invite, name string) (room string, err error)
}

// Invitation is what a link invites to.
type Invitation struct {
	Title, Inviter, Ruleset string
	Players                 int
	Name                    string // the name last used on this device
	Room                    string // set if this device is in the game already
	Earlier                 string // room of the chapter before if I played it on this device
}

// Limits of what is typed before there are rules that could state them, in characters.
const (
	NameLimit  = 40  // a person's name
	TitleLimit = 80  // a game's name
	WhyLimit   = 300 // the reason for a convention or a move
)
