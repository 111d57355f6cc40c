package rules

import (
	"testing"
	"time"
)

// ones is a die that always shows one.
type ones struct{}

func (ones) Roll(uint64) (uint64, error) { return 1, nil }

// TestHostileRules calls functions of the kernel that do much work, over and over. Each
// action has to end as a refusal for its budget.
func TestHostileRules(t *testing.T) {
	for name, body := range map[string]string{
		"shared value written": "    v = (((0,) * 1000,) * 1000,) * 1000\n    game.blob = v",
		"shared value handed":  "    v = (((0,) * 1000,) * 1000,) * 1000\n    create(\"things\", blob=v)",
		"shared value noted":   "    v = (((0,) * 1000,) * 1000,) * 1000\n    find(\"things\", blob=v)",
		"wide value read":      "    game.blob = [0] * 20000\n    for i in range(1000000):\n        game.blob",
		"text folded":          "    s = \"aB\" * 500000\n    for i in range(1000000):\n        casefold(s)",
		"rows printed":         "    r = create(\"things\")\n    for i in range(1000000):\n        str([r] * 3000)",
		"rows made":            "    for i in range(1000000):\n        create(\"things\")",
		"problems asked":       "    for i in range(1000000):\n        problems([{\"op\": \"repeal\", \"rule\": \"All\"}])",
		"fingerprints read":    "    p = post(\"Note\", \"t\", body=\"x\" * 50000)\n    for i in range(1000000):\n        p.fingerprint",
		"events set off":       "    for i in range(1000000):\n        game.count = i",
		"players listed":       "    for i in range(1000000):\n        everyone()",
		"dice rolled":          "    for i in range(1000000):\n        dice(1000, 6)",
		"timers set":           "    for i in range(1000000):\n        schedule(now() + i, \"later\", key=str(i))",
		"comments written":     "    p = post(\"Note\", \"t\")\n    for i in range(1000000):\n        comment(p, \"x\" * 15000)",
		"dice words":           "    s = \"DICE6 \" * 40000\n    for i in range(1000000):\n        roll_words(s)",
		"long reason":          "    refuse(\"x\" * 1000000)",
	} {
		t.Run(name, func(t *testing.T) {
			w := found(t, `
table("things", title="Things", one="thing", columns=[field("blob", data())], label=lambda row: "x" * 100000)
variable("blob", data(), default=[])
variable("count", integer(), default=0)
category("Note", title="Notes")
handler("later", lambda args: None)
dice_word("DICE")
on_change("game.count", lambda row, old, new: [i for i in range(100)])
def attack(me):
`+body+`
action("Attack", run=attack)
`)
			start := time.Now()
			out := w.Do(Act{Player: 1, Name: "Attack", Time: w.Now(), Dice: ones{}})
			t.Logf("%v", time.Since(start))
			if out.Refused == nil {
				t.Fatal("it was carried out")
			}
			t.Logf("%s: %s", out.Refused.Code, out.Refused.Reason)
			if len(out.Refused.Reason) > MaxReason+10 {
				t.Errorf("the reason has %d bytes", len(out.Refused.Reason))
			}
		})
	}
}
