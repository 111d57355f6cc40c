package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// line is one line of what a peer is told to do: words, and arguments of the form key=value.
//
//	act "Edit Post" post=3 body="two words" amendments=[]
//
// A word or value in double quotes is a JSON string. A value that is JSON (a number, true, null, a list,
// an object) is taken as such; everything else is text up to the next space.
type line struct {
	words []string
	args  map[string]any
}

var errQuote = errors.New("a quote is not closed")

func parseLine(text string) (line, error) {
	l := line{args: map[string]any{}}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if key, rest, ok := cutKey(text); ok {
			value, after, err := cutValue(rest)
			if err != nil {
				return line{}, fmt.Errorf("%s: %w", key, err)
			}
			if _, twice := l.args[key]; twice {
				return line{}, fmt.Errorf("%s is given twice", key)
			}
			l.args[key], text = value, after
			continue
		}
		if text[0] == '"' {
			value, after, err := cutJSON(text)
			if err != nil {
				return line{}, errQuote
			}
			l.words, text = append(l.words, value.(string)), after
			continue
		}
		word, after, _ := strings.Cut(text, " ")
		l.words, text = append(l.words, word), after
	}
	return l, nil
}

// cutKey takes a name followed by "=" off the front.
func cutKey(text string) (key, rest string, ok bool) {
	n := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if n <= 0 || text[n] != '=' {
		return "", text, false
	}
	return text[:n], text[n+1:], true
}

// cutValue takes a value off the front.
func cutValue(text string) (value any, rest string, err error) {
	if text != "" && strings.ContainsRune(`"[{`, rune(text[0])) {
		value, rest, err = cutJSON(text)
		if err != nil && text[0] == '"' {
			return nil, "", errQuote
		}
		return value, rest, err
	}
	word, rest, _ := strings.Cut(text, " ")
	if value, after, err := cutJSON(word); err == nil && after == "" {
		return value, rest, nil
	}
	return word, rest, nil
}

// cutJSON takes one JSON value off the front. Numbers are integers: the game has no others.
func cutJSON(text string) (value any, rest string, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, "", err
	}
	value, err = integers(value)
	return value, text[decoder.InputOffset():], err
}

// integers replaces the numbers in a decoded value.
func integers(value any) (any, error) {
	switch v := value.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is not a whole number of 64 bits", v)
		}
		return n, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = integers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			var err error
			if v[key], err = integers(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
