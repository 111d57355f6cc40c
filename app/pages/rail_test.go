package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// How the device is connected is said in whole sentences, and what does not work with what to do.
func TestTheConnectionInWords(t *testing.T) {
	for _, c := range []struct {
		net   view.Net
		state string
		want  string
	}{
		{view.Net{Relay: "none", Writer: true}, "practice", "A game for practice: it lives on this device alone, and its dice are witnessed by nobody."},
		{view.Net{Relay: "connected"}, "reader", "Another tab of this browser plays this game; what you do here is done by that one."},
		{view.Net{Relay: "connected", Writer: true}, "relay", "The relay keeps what you do; nobody else is here now."},
		{view.Net{Relay: "connected", Writer: true, ByRelay: []string{"Cy"}, Unsent: 1}, "relay", "By relay with Cy. 1 action waits to be sent."},
		{view.Net{Relay: "connected", Writer: true, ByRelay: []string{"Cy"}, Unsent: 1, Refusal: "The room is full."}, "relay", "By relay with Cy. The room is full. 1 action waits to be sent."},
		{view.Net{Relay: "connected", Writer: true, ByRelay: []string{"Cy"}, Direct: []string{"Bo"}}, "direct", "Direct with Bo, by relay with Cy."},
		{view.Net{Relay: "offline", Writer: true, Direct: []string{"Bo"}, Unsent: 2}, "direct", "Direct with Bo; the relay is not reached. 2 actions wait to be sent."},
		{view.Net{Relay: "offline", Writer: true}, "offline", "Not connected. You can go on; it is sent when there is a connection."},
		{view.Net{Relay: "refused", Refusal: "The relay knows no such room.", Writer: true}, "offline",
			"The relay knows no such room. What you do stays on this device."},
		{view.Net{Relay: "connected", Writer: true, Checked: 3, ToCheck: 10}, "relay", "What the relay has of this game is coming and being checked: 3 of 10 seals."},
	} {
		state, _, _, sentence := netState(c.net)
		if state != c.state || !strings.HasPrefix(sentence, c.want) {
			t.Errorf("%+v is %s: %s", c.net, state, sentence)
		}
		if strings.Contains(sentence, "..") {
			t.Errorf("two full stops: %s", sentence)
		}
	}
}

// What everybody has to know at once stands on every page, with the way to its proof, and nothing where there is nothing.
func TestAlarmIsOnEveryPage(t *testing.T) {
	drawn := func(s view.Shell) string {
		f := &frame.Frame{Shell: &s}
		return app.HTMLString(app.Div().Body(railParts(f)...))
	}
	const alarm = `data-test="alarm"`
	text := drawn(view.Shell{Alarm: "The game's clock is ahead.", AlarmHref: "/g/x/people"})
	for _, want := range []string{alarm, `role="alert"`, "clock is ahead.", "/g/x/people"} {
		if !strings.Contains(text, want) {
			t.Errorf("the alarm is shown without %q: %s", want, text)
		}
	}
	if text := drawn(view.Shell{}); strings.Contains(text, alarm) {
		t.Errorf("there is an alarm about nothing: %s", text)
	}
}
