package live

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
)

// placesPosts is how many of the newest posts can be gone to by name.
const placesPosts = 300

// screens are the pages that every game has.
var screens = []struct{ page, title string }{
	{"now", "Now"}, {"feed", "Feed"}, {"matters", "Matters"}, {"propose", "Propose"}, {"rules", "Rules"}, {"tracker", "Tracker"},
	{"pages", "Pages"}, {"people", "People"}, {"dice", "Dice"}, {"history", "History"}, {"settings", "Settings"},
}

func (p *play) Destinations(ctx context.Context) ([]view.Destination, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) ([]view.Destination, error) { return l.places(p.path), nil })
}

// places is everything with a name and an address: pages, things to do, rules, matters,
// people, tables and the rules' own pages.
func (l *lens) places(path func(string, ...string) string) []view.Destination {
	var out []view.Destination
	add := func(kind, title, hint, href string) {
		out = append(out, view.Destination{Kind: kind, Title: title, Hint: hint, Href: href})
	}
	for _, s := range screens {
		add("Page", s.title, "", path(s.page))
	}
	makers := l.makers()
	for _, a := range l.acts() {
		hint, href := "", path("now")+"?do="+url.QueryEscape(a.Name)
		switch {
		case slices.ContainsFunc(makers, func(m rules.ActionView) bool { return m.Name == a.Name }):
			href = path("propose") + "?kind=" + url.QueryEscape(a.Name)
		case a.Refused != nil:
			hint = fullReason(a.Refused)
		case slices.Contains(elsewhere, a.Form):
			continue
		}
		out = append(out, view.Destination{Kind: "Do", Title: cmp.Or(a.Title, a.Name), Hint: hint, Href: href, Shut: a.Refused != nil})
	}
	for _, s := range l.w.Rules() {
		for _, r := range s.Rules {
			add("Rule", r.Title, r.Number, path("rules", r.Title))
		}
	}
	posts := l.w.Posts()
	for i := len(posts) - 1; i >= max(0, len(posts)-placesPosts); i-- {
		if p := posts[i]; p.Votable {
			add(p.Category, p.Title, p.Status, path("matters", itoa(p.ID)))
		}
	}
	for _, p := range l.w.Players() {
		add(l.w.Word("Player"), p.Name, "", path("people", itoa(p.ID)))
	}
	for _, t := range l.tables(false) {
		add("Table", t.Title, plural(len(t.Rows), "row", "rows"), path("tracker", t.Name))
	}
	for _, b := range l.boardLinks(path) {
		add("Page", b.Title, "", b.Href)
	}
	for _, p := range l.w.Pages() {
		add("Page", cmp.Or(p.Title, p.Name), p.Rule, path("pages", p.Name))
	}
	return out
}
