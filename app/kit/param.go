package kit

import (
	"slices"

	"peernomic/app/view"
)

// PostParam names the parameter of a comment action that says which post.
func PostParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Kind == "row" && (q.Table == "posts" || q.Table == "") {
			return q.Name
		}
	}
	return "post"
}

// TitleParam names the parameter of an action that takes the title of a post, or is empty.
func TitleParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Name == "title" {
			return q.Name
		}
	}
	for _, q := range a.Params {
		if q.Kind == "text" && len(q.Choices) == 0 {
			return q.Name
		}
	}
	return ""
}

// BodyParam names the parameter of an action that takes the text of a post, or is empty.
func BodyParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Kind == "prose" {
			return q.Name
		}
	}
	return ""
}

// PlayerParam names the parameter of an action that says about whom it is.
func PlayerParam(a view.Action) string {
	for _, q := range a.Params {
		if q.Kind == "player" || q.Kind == "row" && q.Table == "players" {
			return q.Name
		}
	}
	return "player"
}

// Param returns the parameter of an action with a name; without one it returns the zero value.
func Param(a view.Action, name string) view.Param {
	i := slices.IndexFunc(a.Params, func(q view.Param) bool { return q.Name == name })
	if i < 0 {
		return view.Param{}
	}
	return a.Params[i]
}

// CarriesChanges says whether an action takes amendments, so that it is taken in the
// workshop and not in a plain form.
func CarriesChanges(a view.Action) bool {
	return slices.ContainsFunc(a.Params, func(q view.Param) bool { return q.Kind == "amendments" })
}
