package lint

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"peernomic/engine/rules/amendment"
)

// dicts reports keys of dicts that stand for names: the arguments of actions and of handlers, and
// the parts of amendments.
func (c *checker) dicts() {
	if len(c.survey.Problems) > 0 {
		return // what is missing may be what the keys mean
	}
	params := map[string][]string{} // of actions, by name
	var all []string
	for _, d := range c.declared("action") {
		params[d.Name] = d.Names
		all = append(all, d.Names...)
	}
	reads := c.handlerReads()
	for _, p := range c.book.pages {
		if p.script == nil {
			continue
		}
		c.calls(p, func(call *syntax.CallExpr, name string) {
			switch name {
			case "deeds":
				c.keys(p, p.dict(argument(call, 2, "fixed")), fixable(argument(call, 0, "actions"), params, all), "none of these actions takes")
			case "schedule":
				c.given(p, argument(call, 1, "handler"), argument(call, 2, "args"), reads)
			case "call":
				c.given(p, argument(call, 0, "handler"), argument(call, 1, "args"), reads)
			case "offer":
				c.given(p, argument(call, 3, "then"), argument(call, 6, "args"), reads)
			}
		})
		c.amendments(p)
	}
}

// fixable is what the arguments that are given for actions may be called.
func fixable(actions syntax.Expr, params map[string][]string, all []string) []string {
	list, ok := actions.(*syntax.ListExpr)
	if !ok {
		return all
	}
	var out []string
	for _, e := range list.List {
		l, name := textOf(e)
		if l == nil {
			return all
		}
		out = append(out, params[name]...)
	}
	return out
}

// keys reports the keys of a dict that are none of those that mean something; wrong is what is said before each.
func (c *checker) keys(p *page, d *syntax.DictExpr, known []string, wrong string) {
	for _, l := range literalKeys(d) {
		if key := l.Value.(string); !slices.Contains(known, key) {
			c.find(p.path, line(l.TokenPos), near(key, known), "%s %s", wrong, key)
		}
	}
}

// literalKeys returns the keys of a dict that stand there as texts.
func literalKeys(d *syntax.DictExpr) []*syntax.Literal {
	var out []*syntax.Literal
	if d != nil {
		for _, e := range d.List {
			if l, _ := textOf(e.(*syntax.DictEntry).Key); l != nil {
				out = append(out, l)
			}
		}
	}
	return out
}

// dict returns the dict that an expression stands for: one that stands there, or what a name is
// given, if it is given it once. It returns nil if that is not known.
func (p *page) dict(e syntax.Expr) *syntax.DictExpr {
	if d, ok := e.(*syntax.DictExpr); ok {
		return d
	}
	id, ok := e.(*syntax.Ident)
	if !ok {
		return nil
	}
	var found []syntax.Expr
	syntax.Walk(p.script, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.AssignStmt); ok {
			if to, ok := a.LHS.(*syntax.Ident); ok && bound(to) != nil && bound(to) == bound(id) {
				found = append(found, a.RHS)
			}
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	d, _ := found[0].(*syntax.DictExpr)
	return d
}

// bound is the name's first place in its scope, which is the same for all its uses.
func bound(id *syntax.Ident) *syntax.Ident {
	if b, ok := id.Binding.(*resolve.Binding); ok {
		return b.First
	}
	return nil
}

// handlerReads returns what handlers read of their args, by name; nil for one that does more with them
// than to read them by their names.
func (c *checker) handlerReads() map[string][]string {
	out := map[string][]string{}
	for _, p := range c.book.pages {
		own := p.functions()
		c.calls(p, func(call *syntax.CallExpr, name string) {
			l, handler := textOf(argument(call, 0, "name"))
			if name != "handler" || l == nil {
				return
			}
			switch fn := argument(call, 1, "fn").(type) {
			case *syntax.LambdaExpr:
				out[handler] = readsOf(fn.Params, fn.Body)
			case *syntax.Ident:
				if def := own[fn.Name]; def != nil {
					out[handler] = readsOf(def.Params, def)
				}
			}
		})
	}
	return out
}

// readsOf returns the keys that a function reads of its only parameter.
func readsOf(params []syntax.Expr, body syntax.Node) []string {
	if len(params) != 1 {
		return nil
	}
	args, ok := params[0].(*syntax.Ident)
	if !ok {
		return nil
	}
	keys := []string{}
	uses, reads := 0, 0
	read := func(of, key syntax.Expr) {
		if id, ok := of.(*syntax.Ident); ok && bound(id) == args {
			if l, text := textOf(key); l != nil {
				reads++
				keys = append(keys, text)
			}
		}
	}
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			if n != args && bound(n) == args {
				uses++
			}
		case *syntax.IndexExpr:
			read(n.X, n.Y)
		case *syntax.CallExpr:
			if dot, ok := n.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "get" && len(n.Args) > 0 {
				read(dot.X, n.Args[0])
			}
		}
		return true
	})
	if reads < uses {
		return nil
	}
	return keys
}

// given reports what a handler is given and never reads.
func (c *checker) given(p *page, handler, args syntax.Expr, reads map[string][]string) {
	l, name := textOf(handler)
	if l == nil || reads[name] == nil {
		return
	}
	c.keys(p, p.dict(args), reads[name], fmt.Sprintf("the handler %q reads no", name))
}

// amendments reports parts that amendments do not have.
func (c *checker) amendments(p *page) {
	parts := amendment.Parts()
	syntax.Walk(p.script, func(n syntax.Node) bool {
		d, ok := n.(*syntax.DictExpr)
		if !ok {
			return true
		}
		for _, e := range d.List {
			entry := e.(*syntax.DictEntry)
			key, name := textOf(entry.Key)
			value, op := textOf(entry.Value)
			switch {
			case key == nil || name != "op" || value == nil:
			case parts[op] == nil:
				c.find(p.path, line(value.TokenPos), near(op, slices.Sorted(maps.Keys(parts))), "amendments have no operation %q", op)
			default:
				c.keys(p, d, append(parts[op], "op"), "an amendment that is to "+op+" has no")
			}
		}
		return true
	})
}
