package live

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"peernomic/app/view"
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

// visible writes what stands in a file that anybody can have made, where no rule of a game has judged it: what
// nobody sees, and what turns the text around it, is shown as its number.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

// titled is the title of a game, from such a file.
func titled(title string) string { return "“" + visible(title) + "”" }

// listed joins names as people do.
func listed(names []string) string { return view.Isolated(list(names)) }

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

// briefTitle is how much of a title stands within a sentence, in characters.
const briefTitle = 60

// brief is a title within a sentence that goes on after it. It stands whole on its page.
func brief(title string) string {
	r := []rune(title)
	if len(r) <= briefTitle {
		return title
	}
	return strings.TrimSpace(string(r[:briefTitle-1])) + "…"
}
