package view

import (
	"strings"
	"testing"
)

// UAX #9: a name from right to left does not take the marks and numbers beside it along.
func TestNamesFromRightToLeftAreSetApart(t *testing.T) {
	for in, want := range map[string]string{
		"Dee and Eli have not voted":   "Dee and Eli have not voted",
		"שרה: 3 of 4":                  "\u2068שרה\u2069: 3 of 4",
		"“עלה חדש” by Bo, 2 hours ago": "“\u2068עלה חדש\u2069” by Bo, 2 hours ago",
		"שרה, דן and 3 more":           "\u2068שרה\u2069, \u2068דן\u2069 and 3 more",
		"by بسمة ":                     "by \u2068بسمة\u2069 ",
		"Ana":                          "Ana",
		"":                             "",
	} {
		if got := Isolated(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// Names keep the marks that languages need, and no stack of them that hides other lines.
func TestMarksDoNotStack(t *testing.T) {
	tower := strings.Repeat("\u0301\u0323", 20)
	for in, want := range map[string]string{
		"Ana":                                   "Ana",
		"":                                      "",
		"Vie\u0323\u0302t":                      "Vie\u0323\u0302t",
		"בּׁ":                                   "בּׁ",
		"กี่":                                   "กี่",
		"ကြွှု":                                 "ကြွှု",
		"1\ufe0f\u20e3":                         "1\ufe0f\u20e3",
		"Z" + tower + "a" + tower:               "Z\u0301\u0323a\u0301\u0323",
		"ส" + strings.Repeat("็", 9):            "ส็็็",
		tower + "Bo":                            "\u0301\u0323Bo",
		"Z" + strings.Repeat("\u0301\u200d", 9): "Z\u0301\u200d\u0301" + strings.Repeat("\u200d", 8),
		"o" + strings.Repeat("\u20dd", 9):       "o\u20dd\u20dd",
	} {
		if got := Unstacked(in); got != want {
			t.Errorf("%+q becomes %+q, want %+q", in, got, want)
		}
	}
}
