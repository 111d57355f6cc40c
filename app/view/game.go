package view

import "context"

// Game is one open game: what surrounds its pages, and what each of them asks for. Its methods
// may block and are called off the UI goroutine, except Watch.
type Game interface {
	// Watch calls changed, coalesced and on any goroutine, when any view may have
	// changed, until cancel is called.
	Watch(changed func()) (cancel func())
	// Shell returns what surrounds every page.
	Shell(ctx context.Context) (*Shell, error)
	// Destinations returns everything in the game that has a name and an address.
	Destinations(ctx context.Context) ([]Destination, error)

	Player
	DraftKeeper

	NowReader
	FeedReader
	MatterReader
	RuleReader
	TrackerReader
	BoardReader
	DiceReader
	PeopleReader
	HistoryReader
	SettingsReader
	WorkshopReader
	Convener
	Mover
}
