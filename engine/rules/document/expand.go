package document

import "regexp"

var placeholder = regexp.MustCompile(`\{\{([A-Za-z][A-Za-z0-9_]*)\}\}`)

// Expand fills the {{name}} placeholders of a text. Unknown names stay as they are.
func Expand(text string, value func(name string) (string, bool)) string {
	return placeholder.ReplaceAllStringFunc(text, func(whole string) string {
		if v, ok := value(whole[2 : len(whole)-2]); ok {
			return v
		}
		return whole
	})
}
