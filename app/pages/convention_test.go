package pages_test

import (
	"testing"

	"golang.org/x/net/html"
)

// What was decided says who signed it, all of them.
func TestOverSaysWhoSigned(t *testing.T) {
	var said []string
	each(draw(t, "/g/demo/convention"), func(n *html.Node) {
		if attr(n, "data-test") == "signed" {
			said = append(said, visible(n))
		}
	})
	if len(said) != 1 || said[0] != "Signed: Ana, Bo, Cy, Dee, Fay, Gus" {
		t.Errorf("it says %q", said)
	}
}
