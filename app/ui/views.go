package ui

// Times in views are Unix milliseconds; zero means none.

// Home is the front page: the games of this device.
type Home struct {
	Name     string // the name last used
	Games    []GameCard
	BackedUp bool   // the identity has been backed up
	Storage  string // warning about storage that the browser may drop, or empty
}

// GameCard is one game on the front page.
type GameCard struct {
	Room, Title, Ruleset, Accent string
	Shut                         bool   // it is not open, so that only Room and Title are known
	Needs                        int    // how many things wait for me
	Line                         string // the most urgent of them, or what happens next
	Players                      int
	LastAct                      int64
	Practice                     bool // on this device only
	Net                          Net
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

// Choice is one of several values; Value is what goes back.
type Choice struct {
	Value any
	Label string
}

// Founding is what a new game is made from.
type Founding struct {
	Ruleset, Title, Name string
	Options              map[string]string
	Practice             bool // alone on this device, without a relay
}

// Invitation is what someone who came by a link is told.
type Invitation struct {
	Title, Inviter, Ruleset, Summary string
	Players                          int
	Name                             string // the name last used on this device
	Room                             string // set if this device is in the game already
}

// Words are the dynasty's words for the things that every game has.
type Words struct{ Player, Players, Head string }

// Shell is what surrounds every page of a game.
type Shell struct {
	Room, Title, Ruleset, Accent string
	Issue                        int // number of placed actions
	Clock                        int64
	Me                           Person
	Words                        Words
	Digest                       string // hex
	Net                          Net
	Needs, OpenMatters           int
	Waiting                      []Waiting
	Here                         []Person
	Tentative                    int
	Pending                      []Pending // my own actions that have no place yet
	Alarm                        string    // a fork or another grave finding, or empty
	AlarmHref                    string    // where more is said of it, or empty
	CanPropose                   bool
	Summons                      *Summons // set if a convention waits for my signature
	Moment                       *Moment  // set if the past is shown
	Undo                         *Action  // puts back what an entry of the log changed; nil if I cannot
}

// Pending is an action that waits for its place in the game's order.
type Pending struct{ Ref, Title string }

// Waiting is something the game waits for.
type Waiting struct {
	Text, Href string
	Until      int64
}

// Opening is how far the opening of a game has come.
type Opening struct {
	Carrying    bool // false while its log is read, true while its actions are carried out
	Done, Total int
}

// Net says how this device stands to the others.
type Net struct {
	Relay    string // connected, connecting, offline, refused, none
	Refusal  string // why the relay refuses, or will not take what was done here, a sentence
	Direct   []string
	ByRelay  []string
	Unsent   int
	SyncedAt int64
	Writer   bool // this tab writes; otherwise another one does
	// Envelopes that came directly from peers and through the relay.
	FromDirect, FromRelay uint64
	// Signatures that were judged, of those that the game was opened without; ToCheck is 0 if
	// that is over.
	Checked, ToCheck int
	BadSignatures    int // that were found, and do not count
	// Actions that were carried out again, of those that this device had kept the outcome of;
	// ToReplay is 0 if that is over.
	Replayed, ToReplay int
}

// Person is somebody in a game.
type Person struct {
	ID                          int64
	Name, Standing, Note        string
	Idle, Admin, Head, You      bool
	Here                        string // "direct", "relay", or empty
	Joined, Acted               int64
	Fingerprint                 string
	Devices                     []Device
	Forks                       []Fork
	Admit, MakeIdle, OtherThing *Action
}

// Device is one device of a person.
type Device struct {
	Fingerprint string
	This        bool
	Actions     uint64
}

// Fork is the proof that a device signed two different actions with one number.
type Fork struct {
	Device        string // its fingerprint
	Number        uint64
	First, Second string // both signed actions, hex; the second is void if the first counts
}

// Now is what needs me and what I can do.
type Now struct {
	Decisions []Decision
	Cards     []Card
	Groups    []Group
	Closed    []Action
	Next      string // what happens next without me
}

// Card is something that waits for me.
type Card struct {
	Kind, Title, Text, Href, Go string
	Until                       int64
	Action                      *Action
	Tentative                   bool
	Key                         string         // tells cards with one action apart
	Fixed                       map[string]any // values of the action that are not asked for
	Given                       []string       // parameters whose default was said before: shown, and asked for only on request
}

// Group is a heading with actions under it.
type Group struct {
	Title   string
	Seldom  bool // of the rules about rules: kept folded
	Actions []Action
}

// Action is something that the rules let people do.
type Action struct {
	Name, Title, Help, Group, Rule, Form, Dice string
	Params                                     []Param
	Open                                       bool
	Reason                                     string // why it is closed
	Until                                      int64  // when that changes
	Left                                       string // what is left of an allowance
}

// Param is a value that an action asks for.
type Param struct {
	Name, Label, Help, Kind, Table string
	Min, Max                       *int64
	MaxLen                         int
	Choices                        []Choice
	Default                        any
	Optional                       bool
	Listed                         bool // Choices is all there is to choose from
}

// DraftCheck is what the rules say of changes that somebody drafts.
type DraftCheck struct {
	Problems   []Problem // why they could not be enacted now
	Recognised []string  // what the rules take them for, and what follows; Markdown
}

// Result is what became of an action.
type Result struct {
	Refused  string // the reason, or empty
	Rule     string // the rule that refused
	Until    int64
	Waits    string // what a tentative action waits for, or empty
	Notes    []string
	Rolls    []Chip
	Changes  []Change
	NewPost  int64
	EntryRef string
	Undo     int64 // entry of the log by which it can be undone; 0 if it cannot
}

// Chip is one roll, small.
type Chip struct {
	ID           string
	Sides, Value uint64
	Face         string // what a dice word shows, such as a fruit
	Tentative    bool
}

// Change is one value that changed, in words.
type Change struct{ Table, Row, Column, Old, New string }

// Preview is what an action would do.
type Preview struct {
	Refused  string
	Outcomes []Outcome
	Partial  bool // more outcomes exist than were tried
}

// Outcome is one way an action may turn out.
type Outcome struct {
	Chance, Dice string
	Changes      []Change
	Notes        []string
}

// Problem is something wrong with a rule.
type Problem struct {
	Rule    string
	Line    int
	Message string
}
