package sandbox

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// guardIndex does x[key].
func guardIndex(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	if err := m.access(args[0], args[1]); err != nil {
		return nil, err
	}
	return index(args[0], args[1])
}

// guardSet does x[key] = v: $set(v, x, key), because v is evaluated first.
func guardSet(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	v, x, key := args[0], args[1], args[2]
	if _, ok := x.(*starlark.Dict); ok {
		if err := m.insert(x, key); err != nil {
			return nil, err
		}
	}
	return starlark.None, setIndex(x, key, v)
}

// guardStore is around x where x[key] is assigned to together with others. It does not
// know the key.
func guardStore(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	d, ok := args[0].(*starlark.Dict)
	if !ok {
		return args[0], nil
	}
	m.inserted++
	if err := m.Spend(uint64(int64(d.Len())+m.deleted) / stepAny); err != nil {
		return nil, err
	}
	return d, m.Charge(costItem)
}

// guardSetField does x.f = v: $setfield(v, x, f), because v is evaluated first.
func guardSetField(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return starlark.None, m.setField(args[1], string(args[2].(starlark.String)), args[0])
}

func (m *Meter) setField(x starlark.Value, name string, v starlark.Value) error {
	on, ok := x.(starlark.HasSetField)
	if !ok {
		return fmt.Errorf("fields of a %s cannot be set", x.Type())
	}
	if err := m.Charge(costHost); err != nil { // the host may keep what there was before
		return err
	}
	if err := m.handed(v); err != nil {
		return err
	}
	return on.SetField(name, v)
}

// update does x op= y and returns the new x. As in Starlark, lists and dicts grow in
// place.
func (m *Meter) update(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		list, ok := x.(*starlark.List)
		if it, iterable := y.(starlark.Iterable); ok && iterable {
			return list, m.extend(list, it)
		}
	case syntax.PIPE:
		xd, ok := x.(*starlark.Dict)
		if yd, also := y.(*starlark.Dict); ok && also {
			for _, item := range yd.Items() {
				if err := m.insert(xd, item[0]); err != nil {
					return nil, err
				}
				if err := xd.SetKey(item[0], item[1]); err != nil {
					return nil, err
				}
			}
			return xd, nil
		}
	}
	if guardedOps[op] {
		return m.binary(op, x, y)
	}
	return starlark.Binary(op, x, y)
}

// guardUpdate does x op= y for a variable: $update(op, x, y).
func guardUpdate(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	return m.update(operator(args), args[1], args[2])
}

// guardUpdateIndex does x[key] op= y: $updateindex(op, x, key, y).
func guardUpdateIndex(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	x, key := args[1], args[2]
	for range 2 { // it is read and written
		if err := m.access(x, key); err != nil {
			return nil, err
		}
	}
	old, err := index(x, key)
	if err != nil {
		return nil, err
	}
	v, err := m.update(operator(args), old, args[3])
	if err != nil {
		return nil, err
	}
	return starlark.None, setIndex(x, key, v)
}

// guardUpdateField does x.f op= y: $updatefield(op, x, f, y).
func guardUpdateField(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	x, name := args[1], string(args[2].(starlark.String))
	old, err := m.read(x, name)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, errNoAttr(x, name)
	}
	v, err := m.update(operator(args), old, args[3])
	if err != nil {
		return nil, err
	}
	return starlark.None, m.setField(x, name, v)
}

func operator(args starlark.Tuple) syntax.Token { return tokens[string(args[0].(starlark.String))] }

func index(x, key starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Mapping:
		v, found, err := x.Get(key)
		if err == nil && !found {
			err = fmt.Errorf("key %s is not there", describe(key))
		}
		return v, err
	case starlark.Indexable:
		i, err := position(x, key)
		if err != nil {
			return nil, err
		}
		return x.Index(i), nil
	default:
		return nil, fmt.Errorf("a %s has no elements", x.Type())
	}
}

func setIndex(x, key, v starlark.Value) error {
	switch x := x.(type) {
	case starlark.HasSetKey:
		return x.SetKey(key, v)
	case starlark.HasSetIndex:
		i, err := position(x, key)
		if err != nil {
			return err
		}
		return x.SetIndex(i, v)
	default:
		return fmt.Errorf("elements of a %s cannot be set", x.Type())
	}
}

func position(x starlark.Indexable, key starlark.Value) (int, error) {
	given, err := starlark.AsInt32(key)
	if err != nil {
		return 0, fmt.Errorf("an index must be a small whole number, not %s", describe(key))
	}
	n, i := x.Len(), given
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return 0, fmt.Errorf("index %d is out of range: there are %d elements", given, n)
	}
	return i, nil
}

// describe names a value in a message.
func describe(v starlark.Value) string {
	switch v.(type) {
	case starlark.String, starlark.Int:
		return cut(v.String(), 60)
	default:
		return "of type " + v.Type()
	}
}
