package ledger

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// words.txt is the English list of BIP-39: 2048 words in alphabetical order, any two
// different in their first four letters. Its licence is in NOTICE.
//
//go:embed words.txt
var wordsFile string

const wordCount = 24

// ErrWords reports text that is not the word list of an identity.
var ErrWords = errors.New("not the words of an identity")

// Words returns the identity as 24 words to write down: the entropy and checksum of
// BIP-39, so each word holds 11 bits and the last 8 bits check the rest.
func (id *Identity) Words() string {
	list := wordList()
	sum := sha256.Sum256(id.seed[:])
	bits := append(id.seed[:], sum[0])
	words := make([]string, wordCount)
	for i := range words {
		n := 0
		for b := i * 11; b < (i+1)*11; b++ {
			n = n<<1 | int(bits[b/8]>>(7-b%8)&1)
		}
		words[i] = list[n]
	}
	return strings.Join(words, " ")
}

// ParseWords is the inverse of [Identity.Words]. Case, line breaks and numbers such as
// "3." between the words do not matter, and four letters of a word are enough. It fails with
// [ErrWords].
func ParseWords(text string) (*Identity, error) {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(fields) != wordCount {
		return nil, fmt.Errorf("%w: %d words instead of %d", ErrWords, len(fields), wordCount)
	}
	list := wordList()
	var bits [33]byte
	for i, f := range fields {
		n, ok := findWord(list, f)
		if !ok {
			return nil, fmt.Errorf("%w: word %d, %q, is not in the list", ErrWords, i+1, f)
		}
		for b := range 11 {
			if n>>(10-b)&1 == 1 {
				at := i*11 + b
				bits[at/8] |= 1 << (7 - at%8)
			}
		}
	}
	if sum := sha256.Sum256(bits[:32]); sum[0] != bits[32] {
		return nil, fmt.Errorf("%w: the checksum is wrong, so a word is wrong or out of place", ErrWords)
	}
	return IdentityFromSeed([32]byte(bits[:32])), nil
}

func wordList() []string { return strings.Fields(wordsFile) }

func findWord(list []string, word string) (int, bool) {
	at, found := slices.BinarySearch(list, word)
	if found {
		return at, true
	}
	if len(word) >= 4 && at < len(list) && strings.HasPrefix(list[at], word) {
		return at, true
	}
	return 0, false
}
