package pages

import (
	"cmp"
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// feedPage is the game's journal.
type feedPage struct {
	f        *frame.Frame
	view     *view.Feed
	fresh    *view.Feed // what has come since, waiting to be asked for
	post     *kit.Form
	replies  map[int64]*kit.Form
	edits    map[int64]*kit.Form // of my posts that are being altered
	removes  map[int64]*kit.Form // of those that I can take back
	unfolded map[int64]bool      // posts of which all comments are shown
	writing  bool
	category string
	limit    int
}

// feedStep is how many posts are shown at a time.
const feedStep = 25

func (p *feedPage) Title() string { return "Feed" }

func (p *feedPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Feed(ctx)
	if err != nil {
		return nil, err
	}
	return func() {
		if p.limit == 0 {
			p.limit = feedStep
		}
		// Nothing moves under the pointer because somebody else wrote: posts of
		// others wait at the top until they are asked for.
		if p.view != nil && newByOthers(p.view, v) > 0 {
			p.fresh = v
			p.view = mergeOld(p.view, v)
		} else {
			p.view, p.fresh = v, nil
		}
		p.keepForms()
	}, nil
}

func (p *feedPage) keepForms() {
	v := p.view
	if v.Post != nil {
		if p.post == nil {
			p.post = kit.NewForm(p.f, "feed-post", *v.Post)
			p.post.Done = func(app.Context, *view.Result) { p.writing = false }
		} else {
			p.post.Renew(*v.Post)
		}
	}
	if p.replies == nil {
		p.replies, p.edits = make(map[int64]*kit.Form), make(map[int64]*kit.Form)
	}
	p.removes = make(map[int64]*kit.Form)
	for _, q := range v.Posts {
		if q.CanRemove && v.Remove != nil {
			f := kit.NewForm(p.f, "remove-"+kit.Itoa(q.ID), *v.Remove)
			f.Fixed = map[string]any{kit.PostParam(*v.Remove): q.ID}
			p.removes[q.ID] = f
		}
		if f := p.edits[q.ID]; f != nil && (!q.CanEdit || v.Edit == nil) {
			delete(p.edits, q.ID)
		}
	}
	if v.Comment == nil {
		return
	}
	for id, f := range p.replies {
		f.Renew(*v.Comment)
		f.Fixed = map[string]any{kit.PostParam(*v.Comment): id}
	}
}

// newByOthers counts the posts at the top that are new and not mine.
func newByOthers(old, now *view.Feed) int {
	known := make(map[int64]bool, len(old.Posts))
	for _, q := range old.Posts {
		known[q.ID] = true
	}
	n := 0
	for _, q := range now.Posts {
		if !known[q.ID] {
			if q.Mine {
				return 0
			}
			n++
		}
	}
	return n
}

// mergeOld brings the posts already shown up to date and leaves new ones out.
func mergeOld(old, now *view.Feed) *view.Feed {
	known := make(map[int64]bool, len(old.Posts))
	for _, q := range old.Posts {
		known[q.ID] = true
	}
	merged := *now
	merged.Posts = nil
	for _, q := range now.Posts {
		if known[q.ID] {
			merged.Posts = append(merged.Posts, q)
		}
	}
	return &merged
}

func (p *feedPage) Render() app.UI {
	v := p.view
	body := []app.UI{kit.Heading("Feed")}
	if v.Post != nil {
		body = append(body, app.Div().Class("row").Body(
			kit.IconButton("pen", "Write a post", p.onWrite).Aria("expanded", p.writing).DataSet("test", "write-post"),
			kit.When(p.f.Shell.CanPropose, func() app.UI {
				return app.A().Class("btn").Href(p.f.Path("propose")).Body(kit.Icon("matters"), app.Span().Text("Propose"))
			})))
		if p.writing && p.post != nil {
			body = append(body, app.Div().Class("composer").Body(p.post.Render()))
		}
	}
	if len(p.categories()) > 1 {
		body = append(body, app.Div().Class("filters").Role("group").Aria("label", "Show").Body(
			kit.Each(append([]string{""}, p.categories()...), p.filter)...))
	}
	if p.fresh != nil {
		n := newByOthers(p.view, p.fresh)
		body = append(body, app.P().Class("fresh").Role("status").Body(
			kit.Button(kit.Plural(n, "new post: show it", "new posts: show them"), p.onFresh).DataSet("test", "fresh")))
	}
	posts := p.shown()
	if len(posts) == 0 {
		body = append(body, kit.Empty("Nothing has been written yet."))
	}
	more := len(posts) - p.limit
	if more > 0 {
		posts = posts[:p.limit]
	}
	body = append(body, app.Div().Class("feed").Body(kit.Each(posts, p.entry)...))
	if more > 0 {
		body = append(body, kit.Button(kit.Plural(more, "older post", "older posts"), p.onMore))
	}
	return app.Div().Body(body...)
}

func (p *feedPage) categories() []string {
	var list []string
	seen := map[string]bool{}
	for _, q := range p.view.Posts {
		if q.Category != "" && !seen[q.Category] {
			seen[q.Category] = true
			list = append(list, q.Category)
		}
	}
	return list
}

func (p *feedPage) shown() []view.Post {
	if p.category == "" {
		return p.view.Posts
	}
	var list []view.Post
	for _, q := range p.view.Posts {
		if q.Category == p.category {
			list = append(list, q)
		}
	}
	return list
}

func (p *feedPage) filter(_ int, c string) app.UI {
	label := c
	if c == "" {
		label = "Everything"
	}
	return app.Button().Type("button").Class("filter").Aria("pressed", p.category == c).
		OnClick(func(app.Context, app.Event) { p.category = c }, c).Text(label)
}

func (p *feedPage) entry(_ int, q view.Post) app.UI {
	id := q.ID
	href := p.f.Path("matters", kit.Itoa(id))
	title := app.UI(kit.Named(cmp.Or(q.Title, q.Category)))
	if q.Matter {
		title = kit.Alone(app.A().Href(href), q.Title)
	}
	body := []app.UI{
		postHead(p.f, q, app.H2().Class("post-title").Body(title)),
		p.f.Markdown(q.Body),
		flavour(p.f, q),
	}
	if q.Tentative {
		body = append(body, kit.Waits(q.Waits))
	}
	if q.Matter {
		body = append(body, app.P().Class("post-foot").Body(
			kit.Link(href, kit.Plural(len(q.Comments), "comment", "comments")+" · open the matter")))
	} else {
		body = append(body, p.comments(q))
		switch f := p.replies[id]; {
		case f != nil:
			body = append(body, app.Div().Class("composer").Body(f.Render()))
		case q.CanComment && p.view.Comment != nil:
			body = append(body, kit.IconButton("comment", "Comment", func(app.Context, app.Event) { p.reply(id) }, id).
				Class("btn-quiet").DataSet("test", "comment-"+kit.Itoa(id)))
		}
		body = append(body, p.own(q))
	}
	return kit.Keyed("post-"+kit.Itoa(id), app.Article().Class("post").Class(kit.TentativeClass(q.Tentative)).
		DataSet("test", "post").DataSet("post", id).Body(body...))
}

// feedComments is how many comments on a post are shown at first, the latest.
const feedComments = 3

// comments are the latest on a post, and the rest when they are asked for.
func (p *feedPage) comments(q view.Post) app.UI {
	id, hidden := q.ID, len(q.Comments)-feedComments
	if hidden < 2 || p.unfolded[id] { // one more takes no more room than the button
		return comments(p.f, q.Comments)
	}
	return app.Div().Body(
		kit.Button("Show all "+kit.Itoa(len(q.Comments))+" comments", func(app.Context, app.Event) {
			if p.unfolded == nil {
				p.unfolded = map[int64]bool{}
			}
			p.unfolded[id] = true
		}, id).Class("btn-quiet").DataSet("test", "all-comments-"+kit.Itoa(id)),
		comments(p.f, q.Comments[hidden:]))
}

// own is what I can do with a post of mine that nobody has answered.
func (p *feedPage) own(q view.Post) app.UI {
	if f := p.edits[q.ID]; f != nil {
		return app.Div().Class("composer").Body(f.Render())
	}
	var body []app.UI
	if q.CanEdit && p.view.Edit != nil {
		body = append(body, kit.IconButton("pen", p.view.Edit.Title, func(app.Context, app.Event) { p.alter(q) }, q.ID, q.Fingerprint).
			Class("btn-quiet").DataSet("test", "edit-"+kit.Itoa(q.ID)))
	}
	if f := p.removes[q.ID]; f != nil {
		body = append(body, takeBack(f))
	}
	if len(body) == 0 {
		return nil
	}
	return app.Div().Class("row", "own").Body(body...)
}

// alter opens a post of mine with its text.
func (p *feedPage) alter(q view.Post) {
	a := *p.view.Edit
	f := kit.NewForm(p.f, "edit-"+kit.Itoa(q.ID), a)
	f.Fixed = map[string]any{kit.PostParam(a): q.ID}
	for name, text := range map[string]string{kit.TitleParam(a): q.Title, kit.BodyParam(a): q.Body} {
		f.Set(name, text)
	}
	f.Done = func(app.Context, *view.Result) { delete(p.edits, q.ID) }
	p.edits[q.ID] = f
	p.f.ClearMessages()
}

func (p *feedPage) reply(id int64) {
	if p.view.Comment == nil {
		return
	}
	f := kit.NewForm(p.f, "reply-"+kit.Itoa(id), *p.view.Comment)
	f.Fixed = map[string]any{kit.PostParam(*p.view.Comment): id}
	f.Done = func(app.Context, *view.Result) { delete(p.replies, id) }
	p.replies[id] = f
	p.f.ClearMessages()
}

func (p *feedPage) onWrite(app.Context, app.Event) {
	p.writing = !p.writing
	p.f.ClearMessages()
}
func (p *feedPage) onMore(app.Context, app.Event) { p.limit += feedStep }
func (p *feedPage) onFresh(app.Context, app.Event) {
	p.view, p.fresh = p.fresh, nil
	p.keepForms()
}
