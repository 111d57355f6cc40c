package live

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"peernomic/app/client"
	"peernomic/app/view"
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
	case game.NewerFile:
		return errors.New("this file is of a newer version than this program reads. Reload the page to get the newest program")
	}
	return errors.New("this is no file of a game: it does not begin as one. Choose the file that was exported")
}

// Verify checks the proof of a roll or a whole exported game, trusting nobody.
func (h *host) Verify(ctx context.Context, file []byte, tell func(done, total int)) (*view.Verdict, error) {
	switch game.KindOf(file) {
	case game.GameFile:
	case game.RollFile:
		r := dice.VerifyInTurns(file, client.InTurns(ctx, tell))
		return verdictOnRoll(r), ctx.Err()
	default:
		return &view.Verdict{None: true, Text: nothingToCheck(file)}, nil
	}
	chapters, wrong, err := exported(ctx, file, tell)
	if chapters == nil {
		return wrong, err
	}
	g := chapters[len(chapters)-1]
	replica := g.Replica()
	genesis, _ := replica.Genesis()
	id := replica.Game()
	_, digest := g.Confirmed()
	order := replica.OrderDigest()
	v := &view.Verdict{OK: true, What: "The exported game " + titled(genesis.Title),
		Text: "Every seal, signature and link holds, and every action was carried out again, with its dice.",
		Facts: []view.Fact{
			{Name: "Game", Value: hex.EncodeToString(id[:]), Code: true},
			{Name: "Chapters", Value: itoa(int64(len(chapters))), Help: "The rooms that the game has been in. Each begins with the very state in which the one before ended. What follows is of the last."},
			{Name: "Actions in place", Value: itoa(int64(len(replica.Placed())))},
			{Name: "Seals", Value: itoa(int64(replica.OrderedSeals()))},
			{Name: "Last sealed", Value: momentText(lastSealed(replica)) + " UTC"},
			{Name: "Forks found", Value: itoa(int64(len(replica.Forks())))},
			{Name: "Order", Value: hex.EncodeToString(order[:]), Code: true, Help: "Who finds the same has every action in the same place. A program that knows no rules can find it too."},
			{Name: "State", Value: hex.EncodeToString(digest[:]), Code: true, Help: "Who finds the same sees the same game."},
			{Name: "Bound", Value: game.Bound(replica)},
		}}
	if text := g.Attendance().String(); text != "" {
		v.Facts = append(v.Facts, view.Fact{Name: "Witnesses", Value: capital(text) + "."})
	}
	v.Facts = append(v.Facts, view.Fact{Name: notShown, Value: "That the game did not go on after this file was made, and that players and notary did not work together."})
	return v, nil
}

// VerifyRoll checks the proof of a roll together with the exported game that it is from.
func (h *host) VerifyRoll(ctx context.Context, proof, file []byte, tell func(done, total int)) (*view.Verdict, error) {
	if game.KindOf(file) != game.GameFile {
		return &view.Verdict{None: true, Text: "This is no exported game. " + nothingToCheck(file)}, nil
	}
	chapters, wrong, err := exported(ctx, file, tell)
	if chapters == nil {
		return wrong, err
	}
	pause := client.InTurns(ctx, tell)
	r := dice.VerifyInTurns(proof, pause)
	v := verdictOnRoll(r)
	if !r.OK {
		return v, ctx.Err()
	}
	at := slices.IndexFunc(chapters, func(g *game.Game) bool { return g.Replica().Game() == r.Game })
	if at < 0 {
		genesis, _ := chapters[0].Replica().Genesis()
		return &view.Verdict{None: true, Text: visible("This is the game “" + genesis.Title + "”, and the roll is from another, “" + r.Title +
			"”. It says nothing about the roll: choose the exported game that the roll is from. Two games can have one title.")}, nil
	}
	g := chapters[at]
	v.Alone = false
	if err := g.Counted(r, pause); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v.OK, v.Text = false, "it is not the roll that counted: "+visible(err.Error())
		v.Facts = append(diceFacts(r), view.Fact{Name: "What this means", Value: "An action and a seal give these dice, but they are not what the game counted. Go by what the game shows."})
		return v, nil
	}
	v.Text = "The game shows that this is the roll that counted, with these dice and no others."
	v.Facts = append(diceFacts(r), boundFacts(r)...)
	v.Facts = append(v.Facts, view.Fact{Name: "Bound", Value: game.Bound(g.Replica())})
	v.Facts = append(v.Facts, view.Fact{Name: neverShown, Value: dice.NeverShown})
	return v, nil
}

// exported reads an exported game and carries it out. Without a game and an error, the verdict says what is wrong with it.
func exported(ctx context.Context, file []byte, tell func(done, total int)) ([]*game.Game, *view.Verdict, error) {
	chapters, err := client.ReadGame(ctx, file, tell)
	if wrong := new(ledger.ArchiveError); errors.As(err, &wrong) {
		text := wrong.Text
		if wrong.Err != nil {
			text += ": " + wrong.Err.Error()
		}
		return nil, &view.Verdict{What: "An exported game", Text: visible(text), Clause: wrong.Clause, Facts: badFacts("engine/ledger/SPEC.md", wrong.Clause)}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, g := range chapters {
		if err := g.Broken(); err != nil {
			return nil, &view.Verdict{What: "An exported game", Text: visible(err.Error())}, nil
		}
	}
	return chapters, nil, nil
}

// nothingToCheck says what a file is that is neither a game nor a roll.
func nothingToCheck(file []byte) string {
	switch {
	case len(file) == 0:
		return "The file is empty. Perhaps a download broke off."
	case game.KindOf(file) == game.NewerFile:
		return "This file is of a newer version than this program reads. Reload the page to get the newest program."
	case game.KindOf(file) == game.KeyFile:
		return "This is the backup of a key, in which there is nothing to check. It is restored on the page Import."
	}
	return "This is neither an exported game nor the proof of a roll: it does not begin like one. Choose the file as it was exported."
}

// badFacts say what to make of a file that is not good.
func badFacts(specification, clause string) []view.Fact {
	return []view.Fact{
		{Name: "What this means", Value: "Somebody changed the file, it was cut off or damaged on its way, or who made it did not keep to the format. Nothing in it can be relied on. Ask for the file again."},
		{Name: "What it breaks", Value: "Clause " + clause + " of " + specification + ", the first that fails."},
	}
}

func lastSealed(r *ledger.Replica) int64 {
	_, _, time := r.LastSeal()
	return time
}

func verdictOnRoll(r dice.Report) *view.Verdict {
	v := &view.Verdict{OK: r.OK, What: "The proof of a roll", Text: visible(r.Text), Clause: r.Clause}
	if !r.OK {
		v.Facts = badFacts("engine/dice/SPEC.md", r.Clause)
		return v
	}
	v.Alone, v.Text = true, r.Text+" "+dice.Ask
	v.What = "A roll by " + r.Roller() + ", in " + titled(r.Title)
	v.Facts = append(diceFacts(r), view.Fact{Name: "Mode", Value: r.Mode()})
	v.Facts = append(v.Facts, view.Fact{Name: neverShown, Value: dice.NeverShown})
	v.Facts = append(v.Facts, boundFacts(r)...)
	return v
}

// Names of what a game leaves open, and of what a proof leaves open also together with its game.
const (
	notShown   = "Not shown by this alone"
	neverShown = "Not shown by anything"
)

func diceFacts(r dice.Report) []view.Fact {
	var facts []view.Fact
	for _, d := range r.Rolls {
		facts = append(facts, view.Fact{Name: fmt.Sprintf("A die with %d sides", d.Sides), Value: fmt.Sprint(d.Value)})
	}
	return facts
}

func boundFacts(r dice.Report) []view.Fact {
	var facts []view.Fact
	for _, s := range r.Bound {
		facts = append(facts, view.Fact{Name: "Bound", Value: s})
	}
	return facts
}
