package live

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"peernomic/app/client"
	"peernomic/app/ui"
	"peernomic/engine/dice"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
)

// errOtherFile says what a file is that is neither of what can be read here.
func errOtherFile(file []byte) error {
	switch game.KindOf(file) {
	case game.KeyFile:
		return errors.New("this is the copy of a key. It is restored on the page Import, under My key")
	case game.RollFile:
		return errors.New("this is the proof of a roll. The page Verify checks it")
	}
	return errors.New("this is no file of a game: it does not begin as one. Choose the file that was exported")
}

// Verify checks the proof of a roll or a whole exported game, trusting nobody.
func (h *host) Verify(ctx context.Context, file []byte, tell func(done, total int)) (*ui.Verdict, error) {
	switch game.KindOf(file) {
	case game.GameFile:
	case game.RollFile:
		return verdictOnRoll(dice.VerifyTranscript(file)), nil
	default:
		return &ui.Verdict{None: true, Text: nothingToCheck(file)}, nil
	}
	g, err := client.ReadGame(ctx, file, tell)
	if err != nil {
		var wrong *ledger.ArchiveError
		if errors.As(err, &wrong) {
			text := wrong.Text
			if wrong.Err != nil {
				text += ": " + wrong.Err.Error()
			}
			return &ui.Verdict{What: "An exported game", Text: visible(text), Clause: wrong.Clause, Facts: badFacts("engine/ledger/SPEC.md", wrong.Clause)}, nil
		}
		return nil, err
	}
	replica := g.Replica()
	if err := g.Broken(); err != nil {
		return &ui.Verdict{What: "An exported game", Text: visible(err.Error())}, nil
	}
	genesis, id, _ := replica.Genesis()
	_, digest := g.Confirmed()
	order := replica.OrderDigest()
	v := &ui.Verdict{OK: true, What: "The exported game " + titled(genesis.Title),
		Text: "Every seal, signature and link holds, and every action was carried out again, with its dice.",
		Facts: []ui.Fact{
			{Name: "Game", Value: hex.EncodeToString(id[:]), Code: true},
			{Name: "Actions in place", Value: itoa(int64(len(replica.Placed())))},
			{Name: "Seals", Value: itoa(int64(replica.OrderedSeals()))},
			{Name: "Last sealed", Value: momentText(lastSealed(replica)) + " UTC"},
			{Name: "Forks found", Value: itoa(int64(len(replica.Forks())))},
			{Name: "Order", Value: hex.EncodeToString(order[:]), Code: true, Help: "Who finds the same has every action in the same place. A program that knows no rules can find it too."},
			{Name: "State", Value: hex.EncodeToString(digest[:]), Code: true, Help: "Who finds the same sees the same game."},
			{Name: "Bound", Value: notaryBound(replica, genesis)},
		}}
	if text := g.Attendance().String(); text != "" {
		v.Facts = append(v.Facts, ui.Fact{Name: "Witnesses", Value: capital(text) + "."})
	}
	v.Facts = append(v.Facts, ui.Fact{Name: "Not shown by this alone", Value: "That the game did not go on after this file was made, and that players and notary did not work together."})
	return v, nil
}

// nothingToCheck says what a file is that is neither a game nor a roll.
func nothingToCheck(file []byte) string {
	switch {
	case len(file) == 0:
		return "The file is empty. Perhaps a download broke off."
	case game.KindOf(file) == game.KeyFile:
		return "This is the backup of a key, in which there is nothing to check. It is restored on the page Import."
	}
	return "This is neither an exported game nor the proof of a roll: it does not begin like one. Choose the file as it was exported."
}

// badFacts say what to make of a file that is not good.
func badFacts(specification, clause string) []ui.Fact {
	return []ui.Fact{
		{Name: "What this means", Value: "Somebody changed the file, it was cut off or damaged on its way, or who made it did not keep to the format. Nothing in it can be relied on. Ask for the file again."},
		{Name: "What it breaks", Value: "Clause " + clause + " of " + specification + ", the first that fails."},
	}
}

func lastSealed(r *ledger.Replica) int64 {
	_, _, time := r.LastSeal()
	return time
}

// notaryBound says by whom the order and the notary's half of the dice were made.
func notaryBound(r *ledger.Replica, g ledger.Genesis) string {
	text := "The notary, whose seals give the order, the times and one half of each seed, was bound by the anchor in the genesis, and each device by the one in its first action."
	if g.Dice == ledger.DicePractice {
		text = "The notary is the founder's own device: this is practice, which nobody else witnessed."
	}
	switch n := len(r.Successions()); n {
	case 0:
		return text
	case 1:
		return text + " More than two thirds of the active players chose another notary."
	default:
		return text + " More than two thirds of the active players chose another notary, " + itoa(int64(n)) + " times."
	}
}

func verdictOnRoll(r dice.Report) *ui.Verdict {
	v := &ui.Verdict{OK: r.OK, What: "The proof of a roll", Text: visible(r.Text), Clause: r.Clause}
	if !r.OK {
		v.Facts = badFacts("engine/dice/SPEC.md", r.Clause)
		return v
	}
	v.Text = "The dice are what both links and the action give, recomputed here from the file alone."
	v.What = "A roll by " + r.Roller() + ", in " + titled(r.Title) + ","
	for _, d := range r.Rolls {
		v.Facts = append(v.Facts, ui.Fact{Name: fmt.Sprintf("A die with %d sides", d.Sides), Value: fmt.Sprint(d.Value)})
	}
	for _, s := range r.Bound {
		v.Facts = append(v.Facts, ui.Fact{Name: "Bound", Value: s})
	}
	for _, s := range r.Unchecked {
		v.Facts = append(v.Facts, ui.Fact{Name: "Not shown by this alone", Value: s})
	}
	return v
}
