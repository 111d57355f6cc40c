package lint

import (
	"fmt"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// functions returns the functions that a script defines at its top, by name.
func (p *page) functions() map[string]*syntax.DefStmt {
	out := map[string]*syntax.DefStmt{}
	if p.script == nil {
		return out
	}
	for _, s := range p.script.Stmts {
		if def, ok := s.(*syntax.DefStmt); ok {
			out[def.Name.Name] = def
		}
	}
	return out
}

// ownCalls reports calls of the rules' own functions that these cannot take.
func (c *checker) ownCalls() {
	for _, p := range c.book.pages {
		if p.script == nil {
			continue
		}
		at := map[*syntax.Ident]*syntax.DefStmt{} // by where the name is defined or loaded
		own := p.functions()
		for _, g := range p.globals() {
			if def := own[g.Name]; def != nil && def.Name == g {
				at[g] = def
			}
		}
		for _, l := range p.loads() {
			if other := c.book.titled(l.Module.Value.(string)); other != nil {
				theirs := other.functions()
				for i, from := range l.From {
					at[l.To[i]] = theirs[from.Name]
				}
			}
		}
		syntax.Walk(p.script, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fn.(*syntax.Ident); ok {
				if b, ok := id.Binding.(*resolve.Binding); ok && at[b.First] != nil {
					for _, wrong := range misfits(call, at[b.First]) {
						c.find(p.path, line(call.Lparen), wrong.meant, "%s() %s", id.Name, wrong.why)
					}
				}
			}
			return true
		})
	}
}

// misfit is why a function cannot be called so.
type misfit struct{ why, meant string }

func values(n int) string {
	switch n {
	case 0:
		return "no values"
	case 1:
		return "one value"
	default:
		return fmt.Sprintf("%d values", n)
	}
}

// misfits compares a call with the parameters of the function that it calls.
func misfits(call *syntax.CallExpr, def *syntax.DefStmt) []misfit {
	var names, needed []string
	places, anyPlaces, anyNames := 0, false, false
	named := false // what follows * is given by name only
	for _, param := range def.Params {
		switch param := param.(type) {
		case *syntax.Ident:
			names, needed = append(names, param.Name), append(needed, param.Name)
		case *syntax.BinaryExpr:
			names = append(names, param.X.(*syntax.Ident).Name)
		case *syntax.UnaryExpr:
			anyNames = anyNames || param.Op == syntax.STARSTAR
			anyPlaces = anyPlaces || param.Op == syntax.STAR && param.X != nil
			named = named || param.Op == syntax.STAR
			continue
		}
		if !named {
			places++
		}
	}
	given := 0
	var by []string
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case *syntax.UnaryExpr:
			if arg.Op == syntax.STAR || arg.Op == syntax.STARSTAR {
				return nil // what that gives is not known
			}
			given++
		case *syntax.BinaryExpr:
			if arg.Op == syntax.EQ {
				by = append(by, arg.X.(*syntax.Ident).Name)
				continue
			}
			given++
		default:
			given++
		}
	}
	var out []misfit
	if given > places && !anyPlaces {
		out = append(out, misfit{fmt.Sprintf("takes %s, not %d", values(places), given), ""})
	}
	for _, name := range by {
		if !anyNames && !slices.Contains(names, name) {
			out = append(out, misfit{"takes no " + name, near(name, names)})
		}
	}
	for _, name := range needed {
		i := slices.Index(names, name)
		if (i >= min(given, places)) && !slices.Contains(by, name) {
			out = append(out, misfit{"is not given its " + name, ""})
		}
	}
	return out
}
