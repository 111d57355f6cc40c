package rulesets

import (
	"testing"

	"peernomic/engine/rules"
)

// Every board of every ruleset, and every card, can be drawn in a new game.
func TestBoardsCanBeDrawn(t *testing.T) {
	for _, name := range Names() {
		docs, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := rules.Found(rules.Founding{Documents: docs, Time: 1_767_607_200_000, Founder: "Kim", FounderKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range w.Boards() {
			if b.Of != "" {
				continue
			}
			v, ok := w.Board(b.Name, 0, 1)
			if !ok || v.Problem != "" || len(v.Parts) == 0 {
				t.Errorf("%s: the board %s: %v, %+v", name, b.Name, ok, v)
			}
		}
		for _, g := range w.Galleries() {
			if v, ok := w.Gallery(g.Table); !ok || v.Problem != "" {
				t.Errorf("%s: the cards of %s: %v, %s", name, g.Table, ok, v.Problem)
			}
		}
	}
}
