package kit

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Fold is a way out that is shown when somebody looks for it.
func Fold(title string, body ...app.UI) app.UI {
	return app.Details().Class("way-out").Body(append([]app.UI{app.Summary().DataSet("test", "way-"+Slug(title)).Text(title)}, body...)...)
}

// FoldGlyph names the icon of a control that unfolds something.
func FoldGlyph(open bool) string {
	if open {
		return "fall"
	}
	return "next"
}

// ShowWord labels a control that shows something and hides it again.
func ShowWord(open bool, what string) string {
	if open {
		return "Hide " + what
	}
	return "Show " + what
}
