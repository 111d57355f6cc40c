package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionNamesTheCommit(t *testing.T) {
	platform := []debug.BuildSetting{{Key: "GOOS", Value: "plan9"}, {Key: "GOARCH", Value: "arm"}}
	commit := append(platform, debug.BuildSetting{Key: "vcs.revision", Value: strings.Repeat("ab12", 10)}, debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T18:00:00Z"})
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{platform, release + ", go1.26.8 plan9/arm"},
		{commit, release + ", commit ab12ab12ab12 of 2026-11-22T18:00:00Z, go1.26.8 plan9/arm"},
		{append(commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), release + ", commit ab12ab12ab12 of 2026-11-22T18:00:00Z, changed since, go1.26.8 plan9/arm"},
	} {
		if got := describe(&debug.BuildInfo{GoVersion: "go1.26.8", Settings: c.settings}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
