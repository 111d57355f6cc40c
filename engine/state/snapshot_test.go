package state

import (
	"reflect"
	"testing"

	"peernomic/engine/wire"
)

// A snapshot that is encoded and decoded gives the same state, fractions and their texts told
// apart.
func TestSnapshotGivesTheSameState(t *testing.T) {
	s := New()
	cells := []Value{nil, true, int64(-3), "0.25", Fraction("0.25"), []any{}, []any{Fraction("-1.5"), "x", []any{int64(1)}},
		map[string]any{"a": Fraction("2.5"), "b": []any{nil}}}
	for _, v := range cells {
		id, err := s.Create("things")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Set("things", id, "value", v); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remove("things", 2); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create("empty"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove("empty", 1); err != nil {
		t.Fatal(err)
	}
	b, err := wire.Encode(s.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	var shot Snapshot
	if err := wire.Decode(b, &shot); err != nil {
		t.Fatal(err)
	}
	again, err := FromSnapshot(shot)
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != s.Digest() {
		t.Error("the digest is another")
	}
	for i, want := range cells {
		got, ok := again.Get("things", int64(i+1), "value")
		if i == 1 {
			if ok {
				t.Error("a removed row is back")
			}
			continue
		}
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("cell %d is %#v, want %#v", i, got, want)
		}
	}
	for _, table := range []string{"things", "empty"} {
		a, _ := s.Create(table)
		if b, _ := again.Create(table); a != b {
			t.Errorf("%s goes on with row %d, want %d", table, b, a)
		}
	}
}

func TestSnapshotsThatAreRefused(t *testing.T) {
	row := func(id int64, v any) RowSnapshot { return RowSnapshot{ID: id, Cells: map[string]any{"c": v}} }
	for name, shot := range map[string]Snapshot{
		"tables out of order":      {{Name: "b", Next: 2}, {Name: "a", Next: 2}},
		"a table twice":            {{Name: "a", Next: 2}, {Name: "a", Next: 2}},
		"rows out of order":        {{Name: "a", Next: 9, Rows: []RowSnapshot{row(2, nil), row(1, nil)}}},
		"row 0":                    {{Name: "a", Next: 9, Rows: []RowSnapshot{row(0, nil)}}},
		"a next row that is there": {{Name: "a", Next: 1, Rows: []RowSnapshot{row(1, nil)}}},
		"a table never used":       {{Name: "a", Next: 1}},
		"bytes":                    {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []byte{1})}}},
		"a list without a kind":    {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []any{})}}},
		"a list of another kind":   {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []any{int64(2)})}}},
		"a fraction that is whole": {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []any{int64(1), "2"})}}},
		"a fraction that is none":  {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []any{int64(1), "0.50"})}}},
		"a fraction of nothing":    {{Name: "a", Next: 9, Rows: []RowSnapshot{row(1, []any{int64(1)})}}},
	} {
		if _, err := FromSnapshot(shot); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
