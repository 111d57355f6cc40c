package rules

import (
	"encoding/base64"
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

func foundWith(doc document.Document) (*World, error) {
	return Found(Founding{Documents: []document.Document{doc}, FounderKey: "ana", Founder: "Ana", Time: 3000})
}

func TestSnapshotGivesTheSameWorld(t *testing.T) {
	w, doc := snapshotOf(t)
	again, err := foundWith(doc)
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
	stranger, err := Found(Founding{Documents: []document.Document{doc}, FounderKey: "bo", Founder: "Bo", Time: 3000})
	if err != nil {
		t.Fatal(err)
	}
	if id := stranger.PersonOf("bo"); id != 2 || stranger.Plays(id) {
		t.Errorf("a founder from outside is person %d, a player %v", id, stranger.Plays(id))
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
	for name, text := range map[string]string{
		"no base64":                 "?",
		"base64 with padding":       doc.Text + "==",
		"no snapshot":               base64.RawStdEncoding.EncodeToString([]byte{0x80}),
		"another version":           with(func(s *worldSnapshot) { s.Version = 2 }),
		"no game":                   with(func(s *worldSnapshot) { s.State = s.State[1:] }),
		"a key that is a number":    cell(tablePlayers, "key", int64(1)),
		"a time that is text":       cell(tablePlayers, "acted", "now"),
		"a rule that does not load": cell(tableRules, "text", "# All\n\n```starlark\nboom(\n```\n"),
		"a numbered entry":          with(func(s *worldSnapshot) { s.Log[0].Number = 1 }),
		"a log with raw lists":      with(func(s *worldSnapshot) { s.Log[0].Args = map[string]any{"x": []any{}} }),
	} {
		if _, err := foundWith(document.Document{Path: SnapshotPath, Text: text}); err == nil {
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
		doc := document.Document{Path: SnapshotPath, Text: base64.RawStdEncoding.EncodeToString(b)}
		w, err := foundWith(doc)
		if err != nil || len(w.Players()) == 0 {
			return
		}
		before := w.Digest()
		again, err := w.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if w, err = foundWith(again); err != nil || w.Digest() != before {
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
