package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
)

// VoteEffect tells what a vote would count as, by trying it out on the game as it stands: the rules
// assess the matter before and after, and what differs is the effect.
func (p *play) VoteEffect(ctx context.Context, post int64, name string, args map[string]any) (*view.VoteEffect, error) {
	return see(ctx, p, func(g *game.Game, l *lens) (*view.VoteEffect, error) {
		args, err := p.s.Prepare(g, name, args)
		var kept *rules.Refusal // by this device, which may know more than the rules
		if errors.As(err, &kept) {
			return &view.VoteEffect{Refused: kept.Reason}, nil
		}
		if err != nil {
			return nil, err
		}
		return l.voteEffect(rules.Act{Player: l.me, Name: name, Args: args, Time: l.now}, post)
	})
}

func (l *lens) voteEffect(act rules.Act, post int64) (*view.VoteEffect, error) {
	p, err := l.written(post)
	if err != nil {
		return nil, err
	}
	before, err := l.w.Matter(post)
	if err != nil {
		return nil, err
	}
	after, out, err := l.w.MatterAfter(act, post)
	switch {
	case err != nil:
		return nil, err
	case out.Refused != nil && out.Refused.Code == rules.CodeWaiting:
		return &view.VoteEffect{Says: []string{"Dice decide what it counts as."}}, nil
	case out.Refused != nil:
		return &view.VoteEffect{Refused: reason(out.Refused)}, nil
	}
	before, after = local(before), local(after)
	mine, is := voteOf(before, l.me), voteOf(after, l.me)
	says := append([]string{l.mineAfter(mine, is)}, l.othersAfter(before, after)...)
	if mine == is && len(says) > 1 { // it is about others: they come first
		says = append(says[1:], says[0])
	}
	if now, then := l.tallyText(matter{post: p, view: before}), l.tallyText(matter{post: p, view: after}); now != then {
		says = append(says, "That makes "+then+".")
	}
	if after.Next != "" && after.Next != before.Next {
		says = append(says, after.Next)
	}
	return &view.VoteEffect{Says: append(says, out.Notes...)}, nil
}

func voteOf(m rules.MatterView, player int64) rules.VoteView {
	if i := slices.IndexFunc(m.Votes, func(v rules.VoteView) bool { return v.Player == player }); i >= 0 {
		return m.Votes[i]
	}
	return rules.VoteView{Player: player}
}

// mineAfter says what my own vote will be.
func (l *lens) mineAfter(before, after rules.VoteView) string {
	switch {
	case after.Icon == "" && after.Counts == "":
		return "It is no vote of your own."
	case after == before:
		return "Your own vote stays as it is: " + standing(after) + "."
	}
	text := "Your vote " + counted(after)
	if after.Icon != after.Counts && after.Icon != "" {
		text = "Your vote " + after.Icon + " " + counted(after)
	}
	if before.Counts != "" && before.Counts != after.Counts {
		text += "; until now it " + counted(rules.VoteView{Counts: before.Counts})
	}
	return text + "."
}

// othersAfter says which votes of others change, those that change alike together.
func (l *lens) othersAfter(now, then rules.MatterView) []string {
	var order []string
	whose := map[string][]string{}
	for _, after := range then.Votes {
		before := voteOf(now, after.Player)
		if after.Player == l.me || after == before {
			continue
		}
		text := counted(after)
		if after.Icon != before.Icon {
			text = "becomes " + standing(after)
		}
		if whose[text] == nil {
			order = append(order, text)
		}
		whose[text] = append(whose[text], l.name(after.Player))
	}
	var says []string
	for _, text := range order {
		who := whose[text][0] + "'s vote "
		if len(whose[text]) > 1 {
			who = "Each vote of " + listed(whose[text]) + " "
		}
		says = append(says, who+text+".")
	}
	return says
}

// neither is what a vote counts as that is for no side.
const neither = "ABSTAIN"

// counted says what a vote counts as, and why.
func counted(v rules.VoteView) string {
	text := "counts as " + v.Counts
	switch v.Counts {
	case "":
		text = "does not count"
	case neither:
		text = "counts for neither side"
	}
	return text + because(v)
}

// standing says how a vote stands.
func standing(v rules.VoteView) string {
	if v.Icon == "" || v.Icon == v.Counts {
		return v.Counts + because(v)
	}
	return v.Icon + ", which " + counted(v)
}

func because(v rules.VoteView) string {
	if v.Why == "" {
		return ""
	}
	return " (" + v.Why + ")"
}

func (l *lens) tallyText(m matter) string {
	var parts []string
	for _, t := range l.tally(m) {
		parts = append(parts, fmt.Sprintf("%d %s", t.Count, t.Word))
	}
	if m.view.Quorum > 0 {
		parts = append(parts, fmt.Sprintf("with a quorum of %d", m.view.Quorum))
	}
	return strings.Join(parts, ", ")
}
