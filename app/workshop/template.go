package workshop

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// template writes prose and script for a common change, from what a form asks.
type template struct {
	name, label, glyph, help string
	// params is what it asks for; typed is what has been chosen so far.
	params func(w *view.Workshop, typed func(name string) any) []view.Param
	make   func(w *view.Workshop, args map[string]any) *change
}

// templates are the common changes.
var templates = []template{
	{"column", "New column", "tracker", "A new number that the tracker keeps for everybody who plays.", columnParams, makeColumn},
	{"action", "New daily action", "star", "Something that everybody may do once a day, with or without a die.", dailyParams, makeDaily},
	{"item", "New thing to buy", "plus", "Something that is paid for with what players have, and counted.", itemParams, makeItem},
	{"number", "Change a number", "pen", "Another number in a rule's script, and in its prose if it stands there once.", numberParams, makeNumber},
}

func textParam(name, label, help string, limit int) view.Param {
	return view.Param{Name: name, Label: label, Help: help, Kind: "text", MaxLen: limit}
}

func numberParam(name, label string, value int64, least *int64) view.Param {
	return view.Param{Name: name, Label: label, Kind: "integer", Default: value, Min: least}
}

func least(n int64) *int64 { return &n }

// columnsOf offers the whole numbers that the tracker keeps for players.
func columnsOf(w *view.Workshop) []view.Choice {
	var out []view.Choice
	for _, t := range w.Tables {
		if t.Name != "players" {
			continue
		}
		for _, c := range t.Columns {
			if c.Kind == "integer" && !c.Derived {
				out = append(out, view.Choice{Value: c.Name, Label: c.Title})
			}
		}
	}
	return out
}

func titleOf(w *view.Workshop, column string) string {
	for _, c := range columnsOf(w) {
		if c.Value == column {
			return c.Label
		}
	}
	return column
}

// identifier makes a name for scripts of a title.
func identifier(title string) string {
	s := strings.ReplaceAll(kit.Slug(title), "-", "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "x_" + s
	}
	return s
}

// writeRule begins the enactment of a rule, at the end of the dynasty's rules.
func writeRule(title, prose, script string) *change {
	c := &change{Kind: "enact", Section: 2}
	c.setDocument(kit.JoinDocument("# "+title+"\n\n"+prose, script))
	return c
}

func columnParams(*view.Workshop, func(string) any) []view.Param {
	return []view.Param{
		textParam("title", "What it is called", "Such as Luck.", 40),
		numberParam("start", "What everybody begins with", 0, nil),
		{Name: "min", Label: "Least", Kind: "integer", Optional: true, Default: int64(0)},
		{Name: "max", Label: "Most", Kind: "integer", Optional: true},
		{Name: "edit", Label: "May be set by hand in the tracker", Kind: "flag", Default: true},
	}
}

func makeColumn(_ *view.Workshop, args map[string]any) *change {
	title, _ := args["title"].(string)
	start, _ := args["start"].(int64)
	var limits, words []string
	for _, b := range []struct{ name, word string }{{"min", "never less than"}, {"max", "never more than"}} {
		if n, ok := args[b.name].(int64); ok {
			limits, words = append(limits, fmt.Sprintf("%s=%d", b.name, n)), append(words, fmt.Sprintf("%s %d", b.word, n))
		}
	}
	prose := fmt.Sprintf("Every {{Player}} has %s, a whole number that begins at %d", title, start)
	if len(words) > 0 {
		prose += " and is " + strings.Join(words, " and ")
	}
	prose += "."
	edit := ""
	if args["edit"] == true {
		prose += " It may be set by hand in the tracker, as the rules permit."
		edit = ", edit=True"
	}
	return writeRule(title, prose, fmt.Sprintf("column(%q, integer(%s), default=%d, title=%q%s)",
		identifier(title), strings.Join(limits, ", "), start, title, edit))
}

func dailyParams(w *view.Workshop, _ func(string) any) []view.Param {
	return []view.Param{
		textParam("title", "What it is called", "Such as Meditate.", 40),
		{Name: "column", Label: "What it adds to", Kind: "choice", Listed: true, Choices: columnsOf(w)},
		{Name: "how", Label: "How much", Kind: "choice", Listed: true, Default: "die", Choices: []view.Choice{{Value: "die", Label: "the roll of a die"}, {Value: "fixed", Label: "always the same"}}},
		numberParam("n", "Sides of the die, or how much", 6, least(1)),
	}
}

func makeDaily(w *view.Workshop, args map[string]any) *change {
	title, _ := args["title"].(string)
	column, _ := args["column"].(string)
	n, _ := args["n"].(int64)
	of, fn := titleOf(w, column), identifier(title)
	prose := fmt.Sprintf("Once a day a {{Player}} may %s: their %s rises by %d.", title, of, n)
	gain, dice, help := kit.Itoa(n), "", fmt.Sprintf("%s rises by %d.", of, n)
	if args["how"] == "die" {
		prose = fmt.Sprintf("Once a day a {{Player}} may %s: they roll DICE%d, and their %s rises by the result.", title, n, of)
		gain, dice, help = fmt.Sprintf("roll(%d)", n), fmt.Sprintf(", dice=\"DICE%d\"", n), of+" rises by the roll."
	}
	return writeRule(title, prose, fmt.Sprintf("def %s(me):\n    me.%s = me.%s + %s\n\naction(%q, run=%s, every=daily(), group=\"Every day\", help=%q%s)",
		fn, column, column, gain, title, fn, help, dice))
}

func itemParams(w *view.Workshop, _ func(string) any) []view.Param {
	return []view.Param{
		textParam("title", "What one is called", "Such as Lantern.", 40),
		{Name: "column", Label: "Paid with", Kind: "choice", Listed: true, Choices: columnsOf(w)},
		numberParam("price", "Price", 5, least(0)),
	}
}

func makeItem(w *view.Workshop, args map[string]any) *change {
	title, _ := args["title"].(string)
	column, _ := args["column"].(string)
	price, _ := args["price"].(int64)
	of, name := titleOf(w, column), identifier(title)
	return writeRule(title,
		fmt.Sprintf("A {{Player}} may buy a %s for %d %s. The tracker counts how many each {{Player}} has.", title, price, of),
		fmt.Sprintf("PRICE = %d\n\ncolumn(%q, integer(min=0), default=0, title=%q)\n\ndef buy(me):\n    if me.%s < PRICE:\n"+
			"        refuse(\"that needs %%d %s, and you have %%d\" %% (PRICE, me.%s))\n    me.%s = me.%s - PRICE\n    me.%s = me.%s + 1\n\n"+
			"action(%q, run=buy, group=\"Things to buy\", help=%q)",
			price, name, title, column, of, column, column, column, name, name, "Buy a "+title, fmt.Sprintf("It costs %d %s.", price, of)))
}

// numeral is a number in a rule's script.
type numeral struct {
	at    int // where it stands in the document
	text  string
	label string
}

// numerals finds the numbers in the scripts of a document: not those in names, texts and
// comments.
func numerals(doc string) []numeral {
	var out []numeral
	inside, at, number := false, 0, 0
	for line := range strings.Lines(doc) {
		number++
		mark := strings.TrimSpace(line)
		switch {
		case !inside && strings.HasPrefix(mark, "```starlark"):
			inside = true
		case inside && mark == "```":
			inside = false
		case inside:
			for _, span := range digitSpans(line) {
				text := line[span[0]:span[1]]
				out = append(out, numeral{at + span[0], text, fmt.Sprintf("%s in line %d: %s", text, number, kit.Cut(mark, 50))})
			}
		}
		at += len(line)
	}
	return out
}

// digitSpans are where numbers stand in a line of script.
func digitSpans(line string) [][2]int {
	var out [][2]int
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return out
		case c >= '0' && c <= '9':
			j := i
			for j < len(line) && kit.WordByte(line[j]) {
				j++
			}
			if _, ok := wholeNumber(line[i:j]); ok {
				out = append(out, [2]int{i, j})
			}
			i = j - 1
		case kit.WordByte(c) && c != '\'':
			for i+1 < len(line) && kit.WordByte(line[i+1]) && line[i+1] != '\'' {
				i++
			}
		}
	}
	return out
}

func wholeNumber(s string) (string, bool) {
	return s, s != "" && strings.Trim(s, "0123456789") == ""
}

func numberParams(w *view.Workshop, typed func(string) any) []view.Param {
	var rules, numbers []view.Choice
	for _, s := range w.Rules {
		if len(numerals(s.Text)) > 0 {
			rules = append(rules, view.Choice{Value: s.Title, Label: s.Number + " " + s.Title})
		}
	}
	if s := ruleNamed(w, typed("rule")); s != nil {
		for i, n := range numerals(s.Text) {
			numbers = append(numbers, view.Choice{Value: int64(i), Label: n.label})
		}
	}
	list := []view.Param{{Name: "rule", Label: "In which rule", Kind: "choice", Listed: true, Choices: rules}}
	if len(numbers) > 0 {
		list = append(list, view.Param{Name: "number", Label: "Which number", Kind: "choice", Listed: true, Choices: numbers},
			view.Param{Name: "value", Label: "Becomes", Kind: "integer", Min: least(0)})
	}
	return list
}

func ruleNamed(w *view.Workshop, title any) *view.RuleSource {
	i := slices.IndexFunc(w.Rules, func(s view.RuleSource) bool { return s.Title == title })
	if i < 0 {
		return nil
	}
	return &w.Rules[i]
}

func makeNumber(w *view.Workshop, args map[string]any) *change {
	s := ruleNamed(w, args["rule"])
	k, chosen := args["number"].(int64)
	value, given := args["value"].(int64)
	if s == nil || !chosen || !given {
		return nil
	}
	n := numerals(s.Text)[k]
	doc := s.Text[:n.at] + kit.Itoa(value) + s.Text[n.at+len(n.text):]
	c := amendChange(*s)
	c.setDocument(inProse(doc, n.text, kit.Itoa(value)))
	return c
}

// inProse replaces a number in the prose that a document begins with, if it stands there
// once and no more.
func inProse(doc, old, now string) string {
	end := strings.Index(doc, "```starlark")
	if end < 0 {
		return doc
	}
	at := -1
	for i := 0; i+len(old) <= end; i++ {
		if doc[i:i+len(old)] != old || i > 0 && kit.WordByte(doc[i-1]) || kit.WordByte(doc[i+len(old)]) {
			continue
		}
		if at >= 0 {
			return doc
		}
		at = i
	}
	if at < 0 {
		return doc
	}
	return doc[:at] + now + doc[at+len(old):]
}
