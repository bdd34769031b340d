package protocol

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// missing is what a violation says was there when nothing was.
const missing = "nothing"

// maxShown bounds the characters that a violation quotes of a value.
const maxShown = 80

// showValue says what was there: a string as it is, other values as JSON, all of them
// shortened.
func showValue(value any) string {
	switch v := value.(type) {
	case string:
		return showString(v)
	case []any:
		return "an array of " + count(len(v), "item")
	case map[string]any:
		return "an object of " + count(len(v), "member")
	case stdjson.Number:
		return shorten(v.String())
	case nil:
		return "null"
	default:
		return fmt.Sprint(v)
	}
}

// showTyped says what was there where the type of it is the fault.
func showTyped(value any) string {
	switch v := value.(type) {
	case string:
		return "the string " + quote(v)
	case stdjson.Number:
		return "the number " + shorten(v.String())
	default:
		return showValue(v)
	}
}

// showString gives text bare where a reader can see where it begins and ends, and
// quoted as in JSON where not.
func showString(s string) string {
	if s == "" {
		return "an empty string"
	}
	if strings.TrimSpace(s) != s || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return quote(s)
	}
	return shorten(s)
}

func quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, shorten(s)) // in text that is not UTF-8 it replaces bytes
	return string(quoted)
}

// shorten cuts s to maxShown characters.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	n := 0
	for i := range s {
		if n == maxShown-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// count is a number with its noun: "1 item", "3 items".
func count[N int | string](n N, noun string) string {
	s := fmt.Sprint(n)
	if s == "1" {
		return s + " " + noun
	}
	return s + " " + noun + "s"
}

// typeWords says the names of JSON types in words: "a string", "an object or a boolean".
func typeWords(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "null":
			words[i] = t
		case "object", "array", "integer":
			words[i] = "an " + t
		default:
			words[i] = "a " + t
		}
	}
	return strings.Join(words, " or ")
}

// phrase turns the first sentence of a description, if any, into the words after
// "expected".
func phrase(description string) string {
	s, _, _ := strings.Cut(description, ". ")
	s = strings.TrimSuffix(s, ".")
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return s // an abbreviation
	}
	return string(unicode.ToLower(first)) + s[size:]
}
