//go:build !js

package tabs

func implementations() map[string]Tabs { return map[string]Tabs{"local": &Local{}} }
