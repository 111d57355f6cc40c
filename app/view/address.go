package view

import (
	"net/url"
	"strconv"
	"strings"
)

// Address is where in the app a person is. Every page has one, and it can be sent
// to another member.
type Address struct {
	Page  string // of the whole app if Room is empty, else of the game
	Room  string
	Arg   string // which matter, rule, table or roll
	Query url.Values
}

// ParseAddress reads an address from a URL. A path that is no address gives the
// page "lost".
func ParseAddress(u *url.URL) Address {
	a := Address{Query: u.Query()}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	for i := range parts {
		if p, err := url.PathUnescape(parts[i]); err == nil {
			parts[i] = p
		}
	}
	if parts[0] == "stories" {
		parts = parts[1:]
	}
	switch {
	case len(parts) == 0 || parts[0] == "":
		a.Page = "home"
	case parts[0] == "g" && len(parts) >= 2 && len(parts) <= 5 && roomName(parts[1]):
		a.Room, a.Page = parts[1], "now"
		if len(parts) > 2 {
			a.Page = parts[2]
		}
		if len(parts) > 3 {
			a.Arg = strings.Join(parts[3:], "/")
		}
	case len(parts) == 1:
		a.Page = parts[0]
	default:
		a.Page = "lost"
	}
	return a
}

// RoomAt names a room at a moment of its past, after so many actions; 0 is now. Every
// address within it stays at that moment.
func RoomAt(room string, at int) string {
	if at == 0 {
		return room
	}
	return room + "@" + strconv.Itoa(at)
}

// roomName reports whether a part of an address may name a room, and the moment in it is one.
func roomName(s string) bool {
	_, text, at := strings.Cut(s, "@")
	n, err := strconv.Atoi(text)
	return !at || err == nil && n > 0
}

// SplitRoom is the inverse of RoomAt.
func SplitRoom(room string) (id string, at int) {
	id, text, _ := strings.Cut(room, "@")
	at, err := strconv.Atoi(text)
	if err != nil || at < 0 {
		return id, 0
	}
	return id, at
}

// SamePlace reports whether b is the same page of the same game at another moment.
func (a Address) SamePlace(b Address) bool {
	was, _ := SplitRoom(a.Room)
	is, _ := SplitRoom(b.Room)
	return a.Room != b.Room && was == is && a.Page == b.Page && a.Arg == b.Arg
}

// Path returns the path of a page of a game.
func Path(room, page string, arg ...string) string {
	p := "/g/" + url.PathEscape(room) + "/" + page
	for _, s := range arg {
		p += "/" + url.PathEscape(s)
	}
	return p
}
