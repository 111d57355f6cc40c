package rules

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
)

// DiceSource decides rolls. It returns a number from 1 to sides, or an error if
// the roll is not decided yet.
type DiceSource interface {
	Roll(sides uint64) (uint64, error)
}

// SumSource is a [DiceSource] that is told when only the sum of the next dice counts. What they show stays the same. A
// preview that tries all outcomes can then try fewer.
type SumSource interface {
	Sum(dice int64, sides uint64)
}

// roll rolls one die of the action.
func (r *run) roll(sides int64) (int64, error) {
	if len(r.rolls) >= MaxDice {
		return 0, &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("one action may roll %d dice", MaxDice)}
	}
	if r.dice == nil {
		return 0, errWaiting
	}
	v, err := r.dice.Roll(uint64(sides))
	if err != nil {
		return 0, err
	}
	r.rolls = append(r.rolls, Roll{Sides: sides, Value: int64(v)})
	return int64(v), nil
}

func runRoll(call *invocation) (starlark.Value, error) {
	var sides int64
	if err := call.Unpack("sides", &sides); err != nil {
		return nil, err
	}
	return rollSum(call, 1, sides)
}

func runDice(call *invocation) (starlark.Value, error) {
	var n, sides int64
	if err := call.Unpack("n", &n, "sides", &sides); err != nil {
		return nil, err
	}
	return rollSum(call, n, sides)
}

func rollSum(call *invocation, n, sides int64) (starlark.Value, error) {
	if n <= 0 || sides <= 0 {
		return starlark.MakeInt(0), nil
	}
	if sides > 1<<32 {
		return nil, call.Wrong("a die may have 2^32 sides, not %d", sides)
	}
	if s, ok := call.dice.(SumSource); ok && n > 1 {
		s.Sum(n, uint64(sides))
	}
	var sum int64
	for range n {
		v, err := call.roll(sides)
		if err != nil {
			return nil, err
		}
		sum += v
	}
	return starlark.MakeInt64(sum), nil
}

func runRollWords(call *invocation) (starlark.Value, error) {
	var comment string
	if err := call.Unpack("comment", &comment); err != nil {
		return nil, err
	}
	return call.rollWords(comment)
}

// rollWords rolls the dice words of a text, from left to right.
func (r *run) rollWords(text string) (starlark.Value, error) {
	out := starlark.NewDict(0)
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !(c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') }) {
		faces, listed := r.w.decl.Dice[word]
		n, sides, isDice := int64(1), int64(len(faces)), false
		if !listed || word == declare.DiceWord {
			if _, ok := r.w.decl.Dice[declare.DiceWord]; !ok {
				continue
			}
			if n, sides, isDice = parseDice(word); !isDice {
				continue
			}
		}
		var rolled []starlark.Value
		for range n {
			if sides <= 0 {
				rolled = append(rolled, starlark.MakeInt(0))
				break
			}
			v, err := r.roll(sides)
			if err != nil {
				return nil, err
			}
			last := &r.rolls[len(r.rolls)-1]
			last.For = word
			if isDice {
				rolled = append(rolled, starlark.MakeInt64(v))
				continue
			}
			last.Face = faces[v-1]
			rolled = append(rolled, starlark.String(last.Face))
		}
		if before, ok, _ := out.Get(starlark.String(word)); ok {
			list := before.(*starlark.List)
			for _, v := range rolled {
				if err := list.Append(v); err != nil {
					return nil, err
				}
			}
			continue
		}
		if err := out.SetKey(starlark.String(word), starlark.NewList(rolled)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// parseDice reads DICE6 and 3DICE6.
func parseDice(word string) (n, sides int64, ok bool) {
	before, after, found := strings.Cut(word, declare.DiceWord)
	if !found || after == "" {
		return 0, 0, false
	}
	n = 1
	var err error
	if before != "" {
		if n, err = strconv.ParseInt(before, 10, 32); err != nil {
			return 0, 0, false
		}
	}
	if sides, err = strconv.ParseInt(after, 10, 32); err != nil {
		return 0, 0, false
	}
	return n, sides, true
}
