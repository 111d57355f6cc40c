package ui

import "encoding/json"

// keepable writes what a page keeps on the device for itself, such as a draft.
func keepable(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// recall reads what was kept, and reports whether there was anything to read.
func recall(kept string, v any) bool { return json.Unmarshal([]byte(kept), v) == nil }
