package rules

import (
	"encoding/hex"
	"fmt"

	"go.starlark.net/starlark"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/convert"
	"peernomic/engine/rules/sandbox"
	"peernomic/engine/state"
	"peernomic/engine/wire"
)

// postFingerprint names what a post says and would change, so that a vote can be
// bound to it.
func (w *World) postFingerprint(id int64) state.Value {
	amendments, _ := w.state.Get(tablePosts, id, "amendments")
	b, err := wire.Encode([]any{w.text(tablePosts, id, "title"), w.text(tablePosts, id, "body"), amendments})
	if err != nil {
		panic(err) // cells are normalized
	}
	if r := w.run; r != nil && r.meter != nil {
		_ = r.meter.Spend(uint64(len(b)) / 16) // the meter ends what cannot pay
	}
	d := wire.Digest("peernomic/post/v1", b)
	return hex.EncodeToString(d[:8])
}

func (w *World) ruleFingerprint(id int64) state.Value {
	return document.Fingerprint(w.text(tableRules, id, "text"))
}

func runPost(call *invocation) (starlark.Value, error) {
	var category, title, body, status, flavour string
	var author, official, amendments, data starlark.Value = starlark.None, starlark.None, starlark.None, starlark.None
	if err := call.Unpack("category", &category, "title", &title, "body?", &body, "author?", &author,
		"official?", &official, "status?", &status, "amendments?", &amendments, "data?", &data, "flavour?", &flavour); err != nil {
		return nil, err
	}
	var c *declare.Category
	for _, o := range call.w.decl.Categories {
		if o.Name == category {
			c = o
		}
	}
	if c == nil {
		return nil, call.Wrong("there is no category %q", category)
	}
	values := map[string]starlark.Value{"category": starlark.String(category), "title": starlark.String(title), "body": starlark.String(body),
		"author": author, "official": official, "status": starlark.String(status), "amendments": amendments, "data": data}
	if official == starlark.None {
		values["official"] = starlark.Bool(c.Official)
	}
	if flavour != "" {
		values["flavour"] = starlark.String(flavour)
	}
	return call.write(tablePosts, values, cells{"time": call.w.now}, "post")
}

func runComment(call *invocation) (starlark.Value, error) {
	var on *row
	var text, icon string
	var several starlark.Iterable
	var author, data starlark.Value = starlark.None, starlark.None
	if err := call.Unpack("post", &on, "text?", &text, "icon?", &icon, "icons?", &several, "author?", &author, "data?", &data); err != nil {
		return nil, err
	}
	if on.table != tablePosts {
		return nil, call.Wrong("a post is needed, not a %s", on.table)
	}
	fixed := cells{"post": on.id, "time": call.w.now, "fingerprint": call.w.postFingerprint(on.id)}
	var err error
	if icon, err = lastIcon(call.Invocation, icon, several, fixed); err != nil {
		return nil, err
	}
	return call.write(tableComments,
		map[string]starlark.Value{"text": starlark.String(text), "icon": starlark.String(icon), "author": author, "data": data},
		fixed, "comment")
}

// lastIcon returns the icon that counts of a comment: the one given, or the last of several. It keeps several in their
// order.
func lastIcon(call *sandbox.Invocation, icon string, several starlark.Iterable, keep cells) (string, error) {
	if several == nil {
		return icon, nil
	}
	icons, err := convert.Texts(several)
	switch {
	case err != nil:
		return "", call.Wrong("icons: %w", err)
	case icon != "":
		return "", call.Wrong("icon or icons, not both")
	case len(icons) > MaxIcons:
		return "", &Refusal{Code: CodeLimit, Reason: fmt.Sprintf("a comment may carry %d icons", MaxIcons)}
	case len(icons) == 0:
		return "", nil
	case len(icons) > 1:
		list := make([]any, len(icons))
		for i, name := range icons {
			list[i] = name
		}
		keep["icons"] = list
	}
	return icons[len(icons)-1], nil
}

// iconsOf returns all icons of a comment, in their order.
func (w *World) iconsOf(id int64) state.Value {
	if several, ok := w.state.Get(tableComments, id, "icons"); ok {
		return several
	}
	if icon := w.text(tableComments, id, "icon"); icon != "" {
		return []any{icon}
	}
	return []any{}
}

// write makes a post or a comment. If no author is named, it is the person who acts; a discreet action then has no author,
// and only the rules see the writer.
func (r *run) write(table string, values map[string]starlark.Value, fixed cells, event string) (starlark.Value, error) {
	switch {
	case r.discreet:
		fixed["writer"] = r.player
	case values["author"] == starlark.None && r.player != 0:
		values["author"] = &row{w: r.w, table: tablePlayers, id: r.player}
	}
	for _, name := range []string{"amendments", "data"} {
		if values[name] == starlark.None {
			values[name] = map[string]starlark.Value{"amendments": starlark.NewList(nil), "data": starlark.NewDict(0)}[name]
		}
	}
	decl := r.w.decl.Tables[table]
	out := cells{}
	for name, v := range fixed {
		out[name] = v
	}
	for _, c := range decl.Columns {
		v, ok := values[c.Name]
		if !ok {
			continue
		}
		plain, err := convert.Plain(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if out[c.Name], err = r.w.fit(c, plain); err != nil {
			return nil, &Refusal{Code: CodeIllegal, Reason: fmt.Sprintf("%s: %s", c.Title, err)}
		}
	}
	id, err := r.w.newRow(table, out)
	if err != nil {
		return nil, &Refusal{Code: CodeLimit, Reason: err.Error()}
	}
	r.changed(Change{Op: ChangeCreate, Table: table, Row: id})
	on := &row{w: r.w, table: table, id: id}
	return on, r.fire(event, on)
}

func runComments(call *invocation) (starlark.Value, error) {
	var on *row
	if err := call.Unpack("post", &on); err != nil {
		return nil, err
	}
	var out []starlark.Value
	all := call.w.state.Rows(tableComments)
	for _, id := range all {
		if call.w.int(tableComments, id, "post") == on.id {
			out = append(out, &row{w: call.w, table: tableComments, id: id})
		}
	}
	return starlark.NewList(out), call.meter.Spend(uint64(len(all)/8 + len(out)))
}
