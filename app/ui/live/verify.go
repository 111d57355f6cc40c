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
		return nil, errOtherFile(file)
	}
	g, err := client.ReadGame(ctx, file, tell)
	if err != nil {
		var wrong *ledger.ArchiveError
		if errors.As(err, &wrong) {
			return &ui.Verdict{What: "An exported game", Text: wrong.Text, Clause: wrong.Clause}, nil
		}
		return nil, err
	}
	replica := g.Replica()
	if err := g.Broken(); err != nil {
		return &ui.Verdict{What: "An exported game", Text: err.Error()}, nil
	}
	genesis, id, _ := replica.Genesis()
	_, digest := g.Confirmed()
	v := &ui.Verdict{OK: true, What: "The exported game “" + genesis.Title + "”",
		Text: "Every seal, signature and link holds, and every action was carried out again.",
		Facts: []ui.Fact{
			{Name: "Game", Value: hex.EncodeToString(id[:]), Code: true},
			{Name: "Actions in place", Value: itoa(int64(len(replica.Placed())))},
			{Name: "Seals", Value: itoa(int64(replica.OrderedSeals()))},
			{Name: "Forks found", Value: itoa(int64(len(replica.Forks())))},
			{Name: "Digest", Value: hex.EncodeToString(digest[:]), Code: true},
		}}
	if text := g.Attendance().String(); text != "" {
		v.Facts = append(v.Facts, ui.Fact{Name: "Witnesses", Value: capital(text) + "."})
	}
	return v, nil
}

func verdictOnRoll(r dice.Report) *ui.Verdict {
	v := &ui.Verdict{OK: r.OK, What: "The proof of a roll", Text: r.Text, Clause: r.Clause}
	if !r.OK {
		return v
	}
	v.What = "A roll by " + r.Roller() + ", in “" + r.Title + "”,"
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
