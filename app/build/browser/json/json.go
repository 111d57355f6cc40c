// Package json stands in for encoding/json in the browser's program: go-app would write its own storage and
// notifications with it, and pion/webrtc settings, none of which the app uses.
package json

import "errors"

var errMissing = errors.New("the browser's program has no JSON")

// RawMessage is a text in JSON.
type RawMessage []byte

// Marshal fails.
func Marshal(any) ([]byte, error) { return nil, errMissing }

// MarshalIndent fails.
func MarshalIndent(any, string, string) ([]byte, error) { return nil, errMissing }

// Unmarshal fails.
func Unmarshal([]byte, any) error { return errMissing }
