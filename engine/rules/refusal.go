package rules

import (
	"errors"
	"fmt"
	"strings"

	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
)

// Code is the kind of a refusal.
type Code string

// The codes. They are part of the record, so they only grow.
const (
	CodeRefused  Code = "refused"  // a rule said no
	CodeClosed   Code = "closed"   // the action is not open to this person now
	CodeCadence  Code = "cadence"  // done too recently
	CodeUnknown  Code = "unknown"  // no such action, row or person
	CodeArgument Code = "argument" // a parameter is missing or does not fit
	CodeIllegal  Code = "illegal"  // a value out of its range was to be written
	CodeScript   Code = "script"   // the rule's script failed
	CodeLimit    Code = "limit"    // a limit of steps, memory or size was reached
	CodeWaiting  Code = "waiting"  // a roll that is not decided yet: the seal is missing
)

// Refusal is the outcome of an action that was not carried out. Nothing of it
// remains. Every replica comes to the same one.
type Refusal struct {
	_      struct{} `cbor:",toarray"`
	Code   Code
	Rule   string // title of the rule that refused; empty for the kernel
	Line   int    // of the rule's document, if the script failed; otherwise 0
	Reason string // one sentence
	Until  int64  // when it may be different, Unix ms; 0 if that is not known
}

func (r *Refusal) Error() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", r.Rule, r.Line, r.Reason)
	}
	return r.Reason
}

// errWaiting is the cause of [CodeWaiting].
var errWaiting = errors.New("the dice fall when the action is sealed")

// mistakes are the codes of refusals that a script did not intend. They carry the script's line, unless apply() refused:
// then the mistake is in the amendments, not in the script.
var mistakes = map[Code]bool{CodeIllegal: true, CodeLimit: true}

// refuse makes a refusal of any error of an evaluation.
func refuse(err error, rule string) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		out := *r
		out.Reason = shorten(out.Reason)
		if at := sandbox.Error(err); out.Line == 0 && mistakes[out.Code] && at.Builtin != "apply" && at.Position.File != "" {
			out.Rule, out.Line = at.Position.File, at.Position.Line
		}
		if out.Rule == "" {
			out.Rule = rule
		}
		return &out
	}
	if errors.Is(err, errWaiting) {
		return &Refusal{Code: CodeWaiting, Rule: rule, Reason: errWaiting.Error()}
	}
	var p *document.Problem
	if errors.As(err, &p) {
		return refusalOf(p, CodeRefused)
	}
	f := sandbox.Error(err)
	out := &Refusal{Code: CodeScript, Rule: rule, Reason: f.Message}
	if f.Position.File != "" {
		out.Rule, out.Line = f.Position.File, f.Position.Line
	}
	if f.Code == sandbox.CodeSteps || f.Code == sandbox.CodeMemory {
		out.Code = CodeLimit
	}
	return out
}

// refusalOf makes a refusal of a problem; its code is that given, unless a limit was reached.
func refusalOf(p *document.Problem, code Code) *Refusal {
	if p.Limit {
		code = CodeLimit
	}
	return &Refusal{Code: code, Rule: p.Rule, Line: p.Line, Reason: p.Message}
}

// shorten cuts a long reason, and mends text that a script cut within a character.
func shorten(reason string) string {
	if len(reason) <= MaxReason {
		return convert.Mend(reason)
	}
	return strings.ToValidUTF8(reason[:MaxReason], "") + "…"
}
