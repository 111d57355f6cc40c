package pages

import (
	"reflect"
	"testing"

	"peernomic/app/view"
)

func TestClosedActionsStandByTheirReason(t *testing.T) {
	var got [][]string
	for _, g := range byReason([]view.Action{
		{Name: "Adopt", Reason: "no breeder"}, {Name: "Claw", Reason: "no battle"}, {Name: "Ritual", Reason: "trained", Until: 9},
		{Name: "Train", Reason: "trained", Until: 5}, {Name: "Feed", Reason: "no breeder"}, {Name: "Run", Reason: "trained", Until: 5},
	}) {
		var names []string
		for _, a := range g {
			names = append(names, a.Name)
		}
		got = append(got, names)
	}
	if want := [][]string{{"Train", "Run"}, {"Ritual"}, {"Adopt", "Feed"}, {"Claw"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
