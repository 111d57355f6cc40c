package ui_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"peernomic/app/ui"
	"peernomic/app/view"
)

// What is proposed is chosen, and can be changed.
func TestFirstDepartureIsChosen(t *testing.T) {
	chosen := map[string]bool{}
	each(draw(t, "/g/demo/convention"), func(n *html.Node) {
		if attr(n, "name") == "departure" {
			chosen[attr(n, "value")] = attr(n, "checked") != "false"
		}
	})
	if len(chosen) != 2 || !chosen["88"] || chosen["newest"] {
		t.Errorf("one can choose %v", chosen)
	}
}

// What was decided says who signed it, all of them.
func TestOverSaysWhoSigned(t *testing.T) {
	var said []string
	each(draw(t, "/g/demo/convention"), func(n *html.Node) {
		if attr(n, "data-test") == "signed" {
			said = append(said, visible(n))
		}
	})
	if len(said) != 1 || said[0] != "Signed: Ana, Bo, Cy, Dee, Fay, Gus" {
		t.Errorf("it says %q", said)
	}
}

// Whoever calls for another relay reads first what it takes back, and whom it leaves behind.
func TestPageSaysFromWhereAnotherRelayGoesOn(t *testing.T) {
	newest, shared, far := view.Departure{Name: "newest", Newest: true}, view.Departure{Name: "5", Again: 1}, view.Departure{Name: "5", TooMuch: true}
	for says, v := range map[string]view.Convention{
		"from the last seal that you hold. It must not know": {Departures: []view.Departure{newest}},
		"two orders of this game, and some of you":           {TwoOrders: true, Departures: []view.Departure{shared, newest}},
		"cannot come along":                                  {TwoOrders: true, Departures: []view.Departure{newest, far}},
		"was left behind":                                    {Departures: []view.Departure{newest, shared}},
	} {
		if text := ui.WhereFrom(&v); !strings.Contains(text, says) {
			t.Errorf("of %+v the page says %q", v, text)
		}
	}
}
