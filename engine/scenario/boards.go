package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"peernomic/engine/rules"
)

// draw reports a board or card that the rules cannot draw after what somebody did, the newest row
// of a table standing for all, and what they cannot say of what waits for people or in their prose.
func (r *runner) draw(who int64) error {
	for _, b := range r.world.Boards() {
		var row int64
		if ids := r.world.Rows(b.Of); b.Of != "" && len(ids) > 0 {
			row = ids[len(ids)-1]
		}
		if v, _ := r.world.Board(b.Name, row, who); v.Problem != "" {
			return fmt.Errorf("then the page %q cannot be drawn: %s", b.Name, v.Problem)
		}
	}
	for _, g := range r.world.Galleries() {
		if v, _ := r.world.Gallery(g.Table); v.Problem != "" {
			return fmt.Errorf("then the cards of %s cannot be drawn: %s", g.Table, v.Problem)
		}
	}
	for _, p := range r.world.Players() {
		if _, problem := r.world.Waits(p.ID); problem != "" {
			return fmt.Errorf("then the rules cannot say what waits for %s: %s", p.Name, problem)
		}
	}
	if problem := r.world.LiveProblem(); problem != "" {
		return fmt.Errorf("then the prose cannot be shown: %s", problem)
	}
	return nil
}

// expectBoard tests what somebody reads on a board.
func (r *runner) expectBoard(s expectView) error {
	who, err := r.person(s.who)
	if err != nil {
		return err
	}
	name, number, _ := strings.Cut(s.name.text, "/")
	row, err := strconv.ParseInt("0"+number, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no number of a row", number)
	}
	v, ok := r.world.Board(name, row, who)
	if !ok {
		return fmt.Errorf("there is no board %q", s.name.text)
	}
	return r.checkText(v.Title+"\n"+textOf(v.Parts), "the board", s.tests)
}

// textOf writes parts of a board in lines. What threads say is tested with the comments, and whether
// an action is open with "expect open".
func textOf(parts []rules.PartView) string {
	var b strings.Builder
	for _, p := range parts {
		lines := []string{p.Title, p.Text}
		if p.Until != 0 {
			lines = append(lines, untilText(p.Until))
		}
		if m := p.Meter; m != nil {
			lines = append(lines, meterText(*m))
		}
		if c := p.Card; c != nil {
			lines = append(lines, c.Title, c.Subtitle, c.Text)
			for _, m := range c.Meters {
				lines = append(lines, meterText(m))
			}
			for _, g := range c.Stats {
				lines = append(lines, g.Title)
				for _, s := range g.Stats {
					lines = append(lines, s.Title+" "+s.Value)
				}
			}
			lines = append(lines, textOf(c.Parts))
		}
		for _, l := range append(append(lines, p.Actions...), textOf(p.Parts)) {
			if l = strings.TrimSpace(l); l != "" {
				b.WriteString(l + "\n")
			}
		}
	}
	return b.String()
}

func meterText(m rules.MeterView) string { return fmt.Sprintf("%s %d of %d", m.Title, m.Value, m.Max) }

// expectWaits tests what waits for somebody.
func (r *runner) expectWaits(s expectView) error {
	who, err := r.person(s.name.text)
	if err != nil {
		return err
	}
	waits, problem := r.world.Waits(who)
	if problem != "" {
		return fmt.Errorf("the rules cannot say what waits for %s: %s", s.name.text, problem)
	}
	var b strings.Builder
	for _, w := range waits {
		b.WriteString(w.Title + ": " + w.Text)
		if w.Until != 0 {
			b.WriteString(" " + untilText(w.Until))
		}
		if w.Holds {
			b.WriteString(" (holds the game up)")
		}
		b.WriteString("\n")
	}
	return r.checkText(b.String(), "what waits", s.tests)
}
