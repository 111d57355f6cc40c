package frame

import (
	"context"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// Busy reports whether what a control began is still being done.
func (f *Frame) Busy(key string) bool { return f.busy[key] }

// begin marks a control as busy, unless it is already.
func (f *Frame) begin(key string) bool {
	if f.busy[key] {
		return false
	}
	if f.busy == nil {
		f.busy = map[string]bool{}
	}
	f.busy[key] = true
	return true
}

// Act takes an action of the open game and tells what became of it. The key marks
// the control as busy meanwhile; done runs on the UI goroutine if it was not refused.
func (f *Frame) Act(key, title, name string, args map[string]any, done func(app.Context, *view.Result)) {
	g, life := f.Game, f.Life
	if g == nil || !f.begin(key) {
		return
	}
	ctx := f.Ctx
	ctx.Async(func() {
		res, err := g.Act(life, name, args)
		ctx.Dispatch(func(ctx app.Context) {
			delete(f.busy, key)
			switch {
			case err != nil:
				f.notify(message{kind: "bad", about: title, text: title + " could not be done: " + err.Error() + ". Nothing was changed."})
			case res.Refused != "":
				if f.unreported(res) {
					f.notify(f.refusal(title, res))
				}
			default:
				if f.dismissAbout(title); f.unreported(res) {
					f.notify(f.outcome(title, res))
				}
				if done != nil {
					done(ctx, res)
				}
			}
			f.Reload()
		})
	})
}

// pendingAction is an action of this person that had no place when the shell was last looked at.
type pendingAction struct {
	title string
	since time.Time
}

// longWait is how long an action may wait for its place before that it has one is worth a message.
const longWait = 4 * time.Second

// reportPlaced notices which pending actions have their place now. It reports those that were refused there,
// and those that waited long.
func (f *Frame) reportPlaced(s *view.Shell) {
	now := make(map[string]pendingAction, len(s.Pending))
	for _, p := range s.Pending {
		w, known := f.pending[p.Ref]
		if !known {
			w = pendingAction{p.Title, time.Now()}
		}
		now[p.Ref] = w
	}
	before := f.pending
	f.pending = now
	g, life, ctx := f.Game, f.Life, f.Ctx
	for ref, w := range before {
		if _, still := now[ref]; still {
			continue
		}
		ctx.Async(func() {
			res, err := g.Fate(life, ref)
			if err != nil || res == nil {
				return
			}
			ctx.Dispatch(func(app.Context) {
				if s, worth := f.placedMessage(w, res); worth {
					f.notify(s)
				}
			})
		})
	}
}

// placedMessage says what became of a pending action that has its place now, if that is worth a message.
func (f *Frame) placedMessage(w pendingAction, res *view.Result) (message, bool) {
	switch {
	case res.Refused == "" && time.Since(w.since) <= longWait:
		return message{}, false // it stays unreported: the control that took it reports it
	case !f.unreported(res):
		return message{}, false
	case res.Refused != "":
		s := f.refusal(w.title, res)
		s.more = append(s.more, "It was tentative until it had its place in the game's order; there it could not be done any more.")
		return s, true
	}
	s := f.outcome(w.title, res)
	s.text = w.title + " has its place in the game now."
	return s, true
}

// unreported reports whether the person has yet to be told how an action ended, and marks that as told.
// Two hear of the end: the control that took the action, and the check of pending actions.
func (f *Frame) unreported(res *view.Result) bool {
	if res.Waits != "" || res.EntryRef == "" {
		return true
	}
	if f.reported[res.EntryRef] {
		return false
	}
	if f.reported == nil {
		f.reported = map[string]bool{}
	}
	f.reported[res.EntryRef] = true
	return true
}

// refusal puts a refused action in words. It has its place, or still waits for it and may yet succeed, or
// was not even sent.
func (f *Frame) refusal(title string, res *view.Result) message {
	s := message{kind: "bad", about: title, text: title + " was refused: " + res.Refused}
	switch {
	case res.Waits != "":
		s.kind, s.text = "wait", title+" would be refused as things are: "+res.Refused
		s.more = append(s.more, "It is "+res.Waits+"; only then is it settled.")
	case res.EntryRef == "":
		s.more = append(s.more, "It was not sent, so it stands in no log.")
	}
	if res.Rule != "" {
		s.more = append(s.more, "By the rule “"+res.Rule+"”.")
	}
	if res.Until != 0 {
		s.more = append(s.more, "Possible "+kit.Relative(res.Until, f.Now())+" ("+kit.Clock(res.Until, f.Now())+").")
	}
	return s
}

// outcome puts what an action did in words.
func (f *Frame) outcome(title string, res *view.Result) message {
	s := message{kind: "good", text: title + ": done.", rolls: res.Rolls}
	if res.Waits != "" {
		s.kind, s.text = "wait", title+": done here, "+res.Waits
	}
	s.undo = res.Undo
	s.more = append(s.more, res.Notes...)
	for i, c := range res.Changes {
		if i == 6 {
			s.more = append(s.more, fmt.Sprintf("and %d more changes", len(res.Changes)-i))
			break
		}
		s.more = append(s.more, changeText(c))
	}
	return s
}

// changeText says a change in one line.
func changeText(c view.Change) string {
	what := c.Column
	if c.Row != "" {
		what = c.Row + ": " + c.Column
	}
	switch {
	case c.Old == "" && c.New == "":
		return what
	case c.Old == "":
		return what + " is " + c.New
	case c.New == "":
		return what + " was " + c.Old + ", now empty"
	}
	return what + " " + c.Old + " → " + c.New
}

// Preview tries an action of the open game, and hands over what it would do.
func (f *Frame) Preview(key, name string, args map[string]any, done func(*view.Preview)) {
	g := f.Game
	if g == nil {
		return
	}
	f.Async(key, "The preview", func(ctx context.Context) (func(app.Context), error) {
		p, err := g.Preview(ctx, name, args)
		return func(app.Context) { done(p) }, err
	})
}

// Convene calls a convention; then runs once it is called.
func (f *Frame) Convene(c view.Call, then func(app.Context)) {
	g := f.Game
	f.Async("convene", "The convention", func(life context.Context) (func(app.Context), error) {
		err := g.Convene(life, c)
		return func(ctx app.Context) {
			f.Say("good", "It is called. The others see it at once.")
			if then != nil {
				then(ctx)
			}
		}, err
	})
}

// Async runs work off the UI goroutine. An error is shown to the person; what the work returns then runs on
// the UI goroutine.
func (f *Frame) Async(key, what string, work func(context.Context) (func(app.Context), error)) {
	life := f.Life
	if !f.begin(key) {
		return
	}
	ctx := f.Ctx
	ctx.Async(func() {
		done, err := work(life)
		ctx.Dispatch(func(ctx app.Context) {
			delete(f.busy, key)
			if err != nil {
				f.notify(message{kind: "bad", about: what, text: what + " did not work: " + err.Error() + "."})
				return
			}
			f.dismissAbout(what)
			if done != nil {
				done(ctx)
			}
		})
	})
}
