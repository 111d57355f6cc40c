package lint

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// uses reports what is defined and never used.
func (c *checker) uses() {
	taken := map[string]map[string]bool{} // names that other rules load, by path
	for _, p := range c.book.pages {
		for _, l := range p.loads() {
			other := c.book.titled(l.Module.Value.(string))
			for i, id := range l.From {
				if other != nil {
					if taken[other.path] == nil {
						taken[other.path] = map[string]bool{}
					}
					taken[other.path][id.Name] = true
					if names := other.names(); !slices.Contains(names, id.Name) {
						taken[other.path][near(id.Name, names)] = true // names() tells what is wrong
						continue
					}
				}
				if !p.used[l.To[i]] && !p.remarked(line(l.Load)) {
					c.find(p.path, line(l.To[i].NamePos), "", "%s is loaded and never used (a comment on the line says that this is meant)", l.To[i].Name)
				}
			}
		}
	}
	if c.book.unread() {
		return // it may hold the use
	}
	for _, p := range c.book.pages {
		for _, g := range p.globals() {
			if !p.used[g] && !taken[p.path][g.Name] && !p.remarked(line(g.NamePos)) {
				c.find(p.path, line(g.NamePos), "", "%s is never used (a comment on the line says that this is meant)", g.Name)
			}
		}
	}
	for _, d := range c.declared("handler") {
		if !c.mentioned(d.Name, "handler") {
			c.in(d, "", "the handler %q is never scheduled or called", d.Name)
		}
	}
	for _, d := range c.declared("answer") {
		if !c.mentioned(d.Name, "answer") {
			c.in(d, "", "no rule asks %q", d.Name)
		}
	}
	prose := c.allText()
	for _, d := range c.declared("live") {
		if !strings.Contains(prose, "{{"+d.Name+"}}") {
			c.in(d, "", "no rule's prose says {{%s}}", d.Name)
		}
	}
	for _, d := range c.declared("keyword") {
		if !strings.Contains(prose, "{{"+d.Name+"}}") && !strings.Contains(prose, "{{"+d.Name+"s}}") && !c.mentioned(d.Name, "keyword") && !c.mentioned(d.Name+"s", "keyword") {
			c.in(d, "", "nothing says {{%s}} or {{%ss}}", d.Name, d.Name)
		}
	}
	for what, doing := range map[string]string{"option": "no rule asks what the founder chose for %q", "category": "no rule posts in the category %q", "icon": "no category takes the icon %q"} {
		for _, d := range c.declared(what) {
			if !c.mentioned(d.Name, what) {
				c.in(d, "", doing, d.Name)
			}
		}
	}
}

// remarked reports whether a line carries a comment.
func (p *page) remarked(line int) bool { return strings.Contains(p.lines[line-1], "#") }

// allText returns all documents as they are written.
func (c *checker) allText() string {
	var b strings.Builder
	for _, p := range c.book.pages {
		b.WriteString(strings.Join(p.lines, "\n"))
	}
	return b.String()
}

// mentioned reports whether a text stands in any script, other than as what one of the kernel's
// functions declares.
func (c *checker) mentioned(text string, declaring ...string) bool {
	for _, p := range c.book.pages {
		own := map[*syntax.Literal]bool{}
		c.calls(p, func(call *syntax.CallExpr, name string) {
			for _, d := range declaring {
				if name == d && len(call.Args) > 0 {
					if l, _ := textOf(call.Args[0]); l != nil {
						own[l] = true
					}
				}
			}
		})
		for _, l := range p.literals {
			if l.Value == text && !own[l] {
				return true
			}
		}
	}
	return false
}
