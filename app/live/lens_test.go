package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
)

// loaded dice roll the same number always.
type loaded uint64

func (d loaded) Roll(sides uint64) (uint64, error) { return min(uint64(d), sides), nil }

const begin = int64(1_795_269_600_000)

// alone founds a game in which nobody is but Ana.
func alone(t *testing.T, ruleset string) *rules.World {
	t.Helper()
	docs, err := rulesets.Load(ruleset)
	if err != nil {
		t.Fatal(err)
	}
	w, err := rules.Found(rules.Founding{Documents: docs, Time: begin, Founder: "Ana", FounderKey: strings.Repeat("a1", 32)})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// farm founds a game of dragons with three players: Ana, who founded it, Bo and Cy.
func farm(t *testing.T) *rules.World {
	t.Helper()
	w := alone(t, "dragons")
	for i, name := range []string{"Bo", "Cy"} {
		id, _ := w.Knock(strings.Repeat(fmt.Sprintf("b%d", i), 32), name, begin+int64(i))
		do(t, w, id, "Introduce yourself", map[string]any{"name": name})
		do(t, w, 1, "Admit", map[string]any{"player": id})
	}
	return w
}

func do(t *testing.T, w *rules.World, player int64, name string, args map[string]any) rules.Outcome {
	t.Helper()
	o := w.Do(rules.Act{Player: player, Name: name, Args: args, Time: w.Now() + 60_000, Dice: loaded(1)})
	if o.Refused != nil {
		t.Fatalf("%s %v: %s", name, args, o.Refused)
	}
	return o
}

func lookAt(w *rules.World, me int64) *lens {
	return &lens{w: w, me: me, now: w.Now(), mark: func(string, int64) bool { return false }}
}

func path(page string, arg ...string) string { return "/" + page + "/" + strings.Join(arg, "/") }

func cards(v *view.Now) []string {
	var out []string
	for _, c := range v.Needs {
		out = append(out, c.Kind+": "+c.Title)
	}
	return out
}

// open returns the names of the actions under Now.
func open(v *view.Now) []string {
	var out []string
	for _, g := range v.Groups {
		for _, a := range g.Actions {
			out = append(out, a.Name)
		}
	}
	return out
}

// Who is alone is told how to change that, also where a player who is no person plays along.
func TestWhoIsAloneIsToldToInvite(t *testing.T) {
	for _, name := range rulesets.Names() {
		if got := cards(lookAt(alone(t, name), 1).nowView(path)); len(got) == 0 || got[0] != "invite: Nobody else is here yet" {
			t.Errorf("%s: the founder sees %q", name, got)
		}
	}
	if got := cards(lookAt(farm(t), 1).nowView(path)); slices.Contains(got, "invite: Nobody else is here yet") {
		t.Errorf("among others the founder sees %q", got)
	}
}

func TestSomebodyNewIsAskedToComeIn(t *testing.T) {
	w := farm(t)
	id, _ := w.Knock(strings.Repeat("d4", 32), "Dee", w.Now())
	if got := cards(lookAt(w, id).nowView(path)); !slices.Equal(got, []string{"join: Ask to play"}) {
		t.Errorf("a stranger sees %q", got)
	}
	if c := lookAt(w, id).nowView(path).Needs[0]; !slices.Equal(c.Given, []string{"name"}) {
		t.Errorf("known of a stranger is %q, want the name", c.Given)
	}
	do(t, w, id, "Introduce yourself", map[string]any{"name": "Dee"})
	if got := cards(lookAt(w, id).nowView(path)); !slices.Equal(got, []string{"wait: You have asked to be admitted"}) {
		t.Errorf("an applicant sees %q", got)
	}
	if got := cards(lookAt(w, 1).nowView(path)); !slices.Equal(got, []string{"admit: Dee asks to be admitted", "due: Succession Challenge to announce"}) {
		t.Errorf("the admin sees %q", got)
	}
	if got := cards(lookAt(w, 2).nowView(path)); len(got) != 0 {
		t.Errorf("another player sees %q", got)
	}
	for _, q := range lookAt(w, 1).people(nil, nil).People {
		if (q.Admit != nil) != (q.Name == "Dee") || q.Admit != nil && !q.Admit.Open {
			t.Errorf("%s: admit %+v", q.Name, q.Admit)
		}
	}
}

func TestActionsAreOpenOrSayWhyNot(t *testing.T) {
	w := farm(t)
	v := lookAt(w, 2).nowView(path)
	if got := open(v); !slices.Contains(got, "Adopt") || slices.Contains(got, "Aerobics") || slices.Contains(got, "Feed") || slices.Contains(got, "Vote") {
		t.Errorf("open are %q", got)
	}
	for _, a := range v.Closed {
		if a.Open || a.Reason == "" {
			t.Errorf("%s is closed and does not say why: %+v", a.Name, a)
		}
	}
	do(t, w, 2, "Adopt", map[string]any{"name": "Slate", "color": "Black"})
	if got := open(lookAt(w, 2).nowView(path)); !slices.Contains(got, "Aerobics") || slices.Contains(got, "Adopt") {
		t.Errorf("with a dragon, open are %q", got)
	}
	if g := lookAt(w, 2).nowView(path).Groups; g[len(g)-1].Title == "Training" || g[0].Title == "Roster" {
		t.Errorf("the dynasty's own does not come first: %q", g[0].Title)
	}
}

// propose makes a proposal of Bo's that changes Aerobics, and returns its post.
func propose(t *testing.T, w *rules.World) (int64, string, string) {
	t.Helper()
	r, ok := w.RuleTitled("Aerobics")
	if !ok {
		t.Fatal("no Aerobics")
	}
	after := strings.Replace(r.Text, "# Aerobics\n\n", "# Aerobics\n\nScales too.\n\n", 1)
	o := do(t, w, 2, "Propose", map[string]any{"title": "Scales for all", "body": "Why *not*?", "amendments": []any{
		map[string]any{"op": "amend", "rule": "Aerobics", "base": r.Fingerprint, "text": after},
		map[string]any{"op": "set", "table": "players", "row": int64(3), "column": "cookies", "value": int64(44)},
	}})
	for _, c := range o.Changes {
		if c.Table == postsTable && c.Op == rules.ChangeCreate {
			return c.Row, r.Text, after
		}
	}
	t.Fatal("no post")
	return 0, "", ""
}

func TestAMatterTellsHowItStands(t *testing.T) {
	w := farm(t)
	id, before, after := propose(t, w)
	m, err := lookAt(w, 3).matterView(id)
	if err != nil {
		t.Fatal(err)
	}
	if m.Title != "Scales for all" || m.Quorum != 2 || m.Electorate != 3 || m.Outcome != "open" || m.Next == "" {
		t.Errorf("%+v", m)
	}
	if len(m.Amendments) != 2 || m.Amendments[0].Old != before || m.Amendments[0].New != after || m.Amendments[1].What != "Sets Cookies of Cy" || m.Amendments[1].New != "44" {
		t.Errorf("amendments %+v", m.Amendments)
	}
	if m.Vote == nil || !m.Vote.Open || len(m.Icons) != 4 {
		t.Errorf("Cy cannot vote: %+v, %+v", m.Vote, m.Icons)
	}
	if got := cards(lookAt(w, 3).nowView(path)); !slices.Equal(got, []string{"vote: Vote on “Scales for all”"}) {
		t.Errorf("Cy sees %q", got)
	}
	if got := cards(lookAt(w, 2).nowView(path)); len(got) != 0 {
		t.Errorf("its author sees %q", got)
	}
	do(t, w, 3, "Vote", map[string]any{"post": id, "icon": "FOR", "text": "Yes.", "seen": m.Fingerprint})
	line := lookAt(w, 3).mattersView().Open[0]
	if line.Mine != "FOR" || line.NeedsMe || line.Missing != 1 || line.Tally[0].Count != 2 {
		t.Errorf("after the vote %+v", line)
	}
	w.Advance(w.Now()+13*3_600_000, nil)
	if got := cards(lookAt(w, 1).nowView(path)); !slices.Contains(got, "resolve: You may enact “Scales for all”") {
		t.Errorf("the admin sees %q", got)
	}
	do(t, w, 1, "Enact", map[string]any{"post": id})
	done := lookAt(w, 3).mattersView()
	if len(done.Open) != 0 || len(done.Closed) != 1 || done.Closed[0].Outcome != "passed" {
		t.Errorf("after the end %+v", done)
	}
	m, _ = lookAt(w, 3).matterView(id)
	if m.Amendments[0].Old != before || len(m.Ways) != 0 || m.Vote != nil {
		t.Errorf("decided, but %+v, ways %+v", m.Amendments[0], m.Ways)
	}
	r, err := lookAt(w, 3).ruleView("Aerobics")
	if err != nil || len(r.History) != 2 || r.History[0].Matter != id || r.History[0].Text != after || r.History[1].Text != before {
		t.Errorf("%v: history %+v", err, r.History)
	}
}

// An open amendment is shown on the rule as it is now; one that cannot be carried out, on the text it was written on.
func TestAnAmendmentIsShownOnTheRuleAsItIsNow(t *testing.T) {
	w := farm(t)
	id, before, after := propose(t, w)
	change := func(old, new string) {
		if out := w.Force([]any{map[string]any{"op": "replace", "rule": "Aerobics", "old": old, "new": new}}, w.Now()); out.Refused != nil {
			t.Fatal(out.Refused)
		}
	}
	shown := func() view.Amendment {
		m, err := lookAt(w, 3).matterView(id)
		if err != nil {
			t.Fatal(err)
		}
		return m.Amendments[0]
	}
	end := "Claws count."
	change("\n\n```starlark", "\n\n"+end+"\n\n```starlark")
	now, _ := w.RuleTitled("Aerobics")
	if a := shown(); a.Old != now.Text || !strings.Contains(a.New, end) || !strings.Contains(a.New, "Scales too.") || a.Problem != "" {
		t.Errorf("shown as %+v", a)
	}
	change("# Aerobics", "# Aerobics of old")
	first := strings.SplitN(before, "\n", 4)[2]
	change(first, "Everything is new.")
	a := lookAt(w, 3).amendment(map[string]any{"op": "amend", "rule": "Aerobics", "base": document.Fingerprint(before), "text": strings.Replace(after, first, "Nothing.", 1)}, "open")
	if a.Old != before || !strings.Contains(a.Problem, "Everything is new.") {
		t.Errorf("shown as %+v", a)
	}
}

func TestTheTrackerShowsWhatIsThere(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Adopt", map[string]any{"name": "Slate", "color": "Black"})
	do(t, w, 2, "Aerobics", nil)
	l := lookAt(w, 2)
	tables := l.tables(false)
	if tables[0].Name != "dragons" || tables[1].Name != playersTable || len(tables[len(tables)-1].Rows) != 0 {
		t.Errorf("the order is not the dynasty, people, what is empty: %s, %s", tables[0].Name, tables[1].Name)
	}
	var found bool
	for _, table := range tables {
		for _, row := range table.Rows {
			if len(row.Cells) != len(table.Columns) {
				t.Fatalf("%s has %d columns and a row of %d cells", table.Name, len(table.Columns), len(row.Cells))
			}
			for i, c := range table.Columns {
				if table.Name == "dragons" && c.Name == "flame" {
					found = row.Label == "Slate" && row.Mine && row.Cells[i].Text == "6" && row.Cells[i].Numeric
				}
			}
		}
	}
	if !found {
		t.Errorf("Slate's Flame is not 6: %+v", tables)
	}
	log := w.Log()
	changes := l.changes(log[len(log)-1].Changes)
	if !slices.ContainsFunc(changes, func(c view.Change) bool {
		return c.Row == "Slate" && c.Column == "Flame" && c.Old == "5" && c.New == "6"
	}) {
		t.Errorf("changes %+v", changes)
	}
}

func TestEveryRuleCanBeRead(t *testing.T) {
	w := farm(t)
	l := lookAt(w, 1)
	n := 0
	for _, s := range l.book().Sections {
		for _, line := range s.Rules {
			n++
			r, err := l.ruleView(line.Title)
			if err != nil || r.Prose == "" || strings.Contains(r.Prose, "{{") {
				t.Errorf("%s: %v, %.60q", line.Title, err, r.Prose)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d rules", n)
	}
	if _, err := l.ruleView("No such rule"); err == nil {
		t.Error("a rule that is not there is shown")
	}
}

func TestADynastyWearsItsColor(t *testing.T) {
	w := farm(t)
	if got := accent(w); got != "oxblood" {
		t.Errorf("it begins in %s", got)
	}
	if o := w.Force([]any{map[string]any{"op": "set", "table": gameTable, "row": int64(gameRow), "column": "accent", "value": "plum"}}, w.Now()); o.Refused != nil {
		t.Fatal(o.Refused)
	}
	if got := accent(w); got != "plum" {
		t.Errorf("set to plum it is %s", got)
	}
}

// Who finds an action closed is told why, the dynasty's own before those of the core.
func TestClosedActionsSayWhyTheDynastysFirst(t *testing.T) {
	v := lookAt(farm(t), 1).nowView(path)
	if len(v.Closed) == 0 || v.Closed[0].Name != "Adopt" || !strings.Contains(v.Closed[0].Reason, "Dragonmaster") {
		t.Fatalf("first closed is %+v", v.Closed[0])
	}
	for _, a := range v.Closed {
		if a.Reason == "" {
			t.Errorf("%s does not say why", a.Name)
		}
	}
}

// newest is the post made last.
func newest(w *rules.World) int64 {
	posts := w.Posts()
	return posts[len(posts)-1].ID
}

// Each kind of matter is voted on, altered and ended by its own action.
func TestCallsAndDeclarationsHaveTheirOwnActions(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Raise a Call for Judgment", map[string]any{"title": "CfJ: Fences", "body": "Who mends them?", "amendments": []any{
		map[string]any{"op": "set", "table": "players", "row": int64(3), "column": "cookies", "value": int64(44)}}})
	call := newest(w)
	view := func(me, id int64) *view.Matter {
		t.Helper()
		v, err := lookAt(w, me).matterView(id)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	author := view(2, call)
	if author.Edit == nil || author.Edit.Name != "Alter call" || author.Remove == nil {
		t.Errorf("its author can %+v, %+v", author.Edit, author.Remove)
	}
	edits := lookAt(w, 2).workshop().Edits
	if len(edits) != 1 || edits[0].Post != call || edits[0].Action.Name != "Alter call" || len(edits[0].Says) != 1 || !strings.Contains(edits[0].Says[0], "Cy") {
		t.Errorf("in the workshop: %+v", edits)
	}
	v := view(1, call)
	if v.Vote == nil || v.Vote.Name != "Judge" || !v.Vote.Open || len(v.Icons) != 2 || v.Edit != nil {
		t.Fatalf("another votes by %+v with %+v", v.Vote, v.Icons)
	}
	if got := cards(lookAt(w, 1).nowView(path)); !slices.Contains(got, "vote: Vote on “CfJ: Fences”") {
		t.Errorf("under Now: %q", got)
	}
	do(t, w, 1, "Judge", map[string]any{"post": call, "icon": "FOR"})
	do(t, w, 3, "Judge", map[string]any{"post": call, "icon": "FOR"})
	if v := view(1, call); v.Vote != nil && v.Vote.Open || v.Outcome != "passed" {
		t.Errorf("it is over, and still: %+v, %s", v.Vote, v.Outcome)
	}
	if got := cards(lookAt(w, 1).nowView(path)); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "resolve: You may carry out") }) {
		t.Errorf("nobody is told to carry it out: %q", got)
	}
	do(t, w, 2, "Declare victory", map[string]any{"title": "DoV: Bo", "body": "I won."})
	declaration := newest(w)
	if v := view(3, declaration); v.Vote == nil || v.Vote.Name != "Respond" || !v.Vote.Open {
		t.Errorf("a declaration is answered by %+v", v.Vote)
	}
	// In the hiatus proposals wait, and say so.
	var titles []string
	for _, a := range lookAt(w, 3).makers() {
		titles = append(titles, a.Name)
		if a.Name == "Propose" && a.Refused == nil {
			t.Error("one can propose in the hiatus")
		}
	}
	if !slices.Equal(titles, []string{"Propose", "Raise a Call for Judgment"}) {
		t.Errorf("the workshop makes %q", titles)
	}
}

// Who did something discreetly is named nowhere that others look, and can still change what they wrote.
func TestDiscreetActionsAreShownWithoutAName(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Raise a Call for Judgment", map[string]any{"title": "Call: Cookies", "body": "Too few.", "anonymous": true})
	log := w.Log()
	out := rules.Outcome{Entry: log[len(log)-1]}
	posts := w.Posts()
	for me, mine := range map[int64]bool{1: false, 2: true} {
		l := lookAt(w, me)
		q := l.post(posts[len(posts)-1])
		if q.Author != "Call for Judgment" || q.Mine != mine {
			t.Errorf("player %d sees a post of %q, theirs: %v", me, q.Author, q.Mine)
		}
		if h := l.historyLine(1, game.Entry{Kind: ledger.KindAct, Outcome: &out}); h.Who != "somebody" {
			t.Errorf("player %d sees a line of history of %q", me, h.Who)
		}
		if e := l.logEntry(log[len(log)-1], nil); e.Who != "somebody" {
			t.Errorf("player %d sees an entry of %q", me, e.Who)
		}
	}
}

func TestEverythingWithANameCanBeFound(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Raise a Call for Judgment", map[string]any{"title": "CfJ: Fences", "body": "Who?"})
	at := map[string]view.Destination{}
	for _, p := range lookAt(w, 1).places(path) {
		at[p.Kind+" "+p.Title] = p
	}
	for what, href := range map[string]string{
		"Page Tracker": "/tracker/", "Rule Aerobics": "/rules/Aerobics", "Breeder Bo": "/people/2", "Table Dragons": "/tracker/dragons",
		"Call for Judgment CfJ: Fences": "/matters/" + itoa(newest(w)), "Do Roll dice": "/now/?do=Roll+dice",
		"Do Raise a Call for Judgment": "/propose/?kind=Raise+a+Call+for+Judgment", "Do Adopt": "/now/?do=Adopt",
	} {
		if p, ok := at[what]; !ok || p.Href != href {
			t.Errorf("%s is at %q", what, p.Href)
		}
	}
	if at["Do Adopt"].Hint == "" || at["Do Roll dice"].Hint != "" {
		t.Error("it is not said why something cannot be done")
	}
	if _, ok := at["Do Vote"]; ok {
		t.Error("a vote is cast without a matter")
	}
}

// What others changed since I was here last is marked; what I did myself is not.
func TestTheTrackerMarksWhatIsNewToMe(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Adopt", map[string]any{"name": "Slate", "color": "Black"})
	since := w.Now()
	do(t, w, 3, "Update tracker", map[string]any{"table": "players", "row": int64(2), "column": "cookies", "value": int64(9)})
	do(t, w, 1, "Update tracker", map[string]any{"table": "players", "row": int64(3), "column": "cookies", "value": int64(9)})
	do(t, w, 3, "Adopt", map[string]any{"name": "Puddle", "color": "Silver"})
	marked := func(since int64) map[string]bool {
		out := map[string]bool{}
		for _, table := range lookAt(w, 1).tracker(since).Tables {
			for _, r := range table.Rows {
				for i, c := range table.Columns {
					if r.Cells[i].Changed {
						out[table.Name+" "+r.Label+" "+c.Name] = true
					}
				}
			}
		}
		return out
	}
	got := marked(since)
	for what, want := range map[string]bool{"players Bo cookies": true, "players Cy cookies": false, "dragons Puddle heartbeat": true, "dragons Slate heartbeat": false} {
		if got[what] != want {
			t.Errorf("%s is marked: %v", what, got[what])
		}
	}
	if got := marked(w.Now()); len(got) != 0 {
		t.Errorf("nothing has happened, and marked are %v", got)
	}
}

func TestAVisitEndsWithAPause(t *testing.T) {
	const minute = int64(60_000)
	since, last := visit(0, 0, 1000*minute)
	if since != 0 {
		t.Errorf("to who comes first things are new since %d", since)
	}
	since, last = visit(since, last, 1500*minute)
	if since != 1000*minute {
		t.Errorf("the second visit marks what is new since %d", since/minute)
	}
	since, last = visit(since, last, 1510*minute)
	if since != 1000*minute || last != 1510*minute {
		t.Errorf("a page loaded again forgets: %d, %d", since/minute, last/minute)
	}
	if since, _ = visit(since, last, 1541*minute); since != 1510*minute {
		t.Errorf("the third visit marks what is new since %d", since/minute)
	}
}

// What rules let somebody choose is put before them; the others see whom they wait for.
func TestAChoiceThatWaitsIsPutBeforeWhoMakesIt(t *testing.T) {
	w := farm(t)
	text := "# Fork\n\nProse.\n\n```starlark\ncolumn(\"way\", text())\ndef go(args):\n    find(\"players\", id=args[\"who\"]).way = args[\"choice\"]\nhandler(\"go\", go)\n" +
		"def walk(me):\n    offer(me, \"Left or right?\", [(\"l\", \"Left\"), (\"r\", \"Right\")], \"go\", until=now()+hours(2), otherwise=\"r\", args={\"who\": me.id})\naction(\"Walk\", run=walk)\n```\n"
	if o := w.Force([]any{map[string]any{"op": "enact", "section": int64(2), "text": text}}, w.Now()); o.Refused != nil {
		t.Fatal(o.Refused)
	}
	do(t, w, 2, "Walk", nil)
	do(t, w, 2, "Walk", nil)
	v := lookAt(w, 2).nowView(path)
	if n, first := needs(v); n != 2 || first != "Left or right?" || len(v.Decisions) != 2 {
		t.Fatalf("under Now are %d things, first %q", n, first)
	}
	d := v.Decisions[0]
	if d.Otherwise != "Right" || d.Until == 0 || d.Shut != "" || d.ID == v.Decisions[1].ID || len(d.Options) != 2 || d.Options[0].Label != "Left" {
		t.Fatalf("the decision %+v", d)
	}
	if slices.Contains(open(v), "Decide") {
		t.Error("deciding stands under Now twice")
	}
	waits := lookAt(w, 1).waiting(path)
	if len(lookAt(w, 1).nowView(path).Decisions) != 0 || len(waits) != 2 || waits[0].Text != "Bo is to choose: Left or right?" {
		t.Errorf("the others wait for %+v", waits)
	}
	do(t, w, 2, "Decide", map[string]any{"decision": d.ID, "choice": d.Options[0].Value})
	if way, _ := w.Cell(playersTable, 2, "way"); way != "l" || len(lookAt(w, 2).nowView(path).Decisions) != 1 {
		t.Errorf("they went %v", way)
	}
	past := lookAt(w, 2)
	past.past = true
	if len(past.nowView(path).Decisions) != 0 {
		t.Error("one can choose in the past")
	}
}

// What rules say waits for somebody is put before them, and the others see whom they wait for.
func TestWhatIsDueIsPutBeforeWhoOwesIt(t *testing.T) {
	w := duel(t)
	v := lookAt(w, 3).nowView(path)
	if len(v.Needs) != 1 {
		t.Fatalf("under Now: %+v", v.Needs)
	}
	if c := v.Needs[0]; c.Kind != "due" || c.Title != "Turn in [Duel] Smaug against Cy" || c.Href != "/boards/battle/1" || c.Go == "" || c.Until != w.Now()+24*3600_000 || c.Action != nil {
		t.Errorf("the card is %+v", c)
	}
	if got := cards(lookAt(w, 2).nowView(path)); len(got) != 0 {
		t.Errorf("whose turn it is not sees %q", got)
	}
	waits := lookAt(w, 2).waiting(path)
	if len(waits) != 1 || waits[0].Text != "Cy: Turn in [Duel] Smaug against Cy" || waits[0].Href != "/boards/battle/1" || waits[0].Until == 0 {
		t.Errorf("the other side waits for %+v", waits)
	}
	if waits := lookAt(w, 3).waiting(path); len(waits) != 0 {
		t.Errorf("I am waited for by myself: %+v", waits)
	}
}

// What has no time is told to others only if it holds the game up.
func TestWhatHoldsTheGameUpIsToldToAll(t *testing.T) {
	w := farm(t)
	text := "# Errands\n\nProse.\n\n```starlark\nwaits(lambda me: [due(\"A name to think of\")])\nwaits(lambda me: [due(\"The Address to make\", holds=True)] if me.id == 1 else [])\n```\n"
	if o := w.Force([]any{map[string]any{"op": "enact", "section": int64(2), "text": text}}, w.Now()); o.Refused != nil {
		t.Fatal(o.Refused)
	}
	if waits := lookAt(w, 2).waiting(path); len(waits) != 1 || waits[0].Text != "Ana: The Address to make" || waits[0].Until != 0 {
		t.Errorf("Bo waits for %+v", waits)
	}
	if waits := lookAt(w, 1).waiting(path); len(waits) != 0 {
		t.Errorf("Ana waits for %+v", waits)
	}
}

// Several icons of one comment are shown in their order, and flavour beside the text.
func TestACommentShowsAllItsIcons(t *testing.T) {
	prepared, err := rules.Found(rules.Founding{Founder: "Ana", FounderKey: "key", Documents: []document.Document{{Path: "1-core/01-all.md", Text: "# All\n\n```starlark\n" + `
icon("FOR", glyph="check")
icon("ARROW", glyph="arrow")
category("Talk", icons=["FOR", "ARROW"])
def talk(me):
    comment(post("Talk", "Hello", "All.", flavour="Ha!"), "", icons=["FOR", "FOR", "ARROW"])
action("Talk", run=talk)
` + "```\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	do(t, prepared, 1, "Talk", nil)
	l := lookAt(prepared, 1)
	v := l.post(prepared.Posts()[0])
	if v.Flavour != "Ha!" || len(v.Comments) != 1 {
		t.Fatalf("the post is %+v", v)
	}
	c := v.Comments[0]
	if len(c.Before) != 2 || c.Before[0].Glyph != "check" || c.Icon != "ARROW" || c.Glyph != "arrow" {
		t.Errorf("the comment is %+v", c)
	}
}

// A cell that changes more than once in an action is told once, and one that is as it was not at all.
func TestChangesOfACellAreToldOnce(t *testing.T) {
	set := func(column string, old, new int64) rules.Change {
		return rules.Change{Op: rules.ChangeSet, Table: "dragons", Row: 1, Column: column, Old: old, New: new, Label: "Smaug"}
	}
	got := lookAt(farm(t), 2).changes([]rules.Change{set("flame", 5, 8), set("wings", 5, 6), set("flame", 8, 7), set("wings", 6, 5)})
	if len(got) != 1 || got[0].Column != "Flame" || got[0].Old != "5" || got[0].New != "7" {
		t.Errorf("they are %+v", got)
	}
}

// The page writes until when something is closed, so the reason does not.
func TestACadenceIsToldOnce(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Cookie Increase", map[string]any{"by": "10"})
	a, _ := lookAt(w, 2).action("Cookie Increase")
	if v := actionView(a); v.Reason != "you have done this already" || v.Until == 0 {
		t.Errorf("it is closed because %q until %d", v.Reason, v.Until)
	}
}

// Every amendment is told in words.
func TestAmendmentsInWords(t *testing.T) {
	w := farm(t)
	do(t, w, 2, "Adopt", map[string]any{"name": "Slate", "color": "Black"})
	l := lookAt(w, 1)
	for _, c := range []struct {
		carried map[string]any
		want    string // what it does, before and after
	}{
		{map[string]any{"op": "replace", "rule": "Aerobics", "old": "one", "new": "two"}, "Replaces words in the rule “Aerobics”|one|two"},
		{map[string]any{"op": "set", "table": "dragons", "where": map[string]any{}, "column": "flame", "value": int64(3)}, "Sets Flame of each Dragon||3"},
		{map[string]any{"op": "gain", "table": "players", "row": int64(2), "column": "cookies", "by": int64(2)}, "Adds 2 to Cookies of Bo||"},
		{map[string]any{"op": "lose", "table": "dragons", "where": map[string]any{"color": "Black", "owner": int64(2)}, "column": "flame", "by": int64(1)},
			"Takes 1 from Flame of each Dragon with Color Black and Owner Bo||"},
		{map[string]any{"op": "multiply", "table": "dragons", "where": map[string]any{"owner": nil}, "column": "flame", "by": "0.5"}, "Multiplies Flame of each Dragon with Owner empty by 0.5||"},
		{map[string]any{"op": "seat", "from": "no key", "to": "neither"}, "Gives the seat of the key " + ledger.Fingerprint("no key") + " to the key " + ledger.Fingerprint("neither") + "||"},
	} {
		v := l.amendment(c.carried, "open")
		if got := v.What + "|" + v.Old + "|" + v.New; got != c.want {
			t.Errorf("%v: %s, want %s", c.carried, got, c.want)
		}
	}
}
