package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this program; it changes with CHANGELOG.md.
const release = "0.1.0-dev"

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which program this is: its release, commit and toolchain",
		Args:  takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "nomic", version())
			return err
		},
	}
}

// version describes the running program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	return describe(info)
}

// describe names the release, the commit with its date if Go stamped them, and the toolchain.
func describe(info *debug.BuildInfo) string {
	stamp := map[string]string{}
	for _, s := range info.Settings {
		stamp[s.Key] = s.Value
	}
	text := release
	if commit := stamp["vcs.revision"]; commit != "" {
		text += ", commit " + commit[:min(12, len(commit))] + " of " + stamp["vcs.time"]
		if stamp["vcs.modified"] == "true" {
			text += ", changed since"
		}
	}
	return text + ", " + info.GoVersion + " " + stamp["GOOS"] + "/" + stamp["GOARCH"]
}
