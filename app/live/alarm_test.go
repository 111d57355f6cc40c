package live

import (
	"strings"
	"testing"

	"peernomic/app/client"
	"peernomic/engine/ledger"
)

// A snapshot that was not what the log gives is told of on every page; without anything wrong there is no
// alarm.
func TestWrongSnapshotIsAnAlarm(t *testing.T) {
	r := ledger.NewReplica(ledger.RoomSecret{1}.Keys())
	if text := alarmOf(client.NetStatus{}, r); text != "" {
		t.Errorf("an alarm about nothing: %s", text)
	}
	if text := alarmOf(client.NetStatus{SnapshotWrong: true}, r); !strings.Contains(text, "was thrown away") {
		t.Errorf("the alarm says %q", text)
	}
}

// Every page says when the game's clock is far ahead, but not in place of what is worse.
func TestClockAheadIsAnAlarm(t *testing.T) {
	r := ledger.NewReplica(ledger.RoomSecret{1}.Keys())
	for net, want := range map[*client.NetStatus]string{
		{DaysAhead: 1}:                       "is 1 day ahead",
		{DaysAhead: 31}:                      "is 31 days ahead",
		{DaysAhead: 31, SnapshotWrong: true}: "was thrown away",
	} {
		if text := alarmOf(*net, r); !strings.Contains(text, want) {
			t.Errorf("%+v: the alarm says %q, want %q", *net, text, want)
		}
	}
}
