// Package calendar counts days and weeks of the game's time: Unix ms, GMT, weeks from Monday to Sunday.
package calendar

import "time"

// Period is a span that times fall into.
type Period int

// The periods. All times fall into one Ever.
const (
	Ever Period = iota
	Daily
	Weekly
)

// A day and a week in ms.
const (
	DayMillis  = 24 * 60 * 60 * 1000
	WeekMillis = 7 * DayMillis
	// mondayOffset shifts the Unix epoch, a Thursday, so that weeks start on Monday.
	mondayOffset = 3 * DayMillis
)

// Start returns when the period that t falls into begins.
func (p Period) Start(t int64) int64 {
	switch p {
	case Daily:
		return t - t%DayMillis
	case Weekly:
		return t - (t+mondayOffset)%WeekMillis
	default:
		return 0
	}
}

// Next returns when the period after t's begins; never, as 0, for [Ever].
func (p Period) Next(t int64) int64 {
	switch p {
	case Daily:
		return p.Start(t) + DayMillis
	case Weekly:
		return p.Start(t) + WeekMillis
	default:
		return 0
	}
}

// WeekOf returns the number of the week that t falls into; they count up.
func WeekOf(t int64) int64 { return (t + mondayOffset) / WeekMillis }

// WeekdayOf returns the day of the week, 0 on Monday.
func WeekdayOf(t int64) int64 { return (t + mondayOffset) % WeekMillis / DayMillis }

// End is the end of the year 9999, Unix ms.
const End = 253402300799999

// Clock writes a moment for people: dd/mm/yy hh:mm, GMT.
func Clock(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("02/01/06 15:04")
}
