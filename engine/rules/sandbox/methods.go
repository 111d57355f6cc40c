package sandbox

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// methods are the names of all methods of the language's own types. An attribute with
// one of these names is looked up by [attr], which charges when it is called.
var methods = map[string]bool{}

func init() {
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.NewList(nil), starlark.NewDict(0), starlark.NewSet(0), starlark.Bytes("")} {
		for _, name := range v.AttrNames() {
			methods[name] = true
		}
	}
}

func guardAttr(m *Meter, t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	v, err := attr(args[0], string(args[1].(starlark.String)))
	if err == nil && v == nil {
		err = fmt.Errorf("a %s has no field or method %s", args[0].Type(), string(args[1].(starlark.String)))
	}
	return v, err
}

// attr returns an attribute, or nil if there is none. Methods of the language's own
// types charge for what they do.
func attr(x starlark.Value, name string) (starlark.Value, error) {
	on, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, nil
	}
	v, err := on.Attr(name)
	if err != nil || v == nil {
		return nil, err
	}
	switch x.(type) {
	case starlark.String, *starlark.List, *starlark.Dict, *starlark.Set:
	default:
		return v, nil
	}
	method, ok := v.(*starlark.Builtin)
	if !ok {
		return v, nil
	}
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m := meterOf(t)
		if list, ok := x.(*starlark.List); ok && name == "extend" && len(args) == 1 && len(kwargs) == 0 {
			return starlark.None, m.extend(list, args[0])
		}
		if err := m.method(x, name, args, kwargs); err != nil {
			return nil, err
		}
		return starlark.Call(t, method, args, kwargs)
	}), nil
}

// extend appends the elements of y to a list.
func (m *Meter) extend(list *starlark.List, y starlark.Value) error {
	it, ok := y.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("a %s has no elements to add", y.Type())
	}
	elems, err := m.collect(it)
	if err != nil {
		return err
	}
	for _, e := range elems {
		if err := list.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// collect goes through an iterable, charging for each element.
func (m *Meter) collect(it starlark.Iterable) ([]starlark.Value, error) {
	if n := starlark.Len(it); n > 0 {
		// Refuse what is too long before the first element.
		if int64(n)*costCell > m.left.Memory {
			return nil, m.copied(int64(n))
		}
	}
	var elems []starlark.Value
	iter := it.Iterate()
	defer iter.Done()
	var e starlark.Value
	for iter.Next(&e) {
		if err := m.copied(1); err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return elems, nil
}

// method charges for a method call of a text, list, dict or set.
func (m *Meter) method(x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if s, ok := x.(starlark.String); ok {
		return m.textMethod(string(s), name, args, kwargs)
	}
	for _, a := range args {
		if err := m.inspect(a); err != nil { // it is compared or hashed, and perhaps gone through
			return err
		}
	}
	n := int64(max(starlark.Len(x), 0))
	switch name {
	case "append", "add", "setdefault":
		return m.Charge(costItem)
	case "get", "pop", "popitem", "clear", "discard":
		return m.Spend(uint64(n) / 64)
	case "remove", "index", "insert":
		return m.inspect(x)
	default: // items, keys, values, update, union, difference, …
		for _, a := range args {
			n += int64(max(starlark.Len(a), 0))
		}
		n += int64(len(kwargs))
		if err := m.inspect(x); err != nil {
			return err
		}
		if err := m.Charge(costDict + n*costItem); err != nil {
			return err
		}
		return m.Spend(uint64(n))
	}
}

// textMethod charges for a method call of a text.
func (m *Meter) textMethod(s, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	size := int64(len(s))
	arg := func(i int) string {
		if i < len(args) {
			t, _ := starlark.AsString(args[i])
			return t
		}
		return ""
	}
	switch name {
	case "join":
		if len(args) != 1 {
			return nil
		}
		it, ok := args[0].(starlark.Iterable)
		if !ok {
			return nil
		}
		total := int64(0)
		iter := it.Iterate()
		defer iter.Done()
		var e starlark.Value
		for iter.Next(&e) {
			t, _ := starlark.AsString(e)
			if total += int64(len(t)) + size; total > MaxString {
				break
			}
			if err := m.Spend(1); err != nil {
				return err
			}
		}
		return m.text(total)
	case "format":
		longest := int64(0)
		values := append(starlark.Tuple{}, args...)
		for _, kw := range kwargs {
			values = append(values, kw[1])
		}
		for _, v := range values {
			n, err := Weigh(v, MaxString)
			if err != nil {
				return err
			}
			longest = max(longest, n)
		}
		return m.text(size + longest*int64(strings.Count(s, "{")))
	case "replace":
		times := int64(strings.Count(s, arg(0)))
		return m.text(size + times*int64(len(arg(1))))
	case "split", "rsplit", "splitlines", "partition", "rpartition":
		pieces := size/2 + 1
		if sep := arg(0); sep != "" {
			pieces = int64(strings.Count(s, sep)) + 1
		}
		if err := m.copied(pieces); err != nil {
			return err
		}
		return m.Spend(uint64(size) / 64)
	case "elems", "codepoints", "elem_ords", "codepoint_ords":
		return nil // whoever goes through them is charged for each
	default:
		for i := range args {
			size += int64(len(arg(i)))
		}
		return m.text(min(size, MaxString))
	}
}
