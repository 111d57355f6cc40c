package ui

import (
	"maps"
	"testing"
)

func TestDraftIsAsItWasKept(t *testing.T) {
	was := draft{Action: "propose", Title: "Caf\u00e9", Next: 3, Changes: []*change{
		{N: 1, Kind: "amend", Rule: "201", Prose: "Two lines,\nboth kept.", Row: -1 << 62, AsWhole: true},
		{N: 2, Kind: "measure", Typed: map[string]string{"sum": "12", "why": ""}},
	}}
	text, err := Kept(was)
	if err != nil {
		t.Fatal(err)
	}
	var is draft
	if !Recall(text, &is) {
		t.Fatal("it cannot be read")
	}
	if is.Action != was.Action || is.Title != was.Title || is.Next != was.Next || len(is.Changes) != len(was.Changes) {
		t.Fatalf("%+v became %+v", was, is)
	}
	first, second := is.Changes[0], is.Changes[1]
	if first.Prose != was.Changes[0].Prose || first.Row != -1<<62 || !first.AsWhole || !maps.Equal(second.Typed, was.Changes[1].Typed) {
		t.Errorf("the changes became %+v and %+v", *first, *second)
	}
	if Recall("", &is) || Recall(`["propose"]`, &is) {
		t.Error("what is no draft was read")
	}
}
