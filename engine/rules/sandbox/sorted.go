package sandbox

import (
	"fmt"
	"math/bits"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Sorting and finding extremes are done here and not by the language's own functions,
// because those do not let the keys that a function returns be weighed before they are
// compared.

// ranked is an element and what it is compared by.
type ranked struct{ value, key starlark.Value }

// rank goes through an iterable, computes the keys and charges for comparing each of
// them times times.
func (m *Meter) rank(t *starlark.Thread, it starlark.Iterable, key starlark.Callable, times func(n int) uint64) ([]ranked, error) {
	elems, err := m.collect(it)
	if err != nil {
		return nil, err
	}
	if err := m.Charge(int64(len(elems)) * 2 * costCell); err != nil {
		return nil, err
	}
	out := make([]ranked, len(elems))
	work := uint64(0)
	for i, e := range elems {
		out[i] = ranked{e, e}
		if key != nil {
			if out[i].key, err = starlark.Call(t, key, starlark.Tuple{e}, nil); err != nil {
				return nil, err
			}
		}
		n, err := weigh(out[i].key, MaxWeight, costCell)
		if err != nil {
			return nil, err
		}
		if err := m.Spend(uint64(n) / stepWeigh); err != nil { // the weighing itself
			return nil, err
		}
		if err := m.matched(out[i].key, out[i].key, MaxValueDepth); err != nil {
			return nil, err
		}
		work += 1 + uint64(n)/stepWeigh
	}
	return out, m.Spend(work * times(len(out)))
}

// sorted(iterable, key=None, reverse=False)
func sorted(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var it starlark.Iterable
	var key starlark.Callable
	var reverse bool
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "iterable", &it, "key?", &key, "reverse?", &reverse); err != nil {
		return nil, err
	}
	list, err := meterOf(t).rank(t, it, key, func(n int) uint64 { return uint64(bits.Len(uint(n))) })
	if err != nil {
		return nil, err
	}
	var failed error
	less := func(x, y ranked) bool {
		if failed != nil {
			return false
		}
		var ok bool
		ok, failed = compare(syntax.LT, x.key, y.key)
		return ok
	}
	slices.SortStableFunc(list, func(x, y ranked) int {
		if reverse {
			x, y = y, x
		}
		switch {
		case less(x, y):
			return -1
		case less(y, x):
			return 1
		default:
			return 0
		}
	})
	if failed != nil {
		return nil, failed
	}
	elems := make([]starlark.Value, len(list))
	for i, r := range list {
		elems[i] = r.value
	}
	return starlark.NewList(elems), nil
}

// max(iterable, key=None), max(x, y, ..., key=None); min likewise
func extreme(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key starlark.Callable
	if err := starlark.UnpackArgs(b.Name(), nil, kwargs, "key?", &key); err != nil {
		return nil, err
	}
	var it starlark.Iterable = args
	if len(args) == 1 {
		var ok bool
		if it, ok = args[0].(starlark.Iterable); !ok {
			return nil, fmt.Errorf("%s: a %s has no elements", b.Name(), args[0].Type())
		}
	}
	list, err := meterOf(t).rank(t, it, key, func(int) uint64 { return 1 })
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there are no elements", b.Name())
	}
	op := syntax.LT
	if b.Name() == "max" {
		op = syntax.GT
	}
	best := list[0]
	for _, r := range list[1:] {
		better, err := compare(op, r.key, best.key)
		if err != nil {
			return nil, err
		}
		if better {
			best = r
		}
	}
	return best.value, nil
}
