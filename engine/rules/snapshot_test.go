package rules

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"peernomic/engine/rules/document"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

func snapshotOf(t testing.TB) (*World, document.Document) {
	t.Helper()
	w, err := Found(Founding{Founder: "Ana", FounderKey: "ana", Time: 1000, Options: map[string]string{"a": "b"}, Documents: []document.Document{
		{Path: "ruleset.md", Text: "# Small\n\nA small one."},
		{Path: "1-core/01-all.md", Text: "# All\n\n```starlark\nvariable(\"price\", decimal(2), default=1)\n```\n"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Force([]any{map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "price", "value": "0.25"}}, 2000)
	doc, err := w.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return w, doc
}

func TestSnapshotGivesTheSameWorld(t *testing.T) {
	w, doc := snapshotOf(t)
	digest := w.Digest()
	founding := Founding{Documents: []document.Document{doc}, FounderKey: "ana", Founder: "Ana", Time: 3000, Digest: &digest}
	again, err := Found(founding)
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != w.Digest() || again.Now() != w.Now() || again.Name() != w.Name() || again.options["a"] != "b" {
		t.Errorf("the world is another: now %d, want %d", again.Now(), w.Now())
	}
	if v, _ := again.GameCell("price"); v != state.Fraction("0.25") {
		t.Errorf("the price is %#v", v)
	}
	if twice, err := again.Snapshot(); err != nil || twice != doc {
		t.Errorf("its snapshot is another: %v", err)
	}
	// The log stays behind, and its numbers go on.
	if len(w.Log()) != 2 || len(again.Log()) != 0 {
		t.Fatalf("logs of %d and %d entries", len(w.Log()), len(again.Log()))
	}
	set := []any{map[string]any{"op": "set", "table": "game", "row": int64(1), "column": "price", "value": "0.5"}}
	if a, b := w.Force(set, 4000), again.Force(set, 4000); a.Number != 3 || b.Number != 3 || w.Digest() != again.Digest() {
		t.Errorf("the same again is entry %d in one and %d in the other", a.Number, b.Number)
	}
	if _, ok := again.LogEntry(2); ok {
		t.Error("an entry of an earlier chapter is there")
	}
	if e, ok := again.LogEntry(3); !ok || e.Number != 3 {
		t.Error("an entry of this chapter is not there")
	}
	if _, err := again.entry(2); err == nil || !strings.Contains(err.Error(), "earlier chapter") {
		t.Errorf("an entry of an earlier chapter: %v", err)
	}
	kept, err := again.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if third, err := DecodeWorld(kept); err != nil || third.Digest() != again.Digest() || third.nextEntry() != 4 {
		t.Errorf("it comes back from the disk otherwise: %v", err)
	}

	founding.FounderKey, founding.Founder = "bo", "Bo"
	stranger, err := Found(founding)
	if err != nil {
		t.Fatal(err)
	}
	if id := stranger.PersonOf("bo"); id != 2 || stranger.Plays(id) {
		t.Errorf("a founder from outside is person %d, a player %v", id, stranger.Plays(id))
	}
	digest[0] ^= 1
	if _, err := Found(founding); err == nil {
		t.Error("founded with another world than it says")
	}
	digest[0] ^= 1
	founding.Documents = append(founding.Documents, doc)
	if _, err := Found(founding); err == nil {
		t.Error("founded with two documents")
	}
}

// Snapshots come from other people.
func TestSnapshotsThatAreRefused(t *testing.T) {
	_, doc := snapshotOf(t)
	b, err := base64.RawStdEncoding.DecodeString(doc.Text)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(s *worldSnapshot)) string {
		var s worldSnapshot
		if err := wire.Decode(b, &s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		b, err := wire.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawStdEncoding.EncodeToString(b)
	}
	cell := func(table, column string, v any) string {
		return with(func(s *worldSnapshot) {
			for i := range s.State {
				if s.State[i].Name == table {
					s.State[i].Rows[0].Cells[column] = v
				}
			}
		})
	}
	table := func(name string, cells map[string]any) string { // with one row
		return with(func(s *worldSnapshot) {
			s.State = append(s.State, state.TableSnapshot{Name: name, Next: 2, Rows: []state.RowSnapshot{{ID: 1, Cells: cells}}})
			slices.SortFunc(s.State, func(a, b state.TableSnapshot) int { return strings.Compare(a.Name, b.Name) })
		})
	}
	for name, text := range map[string]string{
		"no base64":                 "?",
		"base64 with padding":       doc.Text + "==",
		"no snapshot":               base64.RawStdEncoding.EncodeToString([]byte{0x80}),
		"another version":           with(func(s *worldSnapshot) { s.Version = 2 }),
		"no game":                   with(func(s *worldSnapshot) { s.State = s.State[1:] }),
		"a key that is a number":    cell(tablePlayers, "key", int64(1)),
		"a time that is text":       cell(tablePlayers, "acted", "now"),
		"a rule that does not load": cell(tableRules, "text", "# All\n\n```starlark\nboom(\n```\n"),
		"icons that are a map":      table(tableComments, map[string]any{"icons": map[string]any{}}),
		"icons that are numbers":    table(tableComments, map[string]any{"icons": []any{int64(0), int64(1)}}),
		"options without labels":    table(tableDecisions, map[string]any{"options": []any{int64(0), "yes"}, "args": map[string]any{}}),
		"args that are no dict":     table(tableDecisions, map[string]any{"options": []any{int64(0)}, "args": "x"}),
		"a timer of no decision":    table(tableTimers, map[string]any{"due": int64(1), "decision": int64(7)}),
		"a log of less than none":   with(func(s *worldSnapshot) { s.Earlier = -1 }),
		"a log beyond counting":     with(func(s *worldSnapshot) { s.Earlier = 1 << 62 }),
	} {
		if _, err := fromSnapshot(text); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzSnapshot: what makes a world gives the same bytes again, and nothing panics.
func FuzzSnapshot(f *testing.F) {
	_, doc := snapshotOf(f)
	b, _ := base64.RawStdEncoding.DecodeString(doc.Text)
	f.Add(b)
	f.Add([]byte(strings.ReplaceAll(string(b), "0.25", "0.50")))
	f.Add(b[:len(b)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := fromSnapshot(base64.RawStdEncoding.EncodeToString(b))
		if err != nil || len(w.Players()) == 0 {
			return
		}
		before := w.Digest()
		again, err := w.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if w, err = fromSnapshot(again.Text); err != nil || w.Digest() != before {
			t.Errorf("the snapshot of the world makes another: %v", err)
		}
		w.Tables()
		w.Rules()
		w.Posts()
		w.Actions(1)
	})
}

// Whatever a game may come to hold can be encoded and decoded again; what could not be is refused.
func TestTheFullestWorldIsEncoded(t *testing.T) {
	w := zoo(t, `
table("crumbs", columns=[field("size", integer())])
variable("heap", data())
variable("count", integer())
def drop(me):
    create("crumbs", size=1)
def heap(me, n):
    game.heap = [0] * n
def tally(me, n):
    for i in range(n):
        game.count = i + 1
action("Drop", run=drop)
action("Heap", run=heap, params=[param("n", integer())])
action("Tally", run=tally, params=[param("n", integer())])
`)
	do := func(name string, n int64) Outcome {
		args := map[string]any{"n": n}
		if name == "Drop" {
			args = nil
		}
		return w.Do(Act{Player: 1, Name: name, Args: args, Time: w.Now() + 1})
	}
	for range state.MaxRows - 1 {
		if _, err := w.state.Create("crumbs"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		n       int64
		refused string
	}{
		{"Drop", 0, ""}, {"Drop", 0, "table crumbs has 65535 rows"},
		{"Heap", state.MaxRows, ""}, {"Heap", state.MaxRows + 1, "more than 65535 elements"},
		{"Tally", MaxChanges, ""}, {"Tally", MaxChanges + 1, "one action may make 10000 changes, and this makes 10001"},
	} {
		o := do(c.name, c.n)
		if got := o.Refused; (got == nil) != (c.refused == "") || got != nil && !strings.Contains(got.Reason, c.refused) {
			t.Errorf("%s %d: refused %v, want %q", c.name, c.n, got, c.refused)
		}
	}
	b, err := w.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeWorld(b)
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != w.Digest() {
		t.Error("the world is another")
	}
	list := make([]any, state.MaxRows+1)
	for i := range list {
		list[i] = int64(0)
	}
	if err := w.state.Set("game", 1, "heap", list); err == nil {
		t.Error("a list that cannot be encoded is kept")
	}
}
