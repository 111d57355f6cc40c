package cli

import "runtime/debug"

// release is the version of this program; it changes with CHANGELOG.md.
const release = "0.1.0-dev"

// version names the release and the toolchain.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return release + " (" + info.GoVersion + ")"
	}
	return release
}
