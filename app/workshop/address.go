package workshop

import (
	"net/url"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// PathOf is where an action that carries amendments is taken.
func PathOf(room, action string) string {
	return view.Path(room, "propose") + "?kind=" + url.QueryEscape(action)
}

// SetPath is where a proposal begins that sets a value.
func SetPath(room, table string, row int64, column string) string {
	q := url.Values{"table": {table}, "row": {kit.Itoa(row)}}
	if column != "" {
		q.Set("column", column)
	}
	return view.Path(room, "propose") + "?" + q.Encode()
}
