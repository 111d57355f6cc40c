package pages

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// dateline is the date as a gazette prints it.
func dateline(clock int64) string {
	if clock == 0 {
		return ""
	}
	return time.UnixMilli(clock).Format("Monday, 2 January 2006")
}

// rail is the quiet column at the right: what is waited for, who is here, how this
// device stands to the others, and the badge to compare.
func rail(f *frame.Frame) app.UI {
	return app.Aside().Class("rail").Aria("label", "State of the game").Body(railParts(f)...)
}

func railParts(f *frame.Frame) []app.UI {
	s := f.Shell
	if s == nil {
		return nil
	}
	var parts []app.UI
	if s.Alarm != "" {
		body := []app.UI{app.P().Text(s.Alarm)}
		if s.AlarmHref != "" {
			body = append(body, app.P().Body(kit.Link(s.AlarmHref, s.AlarmGo)))
		}
		parts = append(parts, kit.Notice("bad", body...).Role("alert").DataSet("test", "alarm"))
	}
	if len(s.Waiting) > 0 && s.Moment == nil { // what was waited for then is waited for no more
		parts = append(parts, app.Section().Body(
			app.H2().Text("Waited for"),
			app.Ul().Class("plain-list").Body(kit.Each(s.Waiting, func(_ int, w view.Waiting) app.UI {
				var t app.UI = app.Text(view.Isolated(w.Text))
				if w.Href != "" {
					t = kit.Link(w.Href, view.Isolated(w.Text))
				}
				return app.Li().Body(t, app.Text(" "), kit.Until(w.Until, f.Now()))
			})...)))
	}
	parts = append(parts,
		app.Section().Body(
			app.H2().Text("Here"),
			app.Ul().Class("plain-list", "here").Body(kit.Each(s.Here, func(_ int, p view.Person) app.UI {
				how := map[string]string{"direct": "directly", "relay": "by relay"}[p.Here]
				if p.You {
					how = "you"
				}
				return app.Li().Body(app.Span().Class("dot").Aria("hidden", "true"),
					kit.Alone(app.Span(), p.Name), app.Span().Class("quiet").Text(how))
			})...)),
		app.Section().Body(app.H2().Text("Connection"), netLines(f)),
		app.Section().Body(app.H2().Text("Badge"), badge(f)),
	)
	return parts
}

// badge shows the state's digest as words, for two people to compare.
func badge(f *frame.Frame) app.UI {
	if n := f.Shell.Net; n.ToCheck > 0 {
		return app.P().Class("quiet").Text("It is shown when all that the relay has is here.")
	}
	words := kit.BadgeWords(f.Shell.Digest)
	return app.Details().Class("badge-box").Body(
		app.Summary().Class("badge").DataSet("test", "badge").DataSet("digest", f.Shell.Digest).Body(
			kit.BadgePicture(f.Shell.Digest), app.Span().Class("badge-words").Text(strings.Join(words, " ")), app.Span().Class("unseen").Text(" (what this means)")),
		app.P().Class("quiet").DataSet("test", "badge-means").Text("The picture and the words are made from the state of the game as your device has worked it out. Read the words to "+
			"another player: if both devices show the same at No. "+kit.Itoa(f.Shell.Issue)+", you look at the same game. After an action it takes both a moment to follow. "+
			"If they stay different, one device has another game than the other: compare under Settings, and do not trust the result until you know why."))
}
