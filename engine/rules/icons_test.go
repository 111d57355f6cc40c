package rules

import (
	"fmt"
	"strings"
	"testing"
)

// A comment may carry several icons; the last is its icon.
func TestCommentCarriesSeveralIcons(t *testing.T) {
	w := found(t, `
icon("YES")
icon("NO")
category("Talk", icons=["YES", "NO"])
def say(me, icons):
    c = comment(find("posts") or post("Talk", "Hello"), "", icons=icons)
    note("%s of %s" % (c.icon, c.icons))
action("Say", run=say, params=[param("icons", several(["YES", "NO"], max=60))])
action("Both", run=lambda me: comment(post("Talk", "Hello"), "", icon="YES", icons=["NO"]))
`)
	say := func(icons ...any) Outcome {
		return w.Do(Act{Player: 1, Name: "Say", Args: map[string]any{"icons": icons}, Time: w.Now()})
	}
	for _, c := range []struct {
		icons []any
		want  string
	}{
		{nil, "[ of []]"},
		{[]any{"YES"}, `[YES of ["YES"]]`},
		{[]any{"NO", "NO", "YES"}, `[YES of ["NO", "NO", "YES"]]`},
	} {
		if got := fmt.Sprint(say(c.icons...).Notes); got != c.want {
			t.Errorf("%v: %s, want %s", c.icons, got, c.want)
		}
	}
	comments := w.Posts()[0].Comments
	if got := fmt.Sprint(comments[0].Icons, comments[1].Icons, comments[2].Icons); got != "[] [YES] [NO NO YES]" {
		t.Errorf("shown as %s", got)
	}
	if out := say("YES", "MAYBE"); out.Refused == nil || !strings.Contains(out.Refused.Reason, "not one of YES, NO") {
		t.Errorf("an unknown icon: %v", out.Refused)
	}
	many := make([]any, MaxIcons+1)
	for i := range many {
		many[i] = "NO"
	}
	if out := say(many[:MaxIcons]...); out.Refused != nil {
		t.Errorf("as many icons as may be: %v", out.Refused)
	}
	if out := say(many...); out.Refused == nil || out.Refused.Code != CodeLimit {
		t.Errorf("one icon too many: %v", out.Refused)
	}
	if out := w.Do(Act{Player: 1, Name: "Both", Time: w.Now()}); out.Refused == nil {
		t.Error("icon and icons at once were not refused")
	}
}
