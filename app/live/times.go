package live

import (
	"strings"
	"time"

	"peernomic/app/view"
	"peernomic/engine/rules"
)

// kernelTime is how the kernel writes moments in texts: in UTC, as they are the same for everybody.
const kernelTime = "02/01/06 15:04"

// localTimes writes the moments in a text of the kernel's or the rules' as this device's clock shows them, and sets names in
// it apart that run from right to left.
func localTimes(text string, zone *time.Location) string {
	var out strings.Builder
	for len(text) >= len(kernelTime) {
		at, err := time.Parse(kernelTime, text[:len(kernelTime)])
		if err != nil {
			out.WriteByte(text[0])
			text = text[1:]
			continue
		}
		out.WriteString(at.In(zone).Format("Mon 2 Jan 15:04"))
		text = text[len(kernelTime):]
	}
	return view.Isolated(out.String() + text)
}

// local has the times of how a matter stands written as this device's clock shows them.
func local(v rules.MatterView) rules.MatterView {
	v.Next = localTimes(v.Next, time.Local)
	for i := range v.Votes {
		v.Votes[i].Why = localTimes(v.Votes[i].Why, time.Local)
	}
	for i := range v.Ways {
		v.Ways[i].Why = localTimes(v.Ways[i].Why, time.Local)
	}
	return v
}

// fullReason says why something is refused, and when it will not be any more.
func fullReason(r *rules.Refusal) string { return localTimes(r.Reason, time.Local) }

// reason says why something is refused. A time that the page writes itself is left out.
func reason(r *rules.Refusal) string {
	text := r.Reason
	if r.Until != 0 {
		text, _, _ = strings.Cut(text, "; again from ")
	}
	return localTimes(text, time.Local)
}
