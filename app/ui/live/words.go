package live

import (
	"strconv"
	"strings"
	"time"

	"peernomic/app/ui"
)

// momentText writes a time for a table.
func momentText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2 Jan 2006 15:04")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// listed joins names as people do.
func listed(names []string) string { return ui.Isolated(list(names)) }

func list(names []string) string {
	switch n := len(names); {
	case n == 0:
		return "nobody"
	case n == 1:
		return names[0]
	case n > 4:
		return strings.Join(names[:3], ", ") + " and " + strconv.Itoa(n-3) + " more"
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
