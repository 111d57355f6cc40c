package regexp

import (
	standard "regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Each expression matches what it does in the standard library.
func TestExpressionsMatchAsTheyDo(t *testing.T) {
	for _, expression := range []string{
		`^/`, `^\s*\-+\s*$`, `^\s*\:\-+\s*$`, `^\s*\-+\:\s*$`, `^\s*\:\-+\:\s*$`,
		`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*`,
	} {
		known, right := MustCompile(expression), standard.MustCompile(expression)
		rapid.Check(t, func(t *rapid.T) {
			runs := rapid.SliceOfN(rapid.SampledFrom([]string{"/", "-", "--", ":", " ", "\t", "\v", "\n", "a", "Z9", ".", "ä", "0123456789012345678901234567890"}), 0, 8)
			var text []byte
			for _, run := range runs.Draw(t, "text") {
				text = append(text, run...)
			}
			want := right.FindSubmatchIndex(text)
			if got := known.FindSubmatchIndex(text); !slices.Equal(got, want) || known.Match(text) != (want != nil) || known.MatchString(string(text)) != (want != nil) {
				t.Errorf("%s in %q: %v, want %v", expression, text, got, want)
			}
		})
	}
}

func TestUnknownExpressionIsNotGuessed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown expression was used")
		}
	}()
	MustCompile(`^a`).Match([]byte("a"))
}
