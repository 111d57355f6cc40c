package live

import (
	"context"

	"peernomic/app/view"
)

// broken is a device that cannot be opened; it says why wherever one looks.
type broken struct{ err error }

var _ view.Host = broken{}

func (b broken) Look(context.Context, string) error                   { return b.err }
func (b broken) Home(context.Context) (*view.Home, error)             { return nil, b.err }
func (b broken) Rulesets(context.Context) ([]view.Ruleset, error)     { return nil, b.err }
func (b broken) Watch(func()) (cancel func())                         { return func() {} }
func (b broken) Found(context.Context, view.Founding) (string, error) { return "", b.err }
func (b broken) Invitation(context.Context, string) (*view.Invitation, error) {
	return nil, b.err
}
func (b broken) ComesAs(context.Context, string, string) (string, error) { return "", b.err }
func (b broken) GoAlong(context.Context, string) (string, error)         { return "", b.err }
func (b broken) Join(context.Context, string, string) (string, error)    { return "", b.err }
func (b broken) Import(context.Context, []byte) (string, error)          { return "", b.err }
func (b broken) Leave(context.Context, string) error                     { return b.err }
func (b broken) VerifyRoll(context.Context, []byte, []byte, func(int, int)) (*view.Verdict, error) {
	return nil, b.err
}
func (b broken) Verify(context.Context, []byte, func(int, int)) (*view.Verdict, error) {
	return nil, b.err
}
func (b broken) Manual(context.Context, string) (string, error)       { return "", b.err }
func (b broken) Open(context.Context, string) (view.Game, error)      { return nil, b.err }
func (b broken) Opening(string) *view.Opening                         { return nil }
func (b broken) Backup(context.Context, string) (*view.Backup, error) { return nil, b.err }
func (b broken) Restore(context.Context, string, []byte, string) error {
	return b.err
}
