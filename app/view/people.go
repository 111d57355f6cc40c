package view

import "context"

// PeopleReader serves the roster.
type PeopleReader interface {
	// People returns everybody who has come, players or not.
	People(ctx context.Context) (*People, error)
}

// People is the roster.
type People struct {
	People  []Person
	Actions []Action // standing of people: join, leave, idle and the like
	Invite  string
}

// Person is somebody in a game.
type Person struct {
	ID                     int64
	Name, Standing, Note   string
	Idle, Admin, Head, You bool
	Here                   string // "direct", "relay", or empty
	Acted                  int64
	Fingerprint            string
	Devices                []Device
	Forks                  []Fork
	Admit                  *Action
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
