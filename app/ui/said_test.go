package ui

import (
	"slices"
	"testing"
	"time"
)

// Nothing that was said lies over what the person turns to next; what went wrong stays
// until it is dismissed or a form is opened.
func TestSayingsGoWhenThePersonMovesOn(t *testing.T) {
	long := time.Now().Add(-time.Minute)
	begin := func() *root {
		return &root{said: []saying{{n: 1, kind: "good", at: long}, {n: 2, kind: "bad", at: long}, {n: 3, kind: "good", at: time.Now()}}}
	}
	left := func(r *root) (list []int) {
		for _, s := range r.said {
			list = append(list, s.n)
		}
		return list
	}
	for _, c := range []struct {
		name string
		do   func(*root)
		want []int
	}{
		{"another page", (*root).moveOn, []int{2, 3}},
		{"a form opens", (*root).hush, nil},
		{"one is dismissed", func(r *root) { r.unsay(2) }, []int{1, 3}},
	} {
		r := begin()
		c.do(r)
		if got := left(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: left are %v, not %v", c.name, got, c.want)
		}
	}
}
