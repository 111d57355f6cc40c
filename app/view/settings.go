package view

import "context"

// SettingsReader serves the page Settings.
type SettingsReader interface {
	// Settings returns what concerns this device and this game.
	Settings(ctx context.Context) (*Settings, error)
	// Export returns the whole game as a file.
	Export(ctx context.Context) ([]byte, error)
}

// Settings is what concerns this device and this game.
type Settings struct {
	Invite, RelayURL, Version, Notary, Digest string
	Seals                                     uint64
	Placed, Tentative                         int
	Net                                       Net
	BackedUp                                  bool
	Storage                                   string
	Options                                   []Fact
	Findings                                  []Finding
}

// Finding is what reached this device and does not count, for one reason.
type Finding struct {
	Code, Text string
	Count      int
}
