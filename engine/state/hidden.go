package state

import "unicode"

// hidden finds an invisible character. With such characters two different names look alike, and a text can be
// displayed in another order than it is stored. The lists are part of the kernel, because those of the standard
// library change with its versions.
func hidden(text string, kind Kind) (rune, bool) {
	before := rune(0)
	for _, r := range text {
		switch {
		case unicode.IsControl(r):
			if kind == Text || r != '\n' && r != '\t' {
				return r, true
			}
		case turnsText(r):
			return r, true
		case kind == Text && isInvisible(r) && !(isJoiner(r) && before >= firstJoined):
			return r, true
		}
		before = r
	}
	return 0, false
}

// turnsText reports whether a character changes the direction of the following text (UAX #9, explicit
// embeddings, overrides and isolates).
func turnsText(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// isJoiner reports whether a character shapes its neighbours: letters of scripts from the Arabic on, and emoji.
func isJoiner(r rune) bool { return r == 0x200C || r == 0x200D }

// firstJoined is the first character of the scripts with joiners. Latin, Greek, Cyrillic, Armenian and
// Hebrew lie before.
const firstJoined = 0x0600

// isInvisible reports whether a character takes no room: formats, fillers and tags.
func isInvisible(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFEFF, r == 0xFFA0,
		r >= 0x180B && r <= 0x180F, r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x206F, r >= 0xFFF9 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}
