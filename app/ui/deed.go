package ui

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

func itoa[N int | int64 | uint64](n N) string { return strconv.FormatInt(int64(n), 10) }

// act takes an action of the open game and tells what became of it. The key marks
// the control as busy meanwhile; done runs on the UI goroutine if it was not refused.
func (r *root) act(_ app.Context, key, title, name string, args map[string]any, done func(app.Context, *view.Result)) {
	g, life := r.game, r.life
	if g == nil || r.busy[key] {
		return
	}
	ctx := r.ctx // lives as long as the app, unlike the event's
	r.busy[key] = true
	ctx.Async(func() {
		res, err := g.Act(life, name, args)
		ctx.Dispatch(func(ctx app.Context) {
			delete(r.busy, key)
			switch {
			case err != nil:
				r.say(ctx, saying{kind: "bad", about: title, text: title + " could not be done: " + err.Error() + ". Nothing was changed."})
			case res.Refused != "":
				if r.tells(res) {
					r.say(ctx, r.refusal(title, res))
				}
			default:
				if r.unsayAbout(title); r.tells(res) {
					r.say(ctx, r.outcome(title, res))
				}
				if done != nil {
					done(ctx, res)
				}
			}
			r.changed(ctx)
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
func (r *root) followUp(s *view.Shell) {
	now := make(map[string]waiting, len(s.Pending))
	for _, p := range s.Pending {
		w, known := r.pending[p.Ref]
		if !known {
			w = waiting{p.Title, time.Now()}
		}
		now[p.Ref] = w
	}
	before := r.pending
	r.pending = now
	g, life, ctx := r.game, r.life, r.ctx
	for ref, w := range before {
		if _, still := now[ref]; still {
			continue
		}
		ctx.Async(func() {
			res, err := g.Fate(life, ref)
			if err != nil || res == nil {
				return
			}
			ctx.Dispatch(func(ctx app.Context) {
				if s, worth := r.arrival(w, res); worth {
					r.say(ctx, s)
				}
			})
		})
	}
}

// arrival puts in words what became of a tentative action that has its place now, if that is worth telling.
func (r *root) arrival(w waiting, res *view.Result) (saying, bool) {
	switch {
	case res.Refused == "" && time.Since(w.since) <= patience:
		return saying{}, false // and not told, so that whoever took it tells it
	case !r.tells(res):
		return saying{}, false
	case res.Refused != "":
		s := r.refusal(w.title, res)
		s.more = append(s.more, "It was tentative until it had its place in the game's order; there it could not be done any more.")
		return s, true
	}
	s := r.outcome(w.title, res)
	s.text = w.title + " has its place in the game now."
	return s, true
}

// tells says whether the person is still to be told what finally became of an action: whoever took it and
// whoever waited for its place may both hear of that.
func (r *root) tells(res *view.Result) bool {
	if res.Waits != "" || res.EntryRef == "" {
		return true
	}
	if r.told[res.EntryRef] {
		return false
	}
	if r.told == nil {
		r.told = map[string]bool{}
	}
	r.told[res.EntryRef] = true
	return true
}

// refusal puts a refused action in words: one that has its place, one that waits for it and may yet do
// what it should, or one that was not even sent.
func (r *root) refusal(title string, res *view.Result) saying {
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
		s.more = append(s.more, "Possible "+relative(res.Until, r.now())+" ("+clock(res.Until, r.now())+").")
	}
	return s
}

// outcome puts what an action did in words.
func (r *root) outcome(title string, res *view.Result) saying {
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

// async runs work off the UI goroutine and hands its error, if any, to the person.
func (r *root) async(_ app.Context, key, what string, work func(context.Context) (func(app.Context), error)) {
	life := r.life
	if r.busy[key] {
		return
	}
	ctx := r.ctx // lives as long as the app, unlike the event's
	r.busy[key] = true
	ctx.Async(func() {
		done, err := work(life)
		ctx.Dispatch(func(ctx app.Context) {
			delete(r.busy, key)
			if err != nil {
				r.say(ctx, saying{kind: "bad", about: what, text: what + " did not work: " + err.Error() + "."})
				return
			}
			r.unsayAbout(what)
			if done != nil {
				done(ctx)
			}
		})
	})
}
