package rules

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/internal/convert"
)

// CommentView is a comment on a post.
type CommentView struct {
	ID, Author int64
	Time       int64
	Text, Icon string
	Icons      []string // all of them, in their order; Icon is the last
	Current    bool     // made on the post as it reads now
}

// PostView is a post with its comments.
type PostView struct {
	ID, Author                int64
	Writer                    int64 // who made it, also where no author is shown
	Category, CategoryTitle   string
	Title, Body, Status, Note string // Note: what an admin added
	Flavour                   string // goes with the post and is no part of it
	Time, Edited              int64
	Official                  bool
	Fingerprint               string
	Amendments                []any
	Comments                  []CommentView
	Icons                     []IconView // that comments on it may carry
	Votable                   bool
}

// IconView is a mark that a comment can carry.
type IconView struct{ Name, Glyph, Title string }

// Posts returns all posts that were not removed, oldest first.
func (w *World) Posts() []PostView {
	comments := map[int64][]CommentView{}
	fingerprints := map[int64]string{}
	for _, id := range w.state.Rows(tablePosts) {
		fingerprints[id] = w.postFingerprint(id).(string)
	}
	for _, id := range w.state.Rows(tableComments) {
		if v, _ := w.state.Get(tableComments, id, "removed"); v == true {
			continue
		}
		post := w.int(tableComments, id, "post")
		comments[post] = append(comments[post], CommentView{ID: id, Author: w.int(tableComments, id, "author"), Time: w.int(tableComments, id, "time"),
			Text: w.text(tableComments, id, "text"), Icon: w.text(tableComments, id, "icon"), Icons: w.iconNames(id),
			Current: w.text(tableComments, id, "fingerprint") == fingerprints[post]})
	}
	var out []PostView
	for _, id := range w.state.Rows(tablePosts) {
		if v, _ := w.state.Get(tablePosts, id, "removed"); v == true {
			continue
		}
		category := w.text(tablePosts, id, "category")
		v := PostView{ID: id, Author: w.int(tablePosts, id, "author"), Writer: cmp.Or(w.int(tablePosts, id, "writer"), w.int(tablePosts, id, "author")), Category: category, CategoryTitle: category, Title: w.text(tablePosts, id, "title"),
			Body: w.text(tablePosts, id, "body"), Flavour: w.text(tablePosts, id, "flavour"), Status: w.text(tablePosts, id, "status"), Note: w.text(tablePosts, id, "admin_field"),
			Time: w.int(tablePosts, id, "time"), Edited: w.int(tablePosts, id, "edited"), Fingerprint: fingerprints[id], Comments: comments[id]}
		official, _ := w.state.Get(tablePosts, id, "official")
		v.Official = official == true
		amendments, _ := w.state.Get(tablePosts, id, "amendments")
		v.Amendments, _ = amendments.([]any)
		for _, c := range w.decl.Categories {
			if c.Name == category {
				v.CategoryTitle = w.expandWords(c.Title)
				v.Icons = w.Icons(c.Icons)
			}
		}
		_, v.Votable = w.decl.Matters[category]
		out = append(out, v)
	}
	return out
}

func (w *World) iconNames(comment int64) []string {
	var out []string
	for _, v := range w.iconsOf(comment).([]any) {
		name, _ := v.(string)
		out = append(out, name)
	}
	return out
}

// Icons returns the icons with the given names; all of them if names is nil.
func (w *World) Icons(names []string) []IconView {
	var out []IconView
	for _, i := range w.decl.Icons {
		if names == nil || slices.Contains(names, i.Name) {
			out = append(out, IconView{i.Name, i.Glyph, w.expandWords(i.Title)})
		}
	}
	return out
}

// VoteView is how one person's voice counts in a matter.
type VoteView struct {
	Player            int64
	Icon, Counts, Why string // Counts: FOR, AGAINST, ABSTAIN or empty
}

// WayView is something that can be done with a matter, now or later.
type WayView struct {
	Can, Why, Rule string
	Open           bool
	From           int64 // Unix ms; 0 if that is not known
}

// MatterView is how a matter stands.
type MatterView struct {
	Post, Quorum, Electorate int64
	Status, Next             string
	Tally                    map[string]int64
	Votes                    []VoteView
	Ways                     []WayView
}

// Matter assesses a post that is voted on. It fails with a [*Refusal] if the rules
// cannot assess it.
func (w *World) Matter(post int64) (MatterView, error) {
	h, ok := w.decl.Matters[w.text(tablePosts, post, "category")]
	if !ok {
		return MatterView{}, &Refusal{Code: CodeUnknown, Reason: "this post is not voted on"}
	}
	v, err := w.look(h.Fn, nil, &row{w: w, table: tablePosts, id: post})
	if err != nil {
		return MatterView{}, err
	}
	plain, err := convert.Plain(v)
	if err != nil {
		return MatterView{}, refuse(err, h.Rule)
	}
	m, _ := plain.(map[string]any)
	a := said(m)
	out := MatterView{Post: post, Quorum: a.int("quorum"), Electorate: a.int("electorate"), Status: a.text("status"), Next: w.expandWords(a.text("next")), Tally: map[string]int64{}}
	if tally, ok := m["tally"].(map[string]any); ok {
		for icon := range tally {
			out.Tally[icon] = said(tally).int(icon)
		}
	}
	for _, e := range listOf(m["votes"]) {
		out.Votes = append(out.Votes, VoteView{e.int("player"), e.text("icon"), e.text("counts"), w.expandWords(e.text("why"))})
	}
	for _, e := range listOf(m["ways"]) {
		open, _ := e["open"].(bool)
		out.Ways = append(out.Ways, WayView{e.text("can"), w.expandWords(e.text("why")), w.expandWords(e.text("rule")), open, e.int("from")})
	}
	return out, nil
}

// said is a map that a rule returned. What it does not say, or says in another kind, is zero.
type said map[string]any

func (m said) text(name string) string {
	s, _ := m[name].(string)
	return s
}

func (m said) int(name string) int64 {
	i, _ := m[name].(int64)
	return i
}

func listOf(v any) []said {
	list, _ := v.([]any)
	var out []said
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// PageView is a page that a rule writes.
type PageView struct{ Name, Title, Rule, Text string }

// Pages returns the pages of the rules.
func (w *World) Pages() []PageView {
	var out []PageView
	for _, p := range w.decl.Pages {
		v := PageView{Name: p.Name, Title: w.expandWords(p.Title), Rule: w.expandWords(p.Rule)}
		text, err := w.look(p.Fn, nil)
		if s, ok := starlark.AsString(text); err == nil && ok {
			v.Text = w.expandWords(s)
		}
		out = append(out, v)
	}
	return out
}

// CategoryView is a kind of post.
type CategoryView struct {
	Name, Title       string
	Official, Votable bool
}

// Categories returns the kinds of posts.
func (w *World) Categories() []CategoryView {
	var out []CategoryView
	for _, c := range w.decl.Categories {
		_, votable := w.decl.Matters[c.Name]
		out = append(out, CategoryView{c.Name, w.expandWords(c.Title), c.Official, votable})
	}
	return out
}
