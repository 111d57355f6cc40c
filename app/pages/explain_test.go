package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// Of many comments on a post the feed shows the latest, and all of them when they are asked for.
func TestFeedShowsTheLatestCommentsFirst(t *testing.T) {
	p := &feedPage{f: &frame.Frame{}}
	count := func(n int) (int, string) {
		q := view.Post{ID: 7}
		for i := range n {
			q.Comments = append(q.Comments, view.Comment{Author: "Bo", Text: fmt.Sprintf("said %d.", i)})
		}
		text := app.HTMLString(p.comments(q))
		return strings.Count(text, `data-test="comment"`), text
	}
	if n, text := count(300); n != feedComments || !strings.Contains(text, "Show all 300 comments") || !strings.Contains(text, "said 299.") {
		t.Errorf("of 300 comments %d are shown", n)
	}
	if n, text := count(4); n != 4 || strings.Contains(text, "Show all") {
		t.Errorf("of 4 comments %d are shown", n)
	}
	p.unfolded = map[int64]bool{7: true}
	if n, _ := count(300); n != 300 {
		t.Errorf("of all comments %d are shown", n)
	}
}

// The sign of the connection and the badge say what they mean.
func TestSignAndBadgeAreExplained(t *testing.T) {
	r := &root{f: &frame.Frame{Address: view.Address{Room: "demo"}, Shell: &view.Shell{Digest: strings.Repeat("ab", 32), Issue: 214, Net: view.Net{Relay: "connected", Writer: true, Direct: []string{"Bo"}}}}}
	if text := app.HTMLString(r.netMark()); !strings.Contains(text, `aria-expanded="false"`) || !strings.Contains(text, "<button") {
		t.Errorf("the sign is %s", text)
	}
	r.onNet(nil, app.Event{})
	text := app.HTMLString(r.netSays())
	for _, want := range []string{"Direct with Bo.", "without anybody between", "which cannot read it", `class="net-sign net-sign-now"`} {
		if !r.netOpen || !strings.Contains(text, want) {
			t.Errorf("the sign does not say %q: %s", want, text)
		}
	}
	if text := app.HTMLString(badge(r.f)); !strings.Contains(text, "at No. 214, you look at the same game") || !strings.Contains(text, "<summary") {
		t.Errorf("the badge is %s", text)
	}
}

// Settings tell the state of things in sentences; what is only for comparing comes folded and with its meaning.
func TestSettingsSpeakInSentences(t *testing.T) {
	p := &settingsPage{f: &frame.Frame{Shell: &view.Shell{}}, view: &view.Settings{RelayURL: "wss://x.example", Placed: 12, Tentative: 1, Seals: 9, Digest: "ab", Notary: "cd",
		Net: view.Net{Relay: "connected", FromRelay: 1, FromDirect: 3}, Options: []view.Fact{{Name: "Game", Value: "ef", Code: true}, {Name: "Dice", Value: "beacon"}}}}
	text := app.HTMLString(p.traffic()) + app.HTMLString(p.game())
	for _, want := range []string{"The relay is at wss://x.example: connected.", "1 message came through it and 3 messages directly", "Nothing waits to be sent.",
		"12 actions have their place in the game’s order, by 9 seals", "1 action of yours waits", "neither can choose", "Stands for the whole state"} {
		if !strings.Contains(strings.ReplaceAll(text, "&#39;", "’"), want) {
			t.Errorf("does not say %q: %s", want, text)
		}
	}
	if shown, folded, _ := strings.Cut(text, "<details"); strings.Contains(shown, ">cd<") || !strings.Contains(folded, "ef") {
		t.Errorf("raw keys stand open: %s", shown)
	}
}

// A backup is restored by its file and passphrase, in that order, or by words; what is missing is said where it is missing.
func TestRestoringSaysWhatIsMissing(t *testing.T) {
	p := &importPage{f: &frame.Frame{}}
	text := app.HTMLString(p.Render())
	last := -1
	for _, id := range []string{"import-file", "restore-file", "restore-pass", "restore-from-file", "restore-words"} {
		at := strings.Index(text, id)
		if at <= last {
			t.Errorf("%s is out of order", id)
		}
		last = at
	}
	if !p.lacks("file", "restore-file", "Choose the backup file.", true) || !strings.Contains(app.HTMLString(p.Render()), "Choose the backup file.") {
		t.Error("a missing file is not told")
	}
	key := app.HTMLString((&settingsPage{f: &frame.Frame{}, view: &view.Settings{}}).keyPart())
	if !strings.Contains(key, "At least 8 characters.") {
		t.Errorf("the passphrase's length is not told before: %s", key)
	}
}
