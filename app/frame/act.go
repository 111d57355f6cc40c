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
				f.say(saying{kind: "bad", about: title, text: title + " could not be done: " + err.Error() + ". Nothing was changed."})
			case res.Refused != "":
				if f.tells(res) {
					f.say(f.refusal(title, res))
				}
			default:
				if f.unsayAbout(title); f.tells(res) {
					f.say(f.outcome(title, res))
				}
				if done != nil {
					done(ctx, res)
				}
			}
			f.Reload()
		})
	})
}

// waiting is an action of mine that had no place when it was last looked at.
type waiting struct {
	title string
	since time.Time
}

// patience is how long an action may be tentative before its getting a place is worth
// telling.
const patience = 4 * time.Second

// followUp notices which of my tentative actions have got their place, and tells what
// became of those that were refused there or had to wait long.
func (f *Frame) followUp(s *view.Shell) {
	now := make(map[string]waiting, len(s.Pending))
	for _, p := range s.Pending {
		w, known := f.pending[p.Ref]
		if !known {
			w = waiting{p.Title, time.Now()}
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
				if s, worth := f.arrival(w, res); worth {
					f.say(s)
				}
			})
		})
	}
}

// arrival puts in words what became of a tentative action that has its place now, if that is worth telling.
func (f *Frame) arrival(w waiting, res *view.Result) (saying, bool) {
	switch {
	case res.Refused == "" && time.Since(w.since) <= patience:
		return saying{}, false // and not told, so that whoever took it tells it
	case !f.tells(res):
		return saying{}, false
	case res.Refused != "":
		s := f.refusal(w.title, res)
		s.more = append(s.more, "It was tentative until it had its place in the game's order; there it could not be done any more.")
		return s, true
	}
	s := f.outcome(w.title, res)
	s.text = w.title + " has its place in the game now."
	return s, true
}

// tells says whether the person is still to be told what finally became of an action: whoever took it and
// whoever waited for its place may both hear of that.
func (f *Frame) tells(res *view.Result) bool {
	if res.Waits != "" || res.EntryRef == "" {
		return true
	}
	if f.told[res.EntryRef] {
		return false
	}
	if f.told == nil {
		f.told = map[string]bool{}
	}
	f.told[res.EntryRef] = true
	return true
}

// refusal puts a refused action in words: one that has its place, one that waits for it and may yet do
// what it should, or one that was not even sent.
func (f *Frame) refusal(title string, res *view.Result) saying {
	s := saying{kind: "bad", about: title, text: title + " was refused: " + res.Refused}
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
func (f *Frame) outcome(title string, res *view.Result) saying {
	s := saying{kind: "good", text: title + ": done.", rolls: res.Rolls}
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

// Convene calls a convention.
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

// Async runs work off the UI goroutine and hands its error, if any, to the person; what it returns
// then runs on the UI goroutine.
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
				f.say(saying{kind: "bad", about: what, text: what + " did not work: " + err.Error() + "."})
				return
			}
			f.unsayAbout(what)
			if done != nil {
				done(ctx)
			}
		})
	})
}
