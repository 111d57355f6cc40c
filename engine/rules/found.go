package rules

import (
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
)

// Founding is what a game begins with.
type Founding struct {
	Documents  []document.Document
	Options    map[string]string // the founder's choices among those that the ruleset offers
	Time       int64             // Unix ms
	Founder    string            // name of the first player
	FounderKey string            // identity of the first player
	// Digest is that of the world that the game goes on from, if it goes on from one: the
	// documents are then its snapshot alone. Nil in a game that begins.
	Digest *[32]byte
}

// rulesetPage is the document that names and describes a ruleset.
const rulesetPage = "ruleset.md"

// Found makes the world of a new game. The founder is player 1. It fails with a
// [*document.Problem] if the ruleset cannot be loaded, and with a [*Refusal] if its rules
// refuse to begin. With a digest it goes on from the snapshot of a world; see
// [World.Snapshot].
func Found(f Founding) (*World, error) {
	if f.Digest != nil {
		return restore(f)
	}
	w := newWorld(f)
	if err := w.placeDocuments(f.Documents); err != nil {
		return nil, err
	}
	if err := w.reload(nil); err != nil {
		return nil, err
	}
	if _, err := w.state.Create(tableGame); err != nil {
		return nil, err
	}
	founder, err := w.person(f.FounderKey, f.Founder, f.Time, StandingPlayer)
	if err != nil {
		return nil, err
	}
	out := w.transact(&run{w: w, kind: EntryFounding, player: founder, time: f.Time}, func(r *run) error {
		if err := r.seatEntities(); err != nil {
			return err
		}
		return r.fire("founded")
	})
	if out.Refused != nil {
		return nil, out.Refused
	}
	w.Commit()
	return w, nil
}

// newWorld makes a world without rules.
func newWorld(f Founding) *World {
	w := &World{
		name:     "Nomic",
		options:  f.Options,
		founded:  f.Time,
		now:      f.Time,
		decl:     declare.New(kernelTables()),
		programs: map[string]*sandbox.Program{},
	}
	w.keep(state.New())
	w.predeclared = w.environment()
	return w
}

// placeDocuments makes sections and rules of a ruleset's documents.
func (w *World) placeDocuments(docs []document.Document) error {
	if len(docs) > document.MaxRules {
		return &document.Problem{Message: fmt.Sprintf("a ruleset may have %d rules, this one has %d", document.MaxRules, len(docs))}
	}
	type place struct {
		document.Path
		doc document.Parsed
		raw document.Document
	}
	var places []place
	for _, d := range docs {
		doc, err := document.Parse(strings.ReplaceAll(d.Text, "\r\n", "\n"))
		if err != nil {
			return &document.Problem{Rule: d.Path, Message: err.Error()}
		}
		if d.Path == rulesetPage {
			w.name, w.summary = doc.Title, doc.Prose
			continue
		}
		p, err := document.ParsePath(d.Path)
		if err != nil {
			return err
		}
		places = append(places, place{p, doc, d})
	}
	slices.SortStableFunc(places, func(a, b place) int {
		if a.Section != b.Section {
			return a.Section - b.Section
		}
		return slices.Compare(a.Numbers, b.Numbers)
	})
	sections := map[int]int64{}
	ids := map[string]int64{}
	for _, p := range places {
		section, ok := sections[p.Section]
		if !ok {
			title, text := fmt.Sprintf("Section %d", p.Section), ""
			if len(p.Numbers) == 0 {
				title, text = p.doc.Title, p.doc.Prose
			}
			var err error
			if section, err = w.newRow(tableSections, cells{"title": title, "text": text}); err != nil {
				return err
			}
			sections[p.Section] = section
		}
		if len(p.Numbers) == 0 {
			continue
		}
		key := func(numbers []int) string { return fmt.Sprint(p.Section, numbers) }
		var parent int64
		if n := len(p.Numbers); n > 1 {
			if parent = ids[key(p.Numbers[:n-1])]; parent == 0 {
				return &document.Problem{Rule: p.raw.Path, Message: "there is no rule above this sub-rule"}
			}
		}
		if ids[key(p.Numbers)] != 0 {
			return &document.Problem{Rule: p.raw.Path, Message: "there are two rules with this number"}
		}
		if w.ruleTitled(p.doc.Title) != 0 {
			return &document.Problem{Rule: p.raw.Path, Message: fmt.Sprintf("there is another rule with the title %q", p.doc.Title)}
		}
		id, err := w.newRow(tableRules, cells{
			"title": p.doc.Title, "text": strings.ReplaceAll(p.raw.Text, "\r\n", "\n"), "section": section, "parent": parent, "position": int64(len(ids)),
		})
		if err != nil {
			return err
		}
		ids[key(p.Numbers)] = id
	}
	return nil
}

// person adds a person.
func (w *World) person(key, name string, time int64, standing string) (int64, error) {
	as, err := w.ComesAs(name)
	if err != nil {
		return 0, err
	}
	return w.newRow(tablePlayers, cells{"key": key, "name": as, "standing": standing, "joined": time, "acted": time})
}

// ComesAs returns what somebody is called who comes now under a name: the name in single blanks, with a number if it is
// taken or looks like a taken one. A name that is no name gives a [Refusal].
func (w *World) ComesAs(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if err := declare.CheckPersonName(name); err != nil {
		return "", &Refusal{Code: CodeArgument, Reason: err.Error()}
	}
	return w.freeName(name), nil
}

// Knock adds somebody who is not in the game yet, a stranger, and returns their
// id. A name that is taken gets a number.
func (w *World) Knock(key, name string, time int64) (int64, Outcome) {
	var id int64
	out := w.transact(&run{w: w, kind: EntryKnock, time: time}, func(r *run) error {
		var err error
		id, err = w.person(key, name, time, StandingStranger)
		r.player = id
		return err
	})
	return id, out
}

// option returns a founder's choice.
func (w *World) option(name string) (string, bool) {
	if v, ok := w.options[name]; ok {
		return v, true
	}
	for _, o := range w.decl.Options {
		if o.Name == name {
			return o.Initial, true
		}
	}
	return "", false
}
