package ledger

import (
	"reflect"
	"testing"
)

func TestReplicaPlacesWhatIsSealed(t *testing.T) {
	tab := newTable(3)
	a := tab.act(1, "a")
	tab.publish(a)
	b := tab.act(2, "b")
	tab.publish(b)
	r := tab.people[0].replica
	if got, want := order(r.Tentative()), []string{"0 a", "0 b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
	tab.seal(a.Envelope())
	tab.seal(b.Envelope())
	want := []string{"1 genesis", "2 enrol", "3 enrol", "4 a", "5 b"}
	if got := order(r.Placed()); !reflect.DeepEqual(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if got := r.Tentative(); len(got) != 0 {
		t.Errorf("tentative %v, want none", order(got))
	}
	for i, p := range r.Placed() {
		s, _ := r.Seal(p.Seal)
		if p.Index != i || p.Time != s.Time || p.SealLink != s.Link || p.SealHash != s.Hash {
			t.Errorf("placement %d does not carry its seal", i)
		}
	}
}

func TestArchiveRoundTrip(t *testing.T) {
	tab := newTable(2)
	a := tab.act(1, "a")
	tab.publish(a)
	file := must(WriteArchive(tab.people[0].replica))
	r, err := ReadArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(r.Placed()), order(tab.people[0].replica.Placed()); !reflect.DeepEqual(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if got, want := order(r.Tentative()), []string{"0 a"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
}
