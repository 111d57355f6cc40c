//go:build race

package signal

func init() { raced = true }
