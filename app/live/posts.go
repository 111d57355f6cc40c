package live

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/rules"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func lower(s string) string { return strings.ToLower(s) }

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// matter is a post that is voted on, with how it stands.
type matter struct {
	post    rules.PostView
	view    rules.MatterView
	unknown bool // the rules failed to say how it stands
}

// matters returns the posts that are voted on, oldest first.
func (l *lens) matters(want func(rules.PostView) bool) []matter {
	var out []matter
	for _, p := range l.w.Posts() {
		if !p.Votable || !want(p) {
			continue
		}
		v, err := l.w.Matter(p.ID)
		if err != nil {
			v = rules.MatterView{Post: p.ID, Status: p.Status, Next: cannotSay(err)}
		}
		out = append(out, matter{p, local(v), err != nil})
	}
	return out
}

// cannotSay says that the rules failed to tell how a matter stands, and what helps.
func cannotSay(err error) string {
	return "The rules cannot say how this stands: " + err.Error() + ". If that keeps you from playing on, a convention can repair them (under Settings)."
}

func (l *lens) openMatters() []matter {
	return l.matters(func(p rules.PostView) bool { return outcome(p.Status) == "open" })
}

func (l *lens) feed() *view.Feed {
	v := &view.Feed{}
	v.Edit, v.Remove = viewOf(l.form("edit-post")), viewOf(l.form("remove-post"))
	if a := l.form("post"); a != nil && a.Refused == nil {
		v.Post = viewOf(a)
	}
	comment := l.form("comment")
	if comment != nil && comment.Refused == nil {
		v.Comment = viewOf(comment)
	}
	for _, p := range l.w.Posts() {
		q := l.post(p)
		q.CanComment = offers(comment, p.ID)
		_, q.CanEdit = l.formOn("edit-post", p.ID)
		_, q.CanRemove = l.formOn("remove-post", p.ID)
		v.Posts = append(v.Posts, q)
	}
	slices.Reverse(v.Posts)
	return v
}

// written finds a post by its id. The error is [view.ErrNone].
func (l *lens) written(id int64) (rules.PostView, error) {
	posts := l.w.Posts()
	i := slices.IndexFunc(posts, func(p rules.PostView) bool { return p.ID == id })
	if i < 0 {
		return rules.PostView{}, view.ErrNone
	}
	return posts[i], nil
}

// author names who signs a post; one without an author is signed by what it is.
func (l *lens) author(p rules.PostView) string {
	if p.Author == 0 {
		return p.Category
	}
	return l.name(p.Author)
}

func (l *lens) post(p rules.PostView) view.Post {
	q := view.Post{ID: p.ID, Category: p.Category, Title: p.Title, Body: p.Body, Author: l.author(p), Time: p.Time, Edited: p.Edited,
		Mine: p.Writer == l.me, Matter: p.Votable, Status: p.Status, Fingerprint: p.Fingerprint, Flavour: p.Flavour,
		Tentative: l.mark(postsTable, p.ID)}
	if p.Votable {
		q.Outcome = outcome(p.Status)
	}
	for _, c := range p.Comments {
		i := l.icon(c.Icon)
		q.Comments = append(q.Comments, view.Comment{Before: l.before(c), Author: l.name(c.Author), Text: c.Text, Time: c.Time,
			Icon: c.Icon, Glyph: i.Glyph, Stale: !c.Current && p.Votable, Tentative: l.mark(commentsTable, c.ID)})
	}
	return q
}

// before returns the icons of a comment before its last.
func (l *lens) before(c rules.CommentView) []view.VoteIcon {
	var out []view.VoteIcon
	for i := 0; i+1 < len(c.Icons); i++ {
		out = append(out, view.VoteIcon{Word: c.Icons[i], Glyph: l.icon(c.Icons[i]).Glyph})
	}
	return out
}

func (l *lens) mattersView() *view.Matters {
	v := &view.Matters{}
	for _, a := range l.makers() {
		v.Make = append(v.Make, actionView(a))
	}
	for _, m := range l.matters(func(rules.PostView) bool { return true }) {
		line := l.matterLine(m)
		if line.Outcome == "open" {
			v.Open = append(v.Open, line)
		} else {
			v.Closed = append(v.Closed, line)
		}
	}
	slices.Reverse(v.Closed)
	return v
}

func (l *lens) matterLine(m matter) view.MatterLine {
	line := view.MatterLine{ID: m.post.ID, Category: m.post.Category, Title: m.post.Title, Author: l.author(m.post), Status: cmp.Or(m.view.Status, m.post.Status),
		Outcome: outcome(m.post.Status), Next: m.view.Next, Time: m.post.Time, Tally: l.tally(m), Quorum: int(m.view.Quorum), Electorate: int(m.view.Electorate),
		Tentative: l.mark(postsTable, m.post.ID)}
	for _, v := range m.view.Votes {
		if l.missing(m, v.Player) {
			line.Missing++
		}
		if v.Player == l.me {
			line.Mine = cmp.Or(v.Icon, v.Counts)
			line.MineGlyph = l.icon(line.Mine).Glyph
		}
	}
	_, votes := l.formOn("vote", m.post.ID)
	line.NeedsMe = line.Outcome == "open" && l.missing(m, l.me) && votes
	return line
}

// tally orders the sides of a tally as the category orders its icons, what else there
// is after them.
func (l *lens) tally(m matter) []view.TallyPart {
	left := make(map[string]int64, len(m.view.Tally))
	var rest []string
	for word, n := range m.view.Tally {
		left[word] = n
	}
	var out []view.TallyPart
	add := func(word string) {
		n := left[word]
		delete(left, word)
		if n > 0 || word == "FOR" || word == "AGAINST" {
			out = append(out, view.TallyPart{Word: word, Glyph: l.icon(word).Glyph, Count: int(n)})
		}
	}
	for _, i := range m.post.Icons {
		if _, ok := left[i.Name]; ok {
			add(i.Name)
		}
	}
	for word := range left {
		rest = append(rest, word)
	}
	slices.Sort(rest)
	for _, word := range rest {
		add(word)
	}
	return out
}
