package search

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxLetters is how many letters of a word count; those behind them don't.
const maxLetters = 64

// words yields the words of a text as they are compared: in one case, without diacritics.
// A text that is to be found also yields the parts that a word is made of, such as get and
// user of getUser and get_user, and the whole of both. What is written without spaces
// comes as its pairs of characters.
func words(text string, parts bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		var compound []string // what hyphens and underscores join, up to here
		begin := 0
		text = plain(text)
		end := func(to int, joined bool) bool {
			if to > begin {
				compound = append(compound, text[begin:to])
			}
			if joined {
				return true
			}
			defer func() { compound = compound[:0] }()
			return yieldCompound(compound, parts, yield)
		}
		dense := false
		for i, r := range text {
			switch {
			case !isWordly(r):
				if !end(i, parts && (r == '_' || r == '-')) {
					return
				}
				if r != utf8.RuneError && unicode.Is(unicode.So, r) && !yield(string(r)) {
					return
				}
				begin = i + utf8.RuneLen(r) // what is no character became one that says so
			case i > begin && isDense(r) != dense && !unicode.Is(unicode.M, r):
				if !end(i, false) {
					return
				}
				begin, dense = i, isDense(r)
			case i == begin:
				dense = isDense(r)
			}
		}
		end(len(text), false)
	}
}

// yieldCompound yields the words of what is joined.
func yieldCompound(pieces []string, parts bool, yield func(string) bool) bool {
	if len(pieces) > 1 && !yield(cut(fold(strings.Join(pieces, "")))) {
		return false
	}
	for _, piece := range pieces {
		if first, _ := utf8.DecodeRuneInString(piece); isDense(first) {
			if !yieldPairs(fold(piece), parts, yield) {
				return false
			}
			continue
		}
		if !yield(cut(fold(piece))) {
			return false
		}
		if !parts {
			continue
		}
		for part := range humps(piece) {
			if !yield(cut(fold(part))) {
				return false
			}
		}
	}
	return true
}

// yieldPairs yields the pairs of characters of a text without spaces; of one that is to be
// found also its last character, so that each of them begins a word.
func yieldPairs(text string, found bool, yield func(string) bool) bool {
	runes := []rune(text)
	for i := range len(runes) - 1 {
		if !yield(string(runes[i : i+2])) {
			return false
		}
	}
	if found || len(runes) == 1 {
		return yield(string(runes[len(runes)-1]))
	}
	return true
}

// humps yields the parts of a word in camel case, but for single letters; of another
// word none.
func humps(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		runes := []rune(word)
		begin := 0
		for i := 1; i <= len(runes); i++ {
			if i < len(runes) && !isHump(runes, i) || i == len(runes) && begin == 0 {
				continue
			}
			if i-begin > 1 && !yield(string(runes[begin:i])) {
				return
			}
			begin = i
		}
	}
}

// isHump reports whether a part begins at a capital: behind a small letter or a digit, or
// before a small letter.
func isHump(word []rune, i int) bool {
	return unicode.IsUpper(word[i]) &&
		(!unicode.IsUpper(word[i-1]) || i+1 < len(word) && unicode.IsLower(word[i+1]))
}

// isWordly reports whether a character is part of a word.
func isWordly(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isDense reports whether a character is of a script that puts no spaces between words.
func isDense(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// plain returns a text in compatibility form (NFKC), without the diacritics of letters.
func plain(text string) string {
	if isASCII(text) {
		return text
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if isDiacritic(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text)))
}

// isDiacritic reports whether a mark is one that a reader may leave out: those of Latin,
// Greek, Cyrillic, Hebrew and Arabic letters. The vowels of Indic scripts are none, nor is
// the mark that makes another kana of one.
func isDiacritic(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Inherited, unicode.Hebrew) && r != '\u3099' && r != '\u309a'
}

// fold returns a text in the one case.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return norm.NFC.String(bare(cases.Fold().String(text)))
}

// bare writes letters with a stroke, and two letters in one, as they are looked for: they
// have no decomposition in Unicode.
func bare(text string) string {
	if !strings.ContainsAny(text, "øłđħıæœ") {
		return text
	}
	return strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ħ", "h", "ı", "i", "æ", "ae", "œ", "oe").Replace(text)
}

// cut returns the letters of a word that count.
func cut(word string) string {
	letters := 0
	for i := range word {
		if letters == maxLetters {
			return word[:i]
		}
		letters++
	}
	return word
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
