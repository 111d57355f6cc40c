package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"peernomic/engine/lint"
	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
)

func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List, show and check rulesets",
		Long: `A ruleset is a folder of Markdown files: ruleset.md, which names it, and a folder for
each section with one file a rule. A rule is its title, prose, and a script that the
engine runs.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "list",
			Short: "List the rulesets in this program",
			Args:  takesNothing,
			RunE:  listRules,
		},
		&cobra.Command{
			Use:   "show RULESET [RULE]",
			Short: "Show a ruleset's contents, or one of its rules",
			Long: `Shows the contents of a ruleset, given by its name or folder, or the text of one of
its rules, given by its title or file.`,
			Args: takes(1, 2, "the name or folder of a RULESET, and perhaps the title of a RULE", "nomic rules show dragons Aerobics"),
			RunE: showRules,
		},
		&cobra.Command{
			Use:   "check RULESET",
			Short: "Look for mistakes in a ruleset",
			Long: `Reads a ruleset, given by its name or folder, and says what its authors should look at,
each with file and line, and with the name that was likely meant where one means nothing:

  documents and scripts that do not load, all of them at once
  names that nothing has: rules, tables, columns, handlers, icons, {{words}}, parameters
  actions that nobody can ever take, because of a guard, a form or a function that cannot work
  columns and tables that are never shown, never read, never written or never filled
  functions, handlers, live texts and words that are never used
  prose that refers to rules that are not there
  scenarios in the folder play that do not hold, and actions that none of them carries out

In a scenario of the folder, "ruleset NAME" with the folder's own name means the rules that
are checked. A name that is loaded only so that its rule comes first is not reported if a
comment stands on the line.

Exit code 0: nothing was found. 1: something was. 2: the ruleset cannot be read.`,
			Example: `  nomic rules check dragons
  nomic rules check ./my-ruleset`,
			Args: takes(1, 1, "the name or folder of a RULESET", "nomic rules check my-ruleset/"),
			RunE: checkRules,
		})
	return cmd
}

// anyRuleset returns a ruleset by its name, or, failing that, by its folder.
func anyRuleset(name string) ([]document.Document, error) {
	if slices.Contains(rulesets.Names(), name) {
		return rulesets.Load(name)
	}
	docs, err := readRuleset(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no ruleset and no folder %q; the rulesets are %s", name, strings.Join(rulesets.Names(), ", "))
	}
	return docs, err
}

// readRuleset reads a ruleset from a folder. Scenarios may stand beside the rules, in the folder play.
func readRuleset(folder string) ([]document.Document, error) {
	var docs []document.Document
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "play" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		docs = append(docs, document.Document{Path: name, Text: string(text)})
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s holds no rules", folder)
	}
	slices.SortFunc(docs, func(a, b document.Document) int { return strings.Compare(a.Path, b.Path) })
	return docs, nil
}

func listRules(cmd *cobra.Command, _ []string) error {
	for _, name := range rulesets.Names() {
		docs, err := rulesets.Load(name)
		if err != nil {
			return err
		}
		about := ""
		for _, d := range docs {
			if d.Path == "ruleset.md" {
				about = firstSentence(d.Text)
			}
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%-10s %3d rules  %s\n", name, len(ruleDocuments(docs)), about)
	}
	return nil
}

// ruleDocuments leaves out the pages of the ruleset and of its sections.
func ruleDocuments(docs []document.Document) []document.Document {
	return slices.DeleteFunc(slices.Clone(docs), func(d document.Document) bool {
		return d.Path == "ruleset.md" || path.Base(d.Path) == "section.md"
	})
}

// firstSentence is the first sentence of a document's prose.
func firstSentence(text string) string {
	_, prose, _ := strings.Cut(text, "\n")
	paragraph, _, _ := strings.Cut(strings.TrimSpace(prose), "\n\n")
	sentence, _, found := strings.Cut(strings.Join(strings.Fields(paragraph), " "), ". ")
	if found {
		sentence += "."
	}
	return sentence
}

func titleOf(d document.Document) string {
	line, _, _ := strings.Cut(d.Text, "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}

func showRules(cmd *cobra.Command, args []string) error {
	docs, err := anyRuleset(args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		slices.SortStableFunc(docs, func(a, b document.Document) int { return strings.Compare(contentsKey(a), contentsKey(b)) })
		for _, d := range docs {
			fmt.Fprintf(cmd.OutOrStdout(), "%-44s %s\n", strings.Repeat("  ", depthOf(d))+titleOf(d), d.Path)
		}
		return nil
	}
	for _, d := range docs {
		if d.Path == args[1] || strings.EqualFold(titleOf(d), args[1]) {
			fmt.Fprint(cmd.OutOrStdout(), d.Text)
			return nil
		}
	}
	return fmt.Errorf("%s has no rule %q", args[0], args[1])
}

// contentsKey orders documents as a book does: the ruleset's page, then each section's before its rules.
func contentsKey(d document.Document) string {
	switch folder, file := path.Split(d.Path); {
	case d.Path == "ruleset.md":
		return ""
	case file == "section.md":
		return folder
	default:
		return folder + "\xff" + file
	}
}

// depthOf is how far a document stands below the ruleset's page: a section 0, a rule 1, a sub-rule 2.
func depthOf(d document.Document) int {
	folder, file := path.Split(d.Path)
	if folder == "" || file == "section.md" {
		return 0
	}
	return strings.Count(file, ".")
}

func checkRules(cmd *cobra.Command, args []string) error {
	docs, err := anyRuleset(args[0])
	if err != nil {
		return err
	}
	folder := ""
	if !slices.Contains(rulesets.Names(), args[0]) {
		folder = args[0]
	}
	scenarios, err := readScenarios(folder)
	if err != nil {
		return err
	}
	report := lint.Ruleset(docs, scenarios, func(name string) ([]document.Document, error) {
		if own, err := filepath.Abs(folder); err == nil && name == filepath.Base(own) {
			return docs, nil
		}
		docs, err := loadRuleset(name, filepath.Join(folder, "play"))
		if own, wrong := filepath.Abs(folder); err != nil && wrong == nil && folder != "" && !strings.ContainsAny(name, `./\`) {
			err = fmt.Errorf("there is no ruleset %q; there are %s, %s", name, filepath.Base(own), strings.Join(rulesets.Names(), ", "))
		}
		return docs, err
	})
	for _, f := range report.Findings {
		f.File = filepath.Join(folder, f.File)
		fmt.Fprintln(cmd.OutOrStdout(), f)
	}
	if len(report.Findings) > 0 {
		return bad()
	}
	fmt.Fprintf(cmd.OutOrStdout(), "GOOD: %s, %s, %s\n", counted(report.Rules, "rule"), counted(report.Actions, "action"), counted(report.Scenarios, "scenario"))
	return nil
}

// counted writes how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// readScenarios reads the scenarios in the folder play of a ruleset's folder; there need not be any.
// The rulesets of this program come without theirs.
func readScenarios(folder string) ([]lint.Scenario, error) {
	if folder == "" {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "play", "*.play"))
	if err != nil {
		return nil, err
	}
	var out []lint.Scenario
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out = append(out, lint.Scenario{Path: filepath.Join("play", filepath.Base(file)), Source: source})
	}
	return out, nil
}
