package kit

import (
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// span says a length of time in one unit, or two where the second matters.
func span(ms int64) string {
	m := (ms + 30_000) / 60_000
	switch {
	case ms < 60_000:
		return Plural(max(ms/1000, 1), "second", "seconds")
	case m < 60:
		return Plural(m, "minute", "minutes")
	case m < 48*60:
		h, rest := m/60, m%60
		if h >= 6 || rest == 0 {
			return Plural((m+30)/60, "hour", "hours")
		}
		return fmt.Sprintf("%d h %d min", h, rest)
	default:
		return Plural((m/60+12)/24, "day", "days")
	}
}

// Relative says when t is, seen from now.
func Relative(t, now int64) string {
	switch d := t - now; {
	case d > -10_000 && d < 5_000:
		return "now"
	case d < 0:
		return span(-d) + " ago"
	default:
		return "in " + span(d)
	}
}

// Exact says a time in full, in the zone of the person's device.
func Exact(t int64) string {
	return time.UnixMilli(t).Format("Monday, 2 January 2006, 15:04:05 MST")
}

// Clock says the time of day, with the day if it is another one.
func Clock(t, now int64) string {
	a, b := time.UnixMilli(t), time.UnixMilli(now)
	if a.YearDay() == b.YearDay() && a.Year() == b.Year() {
		return a.Format("15:04")
	}
	if d := t - now; d < 6*86_400_000 && d > -6*86_400_000 {
		return a.Format("Mon 15:04")
	}
	return a.Format("2 Jan 15:04")
}

// Moment shows a time as people say it, with the exact one behind it.
func Moment(t, now int64) app.UI {
	if t == 0 {
		return app.Span().Text("never")
	}
	return app.Time().Class("moment").
		DateTime(time.UnixMilli(t).UTC().Format(time.RFC3339)).
		Title(Exact(t)).Text(Relative(t, now))
}

// Until shows when something ends or begins: how long and at what time.
func Until(t, now int64) app.UI {
	if t == 0 {
		return nil
	}
	return app.Time().Class("moment").
		DateTime(time.UnixMilli(t).UTC().Format(time.RFC3339)).
		Title(Exact(t)).Text(Relative(t, now) + " (" + Clock(t, now) + ")")
}
