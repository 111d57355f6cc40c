package lint

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"peernomic/engine/rules"
)

// index is everything that names can mean.
type index struct {
	words, fields, titles                              []string
	tables, columns, handlers, categories, icons, keys []string
	options, actions, measures, lives                  []string

	of         map[string][]string // columns by table
	signatures map[string][]string // parameters of the kernel's functions; "**" if it takes any
}

func (c *checker) index() *index {
	x := &index{words: c.survey.Words, fields: c.survey.Fields, titles: c.book.titles(), of: map[string][]string{}, signatures: signatures()}
	for _, d := range c.survey.Declared {
		x.add(d.What, d.Name)
		if d.Table != "" {
			x.of[d.Table] = append(x.of[d.Table], d.Name)
		}
	}
	for _, p := range c.book.pages { // also what a rule would declare that does not load
		c.calls(p, func(call *syntax.CallExpr, name string) {
			place := 0
			if name == "derived" {
				place = 1
			}
			if l, text := textOf(argument(call, place, "name")); l != nil {
				x.add(name, text)
			}
			if name == "struct" {
				for _, k := range keywords(call) {
					x.fields = append(x.fields, k.Name)
				}
			}
		})
	}
	return x
}

// add notes a name that is declared with a function of the kernel.
func (x *index) add(what, name string) {
	switch what {
	case "table":
		x.tables = append(x.tables, name)
	case "column", "field", "variable", "derived":
		x.columns = append(x.columns, name)
	case "handler":
		x.handlers = append(x.handlers, name)
	case "category":
		x.categories = append(x.categories, name)
	case "icon":
		x.icons = append(x.icons, name)
	case "keyword":
		x.keys = append(x.keys, name, name+"s")
	case "option":
		x.options = append(x.options, name)
	case "action":
		x.actions = append(x.actions, name)
	case "measure":
		x.measures = append(x.measures, name)
	case "live":
		x.lives = append(x.lives, name)
	}
}

// signatures reads what the kernel's functions take from their descriptions.
func signatures() map[string][]string {
	out := map[string][]string{}
	for _, e := range rules.Reference() {
		signature, _, _ := strings.Cut(strings.TrimPrefix(e.Doc, e.Name+"("), "): ")
		var params []string
		for part := range strings.SplitSeq(signature, ", ") {
			name, _, _ := strings.Cut(part, "=")
			if strings.HasPrefix(name, "*") { // any number of them
				name = strings.Repeat("*", strings.Count(name, "*"))
			}
			if name != "" {
				params = append(params, name)
			}
		}
		out[e.Name] = params
	}
	return out
}

// calls visits the calls of the kernel's functions in a script.
func (c *checker) calls(p *page, visit func(call *syntax.CallExpr, name string)) {
	if p.script == nil {
		return
	}
	syntax.Walk(p.script, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			if name := builtin(call); name != "" {
				visit(call, name)
			}
		}
		return true
	})
}

// names reports names in scripts that mean nothing.
func (c *checker) names() {
	for _, p := range c.book.pages {
		p.resolve(func(name string) bool { return slices.Contains(c.survey.Words, name) })
	}
	x := c.index()
	for _, p := range c.book.pages {
		if p.script == nil {
			continue
		}
		for _, l := range p.loads() {
			c.load(p, l, x)
		}
		own := slices.Clone(x.words)
		for _, g := range p.globals() {
			own = append(own, g.Name)
		}
		for _, id := range p.unknown {
			c.better(p.path, line(id.NamePos), near(id.Name, own), "%s is not defined", id.Name)
		}
		c.calls(p, func(call *syntax.CallExpr, name string) { c.call(p, call, name, x) })
		c.dots(p, x)
	}
}

// load reports a rule or a name that a script cannot load.
func (c *checker) load(p *page, l *syntax.LoadStmt, x *index) {
	from := l.Module.Value.(string)
	number, _, exists := c.survey.RuleTitled(from)
	other := c.book.titled(from)
	switch {
	case !exists && number == "" && other == nil && near(from, x.titles) == "" && c.book.untitled():
		// It may be the one that cannot be read.
	case !exists && number == "" && other == nil:
		c.better(p.path, line(l.Load), near(from, x.titles), "there is no rule %q to load from", from)
	case other != nil && !other.unparsed:
		names := other.names()
		for _, id := range l.From {
			if !slices.Contains(names, id.Name) {
				c.better(p.path, line(id.NamePos), near(id.Name, names), "the rule %q defines no %s", from, id.Name)
			}
		}
	}
}

// literalNames says what a text means that a call gives: by function, place and name of the
// parameter.
var literalNames = map[string]struct {
	place int
	name  string
	kind  string
	of    func(*index) []string
}{
	"rows":         {0, "table", "table", func(x *index) []string { return x.tables }},
	"find":         {0, "table", "table", func(x *index) []string { return x.tables }},
	"create":       {0, "table", "table", func(x *index) []string { return x.tables }},
	"row":          {0, "table", "table", func(x *index) []string { return x.tables }},
	"derived":      {0, "table", "table", func(x *index) []string { return x.tables }},
	"schedule":     {1, "handler", "handler", func(x *index) []string { return x.handlers }},
	"offer":        {3, "then", "handler", func(x *index) []string { return x.handlers }},
	"call":         {0, "handler", "handler", func(x *index) []string { return x.handlers }},
	"post":         {0, "category", "category", func(x *index) []string { return x.categories }},
	"matter":       {0, "category", "category", func(x *index) []string { return x.categories }},
	"comment":      {2, "icon", "icon", func(x *index) []string { return append(x.icons, "") }},
	"word":         {0, "key", "keyword", func(x *index) []string { return x.keys }},
	"option_value": {0, "name", "option", func(x *index) []string { return x.options }},
	"action_rule":  {0, "name", "action", func(x *index) []string { return x.actions }},
	"setattr":      {1, "column", "column", func(x *index) []string { return x.columns }},
	"edit":         {1, "column", "column", func(x *index) []string { return x.columns }},
	"subrules":     {0, "title", "rule", func(x *index) []string { return x.titles }},
	"rule_number":  {0, "title", "rule", func(x *index) []string { return x.titles }},
}

// call reports what a call of a function of the kernel names that is not there.
func (c *checker) call(p *page, call *syntax.CallExpr, name string, x *index) {
	at := line(call.Lparen)
	if want, ok := literalNames[name]; ok {
		if l, text := textOf(argument(call, want.place, want.name)); l != nil && !slices.Contains(want.of(x), text) {
			c.better(p.path, line(l.TokenPos), near(text, want.of(x)), "there is no %s %q", want.kind, text)
		}
	}
	if name == "deeds" && len(c.survey.Problems) == 0 {
		if list, ok := argument(call, 0, "actions").(*syntax.ListExpr); ok {
			for _, e := range list.List {
				if l, text := textOf(e); l != nil && !slices.Contains(x.actions, text) {
					c.find(p.path, line(l.TokenPos), near(text, x.actions), "there is no action %q", text)
				}
			}
		}
	}
	if name == "category" {
		if list, ok := argument(call, 2, "icons").(*syntax.ListExpr); ok {
			for _, e := range list.List {
				if l, text := textOf(e); l != nil && !slices.Contains(x.icons, text) {
					c.find(p.path, line(l.TokenPos), near(text, x.icons), "there is no icon %q", text)
				}
			}
		}
	}
	params, known := x.signatures[name]
	_, table := textOf(argument(call, 0, "table"))
	for _, k := range keywords(call) {
		switch {
		case !known || slices.Contains(params, k.Name):
		case slices.Contains(params, "**"):
			if columns := x.of[table]; len(columns) > 0 && !slices.Contains(columns, k.Name) && (k.Name != "id" || name == "create") {
				c.find(p.path, line(k.NamePos), near(k.Name, columns), "the table %s has no column %s", table, k.Name)
			}
		default:
			c.explains(p.path, at, k.Name)
			c.better(p.path, line(k.NamePos), near(k.Name, params), "%s() takes no %s", name, k.Name)
		}
	}
	if places := len(call.Args) - len(keywords(call)); known && !slices.Contains(params, "**") && !slices.Contains(params, "*") && places > len(params) {
		c.better(p.path, at, "", "%s() takes %s, not %d", name, values(len(params)), places)
	}
}

// dots reports columns and methods that nothing has.
func (c *checker) dots(p *page, x *index) {
	has := slices.Concat(x.columns, x.fields)
	syntax.Walk(p.script, func(n syntax.Node) bool {
		if dot, ok := n.(*syntax.DotExpr); ok && !slices.Contains(has, dot.Name.Name) {
			c.find(p.path, line(dot.Name.NamePos), near(dot.Name.Name, has), "nothing has a column %s", dot.Name.Name)
		}
		return true
	})
}
