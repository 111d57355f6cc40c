package document

import "strings"

// Expand fills the {{name}} placeholders of a text. Unknown names stay as they are.
func Expand(text string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "{{")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		text = text[at:]
		name := placeholder(text)
		if name == "" {
			b.WriteString(text[:1])
			text = text[1:]
			continue
		}
		whole := text[:len(name)+4]
		text = text[len(whole):]
		if v, ok := value(name); ok {
			whole = v
		}
		b.WriteString(whole)
	}
}

// placeholder returns the name of the placeholder that a text begins with: a letter of ASCII, then letters,
// digits and underscores. It is empty if there is none.
func placeholder(text string) string {
	name, _, found := strings.Cut(text[2:], "}}")
	if !found || name == "" || !letter(name[0]) {
		return ""
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && !digit(c) && c != '_' {
			return ""
		}
	}
	return name
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
