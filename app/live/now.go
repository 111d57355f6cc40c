package live

import (
	"cmp"
	"slices"

	"peernomic/app/view"
	"peernomic/engine/rules"
)

// elsewhere are the forms that have their own place in the app and are not listed
// under Now.
var elsewhere = []string{"join", "admit", "post", "comment", "vote", "propose", "edit", "undo", "enact", "fail", "edit-post", "remove-post", "amend-proposal", "decide"}

// stillTold are those of them whose being closed is worth telling all the same.
var stillTold = []string{"join", "propose"}

// nowView is what needs me and what I can do.
func (l *lens) nowView(path func(page string, arg ...string) string) *view.Now {
	v := &view.Now{}
	l.joinNeed(v)
	v.Decisions = l.decisions()
	matters := l.openMatters()
	for _, m := range matters {
		l.matterNeeds(v, m, path)
	}
	for _, m := range l.settled(matters) {
		l.matterNeeds(v, m, path)
	}
	if a := l.form("admit"); a != nil && a.Refused == nil {
		var names []string
		for _, p := range a.Params {
			for _, c := range p.Choices {
				names = append(names, c.Label)
			}
		}
		need := view.Need{Kind: "admit", Text: "You can let them in.", Href: path("people"), Go: "To the door"}
		for _, text := range together(names, " asks to be admitted", " ask to be admitted") {
			need.Title = text
			v.Needs = append(v.Needs, need)
		}
	}
	if l.alone() && !l.solo {
		v.Needs = append(v.Needs, view.Need{Kind: "invite", Title: "Nobody else is here yet", Text: "Send the invite link to those whom you want to play with.",
			Href: path("people"), Go: "Get the link"})
	}
	v.Needs = l.dueNeeds(v.Needs, path)
	for _, a := range l.acts() {
		known := slices.Contains(elsewhere, a.Form)
		if lacks := nothingToChoose(a); lacks != "" && !known {
			shut := actionView(a)
			shut.Open, shut.Reason = false, "there is nothing to choose for “"+lacks+"” now"
			v.Closed = append(v.Closed, shut)
			continue
		}
		switch {
		case a.Refused == nil && known:
		case a.Refused == nil:
			group := a.Group
			if group == "" {
				group = "Other"
			}
			i := slices.IndexFunc(v.Groups, func(g view.Group) bool { return g.Title == group })
			if i < 0 {
				i = len(v.Groups)
				v.Groups = append(v.Groups, view.Group{Title: group})
			}
			v.Groups[i].Actions = append(v.Groups[i].Actions, actionView(a))
		case !known || slices.Contains(stillTold, a.Form):
			v.Closed = append(v.Closed, actionView(a))
		}
	}
	l.orderGroups(v)
	core := l.coreRules()
	slices.SortStableFunc(v.Closed, func(a, b view.Action) int { return later(core[a.Rule]) - later(core[b.Rule]) })
	for _, m := range matters {
		href := path("matters", itoa(m.post.ID))
		told := slices.ContainsFunc(v.Needs, func(c view.Need) bool { return c.Href == href })
		if m.view.Next != "" && !told {
			v.Next = "“" + brief(m.post.Title) + "”: " + m.view.Next
			break
		}
	}
	return v
}

// nothingToChoose names a parameter that an open action needs and for which there is
// no choice now.
func nothingToChoose(a rules.ActionView) string {
	if a.Refused != nil {
		return ""
	}
	for _, p := range a.Params {
		if p.Listed && !p.Optional && len(p.Choices) == 0 {
			return cmp.Or(p.Label, p.Name)
		}
	}
	return ""
}

// coreSection is the first section, of rules about rules; what it lets people do is
// needed seldom and stands below the dynasty's own.
const coreSection = 1

// coreRules tells which rules are of the core.
func (l *lens) coreRules() map[string]bool {
	core := map[string]bool{}
	for _, s := range l.w.Rules() {
		for _, r := range s.Rules {
			core[r.Heading] = s.Number == coreSection
			core[r.Title] = core[r.Heading]
		}
	}
	return core
}

func (l *lens) orderGroups(v *view.Now) {
	core := l.coreRules()
	for i := range v.Groups {
		v.Groups[i].Seldom = core[v.Groups[i].Actions[0].Rule]
	}
	slices.SortStableFunc(v.Groups, func(a, b view.Group) int { return later(a.Seldom) - later(b.Seldom) })
}

// later sorts what is true after what is not.
func later(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// alone says whether nobody but me has come.
func (l *lens) alone() bool {
	others := slices.ContainsFunc(l.w.Players(), func(p rules.PlayerView) bool { return p.ID != l.me && !p.Entity })
	return !others && l.standing(l.me) == rules.StandingPlayer
}

// joinNeed asks somebody who does not play yet to come in.
func (l *lens) joinNeed(v *view.Now) {
	switch l.standing(l.me) {
	case rules.StandingApplicant:
		v.Needs = append(v.Needs, view.Need{Kind: "wait", Title: "You have asked to be admitted",
			Text: "Somebody who may let people in has to do it. Until then you can read everything."})
	case rules.StandingPlayer:
	default:
		if a := l.form("join"); a != nil && a.Refused == nil {
			c := view.Need{Kind: "join", Title: "Ask to play", Text: a.Help, Action: viewOf(a)}
			for _, p := range a.Params {
				if p.Initial == l.name(l.me) {
					c.Given = append(c.Given, p.Name) // said on coming in
				}
			}
			v.Needs = append(v.Needs, c)
		}
	}
}

// matterNeeds tells what an open matter wants of me.
func (l *lens) matterNeeds(v *view.Now, m matter, path func(string, ...string) string) {
	href := path("matters", itoa(m.post.ID))
	if _, votes := l.formOn("vote", m.post.ID); votes && l.missing(m, l.me) {
		v.Needs = append(v.Needs, view.Need{Kind: "vote", Title: "Vote on “" + m.post.Title + "”", Text: m.view.Next, Until: soonest(m.view, l.now),
			Href: href, Go: "Read and vote"})
	}
	seen := map[string]bool{}
	for _, w := range m.view.Ways {
		if !w.Open || seen[w.Can] {
			continue
		}
		seen[w.Can] = true
		if a := l.wayAction(w.Can); offers(a, m.post.ID) {
			v.Needs = append(v.Needs, view.Need{Kind: "resolve", Title: "You may " + lower(w.Can) + " “" + m.post.Title + "”", Text: capital(w.Why) + ".",
				Href: href, Go: "To the matter"})
		}
	}
}

// settled are the matters that are decided and wait for somebody to carry them out: those
// that an action of mine offers, and nothing else with them.
func (l *lens) settled(open []matter) []matter {
	offered := map[int64]bool{}
	for _, a := range l.acts() {
		if a.Refused == nil && len(a.Params) == 1 && a.Params[0].Table == postsTable && a.Params[0].Listed {
			for _, c := range a.Params[0].Choices {
				if id, ok := c.Value.(int64); ok {
					offered[id] = true
				}
			}
		}
	}
	for _, m := range open {
		delete(offered, m.post.ID)
	}
	if len(offered) == 0 {
		return nil
	}
	return l.matters(func(p rules.PostView) bool { return offered[p.ID] })
}

// soonest is when the next way opens, or 0.
func soonest(m rules.MatterView, now int64) int64 {
	var t int64
	for _, w := range m.Ways {
		if !w.Open && w.From > now && (t == 0 || w.From < t) {
			t = w.From
		}
	}
	return t
}

// wayAction returns the action that ends a matter in some way, or nil.
func (l *lens) wayAction(can string) *rules.ActionView {
	acts := l.acts()
	if i := slices.IndexFunc(acts, func(a rules.ActionView) bool { return a.Name == can }); i >= 0 {
		return &acts[i]
	}
	return l.form(lower(can))
}

// missing says whether somebody could vote in a matter and has not.
func (l *lens) missing(m matter, player int64) bool {
	for _, v := range m.view.Votes {
		if v.Player == player {
			return v.Icon == "" && v.Counts == ""
		}
	}
	return false
}

// waiting is what the whole game waits for.
func (l *lens) waiting(path func(string, ...string) string) []view.Waiting {
	var out []view.Waiting
	for _, m := range l.openMatters() {
		var names []string
		for _, v := range m.view.Votes {
			if l.missing(m, v.Player) {
				if v.Player == l.me {
					names = append(names, "you")
					continue
				}
				names = append(names, l.name(v.Player))
			}
		}
		text, until := "“"+brief(m.post.Title)+"”: ", soonest(m.view, l.now)
		switch {
		case slices.ContainsFunc(m.view.Ways, func(w rules.WayView) bool { return w.Open }):
			text += "can be decided now"
			until = 0
		case m.unknown:
			text += "the rules cannot say how it stands"
		case len(names) == 0:
			text += "all have voted"
		default:
			text += listed(names) + " still to vote"
		}
		if until != 0 {
			text += "; it can be decided"
		}
		out = append(out, view.Waiting{Text: text, Href: path("matters", itoa(m.post.ID)), Until: until})
		if len(out) == 4 {
			break
		}
	}
	for _, d := range l.w.Decisions() {
		if d.Person != l.me {
			out = append(out, view.Waiting{Text: l.name(d.Person) + " is to choose: " + d.Question, Until: d.Until})
		}
	}
	out = append(out, l.othersDue(path)...)
	var names []string
	for _, p := range l.w.Players() {
		if p.Standing == rules.StandingApplicant {
			names = append(names, p.Name)
		}
	}
	for _, text := range together(names, " waits to be admitted", " wait to be admitted") {
		out = append(out, view.Waiting{Text: text, Href: path("people")})
	}
	return out
}

// together says something of each person, or of all at once if they are many: anybody with the invite can make any number come.
func together(names []string, one, many string) []string {
	if len(names) > 3 {
		return []string{list(names) + many}
	}
	var out []string
	for _, name := range names {
		out = append(out, name+one)
	}
	return out
}

// dueShown is how much of what is due from others stands among what the game waits for.
const dueShown = 6

// othersDue is what waits for others by the rules and has a time or holds the game up: that first, then the soonest.
func (l *lens) othersDue(path func(string, ...string) string) []view.Waiting {
	var out []view.Waiting
	for _, p := range l.w.Players() {
		if p.ID == l.me || p.Standing != rules.StandingPlayer || p.Entity {
			continue
		}
		for _, d := range l.due(p.ID) {
			if d.Until != 0 || d.Holds {
				out = append(out, view.Waiting{Text: p.Name + ": " + d.Title, Href: boardPath(d, path), Until: d.Until})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b view.Waiting) int { return cmp.Compare(a.Until, b.Until) })
	return out[:min(len(out), dueShown)]
}
