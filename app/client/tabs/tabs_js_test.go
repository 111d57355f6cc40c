//go:build js

package tabs

import "syscall/js"

// implementations leaves the browser's out where there is none: under Node.
func implementations() map[string]Tabs {
	all := map[string]Tabs{"local": &Local{}}
	if js.Global().Get("document").Truthy() {
		all["browser"] = Browser{}
	}
	return all
}
