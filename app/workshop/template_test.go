package workshop

import (
	"slices"
	"strings"
	"testing"

	"peernomic/app/view"
	"peernomic/engine/rules"
	"peernomic/engine/rulesets"
)

// ones is a die that always shows one.
type ones struct{}

func (ones) Roll(uint64) (uint64, error) { return 1, nil }

// dragons founds a game with two players and shows it to the workshop.
func dragons(t *testing.T) (*rules.World, *view.Workshop) {
	t.Helper()
	docs, err := rulesets.Load("dragons")
	if err != nil {
		t.Fatal(err)
	}
	w, err := rules.Found(rules.Founding{Documents: docs, Time: 1_795_269_600_000, Founder: "Ana", FounderKey: "a"})
	if err != nil {
		t.Fatal(err)
	}
	shop := &view.Workshop{Tables: []view.Table{{Name: "players", Columns: []view.Column{{Name: "cookies", Title: "Cookies", Kind: "integer"}, {Name: "admin", Kind: "flag"}}}}}
	for i, s := range w.Rules() {
		for _, r := range s.Rules {
			shop.Rules = append(shop.Rules, view.RuleSource{Number: r.Number, Title: r.Heading, Fingerprint: r.Fingerprint, Text: r.Text, Section: i + 1})
		}
	}
	return w, shop
}

func templateNamed(t *testing.T, name string) template {
	t.Helper()
	i := slices.IndexFunc(templates, func(x template) bool { return x.name == name })
	if i < 0 {
		t.Fatal("no template ", name)
	}
	return templates[i]
}

// What the templates write is accepted by the rules and does what its form says.
func TestTemplatesWriteRulesThatWork(t *testing.T) {
	for _, c := range []struct {
		template string
		args     map[string]any
		says     []string // in the prose
		act      string
		cell     string // of the player
		before   int64  // cookies
		want     int64
	}{
		{"column", map[string]any{"title": "Good Luck", "start": int64(3), "min": int64(0), "max": int64(9), "edit": true},
			[]string{"a whole number that begins at 3 and is never less than 0 and never more than 9"}, "", "good_luck", 0, 3},
		{"column", map[string]any{"title": "Luck", "start": int64(-3)}, []string{"begins at -3."}, "", "luck", 0, -3},
		{"action", map[string]any{"title": "Meditate", "column": "cookies", "how": "die", "n": int64(6)},
			[]string{"they roll DICE6, and their Cookies rises by the result"}, "Meditate", "cookies", 10, 11},
		{"action", map[string]any{"title": "Rest a \"while\"", "column": "cookies", "how": "fixed", "n": int64(4)}, nil, "Rest a \"while\"", "cookies", 10, 14},
		{"item", map[string]any{"title": "Lantern", "column": "cookies", "price": int64(7)}, []string{"for 7 Cookies"}, "Buy a Lantern", "cookies", 10, 3},
	} {
		w, shop := dragons(t)
		ch := templateNamed(t, c.template).make(shop, c.args)
		m, missing := ch.amendment(shop)
		if missing != "" {
			t.Fatalf("%s: %s", c.template, missing)
		}
		for _, want := range c.says {
			if !strings.Contains(ch.Prose, want) {
				t.Errorf("%s says\n%s\nwithout %q", c.template, ch.Prose, want)
			}
		}
		list := []any{m, map[string]any{"op": "set", "table": "players", "row": int64(1), "column": "cookies", "value": c.before}}
		if o := w.Force(list, w.Now()); o.Refused != nil {
			t.Errorf("%s: %v in\n%s", c.template, o.Refused, ch.document())
			continue
		}
		if c.act != "" {
			if o := w.Do(rules.Act{Player: 1, Name: c.act, Time: w.Now(), Dice: ones{}}); o.Refused != nil {
				t.Errorf("%s: %v", c.act, o.Refused)
			}
			o := w.Do(rules.Act{Player: 1, Name: c.act, Time: w.Now(), Dice: ones{}})
			if o.Refused == nil {
				t.Errorf("%s can be done twice", c.act)
			}
		}
		if got, _ := w.Cell("players", 1, c.cell); got != c.want {
			t.Errorf("%s: %s is %v, not %d", c.template, c.cell, got, c.want)
		}
	}
}

func TestANumberIsChangedInScriptAndProse(t *testing.T) {
	w, shop := dragons(t)
	number := templateNamed(t, "number")
	if n := len(number.params(shop, func(string) any { return nil })); n != 1 {
		t.Errorf("before a rule is chosen %d things are asked for", n)
	}
	list := number.params(shop, func(string) any { return "Cookies" })
	if len(list) != 3 {
		t.Fatalf("of Cookies %d things are asked for", len(list))
	}
	for _, c := range list[1].Choices {
		if !strings.HasPrefix(c.Label, "30 ") {
			continue
		}
		ch := number.make(shop, map[string]any{"rule": "Cookies", "number": c.Value, "value": int64(41)})
		m, missing := ch.amendment(shop)
		if missing != "" {
			t.Fatal(missing)
		}
		if r := w.Check([]any{m}); r != nil {
			t.Errorf("%s: %v", c.Label, r)
		}
		if !strings.Contains(ch.Script, "41") {
			t.Errorf("%s: the script is still\n%s", c.Label, ch.Script)
		}
		return
	}
	t.Errorf("no 30 among %v", list[1].Choices)
}

func TestNumeralsAreThoseOfTheScript(t *testing.T) {
	doc := "# T12\n\nIt is 7 and 30.\n\n```starlark\nx2 = 30 # 9\ny = \"5\\\"6\" + str(7)\nz = 0x1F + a3b\n```\n"
	var got []string
	for _, n := range numerals(doc) {
		got = append(got, n.text)
		if doc[n.at:n.at+len(n.text)] != n.text {
			t.Errorf("%s does not stand at %d", n.text, n.at)
		}
	}
	if !slices.Equal(got, []string{"30", "7"}) {
		t.Errorf("found %q", got)
	}
	if got := inProse(doc, "30", "40"); !strings.Contains(got, "7 and 40.") || !strings.Contains(got, "x2 = 30") {
		t.Errorf("once in the prose:\n%s", got)
	}
	twice := "30 and 30\n\n```starlark\n```\n"
	if got := inProse(twice, "30", "40"); got != twice {
		t.Errorf("twice in the prose:\n%s", got)
	}
}
