// Package cli is the nomic command: one file for each of its commands.
//
// Commands write results to standard output and everything else to standard error. They end with 0 if
// all is well, 1 if what was examined is bad (a failing scenario, a wrong proof, a rule with a
// mistake), and 2 if it could not be examined at all.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes of the command.
const (
	exitGood       = 0
	exitBad        = 1
	exitUnreadable = 2
)

// verdict ends a command with a code; what there was to say has been said, unless err is set.
type verdict struct {
	code int
	err  error
}

func (v *verdict) Error() string {
	if v.err != nil {
		return v.err.Error()
	}
	return fmt.Sprintf("exit code %d", v.code)
}

func (v *verdict) Unwrap() error { return v.err }

// bad ends the command with 1, having printed its findings.
func bad() error { return &verdict{code: exitBad} }

// Main runs the command with the arguments that follow its name and returns the exit code.
// An interrupt or SIGTERM ends what it is doing in good order; a second one ends it at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitGood
	}
	var v *verdict
	if errors.As(err, &v) {
		if v.err != nil {
			fmt.Fprintln(stderr, "nomic:", v.err)
		}
		return v.code
	}
	fmt.Fprintln(stderr, "nomic:", err)
	return exitUnreadable
}

const about = `nomic serves and checks peernomic: a game in which changing the rules is a move,
played in the browser.

To play, or to host a game for others:
  nomic serve                     then open http://localhost:8080

To check what others say happened, trusting nobody:
  nomic verify roll.cbor          was this roll fair?
  nomic verify our.game           is this exported game whole, and where does it stand?

To write rules:
  nomic rules list                the rulesets that come with this program
  nomic rules check my-ruleset/   mistakes in one of your own
  nomic simulate duel.play        does a scenario hold?

To keep a copy of a game, or to play from another program:
  nomic peer INVITE               be a member, without a browser

Results go to standard output, all else to standard error. The exit code is 0 if
all is well, 1 if what was examined is bad, 2 if it could not be examined.`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "nomic",
		Short:         "Play, serve and check peernomic games",
		Long:          about,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args:          takesNothing,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(wrongFlag)
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.AddCommand(newServe(), newVerify(), newSimulate(), newRules(), newPeer(), newVersion())
	return root
}
