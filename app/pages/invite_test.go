package pages

import (
	"net/url"
	"testing"
)

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

func TestInvitations(t *testing.T) {
	for _, text := range []string{"https://h.example/#/join/SECRET", " https://h.example/#/join/SECRET\n", "SECRET", "SECRET/"} {
		if got := secretOf(text); got != "SECRET" {
			t.Errorf("%q gives %q", text, got)
		}
	}
	u, _ := url.Parse("https://h.example/#/join/SECRET")
	if s, ok := inviteSecret(u); !ok || s != "SECRET" {
		t.Errorf("got %q", s)
	}
	u, _ = url.Parse("https://h.example/#/other")
	if _, ok := inviteSecret(u); ok {
		t.Error("another fragment passes for an invitation")
	}
}
