package workshop

import (
	"maps"
	"net/url"
	"testing"

	"peernomic/app/frame"
	"peernomic/app/view"
)

func TestDraftIsAsItWasKept(t *testing.T) {
	was := draft{Action: "propose", Title: "Caf\u00e9", Next: 3, Changes: []*change{
		{N: 1, Kind: "amend", Rule: "201", Prose: "Two lines,\nboth kept.", Row: -1 << 62, AsWhole: true},
		{N: 2, Kind: "measure", Typed: map[string]string{"sum": "12", "why": ""}},
	}}
	text, err := frame.Kept(was)
	if err != nil {
		t.Fatal(err)
	}
	var is draft
	if !frame.Recall(text, &is) {
		t.Fatal("it cannot be read")
	}
	if is.Action != was.Action || is.Title != was.Title || is.Next != was.Next || len(is.Changes) != len(was.Changes) {
		t.Fatalf("%+v became %+v", was, is)
	}
	first, second := is.Changes[0], is.Changes[1]
	if first.Prose != was.Changes[0].Prose || first.Row != -1<<62 || !first.AsWhole || !maps.Equal(second.Typed, was.Changes[1].Typed) {
		t.Errorf("the changes became %+v and %+v", *first, *second)
	}
	if frame.Recall("", &is) || frame.Recall(`["propose"]`, &is) {
		t.Error("what is no draft was read")
	}
}

// A rule whose title holds one of the game's words is found by what people read, too.
func TestWorkshopFindsARuleByWhatIsRead(t *testing.T) {
	v := &view.Workshop{Rules: []view.RuleSource{{Title: "{{Players}}", Name: "Breeders"}}}
	for _, title := range []string{"{{Players}}", "Breeders"} {
		if s, ok := findRule(v, title); !ok || s.Title != "{{Players}}" || lacking(v, url.Values{"rule": {title}}) != nil {
			t.Errorf("%q finds %+v", title, s)
		}
	}
}
