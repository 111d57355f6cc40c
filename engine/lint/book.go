package lint

import (
	"path"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"peernomic/engine/rules/document"
	"peernomic/engine/rules/sandbox"
)

// book is a ruleset taken apart.
type book struct {
	pages  []*page
	fronts int // of these, pages of the ruleset and of its sections
}

// page is one document.
type page struct {
	path, title string
	prose       []string               // the document's lines; those of script are empty
	lines       []string               // all lines
	script      *syntax.File           // nil if it has none, or one that does not parse
	unparsed    bool                   // it has one that does not parse
	used        map[*syntax.Ident]bool // the names that it defines or loads and then uses, where they are defined
	unknown     []*syntax.Ident
	literals    []*syntax.Literal // texts
}

// readBook takes documents apart. What cannot be read is left to the survey of the rules.
func readBook(docs []document.Document) *book {
	b := &book{}
	for _, d := range docs {
		text := strings.ReplaceAll(d.Text, "\r\n", "\n")
		p := &page{path: d.Path, used: map[*syntax.Ident]bool{}, lines: strings.Split(text, "\n")}
		b.pages = append(b.pages, p)
		if d.Path == "ruleset.md" || path.Base(d.Path) == "section.md" {
			b.fronts++
		}
		title, prose, script, err := document.TakeApart(text)
		if err != nil {
			continue
		}
		p.title, p.prose = title, strings.Split(prose, "\n")
		if strings.TrimSpace(script) == "" {
			continue
		}
		if p.script, err = sandbox.Parse(title, script); err != nil {
			p.script, p.unparsed = nil, true
		}
	}
	return b
}

// unread reports whether there is a document, or a script, that cannot be read: what it says is not known.
func (b *book) unread() bool {
	return b.untitled() || slices.ContainsFunc(b.pages, func(p *page) bool { return p.unparsed })
}

// untitled reports whether there is a document that cannot be taken apart.
func (b *book) untitled() bool {
	return slices.ContainsFunc(b.pages, func(p *page) bool { return p.title == "" })
}

// file returns the path of a rule by its title, or by its path.
func (b *book) file(rule string) string {
	if i := slices.IndexFunc(b.pages, func(p *page) bool { return rule != "" && (p.title == rule || p.path == rule) }); i >= 0 {
		return b.pages[i].path
	}
	return "ruleset.md"
}

// titled returns the page of a rule that a script may load from.
func (b *book) titled(title string) *page {
	for _, p := range b.pages {
		if strings.EqualFold(p.title, title) && path.Base(p.path) != "section.md" && p.path != "ruleset.md" {
			return p
		}
	}
	return nil
}

// titles returns the titles of all rules.
func (b *book) titles() []string {
	var out []string
	for _, p := range b.pages {
		if p.title != "" && path.Base(p.path) != "section.md" && p.path != "ruleset.md" {
			out = append(out, p.title)
		}
	}
	return out
}

// globals returns the names that a script defines at its top, one at a time.
func (p *page) globals() []*syntax.Ident {
	var out []*syntax.Ident
	var block func([]syntax.Stmt)
	block = func(stmts []syntax.Stmt) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *syntax.DefStmt:
				out = append(out, s.Name)
			case *syntax.AssignStmt:
				if id, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.EQ {
					out = append(out, id)
				}
			case *syntax.IfStmt:
				block(s.True)
				block(s.False)
			case *syntax.ForStmt:
				block(s.Body)
			}
		}
	}
	if p.script != nil {
		block(p.script.Stmts)
	}
	return out
}

// names returns the same as texts.
func (p *page) names() []string {
	var out []string
	for _, g := range p.globals() {
		out = append(out, g.Name)
	}
	return out
}

// loads returns the load statements of a script.
func (p *page) loads() []*syntax.LoadStmt {
	var out []*syntax.LoadStmt
	if p.script == nil {
		return nil
	}
	for _, s := range p.script.Stmts {
		if l, ok := s.(*syntax.LoadStmt); ok {
			out = append(out, l)
		}
	}
	return out
}

// resolve finds what the names of a script mean, given those that the kernel has.
func (p *page) resolve(known func(string) bool) {
	if p.script == nil {
		return
	}
	// Errors, such as two definitions of one name, are the survey's to report.
	_ = resolve.File(p.script, func(string) bool { return true }, func(string) bool { return false })
	defined := map[*syntax.Ident]bool{}
	syntax.Walk(p.script, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			defined[n.Name] = true
		case *syntax.AssignStmt:
			if id, ok := n.LHS.(*syntax.Ident); ok && n.Op == syntax.EQ {
				defined[id] = true
			}
		case *syntax.LoadStmt:
			for i := range n.To {
				defined[n.To[i]], defined[n.From[i]] = true, true
			}
		case *syntax.Literal:
			if _, ok := n.Value.(string); ok {
				p.literals = append(p.literals, n)
			}
		case *syntax.Ident:
			b, ok := n.Binding.(*resolve.Binding)
			switch {
			case !ok || defined[n]:
			case b.Scope == resolve.Predeclared && !known(n.Name):
				p.unknown = append(p.unknown, n)
			default:
				p.used[b.First] = true
			}
		}
		return true
	})
}

// builtin returns the name of the kernel's function that is called, or "".
func builtin(call *syntax.CallExpr) string {
	id, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return ""
	}
	if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope == resolve.Predeclared {
		return id.Name
	}
	return ""
}

// argument returns what a call gives for a parameter, by its place or its name, or nil.
func argument(call *syntax.CallExpr, place int, name string) syntax.Expr {
	for i, a := range call.Args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				if a.X.(*syntax.Ident).Name == name {
					return a.Y
				}
				continue
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				return nil
			}
		}
		if i == place {
			return a
		}
	}
	return nil
}

// keywords returns the arguments that a call gives by name.
func keywords(call *syntax.CallExpr) []*syntax.Ident {
	var out []*syntax.Ident
	for _, a := range call.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			out = append(out, b.X.(*syntax.Ident))
		}
	}
	return out
}

// textOf returns a text that stands as such in a script.
func textOf(e syntax.Expr) (*syntax.Literal, string) {
	if l, ok := e.(*syntax.Literal); ok {
		if s, ok := l.Value.(string); ok {
			return l, s
		}
	}
	return nil, ""
}

func line(pos syntax.Position) int { return int(pos.Line) }
