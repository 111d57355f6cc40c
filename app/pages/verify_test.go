package pages

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/view"
)

// Who chooses another file while one is being checked sees the verdict on that one, whichever comes last.
func TestVerdictIsOnTheChosenFile(t *testing.T) {
	p := &verifyPage{f: &frame.Frame{Life: context.Background()}}
	c, first := p.begin()
	p.checking = true
	p.reached(first, 40)
	_, second := p.begin()
	if c.Err() == nil {
		t.Error("the check of the file before goes on")
	}
	p.checking = true
	p.reached(first, 60)
	p.came(first, &view.Verdict{OK: true, What: "first"}, nil)
	if p.verdict != nil || p.percent != 0 || !p.checking {
		t.Errorf("what came of the file before is shown: %+v, %d %%", p.verdict, p.percent)
	}
	p.came(second, &view.Verdict{What: "second"}, nil)
	p.came(first, nil, errors.New("too late"))
	if p.verdict == nil || p.verdict.What != "second" || p.checking {
		t.Errorf("the verdict on the chosen file: %+v", p.verdict)
	}
	_, third := p.begin()
	if p.verdict != nil {
		t.Error("a verdict stands below a file that is not checked yet")
	}
	p.came(third, nil, errors.New("no room"))
	if p.verdict == nil || !p.verdict.None || p.verdict.Text != "The check did not work: no room." {
		t.Errorf("a check that did not work: %+v", p.verdict)
	}
}

// The proof of a roll is not called good, in words or in color, before its game says that the roll counted; and the game
// is asked for.
func TestProofAloneIsNotCalledGood(t *testing.T) {
	p := &verifyPage{f: &frame.Frame{Life: context.Background()}}
	shown := func(v *view.Verdict) string {
		_, run := p.begin()
		p.checking, p.file = true, []byte("the proof")
		p.came(run, v, nil)
		return app.HTMLString(p.Render())
	}
	alone := shown(&view.Verdict{OK: true, Alone: true, What: "A roll by Ana", Text: "These dice follow."})
	if strings.Contains(alone, "notice-good") || strings.Contains(alone, "is good") || !strings.Contains(alone, "notice-wait") ||
		!strings.Contains(alone, "A roll by Ana: These dice follow.") || !strings.Contains(alone, `data-ok="false"`) {
		t.Errorf("a proof alone: %s", alone)
	}
	if !strings.Contains(alone, "verify-game") || string(p.proof) != "the proof" {
		t.Errorf("the game is not asked for: %s", alone)
	}
	counted := shown(&view.Verdict{OK: true, What: "A roll by Ana", Text: "It counted."})
	if !strings.Contains(counted, "notice-good") || !strings.Contains(counted, "A roll by Ana is good. It counted.") || strings.Contains(counted, `data-ok="false"`) {
		t.Errorf("a roll that counted: %s", counted)
	}
	if p.proof = nil; strings.Contains(shown(&view.Verdict{OK: true, What: "A game"}), "verify-game") {
		t.Error("a game is asked for where there is no proof")
	}
}
