package live

import (
	"context"

	"peernomic/app/ui"
)

// broken is a device that cannot be opened; it says why wherever one looks.
type broken struct{ err error }

var _ ui.Host = broken{}

func (b broken) Look(context.Context, string) error                 { return b.err }
func (b broken) Home(context.Context) (*ui.Home, error)             { return nil, b.err }
func (b broken) Rulesets(context.Context) ([]ui.Ruleset, error)     { return nil, b.err }
func (b broken) Watch(func()) (cancel func())                       { return func() {} }
func (b broken) Found(context.Context, ui.Founding) (string, error) { return "", b.err }
func (b broken) Invitation(context.Context, string) (*ui.Invitation, error) {
	return nil, b.err
}
func (b broken) ComesAs(context.Context, string, string) (string, error) { return "", b.err }
func (b broken) Join(context.Context, string, string) (string, error)    { return "", b.err }
func (b broken) Import(context.Context, []byte) (string, error)          { return "", b.err }
func (b broken) Leave(context.Context, string) error                     { return b.err }
func (b broken) VerifyRoll(context.Context, []byte, []byte, func(int, int)) (*ui.Verdict, error) {
	return nil, b.err
}
func (b broken) Verify(context.Context, []byte, func(int, int)) (*ui.Verdict, error) {
	return nil, b.err
}
func (b broken) Manual(context.Context, string) (string, error)     { return "", b.err }
func (b broken) Open(context.Context, string) (ui.Game, error)      { return nil, b.err }
func (b broken) Opening(string) *ui.Opening                         { return nil }
func (b broken) Backup(context.Context, string) (*ui.Backup, error) { return nil, b.err }
func (b broken) Restore(context.Context, string, []byte, string) error {
	return b.err
}
