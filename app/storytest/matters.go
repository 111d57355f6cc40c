package storytest

import (
	"context"
	"slices"

	"peernomic/app/view"
)

var icons = []view.VoteIcon{{Word: "FOR", Title: "For", Glyph: "check"}, {Word: "AGAINST", Title: "Against", Glyph: "cross"},
	{Word: "DEFERENTIAL", Title: "Deferential", Glyph: "crown"}, {Word: "VETO", Title: "Veto", Glyph: "seal", Reason: "only the Dragonmaster may veto"}}

var comments = []view.Comment{
	{Author: "Bo", Time: now - 50*minute, Icon: "FOR", Glyph: "check", Text: "About time. The Obstacle Course was the only way to get *Scales* without losing blood."},
	{Author: "Cy", Time: now - 40*minute, Icon: "AGAINST", Glyph: "cross", Text: "Then why would anyone do the Ritual?\n\n> Muscle, Scales, Flame and Wings +1 each\n\nIt should cost something."},
	{Author: "Eli Ransome-Whittaker", Time: now - 20*minute, Icon: "DEFERENTIAL", Glyph: "crown", Before: icons[3:]},
	{Author: "Ana", Time: now - minute, Text: "I can live with a price of one cookie.", Tentative: true},
}

var tally = []view.TallyPart{{Word: "FOR", Glyph: "check", Count: 3}, {Word: "AGAINST", Glyph: "cross", Count: 1}, {Word: "DEFERENTIAL", Glyph: "crown", Count: 0}}

func (g *game) Feed(context.Context) (*view.Feed, error) {
	reply := &view.Action{Name: "Comment", Title: "Comment", Open: true, Params: []view.Param{
		{Name: "post", Kind: "row", Table: "posts"}, {Name: "text", Label: "What you say", Kind: "prose"}}}
	return &view.Feed{Comment: reply,
		Post: &view.Action{Name: "Post", Title: "Post it", Open: true, Params: []view.Param{
			{Name: "title", Label: "Title", Kind: "text", MaxLen: 120}, {Name: "body", Label: "Text", Kind: "prose"}}},
		Posts: []view.Post{
			{ID: 13, Category: "Story", Title: "The fence came down again", Author: "Dee", Time: now - 2*hour, CanComment: true,
				Body: "Old Thornback is gone. Whoever left the **east gate** open owes me a dragon, and an apology, in that order.", Comments: comments[:1]},
			{ID: 12, Category: "Proposal", Title: "Aerobics toughens the scales", Author: "Bo", Time: now - hour, Matter: true, Status: "Pending", Outcome: "open",
				Body: "A dragon that runs gets a thicker skin. One Scales for each session, whatever the roll.", Comments: comments},
			{ID: 11, Category: "Proposal", Title: "Cheaper cookies", Author: "Cy", Time: now - 2*day, Matter: true, Status: "Enacted", Outcome: "passed",
				Body: "The allowance should be 40.", Comments: comments[:2]},
			{ID: 10, Category: "Announcement", Title: "Fay asks to join", Author: "Fay", Time: now - hour, Tentative: true, Body: "Hello! Dee told me about the farm.", CanComment: true},
		}}, nil
}

var line12 = view.MatterLine{ID: 12, Category: "Proposal", Title: "Aerobics toughens the scales", Author: "Bo", Time: now - hour, Status: "Pending", Outcome: "open",
	Tally: tally, Quorum: 4, Electorate: 7, Missing: 2, NeedsMe: true, Next: "Can be enacted from 18:05 if one more votes FOR; fails if Dee, Eli and you vote AGAINST."}

func (g *game) Matters(context.Context) (*view.Matters, error) {
	two := line12
	two.ID, two.Title, two.Mine, two.MineGlyph, two.NeedsMe, two.Tentative = 14, "Name the second dynasty after its cookies", "FOR", "check", false, true
	two.Tally = []view.TallyPart{{Word: "FOR", Glyph: "check", Count: 1}, {Word: "AGAINST", Glyph: "cross", Count: 3}}
	past := line12
	past.ID, past.Title, past.Status, past.Outcome, past.Next, past.NeedsMe = 11, "Cheaper cookies", "Enacted", "passed", "Enacted by Ana with 5 FOR and 1 AGAINST; the quorum was 4.", false
	failed := past
	failed.ID, failed.Title, failed.Status, failed.Outcome, failed.Next = 9, "Abolish gravity", "Failed", "failed", "Vetoed by Bo."
	return &view.Matters{Open: []view.MatterLine{line12, two}, Closed: []view.MatterLine{past, failed},
		Make: []view.Action{{Name: "Propose", Title: "Propose", Open: true}}}, nil
}

const aerobics = "# Aerobics\n\nRoll DICE3; Flame rises by the result.\n\nOn 1 or 2, Muscle rises by 1. On 1, Heartbeat rises by 10.\n\n```starlark\nload(\"Vital Signs\", \"change\")\n\ndef aerobics(me, dragon):\n    n = roll(3)\n    change(dragon, flame=n)\n    if n <= 2:\n        change(dragon, muscle=1)\n    if n == 1:\n        change(dragon, heartbeat=10)\n\naction(\"Aerobics\", run=aerobics, dice=\"DICE3\", group=\"Training\")\n```\n"
const aerobics2 = "# Aerobics\n\nRoll DICE3; Flame rises by the result and Scales by 1.\n\nOn 1 or 2, Muscle rises by 1. On 1, Heartbeat rises by 10.\n\n```starlark\nload(\"Vital Signs\", \"change\")\n\ndef aerobics(me, dragon):\n    n = roll(3)\n    change(dragon, flame=n, scales=1)\n    if n <= 2:\n        change(dragon, muscle=1)\n    if n == 1:\n        change(dragon, heartbeat=10)\n\naction(\"Aerobics\", run=aerobics, dice=\"DICE3\", group=\"Training\")\n```\n"

func (g *game) Matter(_ context.Context, id int64) (*view.Matter, error) {
	if id != 12 && id != 14 {
		return nil, view.ErrNone
	}
	post := &view.Action{Name: "Vote", Title: "Vote", Open: true, Params: []view.Param{{Name: "post", Kind: "row", Table: "posts"}, {Name: "icon", Kind: "icon"}, {Name: "text", Kind: "prose", Optional: true}}}
	m := &view.Matter{Post: view.Post{ID: id, Category: "Proposal", Title: "Aerobics toughens the scales", Author: "Bo", Time: now - hour, Status: "Pending", Outcome: "open",
		Flavour:  "Thornback would have liked it.",
		Body:     "A dragon that runs gets a thicker skin. One Scales for each session, whatever the roll.\n\n* It makes Aerobics worth a day.\n* It does not touch the Ritual.",
		Comments: append(append([]view.Comment(nil), comments...), g.said...)},
		Tally: tally, Quorum: 4, Electorate: 7, Next: line12.Next, Vote: post, Reply: post, Icons: icons,
		Votes: []view.Vote{
			{Player: "Bo", Icon: "", Glyph: "check", Counts: "FOR", Why: "wrote it and has cast no other vote"},
			{Player: "Cy", Icon: "AGAINST", Glyph: "cross", Counts: "AGAINST"},
			{Player: "Eli Ransome-Whittaker", Icon: "DEFERENTIAL", Glyph: "crown", Counts: "FOR", Why: "follows the Dragonmaster, who votes FOR"},
			{Player: "Hal", Icon: "FOR", Glyph: "check", Counts: "FOR"},
			{Player: "Ana", You: true}, {Player: "Dee"},
		},
		Ways: []view.Way{
			{Can: "Enact", Why: "1 more FOR vote is needed", From: now + 11*hour},
			{Can: "Fail", Open: true, Why: "", Action: &view.Action{Name: "Fail", Title: "Fail it", Open: true, Params: []view.Param{{Name: "post", Kind: "row", Table: "posts"}}}},
		},
		Amendments: []view.Amendment{{What: "Changes the rule 2.6.1 “Aerobics”", Document: true, Old: aerobics, New: aerobics2},
			{What: "Sets the Cookies of Dee", Old: "17", New: "21"}},
		Ahead: true,
	}
	if id == 14 { // a vote may have several icons, and a choice beside them
		m.Vote = &view.Action{Name: "Vote", Title: "Vote", Open: true, Params: append(slices.Clone(post.Params),
			view.Param{Name: "icons", Kind: "several", MaxLen: 7, Optional: true, Choices: []view.Choice{{Value: "FOR", Label: "FOR"}, {Value: "AGAINST", Label: "AGAINST"}, {Value: "VETO", Label: "VETO"}, {Value: "DEFERENTIAL", Label: "DEFERENTIAL"}}},
			view.Param{Name: "boosted", Kind: "text", Label: "Considered raised", Listed: true, Optional: true, Choices: []view.Choice{{Value: "Brain", Label: "Brain"}}})}
	}
	return m, nil
}

func (g *game) Outlook(context.Context, int64) (*view.Outlook, error) {
	return &view.Outlook{Effects: &effects}, nil
}

func (g *game) Workshop(context.Context) (*view.Workshop, error) {
	return &view.Workshop{
		Propose: []view.Action{{Name: "Propose", Title: "Propose", Open: true, Params: []view.Param{
			{Name: "title", Kind: "text"}, {Name: "body", Kind: "prose", Optional: true}, {Name: "amendments", Kind: "amendments"}}}},
		Rules: []view.RuleSource{{Number: "2.6", Title: "Training", Section: 2, Text: "# Training\n\nOnce a day.\n"},
			{Number: "2.6.1", Title: "Aerobics", Section: 2, Fingerprint: "f", Text: aerobics}},
		Tables: tables, Words: []view.Keyword{{Key: "Player", One: "Breeder"}},
	}, nil
}

func (g *game) Book(context.Context) (*view.Book, error) {
	return &view.Book{Sections: []view.Section{
		{Number: "1", Title: "Core Rules", Rules: []view.RuleLine{{Number: "1.1", Title: "Ruleset and Gamestate"}, {Number: "1.2", Title: "Breeders"}, {Number: "1.3", Title: "Proposals"}, {Number: "1.4", Title: "Voting"}, {Number: "1.8", Title: "Dynasties"}, {Number: "1.8.1", Title: "Metadynasties", Depth: 1}}},
		{Number: "2", Title: "Rules of the Dynasty", Rules: []view.RuleLine{{Number: "2.5", Title: "Vital Signs"}, {Number: "2.6", Title: "Training", Amended: now - 2*day}, {Number: "2.6.1", Title: "Aerobics", Depth: 1, Tentative: true}, {Number: "2.6.2", Title: "Obstacle Course", Depth: 1}}},
		{Number: "3", Title: "Glossary", Rules: []view.RuleLine{{Number: "3.1", Title: "Words"}}},
	}}, nil
}

func (g *game) Rule(_ context.Context, title string) (*view.Rule, error) {
	return &view.Rule{Number: "2.6.1", Title: title, Section: "Rules of the Dynasty", Previous: "Training", Next: "Obstacle Course",
		Prose:  "Roll DICE3; **Flame** rises by the result.\n\nOn 1 or 2, Muscle rises by 1. On 1, Heartbeat rises by 10; it may go beyond 100.\n\n| Color | Difference |\n|---|---|\n| Red | on 1, Flame rises by 1 more |\n| Black | on 1, no Heartbeat, but Muscle rises by 1 more |\n| Purple | on 3, Flame rises by 2 instead of 3 |",
		Script: "load(\"Vital Signs\", \"change\")\n\ndef aerobics(me, dragon):\n    n = roll(3)\n    change(dragon, flame=n)\n    if n <= 2:\n        change(dragon, muscle=1)\n    if n == 1:\n        change(dragon, heartbeat=10)\n\naction(\"Aerobics\", run=aerobics, dice=\"DICE3\", group=\"Training\")",
		Makes:  []string{"the action “Aerobics”"}, Actions: []string{"Aerobics"},
		History: []view.Revision{{Time: now - 2*day, What: "Amended", Matter: 11, MatterTitle: "Cheaper cookies", Text: aerobics2}, {Time: now - 12*day, What: "Founded", Text: aerobics}}}, nil
}
