package ui

import (
	"context"
	"errors"
	"testing"
)

// Who chooses another file while one is being checked sees the verdict on that one, whichever comes last.
func TestVerdictIsOnTheChosenFile(t *testing.T) {
	p := &verifyPage{r: &root{life: context.Background()}}
	c, first := p.begin()
	p.checking = true
	p.reached(first, 40)
	_, second := p.begin()
	if c.Err() == nil {
		t.Error("the check of the file before goes on")
	}
	p.checking = true
	p.reached(first, 60)
	p.came(first, &Verdict{OK: true, What: "first"}, nil)
	if p.verdict != nil || p.percent != 0 || !p.checking {
		t.Errorf("what came of the file before is shown: %+v, %d %%", p.verdict, p.percent)
	}
	p.came(second, &Verdict{What: "second"}, nil)
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
