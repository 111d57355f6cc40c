package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"peernomic/app/client"
	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
)

const sealing = 2 * time.Second

func (p *play) Act(ctx context.Context, name string, args map[string]any) (*view.Result, error) {
	if p.at > 0 {
		return nil, errPast
	}
	// What the rules refuse here would be refused for all to see: it is not even sent.
	id, err := p.s.ActIf(ctx, name, args, func(g *game.Game, args map[string]any) error {
		if refused := g.Refusal(g.PersonOf(p.h.hub.Identity().Key()), name, args); refused != nil {
			return refused
		}
		return nil
	})
	var refused *rules.Refusal
	if errors.As(err, &refused) {
		res := &view.Result{}
		refuse(res, refused)
		return res, nil
	}
	if err != nil {
		return nil, err
	}
	if p.s.Net().Relay == client.RelayConnected {
		waiting, cancel := context.WithTimeout(ctx, sealing)
		_ = p.s.Settle(waiting, id) // if it takes longer, the fate says for what it waits
		cancel()
	}
	res, err := p.Fate(ctx, refOf(id))
	if err == nil && res == nil {
		res = &view.Result{Waits: "and waits to be passed on"}
	}
	return res, err
}

func (p *play) Fate(ctx context.Context, ref string) (*view.Result, error) {
	var res *view.Result
	err := p.look(ctx, func(g *game.Game, l *lens) error {
		all := g.Entries()
		for i := len(all) - 1; i >= 0; i-- {
			if refOf(all[i].Action) == ref {
				res = &view.Result{EntryRef: ref}
				l.result(res, all[i])
				return nil
			}
		}
		return nil
	})
	return res, err
}

func refuse(res *view.Result, r *rules.Refusal) {
	res.Refused, res.Rule, res.Until = reason(r), r.Rule, r.Until
	if r.Line > 0 {
		res.Rule = fmt.Sprintf("%s, line %d", r.Rule, r.Line)
	}
}

func (l *lens) pending(g *game.Game) []view.Pending {
	var out []view.Pending
	for _, e := range tail(l.all) {
		if g.PersonOfDevice(e.Device) == l.me && e.Outcome != nil && e.Outcome.Action != "" {
			out = append(out, view.Pending{Ref: refOf(e.Action), Title: l.title(e.Outcome.Action)})
		}
	}
	return out
}

func (l *lens) title(name string) string {
	a, _ := l.action(name)
	return cmp.Or(a.Title, name)
}

func (l *lens) result(res *view.Result, e game.Entry) {
	res.Waits = ""
	if e.Tentative {
		res.Waits = "tentative until it has its place in the game's order"
	}
	o := e.Outcome
	if o == nil {
		if e.Void != nil {
			res.Refused = e.Void.Text
		}
		return
	}
	if r := o.Refused; r != nil {
		if e.Tentative && r.Code == rules.CodeWaiting {
			res.Waits = l.diceFall(e)
			return
		}
		refuse(res, r)
		return
	}
	res.Notes, res.Changes = o.Notes, l.changes(o.Changes)
	res.Rolls = rollChips(e)
	if a, ok := l.action(o.Action); ok && reversible(a.Form) && !e.Tentative && len(o.Changes) > 0 {
		res.Undo = o.Number
	}
	for _, c := range o.Changes {
		if c.Op == rules.ChangeCreate && c.Table == postsTable {
			res.NewPost = c.Row
		}
	}
}

func (p *play) Preview(ctx context.Context, name string, args map[string]any) (*view.Preview, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.Preview, error) {
		args, err := p.s.Prepare(g, name, args)
		var kept *rules.Refusal
		if errors.As(err, &kept) {
			return &view.Preview{Refused: kept.Reason}, nil
		}
		if err != nil {
			return nil, err
		}
		out := g.Preview(l.me, name, args)
		v := &view.Preview{Partial: out.Partial}
		if out.Refused != nil {
			v.Refused = reason(out.Refused)
			return v, nil
		}
		for _, o := range out.Outcomes {
			v.Outcomes = append(v.Outcomes, l.outcome(o))
		}
		return v, nil
	})
}

func (l *lens) outcome(o game.PreviewOutcome) view.Outcome {
	v := view.Outcome{Changes: l.changes(o.Changes), Notes: o.Notes}
	if o.Denominator > 1 {
		v.Chance = fmt.Sprintf("%d in %d", o.Numerator, o.Denominator)
		if o.Numerator == o.Denominator {
			v.Chance = "always"
		}
		v.Dice = "for example"
		for _, r := range o.Rolls {
			v.Dice += fmt.Sprintf(" %d on a die of %d", r.Value, r.Sides)
		}
		if len(o.Rolls) == 0 {
			v.Dice = ""
		}
	}
	if o.Refused != nil {
		v.Notes = append(v.Notes, "refused: "+fullReason(o.Refused))
	}
	return v
}

func (p *play) Check(ctx context.Context, amendments []any) (*view.DraftCheck, error) {
	return see(ctx, p, func(_ *game.Game, l *lens) (*view.DraftCheck, error) {
		v := &view.DraftCheck{Recognised: l.w.Recognise(amendments)}
		if r := l.w.Check(amendments); r != nil {
			v.Problems = []view.Problem{problem(r)}
		}
		return v, nil
	})
}
