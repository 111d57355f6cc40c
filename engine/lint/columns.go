package lint

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// columns reports columns and tables that nobody sees, nobody fills or nobody reads. Columns of
// one name in several tables are taken for one: what a row is of cannot be known from a script.
func (c *checker) columns() {
	read, written := map[string]bool{}, map[string]bool{}
	asked, filled := map[string]bool{}, map[string]bool{} // tables
	for _, p := range c.book.pages {
		if p.script != nil {
			c.accesses(p, read, written)
		}
		c.calls(p, func(call *syntax.CallExpr, name string) {
			_, table := textOf(argument(call, 0, "table"))
			switch name {
			case "create":
				filled[table] = true
			case "rows", "find", "row", "derived":
				asked[table] = true
			case "on_change":
				_, cell := textOf(argument(call, 0, "cell"))
				table, column, _ := strings.Cut(cell, ".")
				asked[table], read[column] = true, true
			}
			for _, k := range keywords(call) {
				switch name {
				case "create":
					written[k.Name] = true
				case "rows", "find":
					read[k.Name] = true
				}
			}
		})
	}
	declaring := []string{"column", "variable", "field", "table", "rows", "find", "create", "row", "derived"}
	hidden := map[string]bool{}
	for _, d := range c.declared("table") {
		hidden[d.Name] = d.Hidden
		if !filled[d.Name] && !c.mentioned(d.Name, declaring...) {
			c.in(d, "", "no rule makes a row of the table %s", d.Name)
		}
		if d.Hidden && !asked[d.Name] && !c.mentioned(d.Name, declaring...) {
			c.in(d, "", "the table %s is never shown and never read", d.Name)
		}
	}
	seen := map[string]bool{} // columns of several tables that one line declares
	for _, d := range c.declared("column", "variable", "field", "derived") {
		named := c.mentioned(d.Name, declaring...)
		key := d.Rule + "\n" + d.Name
		if seen[key] || d.Derived && c.mentioned(d.Name) && read[d.Name] {
			continue
		}
		seen[key] = true
		if (d.Hidden || hidden[d.Table]) && !read[d.Name] && !named {
			c.in(d, "", "%s is never shown and never read", d.Name)
		}
		if !d.Edit && !d.Derived && !written[d.Name] && !named {
			c.in(d, "", "%s is never written: it keeps its default for ever", d.Name)
		}
	}
}

// accesses notes what a script reads and writes by a dot.
func (c *checker) accesses(p *page, read, written map[string]bool) {
	targets := map[*syntax.DotExpr]bool{} // what is only written
	var target func(e syntax.Expr)
	target = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.DotExpr:
			targets[e] = true
			written[e.Name.Name] = true
		case *syntax.TupleExpr:
			for _, x := range e.List {
				target(x)
			}
		case *syntax.ListExpr:
			for _, x := range e.List {
				target(x)
			}
		case *syntax.ParenExpr:
			target(e.X)
		}
	}
	syntax.Walk(p.script, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			target(n.LHS)
		case *syntax.DotExpr:
			if !targets[n] {
				read[n.Name.Name] = true
			}
		}
		return true
	})
}

// constant returns the text of a function that can do nothing but return it, by its name or as a
// lambda.
func (p *page) constant(fn syntax.Expr) (returned syntax.Expr) {
	switch fn := fn.(type) {
	case *syntax.LambdaExpr:
		return fn.Body
	case *syntax.Ident:
		i := slices.IndexFunc(p.script.Stmts, func(s syntax.Stmt) bool {
			def, ok := s.(*syntax.DefStmt)
			return ok && def.Name.Name == fn.Name
		})
		if i < 0 {
			return nil
		}
		body := p.script.Stmts[i].(*syntax.DefStmt).Body
		if e, ok := body[0].(*syntax.ExprStmt); ok && len(body) > 1 { // a docstring
			if l, _ := textOf(e.X); l != nil {
				body = body[1:]
			}
		}
		if r, ok := body[0].(*syntax.ReturnStmt); ok {
			return r.Result
		}
	}
	return nil
}
