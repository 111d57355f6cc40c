package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
	"peernomic/engine/scenario"
)

func newSimulate() *cobra.Command {
	return &cobra.Command{
		Use:   "simulate FILE...",
		Short: "Run scenarios against the rules",
		Long: `Runs scenario files: games told step by step, with forced dice, that state what must
follow. A file stops at its first line that does not hold, which is printed with what
was expected and what was found.

A scenario names a ruleset of this program ("ruleset dragons") or a folder beside it
(ruleset "./my-rules").

Exit code 0: all hold. 1: at least one does not. 2: at least one could not be read.`,
		Args: takes(1, 0, "at least one FILE with a scenario", "nomic simulate duel.play"),
		RunE: simulate,
	}
}

func simulate(cmd *cobra.Command, files []string) error {
	code := exitGood
	for _, name := range files {
		source, err := readFile(name)
		if err != nil {
			return err
		}
		report, err := scenario.Run(name, source, func(ruleset string) ([]document.Document, error) {
			return loadRuleset(ruleset, filepath.Dir(name))
		})
		var failure *scenario.Failure
		switch {
		case err == nil:
			fmt.Fprintf(cmd.OutOrStdout(), "ok   %s (%d steps, %d of them checks)\n", name, report.Steps, report.Checks)
		case errors.As(err, &failure):
			fmt.Fprintf(cmd.OutOrStdout(), "FAIL %s\n", failure)
			code = max(code, exitBad)
		default:
			fmt.Fprintf(cmd.ErrOrStderr(), "nomic: %s\n", err)
			code = exitUnreadable
		}
	}
	if code != exitGood {
		return &verdict{code: code}
	}
	return nil
}

// loadRuleset returns a ruleset of this program, or, if the name is a path, of a folder.
func loadRuleset(name, from string) ([]document.Document, error) {
	if !strings.ContainsAny(name, `/\`) && name != "." {
		return rulesets.Load(name)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(from, name)
	}
	return readRuleset(name)
}
