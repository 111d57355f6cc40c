package kit

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// Actor is what a form needs of the page around it.
type Actor interface {
	// Busy reports whether what a control began is still being done.
	Busy(key string) bool
	// Act takes an action; done is called if it was not refused.
	Act(key, title, name string, args map[string]any, done func(app.Context, *view.Result))
	// Preview hands over what an action would do.
	Preview(key, name string, args map[string]any, done func(*view.Preview))
	// Focus moves the keyboard to an element once the page has been drawn.
	Focus(id string)
}

// Form is an action with the values typed for it so far. It is drawn from what the
// rules declare and knows nothing of any particular one.
type Form struct {
	Key     string // distinguishes forms of one page
	Action  view.Action
	Fixed   map[string]any    // values that the page gives and the form does not ask for
	Given   []string          // parameters that are shown with their value until they are to be changed
	Typed   map[string]string // what the inputs hold now, by parameter
	Turn    int               // counts up to make fresh inputs
	Done    func(app.Context, *view.Result)
	Changed func() // told of each keystroke, if set

	actor   Actor
	initial map[string]string // what the inputs began with
	wrong   map[string]string // what is wrong with what they hold
	preview *view.Preview
}

// NewForm begins a form with the defaults of its parameters.
func NewForm(d Actor, key string, a view.Action) *Form {
	f := &Form{actor: d, Key: key, Action: a}
	f.reset()
	return f
}

func (f *Form) reset() {
	f.Turn++
	f.initial, f.Typed, f.wrong, f.preview = map[string]string{}, map[string]string{}, map[string]string{}, nil
	for _, p := range f.Action.Params {
		v := defaultText(p)
		f.initial[p.Name], f.Typed[p.Name] = v, v
	}
}

// Renew takes over the action as it is now, keeping what was typed. Choices are
// kept by value; if their list has changed, the inputs are made afresh, as an input
// only knows which place in the list it holds.
func (f *Form) Renew(a view.Action) {
	before := make(map[string]view.Param, len(f.Action.Params))
	for _, p := range f.Action.Params {
		before[p.Name] = p
	}
	f.Action = a
	fresh := false
	for _, p := range a.Params {
		old, known := before[p.Name]
		if !known {
			v := defaultText(p)
			f.initial[p.Name], f.Typed[p.Name] = v, v
			continue
		}
		if !Chosen(p) || sameChoices(old.Choices, p.Choices) {
			continue
		}
		fresh = true
		f.Typed[p.Name] = keepChoice(old, p, f.Typed[p.Name])
	}
	if fresh {
		f.initial = maps.Clone(f.Typed)
		f.Turn++
	}
}

// Set puts a text into an input, as what it begins with.
func (f *Form) Set(name, text string) {
	f.initial[name], f.Typed[name] = text, text
}

// Asks says whether the form asks for a parameter.
func (f *Form) Asks(p view.Param) bool {
	if _, ok := f.Fixed[p.Name]; ok {
		return false
	}
	return p.Kind != "amendments" && p.Kind != "opening" // the device adds what opens a secret
}

// Args reads the values, or notes what is wrong with them.
func (f *Form) Args() (map[string]any, bool) {
	args := make(map[string]any, len(f.Action.Params))
	f.wrong = map[string]string{}
	for _, p := range f.Action.Params {
		if v, ok := f.Fixed[p.Name]; ok {
			args[p.Name] = v
			continue
		}
		if !f.Asks(p) {
			continue
		}
		v, problem := ReadParam(p, f.Typed[p.Name])
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
func (f *Form) id(param string) string { return "f-" + Slug(f.Key) + "-" + Slug(param) }

// Render draws the form with its button.
func (f *Form) Render() app.UI {
	a := f.Action
	var rows []app.UI
	for _, p := range a.Params {
		if f.Asks(p) {
			rows = append(rows, f.Control(p))
		}
	}
	busy := f.actor.Busy(f.Key)
	buttons := []app.UI{
		app.Button().Type("submit").Class("btn", "btn-main").Aria("busy", busy).
			DataSet("test", "do-"+Slug(a.Name)).Body(app.Span().Text(a.Title)),
		Button("What would it do?", f.onPreview).Class("btn-quiet").DataSet("test", "preview-"+Slug(a.Name)),
	}
	return Keyed(f.Key+"-"+Itoa(f.Turn), app.Form().Class("form").AutoComplete(false).
		DataSet("test", "form-"+Slug(a.Name)).OnSubmit(f.onSubmit).
		Body(append(rows,
			app.Div().Class("row").Body(buttons...),
			When(f.preview != nil, func() app.UI { return Outcomes(f.preview) }))...))
}

// Control draws one parameter.
func (f *Form) Control(p view.Param) app.UI {
	id := f.id(p.Name)
	if slices.Contains(f.Given, p.Name) && f.wrong[p.Name] == "" {
		return f.known(p, id)
	}
	label := called(p)
	if p.Optional && p.Default == nil {
		label += " (optional)"
	}
	help := p.Help
	if help == "" && (p.Kind == "integer" || p.Kind == "decimal") {
		help = RangeText(p.Min, p.Max)
	}
	var control app.UI
	switch {
	case p.Kind == "several":
		return f.pickSeveral(p, id, label, help)
	case Chosen(p) && len(p.Choices) <= 5 && len(p.Choices) > 0 && !p.Optional:
		return f.wrapGroup(p, id, label, help)
	case Chosen(p):
		control = f.selectBox(p, id)
	case p.Kind == "flag":
		return app.Div().Class("field", "field-flag").Body(
			app.Label().Class("check").Body(
				app.Input().Type("checkbox").ID(id).Checked(f.initial[p.Name] == "yes").
					OnChange(f.onCheck(p.Name), id), app.Span().Text(label)),
			When(help != "", func() app.UI { return app.P().Class("help").Text(help) }))
	case p.Kind == "prose":
		control = app.Textarea().ID(id).Rows(4).Text(f.initial[p.Name]).
			OnInput(f.onText(p.Name), id)
	default:
		in := app.Input().ID(id).Type("text").Value(f.initial[p.Name]).OnInput(f.onText(p.Name), id)
		switch p.Kind {
		case "integer":
			in = in.Type("number").Step(1).Attr("inputmode", "numeric").Class("short")
			if p.Min != nil {
				in = in.Attr("min", Itoa(*p.Min))
			}
			if p.Max != nil {
				in = in.Attr("max", Itoa(*p.Max))
			}
		case "decimal":
			in = in.Attr("inputmode", "decimal").Class("short")
		case "moment":
			in = in.Type("datetime-local")
		}
		control = in
	}
	if (p.Kind == "text" || p.Kind == "prose") && f.wrong[p.Name] == "" {
		return f.withProblem(p, Bounded(id, label, help, f.Typed[p.Name], p.MaxLen, control))
	}
	return f.withProblem(p, Field(id, label, help, control))
}

// known shows a value that was said before, and asks for another only if that is wanted.
func (f *Form) known(p view.Param, id string) app.UI {
	label := called(p)
	return Keyed("known-"+id, app.P().Class("known").DataSet("test", "known-"+Slug(p.Name)).Body(
		app.Span().Class("quiet").Text(label+": "), app.Strong().Body(Named(f.Typed[p.Name])), app.Text(" "),
		Button("Change", func(app.Context, app.Event) {
			f.Given = slices.DeleteFunc(f.Given, func(name string) bool { return name == p.Name })
			f.actor.Focus(id)
		}, id).Class("btn-quiet").Aria("label", "Change: "+label)))
}

// called is what a parameter is called on the page.
func called(p view.Param) string {
	return cmp.Or(p.Label, Capital(strings.ReplaceAll(p.Name, "_", " ")))
}

func (f *Form) withProblem(p view.Param, c app.UI) app.UI {
	problem := f.wrong[p.Name]
	if problem == "" {
		return app.Div().Class("control").DataSet("test", "param-"+Slug(p.Name)).Body(c)
	}
	return app.Div().Class("control", "control-wrong").DataSet("test", "param-"+Slug(p.Name)).Body(c,
		app.P().Class("wrong").Role("alert").Body(Icon("warn"), app.Span().Text(problem)))
}

// wrapGroup draws a short list of choices openly.
func (f *Form) wrapGroup(p view.Param, id, label, help string) app.UI {
	name := p.Name
	return f.withProblem(p, app.FieldSet().Class("field", "choices").Body(
		app.Legend().Text(label),
		app.Div().Class("choice-row").Body(Each(p.Choices, func(i int, c view.Choice) app.UI {
			v := strconv.Itoa(i)
			return app.Label().Class("choice").Body(
				app.Input().Type("radio").Name(id).ID(id+"-"+v).Value(v).Checked(f.initial[name] == v).
					OnChange(f.onText(name), id, v),
				app.Span().Text(c.Label))
		})...),
		When(help != "", func() app.UI { return app.P().Class("help").Text(help) }),
	))
}

// pickSeveral draws a list that grows by one choice after the other.
func (f *Form) pickSeveral(p view.Param, id, label, help string) app.UI {
	list := picked(p, f.Typed[p.Name])
	set := func(ctx app.Context, list []int) {
		var text []string
		for _, i := range list {
			text = append(text, strconv.Itoa(i))
		}
		f.Typed[p.Name] = strings.Join(text, ",")
		if f.Changed != nil {
			f.Changed()
		}
		Focus(ctx, id)
	}
	options := []app.UI{app.Option().Value("").Text("add…")}
	for i, c := range p.Choices {
		options = append(options, app.Option().Value(strconv.Itoa(i)).Text(c.Label))
	}
	full := p.MaxLen > 0 && len(list) >= p.MaxLen
	now := f.Typed[p.Name]
	return f.withProblem(p, app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		When(len(list) > 0, func() app.UI {
			return app.Ol().Class("picked").Body(Each(list, func(at, i int) app.UI {
				name := p.Choices[i].Label
				return app.Li().Body(app.Button().Type("button").Class("btn").Aria("label", name+", remove").
					OnClick(func(ctx app.Context, _ app.Event) { set(ctx, slices.Delete(slices.Clone(list), at, at+1)) }, id, now, at).
					Body(app.Span().Text(name), Icon("cross")))
			})...)
		}),
		// A fresh box after each choice: it says "add…" again.
		Keyed(id+"-"+Itoa(len(list)), app.Select().ID(id).Disabled(full).OnChange(func(ctx app.Context, _ app.Event) {
			if i, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
				set(ctx, append(slices.Clone(list), i))
			}
		}, id, now).Body(options...)),
		When(help != "", func() app.UI { return app.P().Class("help").ID(id + "-help").Text(help) })))
}

func (f *Form) selectBox(p view.Param, id string) app.UI {
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

func (f *Form) onText(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		f.Typed[name] = ctx.JSSrc().Get("value").String()
		if f.Changed != nil {
			f.Changed()
		}
	}
}

func (f *Form) onCheck(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		f.Typed[name] = ""
		if ctx.JSSrc().Get("checked").Bool() {
			f.Typed[name] = "yes"
		}
		if f.Changed != nil {
			f.Changed()
		}
	}
}

func (f *Form) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	args, ok := f.Args()
	if !ok {
		for _, p := range f.Action.Params {
			if f.wrong[p.Name] != "" {
				Focus(ctx, f.id(p.Name))
				break
			}
		}
		return
	}
	f.actor.Act(f.Key, f.Action.Title, f.Action.Name, args, func(ctx app.Context, res *view.Result) {
		f.reset()
		if f.Done != nil {
			f.Done(ctx, res)
		}
	})
}

func (f *Form) onPreview(app.Context, app.Event) {
	if args, ok := f.Args(); ok {
		f.actor.Preview(f.Key+"-preview", f.Action.Name, args, func(p *view.Preview) { f.preview = p })
	}
}
