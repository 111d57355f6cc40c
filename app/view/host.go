package view

import "context"

// Host is this device: the games on it and the identity that plays them. Its
// methods may block and are called off the UI goroutine, except Watch and Opening.
type Host interface {
	// Watch calls changed, coalesced and on any goroutine, when Home may have
	// changed, until cancel is called.
	Watch(changed func()) (cancel func())
	// Manual returns a page for authors of rules, as Markdown: "first-rule" or "reference".
	Manual(ctx context.Context, page string) (string, error)

	Library
	Founder
	Door
	Keyring
	Verifier
}
