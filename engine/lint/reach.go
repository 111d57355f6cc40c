package lint

import (
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"peernomic/engine/scenario"
)

// reach reports actions and other functions that can never do what they are for.
func (c *checker) reach() {
	titles := map[string]string{} // of actions, to their names
	for _, d := range c.survey.Declared {
		for _, why := range d.Unfit {
			c.in(d, "", "the %s cannot work: %s", strings.TrimSpace(d.What+" "+d.Name), why)
		}
		if d.What == "action" {
			key := strings.ToLower(d.Title)
			if other, ok := titles[key]; ok {
				c.in(d, "", "the action %q has the title of the action %q: people cannot tell them apart", d.Name, other)
			}
			titles[key] = d.Name
		}
	}
	for _, p := range c.book.pages {
		c.calls(p, func(call *syntax.CallExpr, name string) {
			switch name {
			case "action":
				for place, role := range map[int]string{3: "who", 4: "guard"} {
					if l, why := textOf(p.constant(argument(call, place, role))); l != nil {
						c.find(p.path, line(call.Lparen), "", "nobody can ever take this action: its %s always says %q", role, why)
					}
				}
			case "param":
				if list, ok := p.constant(argument(call, 3, "choices")).(*syntax.ListExpr); ok && len(list.List) == 0 {
					c.find(p.path, line(call.Lparen), "", "there is never anything to choose")
				}
			}
		})
	}
}

// untried reports actions and measures that no scenario carries out.
func (c *checker) untried(acted []string, scenarios string) {
	for _, d := range c.declared("action") {
		if !slices.Contains(acted, d.Name) {
			c.in(d, "", "no scenario carries out the action %q", d.Name)
		}
	}
	for _, d := range c.declared("measure") {
		if !strings.Contains(scenarios, "measure \""+d.Name+"\"") {
			c.in(d, "", "no scenario carries out the measure %q", d.Name)
		}
	}
}

// unknownNames are the ways in which a scenario is told that a name means nothing.
var unknownNames = []struct {
	says *regexp.Regexp
	of   func(*index) []string
}{
	{regexp.MustCompile(`no action "([^"]+)"`), func(x *index) []string { return x.actions }},
	{regexp.MustCompile(`no measure "([^"]+)"`), func(x *index) []string { return x.measures }},
	{regexp.MustCompile(`no column (\w+)`), func(x *index) []string { return x.columns }},
	{regexp.MustCompile(`no rule "([^"]+)"`), func(x *index) []string { return x.titles }},
	{regexp.MustCompile(`no table (\w+)`), func(x *index) []string { return x.tables }},
}

// people are those whom a scenario names when they come in.
var people = regexp.MustCompile(`(?m)^\s*(?:players|stranger)\s+([^#\n]*)`)

// nobody is how a scenario is told that it names nobody.
var nobody = regexp.MustCompile(`nobody called (\S+)`)

// noRuleset is how it is told that there is no such ruleset.
var noRuleset = regexp.MustCompile(`no ruleset "([^"]+)"; there are (.*)$`)

// noStep is how it is told that a line begins with nothing known.
var noStep = regexp.MustCompile(`^"(\w+)" is no step`)

// stepMeant is what a line of a scenario was likely meant to begin with.
func stepMeant(message string) string {
	if m := noStep.FindStringSubmatch(message); m != nil {
		return near(m[1], []string{"after", "at", "cheat", "create", "expect", "gain", "let", "lose", "multiply", "option", "players", "refuse", "remove", "ruleset", "set", "stranger"})
	}
	return ""
}

// failure reports a step of a scenario that does not hold.
func (c *checker) failure(f *scenario.Failure, source []byte) {
	meant := ""
	if m := nobody.FindStringSubmatch(f.Found); m != nil {
		var names []string
		for _, line := range people.FindAllSubmatch(source, -1) {
			for name := range strings.FieldsSeq(strings.ReplaceAll(string(line[1]), `"`, " ")) {
				names = append(names, name)
			}
		}
		meant = near(m[1], names)
	}
	if m := noRuleset.FindStringSubmatch(f.Found); m != nil {
		meant = near(m[1], strings.Split(m[2], ", "))
	}
	for _, u := range unknownNames {
		if m := u.says.FindStringSubmatch(f.Found); m != nil {
			meant = near(m[1], u.of(c.index()))
		}
	}
	if f.Expected == "" {
		c.find(f.File, f.Line, meant, "%s: %s", f.Step, f.Found)
		return
	}
	c.find(f.File, f.Line, meant, "%s: expected %s, found %s", f.Step, f.Expected, f.Found)
}
