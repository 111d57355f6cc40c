package ui

import "github.com/fxamacker/cbor/v2"

// keepable writes what a page keeps on the device for itself, such as a draft. It is CBOR, which the app
// speaks anyway.
func keepable(v any) (string, error) {
	text, err := cbor.Marshal(v)
	return string(text), err
}

// recall reads what was kept, and reports whether there was anything to read.
func recall(kept string, v any) bool { return cbor.Unmarshal([]byte(kept), v) == nil }
