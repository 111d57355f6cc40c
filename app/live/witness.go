package live

import (
	"fmt"

	"peernomic/app/view"
	"peernomic/engine/game"
)

// diceFall says what the dice of a tentative action wait for.
func (l *lens) diceFall(e game.Entry) string {
	switch {
	case l.roll == nil || e.Seal == 0:
		return "the dice fall as soon as the relay has sealed it"
	case l.roll.Action != e.Action:
		return "it waits for a roll before it, which its witnesses have not decided yet"
	}
	var missing []string
	for _, w := range l.roll.Witnesses {
		if !w.Came && !w.Failed {
			missing = append(missing, l.name(w.Player))
		}
	}
	return fmt.Sprintf("the dice fall when %s witnessed it, or without them in %d seconds", have(missing), max(0, (l.roll.Until-l.now+999)/1000))
}

func have(names []string) string {
	if len(names) == 1 {
		return "the device of " + names[0] + " has"
	}
	return "the devices of " + listed(names) + " have"
}

// witnessed says how many witnesses a roll had, of how many it should have. It is empty in the
// mode beacon.
func witnessed(e game.Entry) string {
	if e.Wanted == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s", came(e), plural(e.Wanted, "witness", "witnesses"))
}

func came(e game.Entry) int {
	n := 0
	for _, w := range e.Witnesses {
		if w.Came {
			n++
		}
	}
	return n
}

// witnessFacts say who was asked to witness a roll, and what came of it.
func (l *lens) witnessFacts(g *game.Game, e game.Entry) []view.Fact {
	if e.Wanted == 0 {
		return nil
	}
	facts := []view.Fact{{Name: "Witnesses", Value: witnessed(e) + " came. " + whoFell(len(e.Witnesses), e.Wanted)}}
	for _, w := range e.Witnesses {
		name := "Witness " + l.name(w.Player)
		a, ok := g.Replica().Action(w.Action)
		switch {
		case w.Came && ok:
			facts = append(facts, view.Fact{Name: fmt.Sprintf("%s, link %d", name, w.Seq), Value: a.Action().Link.String(), Code: true})
		case w.Failed:
			facts = append(facts, view.Fact{Name: name, Value: "had used the link already, for something else"})
		default:
			facts = append(facts, view.Fact{Name: name, Value: "did not come in time"})
		}
	}
	return facts
}

func whoFell(asked, wanted int) string {
	if asked < wanted {
		return fmt.Sprintf("Only %s could be asked.", plural(asked, "other player", "other players"))
	}
	return "Those were asked who had acted last."
}
