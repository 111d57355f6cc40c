package view

import "context"

// Keyring keeps the identity of the person at this device.
type Keyring interface {
	// Backup returns the identity as words and as a file locked with a passphrase.
	Backup(ctx context.Context, passphrase string) (*Backup, error)
	// Restore takes over an identity from words or from a file and its passphrase.
	Restore(ctx context.Context, words string, file []byte, passphrase string) error
}

// Backup is an identity to be kept.
type Backup struct {
	Words []string
	File  []byte
	Name  string // file name
}
