package ui

import (
	"net/url"
	"strings"
)

// invitePrefix begins the fragment of an invite link. The fragment holds the room's
// secret and is never sent to a server.
const invitePrefix = "/join/"

// inviteSecret returns the secret in the fragment of an invite link.
func inviteSecret(u *url.URL) (string, bool) {
	s, ok := strings.CutPrefix(u.Fragment, invitePrefix)
	s = strings.TrimSpace(s)
	return s, ok && s != ""
}

// inviteOf returns what was pasted as the host takes it: a whole link, which says where the game's
// relay is, as it is, else the secret.
func inviteOf(text string) string {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Host != "" && strings.HasPrefix(u.Fragment, invitePrefix) {
		return text
	}
	return secretOf(text)
}

// secretOf takes an invitation as people paste it: a whole link or the bare secret.
func secretOf(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "#"+invitePrefix); i >= 0 {
		text = text[i+len("#"+invitePrefix):]
	}
	return strings.Trim(text, " /\n\t")
}
