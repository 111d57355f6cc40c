//go:build !js

package shelf

import (
	"context"
	"fmt"

	"peernomic/engine/rules"
	"peernomic/engine/rules/document"
	"peernomic/engine/rulesets"
)

// Embedded is the shelf of a native program.
type Embedded struct{}

// Sets returns all rulesets, sorted by name.
func (Embedded) Sets(context.Context) ([]Set, error) {
	var sets []Set
	for _, name := range rulesets.Names() {
		docs, err := rulesets.Load(name)
		if err != nil {
			return nil, err
		}
		// Only a world knows what its founder may choose.
		w, err := rules.Found(rules.Founding{Documents: docs, Founder: "founder", FounderKey: "founder"})
		if err != nil {
			return nil, fmt.Errorf("ruleset %s: %w", name, err)
		}
		s := Set{Name: name, Title: w.Name(), Summary: w.Summary()}
		if accent, _ := w.GameCell("accent"); accent != nil {
			s.Accent, _ = accent.(string)
		}
		for _, o := range w.Options() {
			s.Options = append(s.Options, Option{Name: o.Name, Initial: o.Initial, Help: o.Help})
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// Documents returns the documents of a ruleset, sorted by path.
func (Embedded) Documents(_ context.Context, name string) ([]document.Document, error) {
	return rulesets.Load(name)
}
