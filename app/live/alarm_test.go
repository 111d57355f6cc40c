package live

import (
	"strings"
	"testing"

	"peernomic/app/client"
	"peernomic/engine/ledger"
)

// Without anything wrong there is no alarm.
func TestNoAlarmAboutNothing(t *testing.T) {
	r := ledger.NewReplica(ledger.RoomSecret{1}.Keys(), ledger.GameID{1})
	if text := alarmOf(client.NetStatus{}, r); text != "" {
		t.Errorf("an alarm about nothing: %s", text)
	}
}

// Every page says when the game's clock is far ahead, but not in place of what is worse.
func TestClockAheadIsAnAlarm(t *testing.T) {
	r := ledger.NewReplica(ledger.RoomSecret{1}.Keys(), ledger.GameID{1})
	for net, want := range map[*client.NetStatus]string{
		{DaysAhead: 1}:                   "is 1 day ahead",
		{DaysAhead: 31}:                  "is 31 days ahead",
		{DaysAhead: 31, Storage: "full"}: "cannot keep",
	} {
		if text := alarmOf(*net, r); !strings.Contains(text, want) {
			t.Errorf("%+v: the alarm says %q, want %q", *net, text, want)
		}
	}
}
