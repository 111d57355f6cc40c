package ui

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// proposePage is the workshop where proposals are made.
type proposePage struct {
	f    *Frame
	addr view.Address
	view *view.Workshop

	filling    *filling // a template's form, or nil
	draft      draft
	began      draft     // what the inputs began with
	form       *kit.Form // further values that the chosen action asks for
	edits      int       // counts keystrokes, for a check that waits for a pause
	checked    bool
	problems   []view.Problem
	recognised []string // what the rules take the draft for
	preview    *view.Preview
	sent       bool

	reference *reference // nil until the page is loaded
	find      string     // what is looked up in it
}

// draft is what a proposal holds before it is made. It is kept on the device.
type draft struct {
	Action, Title, Body string
	Changes             []*change
	Next                int
}

// checkPause is how long the keyboard must rest before a draft is kept and checked.
const checkPause = 500 * time.Millisecond

func newProposePage(f *Frame, a view.Address) *proposePage { return &proposePage{f: f, addr: a} }

func (p *proposePage) Title() string { return "Propose" }

// draftKey keeps drafts of different beginnings apart.
func (p *proposePage) draftKey() string { return "propose?" + p.addr.Query.Encode() }

func (p *proposePage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Workshop(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := g.Draft(ctx, p.draftKey())
	if err != nil {
		return nil, err
	}
	if kept == "" && p.view == nil {
		if err := lacking(v, p.addr.Query); err != nil {
			return nil, err
		}
	}
	ref := p.reference
	if ref == nil || ref.err != nil {
		ref = fetchReference(ctx, p.f.Host)
	}
	return func() {
		p.reference = ref
		first := p.view == nil
		p.view = v
		if first {
			p.begin(kept)
			if len(p.draft.Changes) > 0 && p.f.Ctx != nil {
				p.check(p.f.Ctx)
			}
		}
	}, nil
}

// lacking says what an address begins a proposal with that the game does not have.
func lacking(v *view.Workshop, q url.Values) error {
	for _, key := range []string{"rule", "under"} {
		title := q.Get(key)
		if _, ok := findRule(v, title); title != "" && !ok {
			return view.NoSuch{What: "rule", ID: title}
		}
	}
	if kind := q.Get("kind"); kind != "" && !slices.ContainsFunc(v.Propose, func(a view.Action) bool { return a.Name == kind }) {
		return view.NoSuch{What: "action", ID: kind}
	}
	if id := q.Get("edit"); id != "" && !slices.ContainsFunc(v.Edits, func(e view.PostEdit) bool { return kit.Itoa(e.Post) == id }) {
		return view.NoSuch{What: "post to alter", ID: id}
	}
	name := q.Get("table")
	if name == "" {
		return nil
	}
	i := slices.IndexFunc(v.Tables, func(t view.Table) bool { return t.Name == name })
	if i < 0 {
		return view.NoSuch{What: "table", ID: name}
	}
	if row := q.Get("row"); row != "" && !slices.ContainsFunc(v.Tables[i].Rows, func(x view.Row) bool { return kit.Itoa(x.ID) == row }) {
		return view.NoSuch{What: "row", ID: row}
	}
	return nil
}

// begin starts from the kept draft, or from what the address asks for.
func (p *proposePage) begin(kept string) {
	d := draft{}
	if Recall(kept, &d) {
		p.draft = d
		for _, c := range d.Changes {
			c.begin()
			if c.Kind == "measure" {
				p.measureForm(c)
			}
		}
	}
	q := p.addr.Query
	if e := p.editing(); e != nil && kept == "" {
		p.draft.Title, p.draft.Body, p.draft.Action = e.Title, e.Body, e.Action.Name
		for i := range e.Amendments {
			p.add(changeOf(p.view, e, i))
		}
	}
	p.began = p.draft
	if len(p.draft.Changes) == 0 {
		switch {
		case q.Get("rule") != "":
			if s, ok := findRule(p.view, q.Get("rule")); ok {
				p.add(amendChange(s))
			}
		case q.Get("table") != "":
			row, _ := strconv.ParseInt(q.Get("row"), 10, 64)
			p.add(&change{Kind: "set", Table: q.Get("table"), Row: row, Column: q.Get("column")})
		case q.Get("under") != "":
			s, _ := findRule(p.view, q.Get("under"))
			p.add(p.blank(s))
		}
	}
	if p.draft.Action == "" {
		p.draft.Action = p.kind()
	}
	p.pickAction(p.draft.Action)
}

// kind is the action that the address asks for; else the first that is open.
func (p *proposePage) kind() string {
	list := p.view.Propose
	if i := slices.IndexFunc(list, func(a view.Action) bool { return a.Name == p.addr.Query.Get("kind") }); i >= 0 {
		return list[i].Name
	}
	if i := slices.IndexFunc(list, func(a view.Action) bool { return a.Open }); i >= 0 {
		return list[i].Name
	}
	if len(list) > 0 {
		return list[0].Name
	}
	return ""
}

// editing is the post that is altered rather than made, or nil.
func (p *proposePage) editing() *view.PostEdit {
	id, _ := strconv.ParseInt(p.addr.Query.Get("edit"), 10, 64)
	for i := range p.view.Edits {
		if p.view.Edits[i].Post == id {
			return &p.view.Edits[i]
		}
	}
	return nil
}

// findRule finds a rule by its title, as it is written or as it is read.
func findRule(v *view.Workshop, title string) (view.RuleSource, bool) {
	i := slices.IndexFunc(v.Rules, func(s view.RuleSource) bool { return s.Title == title || s.Name == title })
	if i < 0 {
		return view.RuleSource{Section: 2}, false
	}
	return v.Rules[i], true
}

func (p *proposePage) blank(after view.RuleSource) *change {
	c := &change{Kind: "enact", Section: max(after.Section, 1), Rule: after.Title, Under: ruleAbove(p.view, after)}
	c.setDocument(newRuleText)
	return c
}

func (p *proposePage) add(c *change) {
	p.draft.Next++
	c.N = p.draft.Next
	c.begin()
	p.draft.Changes = append(p.draft.Changes, c)
	p.checked, p.preview = false, nil
}

func (p *proposePage) action() *view.Action {
	if p.repairs() {
		return &repairAction
	}
	if e := p.editing(); e != nil {
		return &e.Action
	}
	for i := range p.view.Propose {
		if p.view.Propose[i].Name == p.draft.Action {
			return &p.view.Propose[i]
		}
	}
	return nil
}

// pickAction chooses what kind of matter is made, and keeps a form for what else it
// asks for.
func (p *proposePage) pickAction(name string) {
	p.draft.Action = name
	a := p.action()
	if a == nil {
		p.form = nil
		return
	}
	p.form = kit.NewForm(p.f, "propose-more", *a)
	p.form.Fixed = map[string]any{}
	if e := p.editing(); e != nil {
		p.form.Fixed[postParam(*a)] = e.Post
	}
	for _, q := range a.Params {
		if q.Kind == "amendments" || q.Name == titleParam(*a) || q.Name == bodyParam(*a) {
			p.form.Fixed[q.Name] = nil
		}
	}
}

// titleParam names the parameter of an action that takes the title, bodyParam the
// one that takes the text.
func titleParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Name == "title" {
			return q.Name
		}
	}
	for _, q := range a.Params {
		if q.Kind == "text" && len(q.Choices) == 0 {
			return q.Name
		}
	}
	return ""
}

func bodyParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Kind == "prose" {
			return q.Name
		}
	}
	return ""
}

func textOf(a view.Action, name string) view.Param {
	i := slices.IndexFunc(a.Params, func(q view.Param) bool { return q.Name == name })
	if i < 0 {
		return view.Param{}
	}
	return a.Params[i]
}

// optionalLabel is what a parameter is called, with whether it may be left out.
func optionalLabel(q view.Param, otherwise string) string {
	label := cmp.Or(q.Label, otherwise)
	if q.Optional {
		label += " (optional)"
	}
	return label
}

func (p *proposePage) Render() app.UI {
	v := p.view
	a := p.action()
	if a == nil {
		return app.Div().Body(kit.Heading("Propose"), kit.Empty("The rules in force let nobody propose."))
	}
	body := []app.UI{kit.Heading(a.Title, app.Text("A draft keeps itself on this device until you send it."))}
	if a.Help != "" {
		body = append(body, app.P().Class("help").Text(a.Help))
	}
	if !a.Open {
		text := "You cannot do this now: " + a.Reason
		body = append(body, kit.Notice("wait", app.P().Body(app.Text(text+" "), kit.Until(a.Until, p.f.Now())),
			app.P().Text("You can write; the draft waits here.")))
	}
	var head []app.UI
	if len(v.Propose) > 1 && p.editing() == nil && !p.repairs() {
		head = append(head, kit.Field("propose-kind", "What you want to do", "", app.Select().ID("propose-kind").OnChange(
			func(ctx app.Context, _ app.Event) { p.pickAction(ctx.JSSrc().Get("value").String()); p.touched(ctx) }).Body(
			kit.Each(v.Propose, func(_ int, x view.Action) app.UI {
				return app.Option().Value(x.Name).Selected(x.Name == p.draft.Action).Text(x.Title)
			})...)))
	}
	title, why := textOf(*a, titleParam(*a)), textOf(*a, bodyParam(*a))
	head = append(head,
		kit.Bounded("propose-title", cmp.Or(title.Label, "Title"), title.Help, p.draft.Title, title.MaxLen, app.Input().ID("propose-title").Type("text").
			Value(p.began.Title).DataSet("test", "propose-title").OnInput(p.typed(&p.draft.Title), "title")))
	if why.Name != "" || !a.Open {
		head = append(head, kit.Bounded("propose-body", optionalLabel(why, "Why"), "What the others read first. Markdown works.", p.draft.Body, why.MaxLen,
			app.Textarea().ID("propose-body").Rows(3).Text(p.began.Body).
				DataSet("test", "propose-body").OnInput(p.typed(&p.draft.Body), "body")))
	}
	body = append(body, kit.Keyed("propose-"+p.draft.Action, app.Div().Class("form").Body(head...)))
	if !a.Open || carriesChanges(*a) { // what a closed action takes is not known
		body = append(body, app.Section().Class("changes-block").Body(
			app.H2().Text("What would change"),
			kit.When(len(p.draft.Changes) == 0, func() app.UI {
				if p.repairs() {
					return kit.Empty("Nothing yet.")
				}
				return kit.Empty("Nothing yet. It may also change nothing and only ask for an opinion.")
			}),
			app.Div().Body(kit.Each(p.draft.Changes, p.changeView)...),
			kit.When(slices.ContainsFunc(p.draft.Changes, (*change).edits), p.lookup),
			p.adders(), p.templateButtons(), p.fillingView()))
	}
	// The verdict comes and goes; what stands below it must stay the same elements.
	body = append(body, app.Div().Body(p.verdict(), p.taken()), p.foot(a))
	return app.Div().Class("propose").DataSet("test", "propose").Body(body...)
}

// carriesChanges says whether an action takes amendments, so that it is taken in the
// workshop and not in a plain form.
func carriesChanges(a view.Action) bool {
	return slices.ContainsFunc(a.Params, func(q view.Param) bool { return q.Kind == "amendments" })
}

// workshopPath is where an action that carries changes is taken.
func workshopPath(room, action string) string {
	return view.Path(room, "propose") + "?kind=" + url.QueryEscape(action)
}

func (p *proposePage) adders() app.UI {
	var body []app.UI
	for _, k := range changeKinds {
		kind := k.kind
		body = append(body, kit.IconButton(k.glyph, k.label, func(ctx app.Context, _ app.Event) {
			c := &change{Kind: kind}
			if kind == "enact" {
				c = p.blank(view.RuleSource{Section: 2})
			}
			p.add(c)
			p.touched(ctx)
		}, kind).DataSet("test", "add-"+kind))
	}
	return app.Div().Class("row", "adders").Body(body...)
}

// typed keeps what is typed in a field of the draft.
func (p *proposePage) typed(s *string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		*s = ctx.JSSrc().Get("value").String()
		ctx.PreventUpdate() // touched redraws in a moment
		p.touched(ctx)
	}
}

func (p *proposePage) foot(a *view.Action) app.UI {
	var body []app.UI
	if p.form != nil {
		for _, q := range p.form.Action.Params {
			if p.form.Asks(q) {
				body = append(body, p.form.Control(q))
			}
		}
	}
	body = append(body, app.Div().Class("row").Body(
		app.Button().Type("button").Class("btn", "btn-main", "btn-large").DataSet("test", "propose-submit").
			Disabled(!a.Open || p.f.Busy("propose")).OnClick(p.onSubmit).Body(kit.Icon("seal"), app.Span().Text(a.Title)),
		kit.Button("Throw the draft away", p.onDiscard).Class("btn-quiet")))
	return app.Div().Class("form").Body(body...)
}

func (p *proposePage) onSubmit(ctx app.Context, _ app.Event) {
	a := p.action()
	if a == nil {
		return
	}
	list, complete := p.amendments()
	title := strings.TrimSpace(p.draft.Title)
	if title == "" {
		p.f.Say("bad", cmp.Or(textOf(*a, titleParam(*a)).Label, "Title")+": this cannot be empty, so that the others can speak of it.")
		p.f.Focus("propose-title")
		return
	}
	if q := textOf(*a, titleParam(*a)); p.f.TooLong("propose-title", title, q.MaxLen) {
		return
	}
	why := textOf(*a, bodyParam(*a))
	if why.Name != "" && !why.Optional && strings.TrimSpace(p.draft.Body) == "" {
		p.f.Say("bad", cmp.Or(why.Label, "Text")+": this cannot be empty.")
		p.f.Focus("propose-body")
		return
	}
	if p.f.TooLong("propose-body", p.draft.Body, why.MaxLen) {
		return
	}
	if !complete {
		p.f.Say("bad", "Some changes are not complete yet; complete or remove them.")
		return
	}
	args, ok := p.form.Args()
	if !ok {
		return
	}
	for _, q := range a.Params {
		switch {
		case q.Kind == "amendments":
			if list == nil {
				list = []any{}
			}
			args[q.Name] = list
		case q.Name == titleParam(*a):
			args[q.Name] = title
		case q.Name == bodyParam(*a):
			args[q.Name] = p.draft.Body
		}
	}
	if p.repairs() {
		if len(list) == 0 {
			p.f.Say("bad", "A repair has to change something.")
			return
		}
		p.f.Convene(view.Call{Kind: "repair", Why: title, Amendments: list}, func(ctx app.Context) {
			p.sent = true
			p.drop()
			ctx.Navigate(p.f.Path("convention"))
		})
		return
	}
	p.f.Act("propose", a.Title, a.Name, args, func(ctx app.Context, res *view.Result) {
		p.sent = true
		p.drop()
		post := res.NewPost
		if e := p.editing(); e != nil {
			post = e.Post
		}
		if post != 0 {
			ctx.Navigate(p.f.Path("matters", kit.Itoa(post)))
			return
		}
		ctx.Navigate(p.f.Path("matters"))
	})
}

func (p *proposePage) onDiscard(ctx app.Context, _ app.Event) {
	p.drop()
	name := p.draft.Action
	p.draft = draft{Action: name}
	p.problems, p.checked, p.preview = nil, false, nil
	kit.SetValue("propose-title", "")
	kit.SetValue("propose-body", "")
	p.pickAction(name)
}
