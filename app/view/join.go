package view

import "context"

// Door is the way into the games of others.
type Door interface {
	// Invitation tells who invites with this secret, or whole link, and to what.
	Invitation(ctx context.Context, invite string) (*Invitation, error)
	// ComesAs returns what somebody would be called in the game of an invitation who came under a name now: another
	// name, if that one is taken. A name that cannot be is an error.
	ComesAs(ctx context.Context, invite, name string) (as string, err error)
	// Join enters the game of an invitation under a name and returns its room.
	Join(ctx context.Context, invite, name string) (room string, err error)
}

// Invitation is what someone who came by a link is told.
type Invitation struct {
	Title, Inviter, Ruleset string
	Players                 int
	Name                    string // the name last used on this device
	Room                    string // set if this device is in the game already
}
