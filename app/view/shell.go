package view

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
	Pending                      []Pending // my own actions that have no place yet
	Alarm                        string    // a fork or another grave finding, or empty
	AlarmHref, AlarmGo           string    // where more is said of it, and the words of the link; or empty
	CanPropose                   bool
	Summons                      []Summons
	Later                        string  // the room of the next chapter if I went along, or empty
	Moment                       *Moment // set if the past is shown
	Undo                         *Action // puts back what an entry of the log changed; nil if I cannot
}

// Words are the dynasty's words for the things that every game has.
type Words struct{ Player, Players, Head string }

// Pending is an action that waits for its place in the game's order.
type Pending struct{ Ref, Title string }

// Waiting is something the game waits for.
type Waiting struct {
	Text, Href string
	Until      int64
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
	// Seals that have come and were checked, of those that the relay had at the beginning; ToCheck is 0 if all have.
	Checked, ToCheck int
}

// Destination is something in the game that can be gone to by its name.
type Destination struct {
	Kind, Title, Hint, Href string
	Shut                    bool // something to do that is not open now
}
