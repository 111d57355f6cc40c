// Package shelf holds the rulesets that a game can be founded with. The native program carries their
// texts (package engine/rulesets); a browser fetches them from the host of its page when somebody founds
// a game, so that nobody else waits for them.
//
// Two kinds of file, both CBOR (engine/wire): the index is a list of [Set], and each set names the file
// of its documents, a list of document.Document.
package shelf

import (
	"context"
	"fmt"
	"slices"

	"peernomic/engine/rules/document"
	"peernomic/engine/wire"
)

// Set is what a founder sees of a ruleset.
type Set struct {
	_       struct{} `cbor:",toarray"`
	Name    string   // that it is loaded by
	Title   string
	Summary string // Markdown
	Accent  string // color of its pages, may be empty
	Options []Option
	File    string // address of its documents; empty where they are at hand
}

// Option is a choice of the founder's.
type Option struct {
	_                   struct{} `cbor:",toarray"`
	Name, Initial, Help string
}

// Remote is the shelf of the host that a page came from.
type Remote struct {
	Index string // address of the index
	// Get returns the file at an address.
	Get func(ctx context.Context, address string) ([]byte, error)
}

// Sets returns all rulesets, sorted by name.
func (r Remote) Sets(ctx context.Context) ([]Set, error) {
	var sets []Set
	return sets, r.read(ctx, r.Index, &sets)
}

// Documents returns the documents of a ruleset, sorted by path.
func (r Remote) Documents(ctx context.Context, name string) ([]document.Document, error) {
	sets, err := r.Sets(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("the host of this page has no ruleset %q", name)
	}
	var docs []document.Document
	return docs, r.read(ctx, sets[i].File, &docs)
}

func (r Remote) read(ctx context.Context, address string, into any) error {
	file, err := r.Get(ctx, address)
	if err == nil {
		err = wire.Decode(file, into)
	}
	if err != nil {
		return fmt.Errorf("fetching the rules: %w", err)
	}
	return nil
}
