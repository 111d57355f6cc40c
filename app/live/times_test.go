package live

import (
	"strings"
	"testing"
	"time"

	"peernomic/engine/rules"
)

// The kernel's times are UTC; a player reads those of the own clock, once.
func TestTimesAreThoseOfTheOwnClock(t *testing.T) {
	york := time.FixedZone("York", -5*3600)
	for text, want := range map[string]string{
		"":                            "",
		"no time in it, 22/11 at all": "no time in it, 22/11 at all",
		"from 22/11/26 00:11 more FOR; from 23/11/26 12:11 all": "from Sat 21 Nov 19:11 more FOR; from Mon 23 Nov 07:11 all",
		"99/99/99 99:99 is none, 01/01/26 00:00":                "99/99/99 99:99 is none, Wed 31 Dec 19:00",
		"“ä” 22/11/26 00:11":                                    "“ä” Sat 21 Nov 19:11",
	} {
		if got := localTimes(text, york); got != want {
			t.Errorf("%q is read as %q, not %q", text, got, want)
		}
	}
	r := &rules.Refusal{Reason: "You have done this already; again from 22/11/26 00:00", Until: begin}
	if got := reason(r); got != "You have done this already" {
		t.Errorf("the time is told twice: %q", got)
	}
	if got := fullReason(r); !strings.HasPrefix(got, "You have done this already; again from ") || strings.Contains(got, "22/11/26") {
		t.Errorf("the whole reason is %q", got)
	}
}

// A long title does not push what is said about the matter out of sight.
func TestTitlesWithinSentencesAreBrief(t *testing.T) {
	for in, want := range map[string]string{
		"Cheaper cookies":        "Cheaper cookies",
		strings.Repeat("ö", 60):  strings.Repeat("ö", 60),
		strings.Repeat("ö", 200): strings.Repeat("ö", 59) + "…",
	} {
		if got := brief(in); got != want {
			t.Errorf("%q is %q in a sentence", in, got)
		}
	}
}
