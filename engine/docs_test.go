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
	b.WriteString(`
Also there: ` + "`me`" + `, the first parameter of every action, a row of players; ` + "`game`" + `, whose attributes are the
game's variables, among them ` + "`game.witnesses`" + `, how many other players' devices a roll waits for, 0 to 8; ` + "`struct(**fields)`" + `; ` + "`load(\"Title of a rule\", \"name\", …)`" + `, which takes functions and values from another rule.

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
