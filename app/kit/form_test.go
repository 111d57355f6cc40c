package kit

import (
	"reflect"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

func bound(n int64) *int64 { return &n }

func TestReadParam(t *testing.T) {
	pick := view.Param{Kind: "row", Choices: []view.Choice{{Value: int64(7), Label: "Ember"}, {Value: nil, Label: "nobody"}}}
	for _, c := range []struct {
		name  string
		param view.Param
		text  string
		want  any
		wrong bool
	}{
		{"number", view.Param{Kind: "integer"}, " 12 ", int64(12), false},
		{"negative number", view.Param{Kind: "integer"}, "-3", int64(-3), false},
		{"at the lower bound", view.Param{Kind: "integer", Min: bound(1)}, "1", int64(1), false},
		{"below it", view.Param{Kind: "integer", Min: bound(1)}, "0", nil, true},
		{"at the upper bound", view.Param{Kind: "integer", Max: bound(5)}, "5", int64(5), false},
		{"above it", view.Param{Kind: "integer", Max: bound(5)}, "6", nil, true},
		{"fraction", view.Param{Kind: "integer"}, "1.5", nil, true},
		{"too large for the machine", view.Param{Kind: "integer"}, "9223372036854775808", nil, true},
		{"missing number", view.Param{Kind: "integer"}, "", nil, true},
		{"number left out", view.Param{Kind: "integer", Optional: true}, "", nil, false},
		{"yes", view.Param{Kind: "flag"}, "yes", true, false},
		{"no", view.Param{Kind: "flag"}, "", false, false},
		{"text", view.Param{Kind: "text", MaxLen: 3}, "äöü", "äöü", false},
		{"text too long", view.Param{Kind: "text", MaxLen: 3}, "äöüx", nil, true},
		{"blank text", view.Param{Kind: "text"}, "  ", nil, true},
		{"choice", pick, "0", int64(7), false},
		{"choice of nothing", pick, "1", nil, false},
		{"no choice made", pick, "", nil, true},
		{"choice that is gone", pick, "2", nil, true},
		{"nonsense choice", pick, "-1", nil, true},
		{"too many", view.Param{Kind: "several", MaxLen: 1, Choices: pick.Choices}, "0,0", nil, true},
		{"none of several", view.Param{Kind: "several", Optional: true, Choices: pick.Choices}, "", nil, false},
		{"bad moment", view.Param{Kind: "moment"}, "tomorrow", nil, true},
	} {
		got, wrong := ReadParam(c.param, c.text)
		if got != c.want || (wrong != "") != c.wrong {
			t.Errorf("%s: %q gives %v, %q", c.name, c.text, got, wrong)
		}
	}
}

// A number with too many digits is a whole number, and not told to be none.
func TestNumbersBeyondAllBoundsSayHowFarTheyMayGo(t *testing.T) {
	for _, c := range []struct {
		param view.Param
		text  string
		says  string
	}{
		{view.Param{Kind: "integer"}, "99999999999999999999", "at most 9223372036854775807."},
		{view.Param{Kind: "integer"}, "-99999999999999999999", "at least -9223372036854775808."},
		{view.Param{Kind: "integer", Max: bound(100)}, "99999999999999999999", "At most 100."},
		{view.Param{Kind: "integer", Min: bound(0)}, "-99999999999999999999", "At least 0."},
		{view.Param{Kind: "integer"}, "12x", "A whole number is needed, such as 12."},
	} {
		if _, wrong := ReadParam(c.param, c.text); !strings.HasSuffix(wrong, c.says) {
			t.Errorf("%s: %q, want %q", c.text, wrong, c.says)
		}
	}
}

// A choice is a place in a list; when the list changes it must stay the same choice.
func TestFormKeepsChoicesByValue(t *testing.T) {
	list := func(ids ...int64) []view.Choice {
		var l []view.Choice
		for _, id := range ids {
			l = append(l, view.Choice{Value: id, Label: Itoa(id)})
		}
		return l
	}
	action := func(ids ...int64) view.Action {
		return view.Action{Name: "Feed", Params: []view.Param{
			{Name: "dragon", Kind: "row", Choices: list(ids...)},
			{Name: "cookies", Kind: "integer", Default: int64(1)}}}
	}
	f := NewForm(idle{}, "feed", action(1, 2, 3))
	f.Typed["dragon"], f.Typed["cookies"] = "1", "9"
	turn := f.Turn
	f.Renew(action(1, 2, 3))
	if f.Turn != turn {
		t.Error("inputs are made afresh although nothing changed")
	}
	f.Renew(action(2, 3, 4))
	args, ok := f.Args()
	if want := map[string]any{"dragon": int64(2), "cookies": int64(9)}; !ok || !reflect.DeepEqual(args, want) {
		t.Errorf("after the list moved: %v, wrong %v", args, f.wrong)
	}
	if f.Turn == turn {
		t.Error("inputs still show the old places")
	}
	f.Renew(action(3, 4))
	if args, ok := f.Args(); ok {
		t.Errorf("the chosen one is gone, but the form gives %v", args)
	}
}

func TestFormLeavesOutWhatIsFixedAndOptional(t *testing.T) {
	f := NewForm(idle{}, "x", view.Action{Params: []view.Param{
		{Name: "post", Kind: "row", Table: "posts"}, {Name: "note", Kind: "text", Optional: true}, {Name: "changes", Kind: "amendments"}}})
	f.Fixed = map[string]any{"post": int64(12)}
	for i, want := range []bool{false, true, false} {
		if p := f.Action.Params[i]; f.Asks(p) != want {
			t.Errorf("it asks for %s: %v", p.Name, !want)
		}
	}
	args, ok := f.Args()
	if want := map[string]any{"post": int64(12)}; !ok || !reflect.DeepEqual(args, want) {
		t.Errorf("%v, wrong %v", args, f.wrong)
	}
}

func TestSeveralAreTakenInTheirOrder(t *testing.T) {
	p := view.Param{Kind: "several", MaxLen: 3, Choices: []view.Choice{{Value: "Claw"}, {Value: "Fang"}}}
	got, wrong := ReadParam(p, "1,0,1,7")
	if want := []any{"Fang", "Claw", "Fang"}; wrong != "" || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %q", got, wrong)
	}
}

// idle is a page that does nothing of what a form asks for.
type idle struct{}

func (idle) Busy(string) bool { return false }
func (idle) Act(string, string, string, map[string]any, func(app.Context, *view.Result)) {
}
func (idle) Preview(string, string, map[string]any, func(*view.Preview)) {}
func (idle) Focus(string)                                                {}
