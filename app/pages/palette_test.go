package pages

import (
	"slices"
	"testing"

	"peernomic/app/view"
)

func TestThePaletteFindsByAnyWordTheBestFirst(t *testing.T) {
	p := &palette{destinations: []view.Destination{
		{Kind: "Rule", Title: "Dragon Eggs"}, {Kind: "Rule", Title: "The Egg Shop"}, {Kind: "Rule", Title: "Leggings"},
		{Kind: "Proposal", Title: "Cheaper eggs"}, {Kind: "Do", Title: "Egg hunt"},
		{Kind: "Do", Title: "Aerobics", Hint: "you trained today", Shut: true}, {Kind: "Rule", Title: "Aerobics"}, {Kind: "Do", Title: "Aerobics for all"}}}
	for text, want := range map[string][]string{
		"egg":         {"Egg hunt", "Dragon Eggs", "The Egg Shop", "Cheaper eggs", "Leggings"},
		"eggs rule":   {"Dragon Eggs"},
		" PROPOSAL ":  {"Cheaper eggs"},
		"eggs dragon": {"Dragon Eggs"},
		"zebra":       nil,
		"aerobics":    {"Rule Aerobics", "Do Aerobics for all", "Do Aerobics"},
	} {
		p.text = text
		var got []string
		for _, q := range p.found() {
			if text == "aerobics" {
				q.Title = q.Kind + " " + q.Title
			}
			got = append(got, q.Title)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, not %q", text, got, want)
		}
	}
	for range 50 {
		p.destinations = append(p.destinations, view.Destination{Title: "Egg"})
	}
	if p.text = "egg"; len(p.found()) != paletteRows {
		t.Errorf("%d places are offered", len(p.found()))
	}
}
