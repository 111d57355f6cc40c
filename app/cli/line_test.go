package cli

import (
	"errors"
	"reflect"
	"testing"
)

func TestLineIsTakenApart(t *testing.T) {
	for text, want := range map[string]line{
		"show":                              {[]string{"show"}, map[string]any{}},
		`act Aerobics`:                      {[]string{"act", "Aerobics"}, map[string]any{}},
		`act "Edit Post" post=3 body="a b"`: {[]string{"act", "Edit Post"}, map[string]any{"post": int64(3), "body": "a b"}},
		`act Feed food=beef n=-2 all=true`:  {[]string{"act", "Feed"}, map[string]any{"food": "beef", "n": int64(-2), "all": true}},
		`act X list=[1, "b=c"] y=null`:      {[]string{"act", "X"}, map[string]any{"list": []any{int64(1), "b=c"}, "y": nil}},
		`act X deep=[{"op": "set", "v": 2}]`: {[]string{"act", "X"},
			map[string]any{"deep": []any{map[string]any{"op": "set", "v": int64(2)}}}},
		`act X text=3rd`: {[]string{"act", "X"}, map[string]any{"text": "3rd"}},
		`act X text=`:    {[]string{"act", "X"}, map[string]any{"text": ""}},
	} {
		got, err := parseLine(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %#v (%v)\nwant %#v", text, got, err, want)
		}
	}
}

func TestLineThatIsNotUnderstood(t *testing.T) {
	for _, text := range []string{`act "Edit`, `act X body="open`} {
		if _, err := parseLine(text); !errors.Is(err, errQuote) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`act X a=1 a=2`, `act X list=[1`, `act X n=[1.5]`, `act X n=[99999999999999999999]`} {
		if l, err := parseLine(text); err == nil {
			t.Errorf("%s was understood as %#v", text, l)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{`act "Edit Post" post=3 body="a b"`, `x=[{"a":[1,2]}] y`, `"`, `=`, `é=1`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { parseLine(text) })
}
