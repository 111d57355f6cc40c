package live

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"peernomic/app/view"
	"peernomic/engine/game"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
	"peernomic/engine/state"
)

// Tables of the kernel that the pages know by name.
const (
	playersTable  = "players"
	postsTable    = "posts"
	commentsTable = "comments"
	gameTable     = "game"
	rulesTable    = "rules"
	gameRow       = 1
)

// lens looks at a world as one person sees it. It remembers what it has looked up, so
// it serves for one view only.
type lens struct {
	w    *rules.World
	me   int64
	now  int64
	mark func(table string, row int64) bool // a row that something tentative made or changed
	past bool                               // the world is as it once was: nothing can be done in it
	solo bool                               // the game is for practice: nobody can come
	all  []game.Entry                       // what was done until then, the tentative after the rest
	roll *game.Waiting                      // the roll that waits for its witnesses, or nil
	read func(cell any) (any, bool)         // what a secret says, if it is sealed for this device

	players map[int64]rules.PlayerView
	holders map[string]int64 // persons by their identity, hex
	actions []rules.ActionView
	glyphs  map[string]rules.IconView
	columns map[string]map[string]rules.ColumnView
	titles  map[string]string
}

// name says who somebody is; nobody is the game itself.
func (l *lens) name(id int64) string {
	l.meet()
	if id == 0 {
		return "the game"
	}
	return l.players[id].Name
}

// meet looks up who there is.
func (l *lens) meet() {
	if l.players != nil {
		return
	}
	l.players, l.holders = map[int64]rules.PlayerView{}, map[string]int64{}
	for _, p := range l.w.Players() {
		p.Name = view.Unstacked(p.Name)
		l.players[p.ID] = p
		l.holders[p.Key] = p.ID
	}
}

// holder returns the person of an identity, or 0. Anybody with the invite can bring in people without number, and
// [rules.World.PersonOf] looks at all of them each time.
func (l *lens) holder(id ledger.IdentityKey) int64 {
	l.meet()
	return l.holders[id.String()]
}

func (l *lens) standing(id int64) string {
	l.name(id)
	return l.players[id].Standing
}

// acts returns the actions as they are for me.
func (l *lens) acts() []rules.ActionView {
	if l.actions == nil {
		l.actions = l.w.Actions(l.me)
		if l.actions == nil {
			l.actions = []rules.ActionView{}
		}
		if l.past {
			for i := range l.actions {
				l.actions[i].Refused, l.actions[i].Params = &rules.Refusal{Reason: errPast.Error()}, nil
			}
		}
	}
	return l.actions
}

// action returns an action by its name.
func (l *lens) action(name string) (rules.ActionView, bool) {
	acts := l.acts()
	if i := slices.IndexFunc(acts, func(a rules.ActionView) bool { return a.Name == name }); i >= 0 {
		return acts[i], true
	}
	return rules.ActionView{}, false
}

// form returns the action with one of the kernel's well-known forms, or nil.
func (l *lens) form(form string) *rules.ActionView {
	acts := l.acts()
	if i := slices.IndexFunc(acts, func(a rules.ActionView) bool { return a.Form == form }); i >= 0 {
		return &acts[i]
	}
	return nil
}

// formOn returns the action with a well-known form that is for a post, as several kinds of
// matters may each have their own: the one that offers the post; else one that is closed,
// which says why; else any of them, or nil. It reports whether the post is offered.
func (l *lens) formOn(form string, post int64) (*rules.ActionView, bool) {
	acts := l.acts()
	var closed, other *rules.ActionView
	for i := range acts {
		a := &acts[i]
		switch {
		case a.Form != form:
		case offers(a, post):
			return a, true
		case a.Refused != nil && closed == nil:
			closed = a
		case other == nil:
			other = a
		}
	}
	if closed != nil {
		return closed, false
	}
	return other, false
}

// makers are the actions that make something with amendments, proposals first. Of an action
// that is closed it is not known what it takes, but its form tells.
func (l *lens) makers() []rules.ActionView {
	var out []rules.ActionView
	for _, a := range l.acts() {
		if a.Form == "propose" || a.Refused == nil && takesAmendments(a) && !slices.ContainsFunc(a.Params, func(p rules.ParamView) bool { return p.Table == postsTable }) {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b rules.ActionView) int { return later(a.Form != "propose") - later(b.Form != "propose") })
	return out
}

func takesAmendments(a rules.ActionView) bool {
	return slices.ContainsFunc(a.Params, func(p rules.ParamView) bool { return p.Form == "amendments" })
}

// viewOf returns an action as the pages take it, or nil for none.
func viewOf(a *rules.ActionView) *view.Action {
	if a == nil {
		return nil
	}
	v := actionView(*a)
	return &v
}

func actionView(a rules.ActionView) view.Action {
	v := view.Action{Name: a.Name, Title: a.Title, Help: a.Help, Rule: a.Rule, Dice: a.Dice, Open: a.Refused == nil}
	if v.Title == "" {
		v.Title = a.Name
	}
	if r := a.Refused; r != nil {
		v.Reason, v.Until = reason(r), r.Until
		if r.Rule != "" {
			v.Rule = r.Rule
		}
	}
	for _, p := range a.Params {
		v.Params = append(v.Params, paramView(p))
	}
	return v
}

func paramView(p rules.ParamView) view.Param {
	v := view.Param{Name: p.Name, Label: p.Label, Help: p.Help, Kind: string(p.Kind), Table: p.Table, Min: p.Min, Max: p.Max,
		MaxLen: p.MaxLen, Default: p.Initial, Optional: p.Optional, Listed: p.Listed}
	if p.Form != "" {
		v.Kind = p.Form
	}
	if p.Secret && v.Help == "" {
		v.Help = "Sealed before it is sent: nobody else can read it until the rules have you show it."
	}
	for _, c := range p.Choices {
		v.Choices = append(v.Choices, view.Choice(c))
	}
	return v
}

// offers says whether a parameter of an open action offers a row.
func offers(a *rules.ActionView, row int64) bool {
	if a == nil || a.Refused != nil {
		return false
	}
	for _, p := range a.Params {
		if p.Listed && slices.ContainsFunc(p.Choices, func(c rules.Choice) bool { return state.Equal(c.Value, row) }) {
			return true
		}
	}
	return false
}

// icon returns what an icon looks like and is called.
func (l *lens) icon(name string) rules.IconView {
	if l.glyphs == nil {
		l.glyphs = map[string]rules.IconView{}
		for _, i := range l.w.Icons(nil) {
			l.glyphs[i.Name] = i
		}
	}
	return l.glyphs[name]
}

// column returns what a column is called and holds.
func (l *lens) column(table, name string) (rules.ColumnView, bool) {
	if l.columns == nil {
		l.columns = map[string]map[string]rules.ColumnView{}
		l.titles = map[string]string{}
		for _, t := range l.w.Tables() {
			m := map[string]rules.ColumnView{}
			for _, c := range t.Columns {
				m[c.Name] = c
			}
			l.columns[t.Name], l.titles[t.Name] = m, t.One
		}
	}
	c, ok := l.columns[table][name]
	return c, ok
}

// text writes a value of a column for people. What is sealed only its readers see.
func (l *lens) text(c rules.ColumnView, v state.Value) string {
	if c.Kind == state.Secret && v != nil {
		if l.read != nil {
			if said, ok := l.read(v); ok {
				return "sealed: " + fmt.Sprint(said)
			}
		}
		return "sealed"
	}
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return v
	case int64:
		switch c.Kind {
		case state.Ref:
			if label := l.w.Label(c.Table, v); label != "" {
				return label
			}
		case state.Moment:
			return momentText(v)
		}
		return strconv.FormatInt(v, 10)
	case []any:
		return plural(len(v), "entry", "entries")
	case map[string]any:
		return plural(len(v), "entry", "entries")
	}
	return "?"
}

// changes puts what changed in words, leaving out what only the kernel keeps.
func (l *lens) changes(list []rules.Change) []view.Change {
	var out []view.Change
	for _, c := range inAll(list) {
		switch c.Table {
		case postsTable, commentsTable, rulesTable, "revisions", "sections", "keywords", "uses", "timers":
			continue
		}
		l.column("", "")
		one, shown := l.titles[c.Table]
		if !shown {
			continue
		}
		row := c.Label
		if c.Table == gameTable {
			row = ""
		}
		switch c.Op {
		case rules.ChangeCreate:
			out = append(out, view.Change{Row: row, Column: "new " + one})
		case rules.ChangeRemove:
			out = append(out, view.Change{Row: row, Column: one + " removed"})
		default:
			col, known := l.column(c.Table, c.Column)
			if !known || col.Kind == state.Moment {
				continue
			}
			out = append(out, view.Change{Row: row, Column: cmp.Or(col.Title, c.Column), Old: l.text(col, c.Old), New: l.text(col, c.New)})
		}
	}
	return out
}

// inAll puts changes of one cell together: what stays as it was is left out.
func inAll(list []rules.Change) []rules.Change {
	type cell struct {
		table, column string
		row           int64
	}
	at := map[cell]int{}
	var out []rules.Change
	for _, c := range list {
		key := cell{c.Table, c.Column, c.Row}
		if c.Op != rules.ChangeSet {
			out = append(out, c)
			continue
		}
		if i, ok := at[key]; ok {
			out[i].New = c.New
			continue
		}
		at[key] = len(out)
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c rules.Change) bool { return c.Op == rules.ChangeSet && state.Equal(c.Old, c.New) })
}

// flag reads a flag of a person, which is no if the rules know none of that name.
func (l *lens) flag(id int64, column string) bool {
	v, _ := l.w.Cell(playersTable, id, column)
	return v == true
}

// head is who heads the dynasty, if the rules keep that under the usual name.
func (l *lens) head() int64 {
	v, _ := l.w.GameCell("head")
	id, _ := v.(int64)
	return id
}

// outcome says how far a matter has come: open, passed or failed.
func outcome(status string) string {
	s := strings.ToLower(status)
	switch {
	case s == "" || s == "pending":
		return "open"
	case strings.HasPrefix(s, "enact"), strings.HasPrefix(s, "pass"), strings.HasPrefix(s, "upheld"), strings.HasPrefix(s, "accept"):
		return "passed"
	}
	return "failed"
}
