package simtest

import (
	"strings"
	"testing"
)

// A script prints as it reads, and says where it does not make sense.
func TestScriptsReadAsTheyPrint(t *testing.T) {
	text := "act a\ndeliver b relay 3\ncrash relay after 0\nwait 1h30m\nequivocate a c\ngarbage d noise\nsettle\n"
	script, err := ParseScript("# what happens\n\n" + strings.ReplaceAll(text, "\n", "   # so\n"))
	if err != nil || script.String() != text {
		t.Errorf("got %q, %v", script, err)
	}
	for _, bad := range []string{"dance a", "act", "act relay", "act a b", "deliver a b", "wait soon", "crash a during 1", "garbage a gold", "flow -1"} {
		if _, err := ParseScript("settle\n" + bad); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}
