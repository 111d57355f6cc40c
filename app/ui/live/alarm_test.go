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
