package workshop

import (
	"slices"
	"strconv"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// changeOf takes amendment i of a post that is altered into the workshop. What the workshop
// cannot edit is kept as it is; it can be removed.
func changeOf(w *view.Workshop, e *view.PostEdit, i int) *change {
	kept := &change{Kind: "kept", Row: int64(i), Rule: e.Says[i]}
	m, ok := e.Amendments[i].(map[string]any)
	if !ok {
		return kept
	}
	text := func(key string) string { s, _ := m[key].(string); return s }
	switch text("op") {
	case "amend":
		k := slices.IndexFunc(w.Rules, func(s view.RuleSource) bool { return s.Title == text("rule") })
		if k < 0 {
			return kept
		}
		c := amendChange(w.Rules[k])
		c.Base = text("base") // so that what others changed since is kept
		c.setDocument(text("text"))
		return c
	case "enact":
		section, _ := m["section"].(int64)
		c := &change{Kind: "enact", Section: int(section), Rule: text("after"), Under: text("parent")}
		c.setDocument(text("text"))
		return c
	case "repeal":
		return &change{Kind: "repeal", Rule: text("rule")}
	case "keyword":
		return &change{Kind: "keyword", Rule: text("key"), One: text("one"), Many: text("many")}
	case "set":
		row, one := m["row"].(int64)
		if !one {
			return kept // cells of all rows that fit
		}
		c := &change{Kind: "set", Table: text("table"), Row: row, Column: text("column")}
		if c.Value, ok = pickerValue(w, c.Table, c.Column, m["value"]); ok {
			return c
		}
	}
	return kept
}

// pickerValue is a value as the picker of values holds it, if it can.
func pickerValue(w *view.Workshop, table, column string, v any) (string, bool) {
	i := slices.IndexFunc(w.Tables, func(t view.Table) bool { return t.Name == table })
	if i < 0 {
		return "", false
	}
	j := slices.IndexFunc(w.Tables[i].Columns, func(c view.Column) bool { return c.Name == column })
	if j < 0 {
		return "", false
	}
	if list := w.Tables[i].Columns[j].Choices; len(list) > 0 {
		k := slices.IndexFunc(list, func(c view.Choice) bool { return kit.EqualValue(c.Value, v) })
		return strconv.Itoa(k), k >= 0
	}
	switch v := v.(type) {
	case int64:
		return kit.Itoa(v), true
	case string:
		return v, true
	case bool:
		if v {
			return "yes", true
		}
		return "", true
	}
	return "", false
}
