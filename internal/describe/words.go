package describe

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// How many characters the texts of a descriptor have at most, as the schema says.
const (
	maxLine = 200
	maxText = 10_000
	maxTag  = 100
)

// visible reports whether a character shows something, as the schema has it.
func visible(r rune) bool {
	switch {
	case r <= 0x20, 0x7f <= r && r <= 0xa0, r == 0xad, r == 0x1680, 0x2000 <= r && r <= 0x200f,
		0x2028 <= r && r <= 0x202f, 0x205f <= r && r <= 0x206f, r == 0x3000, r == 0xfeff:
		return false
	}
	return true
}

// line makes text one line, or nothing where it shows nothing. It says whether it had to
// cut it.
func line(s string, most int) (string, bool) {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == ' ' || r == '\u2028' || r == '\u2029'
	}), " ")
	return shorten(s, most)
}

// text takes out the control characters that a text can't have.
func text(s string) (string, bool) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
			return -1
		}
		return r
	}, s)
	return shorten(strings.TrimSpace(s), maxText)
}

func shorten(s string, most int) (string, bool) {
	if !strings.ContainsFunc(s, visible) {
		return "", false
	}
	if utf8.RuneCountInString(s) <= most {
		return s, false
	}
	short := []rune(s)[:most-1]
	return strings.TrimSpace(string(short)) + "…", true
}

// word begins where a capital follows a small letter, or ends a row of capitals.
var wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// slug makes a part of an id of a name: listPets is list-pets, and "Get HTTPStatus" is
// get-http-status. It is a function of the name alone, and empty where nothing of the name
// can stand in an id.
func slug(name string) string {
	name = wordStart.ReplaceAllString(name, "$1$3-$2$4")
	var b strings.Builder
	separators := ""
	for _, r := range strings.ToLower(name) {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			switch {
			case b.Len() == 0 || separators == "":
			case strings.Contains(separators, "."):
				b.WriteByte('.')
			case separators == "_":
				b.WriteByte('_')
			default:
				b.WriteByte('-')
			}
			separators = ""
			b.WriteRune(r)
			continue
		}
		separators += string(r)
	}
	return b.String()
}

// semver makes a version by SemVer of one that says the same: v1.2.3 is 1.2.3, and 1.2 is
// 1.2.0. A lone number, a date or a word is none.
func semver(version string) (string, bool) {
	if protocol.ValidVersion(version) {
		return version, true
	}
	version = strings.TrimPrefix(version, "v")
	if strings.Count(version, ".") == 1 && !strings.ContainsAny(version, "-+") {
		version += ".0"
	}
	return version, protocol.ValidVersion(version)
}
