package simtest

import (
	"errors"
	"slices"
)

// Shrink returns a short script that breaks the same promise as the given one: it leaves out
// what can be left out, in ever smaller pieces, as long as it may try.
func Shrink(cast *Cast, boot Boot, script Script, tries int) (Script, *Failure) {
	last := try(cast, boot, script)
	if last == nil {
		return script, nil
	}
	// What comes after the failure does not matter.
	script = slices.Clone(script[:min(last.Step+1, len(script))])
	for size := len(script) / 2; size > 0; {
		shorter := false
		for from := 0; from < len(script) && tries > 0; {
			without := slices.Delete(slices.Clone(script), from, min(from+size, len(script)))
			tries--
			if f := try(cast, boot, without); f != nil && f.Kind == last.Kind {
				script, last, shorter = without[:min(f.Step+1, len(without))], f, true
				continue
			}
			from += size
		}
		if !shorter || size > 1 {
			size /= 2
		}
	}
	return script, last
}

func try(cast *Cast, boot Boot, script Script) *Failure {
	_, err := Run(cast, boot, script)
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}
