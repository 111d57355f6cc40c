package rulesets

import (
	"testing"

	"peernomic/engine/rules"
)

// lowDice rolls ones.
type lowDice struct{}

func (lowDice) Roll(uint64) (uint64, error) { return 1, nil }

// BenchmarkAct carries out posts in the shipped rulesets: the plainest action with all that
// goes with one, gates and guards included.
func BenchmarkAct(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			docs, err := Load(name)
			if err != nil {
				b.Fatal(err)
			}
			w, err := rules.Found(rules.Founding{Documents: docs, Time: 1_767_607_200_000, Founder: "Kim"})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				out := w.Do(rules.Act{Player: 1, Name: "Post", Args: map[string]any{"title": "A post", "body": "Its text."}, Time: w.Now() + 1000, Dice: lowDice{}})
				if out.Refused != nil {
					b.Fatal(out.Refused)
				}
				w.Commit()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "actions/s")
		})
	}
}

// BenchmarkLoad makes a world of each shipped ruleset: what founding and every amendment
// of a rule cost.
func BenchmarkLoad(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			docs, err := Load(name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := rules.Found(rules.Founding{Documents: docs, Time: 1_767_607_200_000, Founder: "Kim"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
