package kit

import "testing"

func TestSpansInWords(t *testing.T) {
	for ms, want := range map[int64]string{
		1: "1 second", 59_000: "59 seconds", 60_000: "1 minute", 45 * 60_000: "45 minutes", 3_600_000: "1 hour",
		5_400_000: "1 h 30 min", 11 * 3_600_000: "11 hours", 47 * 3_600_000: "47 hours", 72 * 3_600_000: "3 days",
	} {
		if got := span(ms); got != want {
			t.Errorf("%d ms is %q, not %q", ms, got, want)
		}
	}
}
