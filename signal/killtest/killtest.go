// Package killtest says how often, and when, the tests that kill programs do so: a few times in `make test`, the same each time, and as
// often as wanted in `make soak`, never the same.
package killtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// variable names the environment variable with how many kills are wanted.
const variable = "PEERNOMIC_TEST_KILLS"

// Wanted returns how many kills a test is to make; few unless somebody says otherwise.
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

// Random returns what draws the moments of the kills: from one seed in `make test`, from another each time, which it logs, in
// `make soak`.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if os.Getenv(variable) != "" {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
