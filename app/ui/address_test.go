package ui

import "testing"

// A pasted link says where the game's relay is; that must not be lost.
func TestPastedInvitations(t *testing.T) {
	const secret = "fp7Ifl-MNGxcB8WimgYe2QQ-MphfGibfzA8M-MqJwT0"
	for text, want := range map[string]string{
		" https://other.example/#/join/" + secret + "\n": "https://other.example/#/join/" + secret,
		"#/join/" + secret: secret,
		secret + "/":       secret,
		"here: https://other.example/#/join/" + secret: secret,
	} {
		if got := inviteOf(text); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}
