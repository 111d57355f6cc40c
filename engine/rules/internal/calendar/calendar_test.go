package calendar

import "testing"

// monday is Monday, 2026-01-05, 00:00 GMT.
const monday = 1_767_571_200_000

func TestPeriodsBeginAndEnd(t *testing.T) {
	for _, c := range []struct {
		period      Period
		at          int64
		start, next int64
	}{
		{Daily, monday, monday, monday + DayMillis},
		{Daily, monday + DayMillis - 1, monday, monday + DayMillis},
		{Weekly, monday, monday, monday + WeekMillis},
		{Weekly, monday + WeekMillis - 1, monday, monday + WeekMillis},
		{Weekly, monday - 1, monday - WeekMillis, monday},
		{Ever, monday, 0, 0},
	} {
		if start, next := c.period.Start(c.at), c.period.Next(c.at); start != c.start || next != c.next {
			t.Errorf("period %d of %s is from %d to %d, want from %d to %d", c.period, Clock(c.at), start, next, c.start, c.next)
		}
	}
}

func TestWeeksBeginOnMonday(t *testing.T) {
	for day := range int64(7) {
		if got := WeekdayOf(monday + day*DayMillis + 5); got != day || WeekOf(monday+day*DayMillis) != WeekOf(monday) {
			t.Errorf("day %d after a Monday is day %d of week %d", day, got, WeekOf(monday+day*DayMillis))
		}
	}
	if WeekOf(monday-1) != WeekOf(monday)-1 {
		t.Error("the Sunday before is in the same week")
	}
	if got := Clock(monday + 10*3_600_000); got != "05/01/26 10:00" {
		t.Errorf("the clock says %s", got)
	}
}
