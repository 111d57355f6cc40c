package engine_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"peernomic/engine/rules"
	"peernomic/engine/rules/amendment"
)

var rewriteDocs = flag.Bool("rewrite-docs", false, "write the generated documents anew")

// published compares a generated document with the one in docs, or writes it.
func published(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("..", "docs", name)
	if *rewriteDocs {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text {
		t.Errorf("%s is not what the code says; go test ./engine -rewrite-docs writes it anew", path)
	}
}

// changes describes amendments.
const changes = `## Amendments

An amendment is a dict: "op" is its operation, and the other keys are its parts. A rule is named by its title or by its row's id. A former title
will do if no rule has it now. What an amendment names is looked up when it is carried out.

If a rule has changed since the text that an "amend" was written on, both changes are kept: prose is merged by words, script by lines. It is refused
only where both changed the same words or the same line.

| amendment | what it does |
| --- | --- |
| {"op": "enact", "section": 2, "parent": "…", "after": "…", "text": "# Title…"} | adds a rule: to a section (its number or title), or below the rule parent; behind its sibling after, or last |
| {"op": "amend", "rule": "…", "base": "…", "text": "…"} | changes a rule as text changes an earlier text of the rule. base is the fingerprint of that |
| {"op": "replace", "rule": "…", "old": "…", "new": "…"} | replaces words of the rule's text. They must stand there once |
| {"op": "repeal", "rule": "…"} | takes a rule out, with those below it |
| {"op": "move", "rule": "…", "section": 2, "parent": "…", "after": "…"} | puts a rule elsewhere, with those below it |
| {"op": "set", "table": "…", "row": 3, "column": "…", "value": …} | sets a cell |
| {"op": "gain", "table": "…", "row": 3, "column": "…", "by": 2} | adds to a number |
| {"op": "lose", "table": "…", "row": 3, "column": "…", "by": 2} | takes from a number |
| {"op": "multiply", "table": "…", "row": 3, "column": "…", "by": "0.5"} | multiplies a number |
| {"op": "create", "table": "…", "values": {…}} | makes a row, with values by column |
| {"op": "remove", "table": "…", "row": 3} | takes a row out |
| {"op": "keyword", "key": "Player", "one": "…", "many": "…"} | changes this game's word for a thing |
| {"op": "measure", "name": "…", "args": {…}} | carries out what a rule declares with measure() |
| {"op": "seat", "from": "…", "to": "…"} | gives a seat to another key. Only a convention can |

In place of "row", set, gain, lose and multiply take "where": {column: value, …}. Then they change each row that rows() would find, as it is when
the amendment is carried out; {} is every row. Of the table players, {"standing": "player"} leaves out people who do not play. A value that is not legal in the
column is clamped or refused, as the column says.
`

// Every amendment stands in the reference with all its parts.
func TestReferenceHasEveryAmendment(t *testing.T) {
	for op, parts := range amendment.Parts() {
		at := strings.Index(changes, `{"op": "`+op+`"`)
		if at < 0 {
			t.Errorf("the reference has no amendment %q", op)
			continue
		}
		line, _, _ := strings.Cut(changes[at:], "\n")
		for _, part := range parts {
			if part != "where" && !strings.Contains(line, `"`+part+`": `) {
				t.Errorf("the reference does not give %s its %q", op, part)
			}
		}
	}
}

func TestReferenceIsPublished(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# What rules can say: the reference

Everything that the kernel gives to the scripts of rules, generated from the kernel's own
descriptions. The language is [Starlark](https://github.com/bazelbuild/starlark/blob/master/spec.md), a small
Python, without recursion and while. Numbers are exact: 0.2 * 5 is 1. What a script may use up is in [limits.md](limits.md).
`)
	for _, section := range []struct{ when, heading, text string }{
		{"types", "Types", "They say what a column or a parameter takes."},
		{"declarations", "Declarations", "They stand at the top of a rule's script and say what there is: columns, tables, actions, events. From them the app draws its forms and tables."},
		{"parts", "Cards and boards", "They make what card() and board() show, and change nothing."},
		{"running", "While a function runs", "On behalf of an action, a timer or an event. A function that only looks (a guard, a list of choices, an assessment, a page) can use those that change nothing. The top of a script only declares: it can use those alone that look at nothing but their arguments, minutes(), hours(), days(), calendar(), wait(), casefold() and alike()."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", section.heading, section.text)
		for _, e := range rules.Reference() {
			if e.When == section.when {
				signature, meaning, _ := strings.Cut(e.Doc, "): ")
				fmt.Fprintf(&b, "- **`%s)`**: %s\n", signature, meaning)
			}
		}
	}
	b.WriteString("\n" + changes)
	b.WriteString(`
## Also there

` + "`me`" + `, the first parameter of every action, a row of players; ` + "`game`" + `, whose attributes are the
game's variables, among them ` + "`game.witnesses`" + `, how many other players' devices a roll waits for, 0 to 8; ` + "`struct(**fields)`" + `; ` + "`load(\"Title of a rule\", \"name\", …)`" + `, which takes functions and values from another rule, by its title or a former one.

A row's attributes are its columns: reading ` + "`row.column`" + ` reads the cell as it is now, ` + "`row.column = value`" + ` writes it, checked
against the column's type and logged. Every row has ` + "`id`" + ` and ` + "`table`" + `.
`)
	published(t, "reference.md", b.String())
}

func TestLimitsArePublished(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Limits\n\nEvery number that bounds what comes from others, generated from the files limits.go.\n")
	for _, root := range []string{".", "../signal"} {
		sources(t, root, func(path string, fset *token.FileSet, f *ast.File) {
			if filepath.Base(path) != "limits.go" {
				return
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			place := filepath.ToSlash(filepath.Join("engine", filepath.Dir(path)))
			fmt.Fprintf(&b, "\n## %s\n\n| limit | value | meaning |\n| --- | --- | --- |\n", place)
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range g.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok {
						continue
					}
					text := v.Doc.Text() + v.Comment.Text()
					for i, name := range v.Names {
						if i < len(v.Values) && text != "" {
							value := src[fset.Position(v.Values[i].Pos()).Offset:fset.Position(v.Values[i].End()).Offset]
							fmt.Fprintf(&b, "| %s | `%s` | %s |\n", name.Name, strings.Join(strings.Fields(string(value)), " "), strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|"))
						}
					}
				}
			}
		})
	}
	published(t, "limits.md", b.String())
}
