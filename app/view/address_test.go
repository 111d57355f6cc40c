package view

import (
	"net/url"
	"testing"
)

func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		url  string
		want Address
	}{
		{"/", Address{Page: "home"}},
		{"/found", Address{Page: "found"}},
		{"/g/ab", Address{Room: "ab", Page: "now"}},
		{"/g/ab/matters/12", Address{Room: "ab", Page: "matters", Arg: "12"}},
		{Path("ab", "rules", "Call for Judgment / 100%?"), Address{Room: "ab", Page: "rules", Arg: "Call for Judgment / 100%?"}},
		{Path(RoomAt("ab", 12), "tracker"), Address{Room: "ab@12", Page: "tracker"}},
		{"/a/b/c", Address{Page: "lost"}},
		{Path("ab", "boards", "battle", "3"), Address{Room: "ab", Page: "boards", Arg: "battle/3"}},
		{"/g/a/b/c/d/e", Address{Page: "lost"}},
	} {
		u, err := url.Parse("https://x.example" + c.url)
		if err != nil {
			t.Fatal(err)
		}
		got := ParseAddress(u)
		if got.Page != c.want.Page || got.Room != c.want.Room || got.Arg != c.want.Arg {
			t.Errorf("%s is %+v", c.url, got)
		}
	}
}
