package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// guardAttr does x.name: $attr(x, name).
func guardAttr(m *Meter, _ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	name := string(args[1].(starlark.String))
	v, err := m.read(args[0], name)
	if err == nil && v == nil {
		err = errNoAttr(args[0], name)
	}
	return v, err
}

// read returns an attribute, or nil if there is none, and charges for what it holds: the
// host may have made it just now.
func (m *Meter) read(x starlark.Value, name string) (starlark.Value, error) {
	v, err := attr(x, name)
	if err != nil || v == nil {
		return nil, err
	}
	if _, ok := x.(*starlarkstruct.Struct); ok {
		return v, nil // it holds the value itself
	}
	if _, ok := v.(starlark.String); ok {
		return v, nil // texts are not copied
	}
	return v, m.handed(v)
}

// handed charges for a value that goes from the script to the host, or back.
func (m *Meter) handed(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.String:
		return m.Spend(uint64(len(v)) / stepWeigh)
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set, *starlarkstruct.Struct:
		n, err := weigh(v, MaxWeight, costCell)
		if err != nil {
			return err
		}
		if err := m.Charge(n); err != nil {
			return err
		}
		return m.Spend(uint64(n) / stepWeigh)
	}
	return nil
}

// Admit charges for a call of a function of the host: a little for the call itself, and
// for each argument what it takes to go through it. The host calls it before it looks at
// the arguments.
func Admit(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	m := meterOf(t)
	if err := m.Spend(stepsHost); err != nil {
		return err
	}
	if err := m.Charge(costHost); err != nil {
		return err
	}
	for _, a := range args {
		if err := m.handed(a); err != nil {
			return err
		}
	}
	for _, kw := range kwargs {
		if err := m.handed(kw[1]); err != nil {
			return err
		}
	}
	return nil
}

func errNoAttr(x starlark.Value, name string) error {
	return fmt.Errorf("a %s has no field or method %s", x.Type(), cut(name, 60))
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
	case starlark.Bytes:
		return nil, nil
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
			it, ok := args[0].(starlark.Iterable)
			if !ok {
				return nil, fmt.Errorf("a %s has no elements to add", args[0].Type())
			}
			return starlark.None, m.extend(list, it)
		}
		if err := m.method(x, name, args, kwargs); err != nil {
			return nil, err
		}
		v, err := made(starlark.Call(t, method, args, kwargs))
		if err != nil || !slices.Contains(textParts, name) {
			return v, err
		}
		// The parts of a text would be gone through without a charge, and a list of such
		// values would be written as long as all their texts.
		elems, err := m.collect(v.(starlark.Iterable))
		return starlark.NewList(elems), err
	}), nil
}

// textParts are the methods of texts that return what can only be gone through.
var textParts = []string{"elems", "codepoints", "elem_ords", "codepoint_ords"}

// extend appends the elements of y to a list.
func (m *Meter) extend(list *starlark.List, y starlark.Iterable) error {
	elems, err := m.collect(y)
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
	if n := starlark.Len(it); n >= 0 { // what is too long is refused before its first element
		if err := m.copied(int64(n)); err != nil {
			return nil, err
		}
		elems := make([]starlark.Value, 0, n)
		for e := range starlark.Elements(it) {
			elems = append(elems, e)
		}
		return elems, nil
	}
	var elems []starlark.Value
	for e := range starlark.Elements(it) {
		if err := m.Charge(2 * costCell); err != nil {
			return nil, err
		}
		if err := m.Spend(1); err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return elems, nil
}

// method charges for a method call of a text, list, dict or set.
func (m *Meter) method(x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	switch x := x.(type) {
	case starlark.String:
		return m.textMethod(string(x), name, args, kwargs)
	case *starlark.List:
		return m.listMethod(x, name, args)
	default:
		return m.tableMethod(x, name, args, kwargs)
	}
}

func (m *Meter) listMethod(x *starlark.List, name string, args starlark.Tuple) error {
	switch name {
	case "append":
		return m.Charge(costCell)
	case "insert":
		if err := m.Spend(uint64(x.Len()) / stepWeigh); err != nil {
			return err
		}
		return m.Charge(costCell)
	case "index", "remove":
		for _, a := range args {
			if err := m.compared(x, a); err != nil {
				return err
			}
		}
		return nil
	default: // clear, pop
		return m.Spend(uint64(x.Len()) / stepWeigh)
	}
}

// tableMethod charges for a method call of a dict or set.
func (m *Meter) tableMethod(x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	n := int64(max(starlark.Len(x), 0))
	var key starlark.Value = starlark.None
	if len(args) > 0 {
		key = args[0]
	}
	switch name {
	case "get":
		return m.access(x, key)
	case "pop", "popitem", "discard", "remove":
		m.deleted++
		if len(args) == 0 { // the first one, whatever it is
			return m.Spend(uint64(n+m.deleted) / stepAny)
		}
		return m.access(x, key)
	case "add", "setdefault":
		if err := m.access(x, key); err != nil { // looked up first
			return err
		}
		return m.insert(x, key)
	case "clear":
		// Its room stays, as large as it ever was.
		m.deleted += n
		return m.Spend(uint64(n) + uint64(m.inserted)/stepWeigh)
	case "items", "keys", "values":
		if err := m.Charge(costList + n*(costList+3*costCell)); err != nil {
			return err
		}
		return m.Spend(uint64(n))
	default: // update, union, difference, intersection, issubset, …
		if _, ok := x.(*starlark.Set); ok && len(args) == 0 && name != "update" && name != "union" {
			return fmt.Errorf("%s needs what it is compared with", name) // the evaluator would crash
		}
		if err := m.Charge(costDict); err != nil {
			return err
		}
		held := n
		if strings.HasSuffix(name, "difference") { // what differs is taken out of a copy
			m.deleted += n
		}
		if name != "update" { // it is copied first
			if err := m.gather(x, 0); err != nil {
				return err
			}
		}
		if err := m.Spend(uint64(m.inserted) / stepWeigh); err != nil {
			return err
		}
		for _, a := range args {
			if err := m.gathered(a, held); err != nil {
				return err
			}
			held += int64(max(starlark.Len(a), 0))
		}
		return m.Spend(uint64(len(kwargs)) * (1 + uint64(held+int64(len(kwargs)))/stepPlain))
	}
}

// gathered charges for inserting the keys of a dict, or of what a dict may be made of: a
// sequence of pairs.
func (m *Meter) gathered(v starlark.Value, held int64) error {
	if err := m.inspect(v); err != nil {
		return err
	}
	return m.gather(v, held)
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
	for _, a := range args {
		if name != "join" && name != "format" {
			if err := m.inspect(a); err != nil {
				return err
			}
		}
	}
	switch name {
	case "join":
		return m.joinedTexts(s, args)
	case "format":
		return m.formatted(s, args, kwargs)
	case "replace":
		times := int64(strings.Count(s, arg(0)))
		return m.text(size + times*int64(len(arg(1))))
	case "split", "rsplit", "splitlines", "partition", "rpartition":
		pieces := size/2 + 1
		if sep := arg(0); sep != "" {
			pieces = int64(strings.Count(s, sep)) + 1
		} else if name == "splitlines" {
			pieces = int64(strings.Count(s, "\n")) + 1
		}
		if err := m.copied(pieces); err != nil {
			return err
		}
		return m.Spend(uint64(size) / stepText)
	case "strip", "lstrip", "rstrip":
		// Each character is looked for in the set.
		return m.Spend(uint64(size) * uint64(1+len(arg(0))) / stepText)
	case "startswith", "endswith", "count", "find", "rfind", "index", "rindex", "elems", "codepoints", "elem_ords", "codepoint_ords":
		return m.Spend(uint64(size) / stepText)
	case "upper", "lower", "title", "capitalize":
		// A byte that is no character becomes one of three.
		if err := m.Spend(uint64(size) / stepWeigh); err != nil {
			return err
		}
		return m.text(min(3*size, MaxString))
	default: // is…, remove…
		return m.Spend(uint64(size) / stepWeigh)
	}
}

// joinedTexts charges for s.join(args).
func (m *Meter) joinedTexts(s string, args starlark.Tuple) error {
	if len(args) != 1 {
		return nil // it fails by itself
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
		if total += int64(len(t)) + int64(len(s)); total > MaxString {
			break
		}
		if err := m.Spend(1); err != nil {
			return err
		}
	}
	return m.text(total)
}

// formatted charges for s.format(args).
func (m *Meter) formatted(s string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	longest := int64(0)
	weigh := func(v starlark.Value) error {
		n, err := Weigh(v, MaxString)
		longest = max(longest, n)
		if err != nil {
			return err
		}
		return m.Spend(1 + uint64(n)/stepWeigh)
	}
	for _, a := range args {
		if err := weigh(a); err != nil {
			return err
		}
	}
	for _, kw := range kwargs {
		if err := weigh(kw[1]); err != nil {
			return err
		}
	}
	fields := int64(strings.Count(s, "{"))
	if err := m.text(int64(len(s)) + longest*fields); err != nil {
		return err
	}
	// Each name is looked for among all.
	return m.Spend(uint64(fields) * (1 + uint64(len(kwargs))/stepAny))
}
