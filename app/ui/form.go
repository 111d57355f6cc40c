package ui

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// doer does what a form asks for, and says what came of it.
type doer interface {
	// Busy reports whether what a control began is still being done.
	Busy(key string) bool
	// Act takes an action; done is called if it was not refused.
	Act(key, title, name string, args map[string]any, done func(app.Context, *view.Result))
	// Preview hands over what an action would do.
	Preview(key, name string, args map[string]any, done func(*view.Preview))
	// Focus moves the keyboard to an element once the page has been drawn.
	Focus(id string)
}

// form is an action with the values typed for it so far. It is drawn from what the
// rules declare and knows nothing of any particular one.
type form struct {
	doer    doer
	key     string // distinguishes forms of one page
	action  view.Action
	fixed   map[string]any    // values that the page gives and the form does not ask for
	given   []string          // parameters that are shown with their value until they are to be changed
	initial map[string]string // what inputs began with
	typed   map[string]string // what they hold now
	wrong   map[string]string // what is wrong with them
	turn    int               // counts up to make fresh inputs
	preview *view.Preview
	done    func(app.Context, *view.Result)
	changed func(app.Context) // told of each keystroke, if set
}

// newForm begins a form with the defaults of its parameters.
func newForm(d doer, key string, a view.Action) *form {
	f := &form{doer: d, key: key, action: a}
	f.reset()
	return f
}

func (f *form) reset() {
	f.turn++
	f.initial, f.typed, f.wrong, f.preview = map[string]string{}, map[string]string{}, map[string]string{}, nil
	for _, p := range f.action.Params {
		v := defaultText(p)
		f.initial[p.Name], f.typed[p.Name] = v, v
	}
}

// renew takes over the action as it is now, keeping what was typed. Choices are
// kept by value; if their list has changed, the inputs are made afresh, as an input
// only knows which place in the list it holds.
func (f *form) renew(a view.Action) {
	before := make(map[string]view.Param, len(f.action.Params))
	for _, p := range f.action.Params {
		before[p.Name] = p
	}
	f.action = a
	fresh := false
	for _, p := range a.Params {
		old, known := before[p.Name]
		if !known {
			v := defaultText(p)
			f.initial[p.Name], f.typed[p.Name] = v, v
			continue
		}
		if !chosen(p) || sameChoices(old.Choices, p.Choices) {
			continue
		}
		fresh = true
		f.typed[p.Name] = keepChoice(old, p, f.typed[p.Name])
	}
	if fresh {
		f.initial = maps.Clone(f.typed)
		f.turn++
	}
}

// asks says whether the form asks for a parameter.
func (f *form) asks(p view.Param) bool {
	if _, ok := f.fixed[p.Name]; ok {
		return false
	}
	return p.Kind != "amendments" && p.Kind != "opening" // the device adds what opens a secret
}

// args reads the values, or notes what is wrong with them.
func (f *form) args() (map[string]any, bool) {
	args := make(map[string]any, len(f.action.Params))
	f.wrong = map[string]string{}
	for _, p := range f.action.Params {
		if v, ok := f.fixed[p.Name]; ok {
			args[p.Name] = v
			continue
		}
		if !f.asks(p) {
			continue
		}
		v, problem := readParam(p, f.typed[p.Name])
		if problem != "" {
			f.wrong[p.Name] = problem
			continue
		}
		if v != nil {
			args[p.Name] = v
		}
	}
	return args, len(f.wrong) == 0
}

// id names an input on the page.
func (f *form) id(param string) string { return "f-" + slug(f.key) + "-" + slug(param) }

// render draws the form with its button.
func (f *form) render() app.UI {
	a := f.action
	var rows []app.UI
	for _, p := range a.Params {
		if f.asks(p) {
			rows = append(rows, f.control(p))
		}
	}
	busy := f.doer.Busy(f.key)
	buttons := []app.UI{
		app.Button().Type("submit").Class("btn", "btn-main").Aria("busy", busy).
			DataSet("test", "do-"+slug(a.Name)).Body(app.Span().Text(a.Title)),
		button("What would it do?", f.onPreview).Class("btn-quiet").DataSet("test", "preview-"+slug(a.Name)),
	}
	return keyed(f.key+"-"+itoa(f.turn), app.Form().Class("form").AutoComplete(false).
		DataSet("test", "form-"+slug(a.Name)).OnSubmit(f.onSubmit).
		Body(append(rows,
			app.Div().Class("row").Body(buttons...),
			when(f.preview != nil, func() app.UI { return previewView(f.preview) }))...))
}

// control draws one parameter.
func (f *form) control(p view.Param) app.UI {
	id := f.id(p.Name)
	if slices.Contains(f.given, p.Name) && f.wrong[p.Name] == "" {
		return f.known(p, id)
	}
	label := called(p)
	if p.Optional && p.Default == nil {
		label += " (optional)"
	}
	help := p.Help
	if help == "" && (p.Kind == "integer" || p.Kind == "decimal") {
		help = rangeText(p.Min, p.Max)
	}
	var control app.UI
	switch {
	case p.Kind == "several":
		return f.pickSeveral(p, id, label, help)
	case chosen(p) && len(p.Choices) <= 5 && len(p.Choices) > 0 && !p.Optional:
		return f.wrapGroup(p, id, label, help)
	case chosen(p):
		control = f.selectBox(p, id)
	case p.Kind == "flag":
		return app.Div().Class("field", "field-flag").Body(
			app.Label().Class("check").Body(
				app.Input().Type("checkbox").ID(id).Checked(f.initial[p.Name] == "yes").
					OnChange(f.onCheck(p.Name), id), app.Span().Text(label)),
			when(help != "", func() app.UI { return app.P().Class("help").Text(help) }))
	case p.Kind == "prose":
		control = app.Textarea().ID(id).Rows(4).Text(f.initial[p.Name]).
			OnInput(f.onText(p.Name), id)
	default:
		in := app.Input().ID(id).Type("text").Value(f.initial[p.Name]).OnInput(f.onText(p.Name), id)
		switch p.Kind {
		case "integer":
			in = in.Type("number").Step(1).Attr("inputmode", "numeric").Class("short")
			if p.Min != nil {
				in = in.Attr("min", itoa(*p.Min))
			}
			if p.Max != nil {
				in = in.Attr("max", itoa(*p.Max))
			}
		case "decimal":
			in = in.Attr("inputmode", "decimal").Class("short")
		case "moment":
			in = in.Type("datetime-local")
		}
		control = in
	}
	if (p.Kind == "text" || p.Kind == "prose") && f.wrong[p.Name] == "" {
		return f.withProblem(p, bounded(id, label, help, f.typed[p.Name], p.MaxLen, control))
	}
	return f.withProblem(p, field(id, label, help, control))
}

// known shows a value that was said before, and asks for another only if that is wanted.
func (f *form) known(p view.Param, id string) app.UI {
	label := called(p)
	return keyed("known-"+id, app.P().Class("known").DataSet("test", "known-"+slug(p.Name)).Body(
		app.Span().Class("quiet").Text(label+": "), app.Strong().Body(named(f.typed[p.Name])), app.Text(" "),
		button("Change", func(app.Context, app.Event) {
			f.given = slices.DeleteFunc(f.given, func(name string) bool { return name == p.Name })
			f.doer.Focus(id)
		}, id).Class("btn-quiet").Aria("label", "Change: "+label)))
}

// called is what a parameter is called on the page.
func called(p view.Param) string {
	return cmp.Or(p.Label, capital(strings.ReplaceAll(p.Name, "_", " ")))
}

func (f *form) withProblem(p view.Param, c app.UI) app.UI {
	problem := f.wrong[p.Name]
	if problem == "" {
		return app.Div().Class("control").DataSet("test", "param-"+slug(p.Name)).Body(c)
	}
	return app.Div().Class("control", "control-wrong").DataSet("test", "param-"+slug(p.Name)).Body(c,
		app.P().Class("wrong").Role("alert").Body(icon("warn"), app.Span().Text(problem)))
}

// wrapGroup draws a short list of choices openly.
func (f *form) wrapGroup(p view.Param, id, label, help string) app.UI {
	name := p.Name
	return f.withProblem(p, app.FieldSet().Class("field", "choices").Body(
		app.Legend().Text(label),
		app.Div().Class("choice-row").Body(each(p.Choices, func(i int, c view.Choice) app.UI {
			v := strconv.Itoa(i)
			return app.Label().Class("choice").Body(
				app.Input().Type("radio").Name(id).ID(id+"-"+v).Value(v).Checked(f.initial[name] == v).
					OnChange(f.onText(name), id, v),
				app.Span().Text(c.Label))
		})...),
		when(help != "", func() app.UI { return app.P().Class("help").Text(help) }),
	))
}

// pickSeveral draws a list that grows by one choice after the other.
func (f *form) pickSeveral(p view.Param, id, label, help string) app.UI {
	list := picked(p, f.typed[p.Name])
	set := func(ctx app.Context, list []int) {
		var text []string
		for _, i := range list {
			text = append(text, strconv.Itoa(i))
		}
		f.typed[p.Name] = strings.Join(text, ",")
		if f.changed != nil {
			f.changed(ctx)
		}
		focus(ctx, id)
	}
	options := []app.UI{app.Option().Value("").Text("add…")}
	for i, c := range p.Choices {
		options = append(options, app.Option().Value(strconv.Itoa(i)).Text(c.Label))
	}
	full := p.MaxLen > 0 && len(list) >= p.MaxLen
	now := f.typed[p.Name]
	return f.withProblem(p, app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		when(len(list) > 0, func() app.UI {
			return app.Ol().Class("picked").Body(each(list, func(at, i int) app.UI {
				name := p.Choices[i].Label
				return app.Li().Body(app.Button().Type("button").Class("btn").Aria("label", name+", remove").
					OnClick(func(ctx app.Context, _ app.Event) { set(ctx, slices.Delete(slices.Clone(list), at, at+1)) }, id, now, at).
					Body(app.Span().Text(name), icon("cross")))
			})...)
		}),
		// A fresh box after each choice: it says "add…" again.
		keyed(id+"-"+itoa(len(list)), app.Select().ID(id).Disabled(full).OnChange(func(ctx app.Context, _ app.Event) {
			if i, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
				set(ctx, append(slices.Clone(list), i))
			}
		}, id, now).Body(options...)),
		when(help != "", func() app.UI { return app.P().Class("help").ID(id + "-help").Text(help) })))
}

func (f *form) selectBox(p view.Param, id string) app.UI {
	options := []app.UI{}
	if len(p.Choices) == 0 {
		options = append(options, app.Option().Value("").Text("nothing to choose now"))
	} else if f.initial[p.Name] == "" || p.Optional {
		options = append(options, app.Option().Value("").Selected(f.initial[p.Name] == "").Text("choose…"))
	}
	for i, c := range p.Choices {
		v := strconv.Itoa(i)
		options = append(options, app.Option().Value(v).Selected(f.initial[p.Name] == v).Text(c.Label))
	}
	return app.Select().ID(id).OnChange(f.onText(p.Name), id).Body(options...)
}

func (f *form) onText(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		f.typed[name] = ctx.JSSrc().Get("value").String()
		if f.changed != nil {
			f.changed(ctx)
		}
	}
}

func (f *form) onCheck(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		f.typed[name] = ""
		if ctx.JSSrc().Get("checked").Bool() {
			f.typed[name] = "yes"
		}
		if f.changed != nil {
			f.changed(ctx)
		}
	}
}

func (f *form) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	args, ok := f.args()
	if !ok {
		for _, p := range f.action.Params {
			if f.wrong[p.Name] != "" {
				focus(ctx, f.id(p.Name))
				break
			}
		}
		return
	}
	f.doer.Act(f.key, f.action.Title, f.action.Name, args, func(ctx app.Context, res *view.Result) {
		f.reset()
		if f.done != nil {
			f.done(ctx, res)
		}
	})
}

func (f *form) onPreview(app.Context, app.Event) {
	if args, ok := f.args(); ok {
		f.doer.Preview(f.key+"-preview", f.action.Name, args, func(p *view.Preview) { f.preview = p })
	}
}
