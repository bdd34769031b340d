package agentskills

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// DescriptorFile is where the descriptor stands in the folder of a skill that was published
// without files of its own.
const DescriptorFile = "references/descriptor.json"

// Folder returns the files of a skill that was published without any: a SKILL.md written
// from its descriptor, and the descriptor itself, whose canonical bytes are given.
func Folder(d *protocol.Descriptor, canonical []byte) []File {
	return []File{{SkillFile, skillFile(d)}, {DescriptorFile, canonical}}
}

// maxDescription is how long the description of an Agent Skill may be, in UTF-16 units,
// which is what most of those who check it count.
const maxDescription = 1024

// Description returns the description of a skill as Agent Skills have it: on one line, and
// not too long. It is not empty where the text shows something.
func Description(text string) string { return shortened(oneLine(text), maxDescription) }

// oneLine returns the text with single spaces for all white space in it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shortened returns the text if it has no more than so many UTF-16 units, and otherwise as
// much of its beginning as there is room for beside an ellipsis.
func shortened(text string, most int) string {
	units, end := 0, 0
	for i, r := range text {
		units += utf16.RuneLen(r)
		if units > most {
			return strings.TrimRightFunc(text[:end], unicode.IsSpace) + "…"
		}
		if units < most {
			end = i + len(string(r))
		}
	}
	return text
}

// yamlString returns a text as a double-quoted scalar of YAML 1.2 that is a string of JSON
// as well: what YAML does not take as it is has the escape that both have.
func yamlString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ', r >= 0x7f && r <= 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			const digits = 4
			hex := strconv.FormatInt(int64(r), 16)
			b.WriteString(`\u` + strings.Repeat("0", digits-len(hex)) + hex)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
