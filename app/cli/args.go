package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"peernomic/signal/store/badgerdb"
)

// takes judges how many arguments a command was given: from least to most, or without limit if most is
// 0. What is missing is said with the example.
func takes(least, most int, what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s wants %s, as in: %s", cmd.CommandPath(), what, example)
		case most > 0 && len(args) > most:
			return fmt.Errorf("%s wants %s, and was given %d arguments (%s); a name with spaces in it goes into quotes", cmd.CommandPath(), what, len(args), strings.Join(args, ", "))
		}
		return nil
	}
}

// takesNothing refuses arguments. Of a command that has commands of its own, it says which was likely
// meant.
func takesNothing(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasSubCommands():
		return fmt.Errorf("%s takes no arguments, only options, and was given %q; %s --help lists them", cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	meant := ""
	if names := cmd.SuggestionsFor(args[0]); len(names) > 0 {
		meant = fmt.Sprintf(" (did you mean %s?)", strings.Join(names, " or "))
	}
	return fmt.Errorf("there is no command %q%s; %s --help lists the commands", strings.Join(append(strings.Fields(cmd.CommandPath())[1:], args[0]), " "), meant, cmd.CommandPath())
}

// wrongFlag says where the options are listed.
func wrongFlag(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; %s --help lists the options", err, cmd.CommandPath())
}

// readFile reads a file that somebody named, and says in a sentence why it cannot.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", name)
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name a file in it", name)
	}
	file, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the file %s may not be read by whoever runs this", name)
	}
	return file, err
}

// folderError says what to do about a data folder that cannot be used.
func folderError(err error, folder, example string) error {
	if errors.Is(err, badgerdb.ErrTaken) {
		return fmt.Errorf("the folder %s is in use by another nomic that is running (%w); stop that one, or give this one a folder of its own, as in: %s", folder, err, example)
	}
	if info, statErr := os.Stat(folder); statErr == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file; --data wants a folder, as in: %s", folder, example)
	}
	return err
}
