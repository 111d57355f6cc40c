// Package kills says how often the tests that kill programs do so: a few times in `make test`, as
// often as wanted in `make soak`.
package kills

import (
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
