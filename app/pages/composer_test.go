package pages

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// voting is a matter with three icons, of which the last is no vote by itself.
func voting(params ...view.Param) *composer {
	f := &frame.Frame{}
	p := &matterPage{f: f, view: &view.Matter{Post: view.Post{ID: 5, Fingerprint: "f"},
		Icons: []view.VoteIcon{{Word: "FOR", Title: "For"}, {Word: "AGAINST", Title: "Against"}, {Word: "ARROW", Title: "Arrow", Reason: "not among your votes"}},
		Vote: &view.Action{Name: "Vote", Open: true, Params: append([]view.Param{{Name: "post", Kind: "row", Table: "posts", Choices: []view.Choice{{Value: int64(5)}}},
			{Name: "icon", Kind: "choice", Optional: true}, {Name: "text", Kind: "prose", Optional: true}, {Name: "seen", Kind: "text", Optional: true}}, params...)},
		Reply: &view.Action{Name: "Comment", Open: true, Params: []view.Param{{Name: "post", Kind: "row"}, {Name: "text", Kind: "prose"}}}}}
	p.composer = &composer{p: p}
	p.composer.renew()
	return p.composer
}

var line = []view.Param{{Name: "icons", Kind: "several", MaxLen: 3, Optional: true},
	{Name: "boosted", Kind: "text", Label: "Considered raised", Listed: true, Optional: true, Choices: []view.Choice{{Value: "Brain", Label: "Brain"}, {Value: "Size", Label: "Size"}}}}

// A vote is one icon or a line of them; what it sends is what its effect is told of.
func TestComposedVote(t *testing.T) {
	for _, c := range []struct {
		name  string
		icons []string
		typed string // in the choice beside
		with  []view.Param
		want  map[string]any
	}{
		{"one icon", []string{"FOR"}, "", nil, map[string]any{"post": int64(5), "icon": "FOR", "seen": "f"}},
		{"one of several", []string{"AGAINST"}, "", line, map[string]any{"post": int64(5), "icon": "AGAINST", "seen": "f"}},
		{"two alike", []string{"FOR", "FOR"}, "1", line, map[string]any{"post": int64(5), "icons": []any{"FOR", "FOR"}, "seen": "f", "boosted": "Size"}},
		{"one that is no vote by itself", []string{"ARROW"}, "", line, map[string]any{"post": int64(5), "icons": []any{"ARROW"}, "seen": "f"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			say := voting(c.with...)
			say.line = c.icons
			say.rest.Typed["boosted"] = c.typed
			a, args, ok := say.draft()
			if !ok || a.Name != "Vote" || !reflect.DeepEqual(args, c.want) {
				t.Errorf("sends %v %v, want %v", ok, args, c.want)
			}
		})
	}
	if _, _, ok := voting().draft(); ok {
		t.Error("an empty comment can be sent")
	}
}

// The line shows the icons in their order, each to be taken out, and below it what the vote would do.
func TestComposerShowsLineAndEffect(t *testing.T) {
	say := voting(line...)
	say.line = []string{"FOR", "AGAINST", "FOR"}
	say.effect = &view.VoteEffect{Says: []string{"Your vote counts as FOR (counts once)."}}
	text := app.HTMLString(say.render())
	for _, want := range []string{`aria-label="Against, 2 of 3: take it out"`, `aria-label="Add Arrow"`, "Your vote counts as FOR (counts once).", "Considered raised", "disabled"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s:\n%s", want, text)
		}
	}
	say.takeOut(nil, 3) // tapped once more before the page was drawn anew
	if len(say.line) != 3 {
		t.Errorf("an icon that is not there was taken out: %v", say.line)
	}
	say.effect = &view.VoteEffect{Refused: "the matter is closed"}
	if text := app.HTMLString(say.render()); !strings.Contains(text, "This would not be taken: the matter is closed.") {
		t.Errorf("does not say that it would be refused:\n%s", text)
	}
	say.p.view.Icons = say.p.view.Icons[:1]
	say.renew()
	if len(say.line) != 2 {
		t.Errorf("an icon that is gone stays in the line: %v", say.line)
	}
}

// A comment is kept while it is written, and nothing of it once it is sent.
func TestCommentDraft(t *testing.T) {
	kept, err := frame.Kept(commentDraft{Text: "Half a thought", Line: []string{"FOR", "gone"}})
	if err != nil {
		t.Fatal(err)
	}
	p := voting(line...).p
	p.composer = newComposer(p, kept)
	p.composer.renew()
	if text := app.HTMLString(p.composer.render()); !strings.Contains(text, "Half a thought") {
		t.Errorf("the draft does not come back:\n%s", text)
	}
	if _, args, ok := p.composer.draft(); !ok || args["text"] != "Half a thought" || args["icon"] != "FOR" {
		t.Errorf("sends %v %v", ok, args)
	}
	p.composer.clear()
	if text := app.HTMLString(p.composer.render()); strings.Contains(text, "Half a thought") || len(p.composer.line) != 0 {
		t.Errorf("what was sent stays:\n%s", text)
	}
}

// However much was said, the latest is shown and the way to answer stands before it.
func TestManyComments(t *testing.T) {
	p := voting().p
	for i := range 1000 {
		p.view.Comments = append(p.view.Comments, view.Comment{Author: "Ana", Text: "said " + kit.Itoa(i) + "."})
	}
	text := app.HTMLString(p.comments())
	for _, want := range []string{"970 earlier comments", "said 999.", "said 970.", "Vote or comment"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(text, "said 969.") {
		t.Error("shows more than the latest")
	}
	p.earlier = 1000
	if text := app.HTMLString(p.comments()); !strings.Contains(text, "said 0.") || strings.Contains(text, "earlier comment") {
		t.Error("does not show all when asked")
	}
}

// What a matter would change is tried only when somebody looks at it, and says how far that is.
func TestOutlookIsForThoseWhoLookAtIt(t *testing.T) {
	p := &matterPage{f: &frame.Frame{Shell: &view.Shell{}}, view: &view.Matter{Ahead: true, Amendments: []view.Amendment{{What: "Sets it"}}}}
	for tab, want := range map[string]bool{"text": false, "why": false, "changes": true, "effects": true} {
		if p.tab = tab; p.looksAhead() != want {
			t.Errorf("under %q it is tried: %v", tab, !want)
		}
	}
	p.tab = "effects"
	for _, c := range []struct {
		outlook *view.Outlook
		failure error
		says    string
	}{
		{nil, nil, "Working out what the game would be like"},
		{nil, errors.New("the game is closed"), "could not be worked out: the game is closed."},
		{&view.Outlook{Problems: []view.Problem{{Rule: "Snacks", Message: "oops is undefined"}}}, nil, "oops is undefined"},
		{&view.Outlook{Effects: &view.Preview{Outcomes: []view.Outcome{{Notes: []string{"New rule 2.7 Snacks"}}}}}, nil, "New rule 2.7 Snacks"},
	} {
		p.outlook, p.failure = c.outlook, c.failure
		if text := app.HTMLString(p.tabBody()); !strings.Contains(text, c.says) {
			t.Errorf("does not say %q: %s", c.says, text)
		}
	}
	p.view.Ahead = false
	if p.looksAhead() || strings.Contains(app.HTMLString(p.tabs()), "Preview") {
		t.Error("a matter that is settled is tried")
	}
}
