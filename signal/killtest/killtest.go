// Package killtest tells tests how often, and when, to kill a program: a few times at fixed moments in `make test`, and as
// often as wanted at random moments in `make soak`.
package killtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// variable names the environment variable with how many kills are wanted.
const variable = "PEERNOMIC_TEST_KILLS"

// Wanted returns how many kills a test makes: few, unless the variable sets another number.
func Wanted(t testing.TB, few int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		t.Fatalf("%s is %q, not a number of kills", variable, text)
	}
	return n
}

// Random returns the random source for the moments of the kills. In `make test` its seed is fixed. In `make soak` it is
// new each time, and logged.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if os.Getenv(variable) != "" {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
