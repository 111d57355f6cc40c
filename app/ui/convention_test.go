package ui_test

import (
	"strings"
	"testing"

	"peernomic/app/ui"
)

// Whoever calls for another relay reads first what it takes back, and whom it leaves behind.
func TestPageSaysFromWhereAnotherRelayGoesOn(t *testing.T) {
	for says, v := range map[string]ui.Convention{
		"from the last seal that you hold. It must not know": {},
		"1 action on this device":                            {TwoOrders: true, Again: 1},
		"cannot come along":                                  {TwoOrders: true, TooMuch: true},
	} {
		if text := ui.WhereFrom(&v); !strings.Contains(text, says) {
			t.Errorf("of %+v the page says %q", v, text)
		}
	}
}
