package live

import (
	"slices"
	"strings"
	"testing"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/rules"
)

// duel is a farm on which Bo's and Cy's dragons fight; the turn is Cy's, who is the guest.
func duel(t *testing.T) *rules.World {
	t.Helper()
	w := farm(t)
	do(t, w, 2, "Adopt", map[string]any{"name": "Smaug", "color": "Red"})
	do(t, w, 3, "Adopt", map[string]any{"name": "Norbert", "color": "Green"})
	do(t, w, 2, "Announce Duel", map[string]any{"guest": int64(3), "bet": int64(0)})
	do(t, w, 3, "Join Duel", map[string]any{"duel": int64(1)})
	return w
}

// A page that a rule makes shows its cards, and to whom it concerns what they can do there.
func TestBoardOfARow(t *testing.T) {
	w := duel(t)
	v, err := lookAt(w, 3).board("battle/1", false, path)
	if err != nil || v.Problem != "" {
		t.Fatal(err, v)
	}
	if v.Title != "[Duel] Smaug against Cy" || v.Under != "Battles" || v.UnderHref != "/boards/battle" {
		t.Errorf("the page is %q under %q, %s", v.Title, v.Under, v.UnderHref)
	}
	sides := v.Parts[1]
	if sides.Shape != "row" || sides.Parts[0].Card.Title != "Norbert" || !sides.Parts[0].Card.Mine || sides.Parts[1].Card.Owner != "Bo" || sides.Parts[1].Card.Swatch != "Red" {
		t.Errorf("side by side: %+v", sides)
	}
	if g := sides.Parts[0].Card.Meters[0]; g.Value != 100 || g.Fill != 1000 || g.Low {
		t.Errorf("the meter is %+v", g)
	}
	if turn := v.Parts[2]; turn.Title != "Your turn" || turn.Until != w.Now()+24*3600_000 {
		t.Errorf("whose turn: %q until %d", turn.Title, turn.Until)
	}
	claw := deedNamed(t, v, "Dragon Claw")
	if !claw.Action.Open || claw.Fixed["battle"] != int64(1) {
		t.Errorf("the claw is %+v", claw)
	}
	if dive := deedNamed(t, v, "Dragon Dive"); dive.Action.Open || !strings.Contains(dive.Action.Reason, "did not fly") {
		t.Errorf("the dive is %+v", dive)
	}
	if lines := v.Parts[3].Lines; len(lines) != 1 || lines[0].Who != "Cy" || !strings.Contains(lines[0].Text, "joins") {
		t.Errorf("what was said: %+v", lines)
	}
	other, err := lookAt(w, 2).board("battle/1", false, path)
	if err != nil || len(deeds(other.Parts)) != 0 || other.Parts[2].Title != "Cy's turn" {
		t.Errorf("for whose turn it is not: %v, %+v", err, other.Parts[2])
	}
	for _, name := range []string{"battle/9", "battle/x", "nothing"} {
		if _, err := lookAt(w, 2).board(name, false, path); err == nil {
			t.Errorf("there is a page %s", name)
		}
	}
	if g, err := lookAt(w, 2).board("dragons", true, path); err != nil || len(g.Parts[0].Parts) != 2 {
		t.Errorf("all dragons: %v, %+v", err, g)
	}
	if _, err := lookAt(w, 2).board("posts", true, path); err == nil {
		t.Error("posts have cards")
	}
}

func deeds(parts []view.Part) []view.Deed {
	var out []view.Deed
	for _, p := range parts {
		out = append(append(out, p.Deeds...), deeds(p.Parts)...)
	}
	return out
}

func deedNamed(t *testing.T, v *view.Board, name string) view.Deed {
	t.Helper()
	all := deeds(v.Parts)
	i := slices.IndexFunc(all, func(d view.Deed) bool { return d.Action.Name == name })
	if i < 0 {
		t.Fatalf("%s is not there", name)
	}
	return all[i]
}

// A forecast tells how far numbers may go, how likely they are to, and what else may come.
func TestForecast(t *testing.T) {
	w := duel(t)
	set := func(v int64) rules.Change {
		return rules.Change{Op: rules.ChangeSet, Table: "dragons", Row: 1, Column: "heartbeat", Old: int64(100), New: v, Label: "Smaug"}
	}
	over := rules.Change{Op: rules.ChangeSet, Table: "battles", Row: 1, Column: "status", Old: "running", New: "over", Label: "Duel"}
	f := lookAt(w, 3).forecast([]game.PreviewOutcome{
		{Numerator: 1, Denominator: 4, Changes: []rules.Change{set(90), over}},
		{Numerator: 1, Denominator: 4, Changes: []rules.Change{set(95), set(80)}},
		{Numerator: 1, Denominator: 2},
	})
	want := []string{"Smaug: Heartbeat 100 → 80 to 100, on average 92.5", "Duel: Status: over in 25%"}
	if !slices.Equal(f.Lines, want) {
		t.Errorf("it says %q", f.Lines)
	}
	f = lookAt(w, 3).forecast([]game.PreviewOutcome{{Numerator: 1, Denominator: 1, Changes: []rules.Change{set(7)}}})
	if !slices.Equal(f.Lines, []string{"Smaug: Heartbeat 100 → 7"}) {
		t.Errorf("what is certain: %q", f.Lines)
	}
	made := func(n int64) []rules.Change {
		return []rules.Change{{Op: rules.ChangeCreate, Table: "effects", Row: 1, Label: "Flame of Smaug", New: map[string]any{"fighter": int64(1), "stat": "flame", "amount": n}}}
	}
	f = lookAt(w, 3).forecast([]game.PreviewOutcome{{Numerator: 1, Denominator: 2, Changes: made(-1)}, {Numerator: 1, Denominator: 4, Changes: made(-2)}, {Numerator: 1, Denominator: 4}})
	if !slices.Equal(f.Lines, []string{"New temporary change: Flame of Smaug, Change -2 to -1, in 75%"}) {
		t.Errorf("what is new: %q", f.Lines)
	}
	egg := func(label string, flame int64) []rules.Change {
		return []rules.Change{{Op: rules.ChangeCreate, Table: "eggs", Row: 1, Label: label, New: map[string]any{"flame": flame, "wings": int64(4)}}}
	}
	f = lookAt(w, 3).forecast([]game.PreviewOutcome{{Numerator: 1, Denominator: 1, Changes: egg("Red: Flame 5, Wings 4", 5)}})
	if !slices.Equal(f.Lines, []string{"New Dragon Egg: Red: Flame 5, Wings 4"}) {
		t.Errorf("what its label says: %q", f.Lines)
	}
	f = lookAt(w, 3).forecast([]game.PreviewOutcome{{Numerator: 1, Denominator: 2, Changes: egg("one", 5)}, {Numerator: 1, Denominator: 2, Changes: egg("another", 6)}})
	if !slices.Equal(f.Lines, []string{"New Dragon Egg: Flame 5 to 6, Wings 4"}) {
		t.Errorf("whose label is open: %q", f.Lines)
	}
	if f := lookAt(w, 3).forecast([]game.PreviewOutcome{{Numerator: 1, Denominator: 1}}); f.None == "" {
		t.Error("nothing at all is not said")
	}
}

// Pages are sorted by what the rules declare: a place, or one for each row of a table.
func TestPagesAreSortedByTheirDeclarations(t *testing.T) {
	many := map[string]bool{}
	for _, b := range lookAt(duel(t), 2).pages(path).Boards {
		many[b.Title] = b.Many
	}
	for title, want := range map[string]bool{"Battles": true, "Dragons": true, "Tournament": false, "Item Shop and backpack": false} {
		if got, ok := many[title]; !ok || got != want {
			t.Errorf("%s: listed %v, one for each row %v", title, ok, got)
		}
	}
}
