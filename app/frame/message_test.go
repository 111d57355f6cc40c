package frame

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"peernomic/app/view"
)

// Nothing that was said lies over what the person turns to next; what has just gone wrong stays
// until it is dismissed, has worked, or a form is opened.
func TestSayingsGoWhenThePersonMovesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := time.Now().Add(-time.Minute)
		begin := func() *Frame {
			return &Frame{messages: []message{
				{n: 1, kind: "good", at: long}, {n: 2, kind: "bad", about: "Vote", at: time.Now().Add(-5 * time.Second)}, {n: 3, kind: "good", at: time.Now(), undo: 77},
				{n: 4, kind: "bad", about: "Feed", at: long},
			}}
		}
		left := func(r *Frame) (list []int) {
			for _, s := range r.messages {
				list = append(list, s.n)
			}
			return list
		}
		for _, c := range []struct {
			name string
			do   func(*Frame)
			want []int
		}{
			{"another page", (*Frame).DismissRead, []int{2, 3}},
			{"a form opens", (*Frame).ClearMessages, nil},
			{"one is dismissed", func(r *Frame) { r.dismiss(2) }, []int{1, 3, 4}},
			{"one is undone", func(r *Frame) { r.dismissUndo(77) }, []int{1, 2, 4}},
			{"one has worked", func(r *Frame) { r.dismissAbout("Vote") }, []int{1, 3, 4}},
		} {
			r := begin()
			c.do(r)
			if got := left(r); !slices.Equal(got, c.want) {
				t.Errorf("%s: left are %v, not %v", c.name, got, c.want)
			}
		}
	})
}

// What became of an action is told once, by whoever hears of it first.
func TestTheEndOfAnActionIsToldOnce(t *testing.T) {
	f := &Frame{}
	end := &view.Result{EntryRef: "a1", Refused: "no"}
	if !f.unreported(&view.Result{EntryRef: "a1", Waits: "tentative"}) || !f.unreported(end) || f.unreported(end) {
		t.Error("it is told never, twice, or not after it waited")
	}
	if !f.unreported(&view.Result{EntryRef: "b2"}) || !f.unreported(&view.Result{Refused: "not sent"}) || !f.unreported(&view.Result{Refused: "not sent"}) {
		t.Error("another is not told")
	}
}

// Who waits for an action's place and has nothing to tell leaves it to whoever took the action.
func TestAnArrivalThatIsNotWorthTellingIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &Frame{}
		soon, late := pendingAction{"Feed", time.Now()}, pendingAction{"Feed", time.Now().Add(-2 * longWait)}
		done := &view.Result{EntryRef: "a1"}
		if _, worth := f.placedMessage(soon, done); worth || !f.unreported(done) {
			t.Error("what came at once is told as if it had waited, or by nobody")
		}
		if _, worth := f.placedMessage(late, done); worth {
			t.Error("it is told twice")
		}
		if s, worth := f.placedMessage(late, &view.Result{EntryRef: "b2"}); !worth || s.kind != "good" || s.text != "Feed has its place in the game now." {
			t.Errorf("of what waited long is said: %q", s.text)
		}
		if s, worth := f.placedMessage(soon, &view.Result{EntryRef: "c3", Refused: "too late"}); !worth || s.kind != "bad" || len(s.more) != 1 {
			t.Errorf("of what was refused in its place is said: %+v", s)
		}
	})
}

// What an action will come to is not told as if it were settled, and what was never sent is not told as if it stood in the log.
func TestARefusalSaysWhetherItIsSettled(t *testing.T) {
	f := &Frame{}
	for _, c := range []struct {
		res              view.Result
		kind, text, more string
	}{
		{view.Result{EntryRef: "a1", Refused: "too late"}, "bad", "Feed was refused: too late", ""},
		{view.Result{EntryRef: "a1", Refused: "too late", Waits: "tentative until it has its place"}, "wait", "Feed would be refused as things are: too late", "It is tentative until it has its place; only then is it settled."},
		{view.Result{Refused: "too late"}, "bad", "Feed was refused: too late", "It was not sent, so it stands in no log."},
	} {
		s := f.refusal("Feed", &c.res)
		if s.kind != c.kind || s.text != c.text || strings.Join(s.more, " ") != c.more {
			t.Errorf("%+v: %q, %q and %q are said", c.res, s.kind, s.text, s.more)
		}
	}
}
