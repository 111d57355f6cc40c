package kit

import (
	"fmt"
	"strconv"
	"strings"

	"peernomic/app/view"
)

// Itoa writes a whole number.
func Itoa[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Plural says how many of something there are.
func Plural[N int | int64 | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Capital returns a text with its first letter as a capital.
func Capital(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// Sentence writes an error as one.
func Sentence(s string) string { return strings.TrimSuffix(Capital(s), ".") + "." }

// Slug makes a word fit for an identifier.
func Slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// Join puts one sentence after another, which may be empty.
func Join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

func listed(list []string) string {
	switch len(list) {
	case 0:
		return "nobody"
	case 1:
		return list[0]
	}
	if len(list) > 4 {
		return strings.Join(list[:3], ", ") + " and " + Itoa(len(list)-3) + " more"
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// Names lists some names.
func Names(list []string) string { return view.Isolated(listed(list)) }

// JoinWords puts a dot between two texts, each of which may be empty.
func JoinWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

// Cut shortens a text to n characters.
func Cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// OrDash returns a dash for an empty text.
func OrDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
