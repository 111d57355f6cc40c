//go:build !js

package client

import (
	"testing"

	"peernomic/engine/ledger"
)

// A link that is read prints as one that is read the same.
func FuzzInvite(f *testing.F) {
	for _, link := range []string{
		"https://play.example/#/join/" + ledger.InviteText(ledger.RoomSecret{1}, ledger.GameID{1}),
		"http://[::1]:8080/a/b?c#/join/" + ledger.InviteText(ledger.RoomSecret{2}, ledger.GameID{1}),
	} {
		if _, err := ParseInvite(link); err != nil {
			f.Fatal(err)
		}
		f.Add(link)
	}
	f.Add("https://play.example/#/join/short")
	f.Fuzz(func(t *testing.T, link string) {
		invite, err := ParseInvite(link)
		if err != nil {
			return
		}
		again, err := ParseInvite(invite.String())
		if err != nil || again != invite {
			t.Errorf("%q: read as %+v, printed as %q, read as %+v, %v", link, invite, invite.String(), again, err)
		}
	})
}
