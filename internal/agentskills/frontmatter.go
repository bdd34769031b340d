package agentskills

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// FrontMatter is what SKILL.md says of its skill before the instructions begin.
type FrontMatter struct {
	// Name is 1 to 64 lower-case letters, digits and single hyphens.
	Name string
	// Description is 1 to 1024 characters.
	Description string
	// Version is the member version of the member metadata; empty where there is none.
	Version string
	// Others are the names of all other members, in their order.
	Others []string
}

// maxFrontMatter bounds what is read as YAML, in bytes.
const maxFrontMatter = 64 << 10

// ParseFrontMatter reads the front matter of a SKILL.md. The error is a
// *protocol.ValidationError with every fault, and pointers below /SKILL.md.
func ParseFrontMatter(text []byte) (FrontMatter, error) {
	var m FrontMatter
	var faults []protocol.Violation
	fault := func(member, expected, actual string) {
		field := pointer(SkillFile)
		if member != "" {
			field += pointer(member)
		}
		faults = append(faults, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	members, expected, actual := readFrontMatter(text)
	if expected != "" {
		fault("", expected, actual)
		return FrontMatter{}, &protocol.ValidationError{Violations: faults}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(members); i += 2 {
		name, value := members[i].Value, members[i+1]
		if seen[name] {
			fault(name, "each member once", "the same name again")
			continue
		}
		seen[name] = true
		switch name {
		case "name":
			m.Name = textOf(value)
		case "description":
			m.Description = strings.TrimSpace(textOf(value))
		case "metadata":
			m.Version = versionOf(value)
			if m.Version == "" || len(value.Content) > 2 {
				m.Others = append(m.Others, name)
			}
		default:
			m.Others = append(m.Others, name)
		}
	}
	if !validName(m.Name) {
		fault("name", "1 to 64 lower-case letters and digits, with single hyphens between them", shown(seen["name"], m.Name))
	}
	if n := len(utf16.Encode([]rune(m.Description))); n == 0 || n > maxDescription || !readable(m.Description) {
		actual := shown(seen["description"], m.Description)
		if n > maxDescription {
			actual = fmt.Sprintf("%d characters", n)
		}
		fault("description", "a text of 1 to 1024 characters, none of them a control character", actual)
	}
	if faults != nil {
		return FrontMatter{}, &protocol.ValidationError{Violations: faults}
	}
	return m, nil
}

// readFrontMatter returns the names and values of the front matter by turns, or what is
// expected where there is none. Aliases are not followed, so that a few of them can't
// stand for a lot.
func readFrontMatter(text []byte) (members []*yaml.Node, expected, actual string) {
	if !utf8.Valid(text) {
		return nil, "a text in UTF-8", "other bytes"
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !isFence(first) {
		return nil, "front matter that begins with a line ---", "another first line"
	}
	length := 0
	for line := range bytes.Lines(rest) {
		if isFence(line) {
			break
		}
		length += len(line)
	}
	switch {
	case length > maxFrontMatter:
		return nil, fmt.Sprintf("front matter of at most %d bytes, and then a line ---", maxFrontMatter), "more"
	case length == len(rest):
		return nil, "front matter that ends with a line ---", "no such line"
	}
	var document yaml.Node
	if err := yaml.Unmarshal(rest[:length], &document); err != nil {
		return nil, "front matter in YAML", shortened(strings.ToValidUTF8(oneLine(err.Error()), "\uFFFD"), 200)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, "front matter with the members name and description", "no members"
	}
	return document.Content[0].Content, "", ""
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }

// textOf returns the value of a node that is a text, and nothing for others.
func textOf(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return ""
	}
	return n.Value
}

// versionOf returns the member version of a mapping, as it is written: 1.0 is a number,
// and meant to be none.
func versionOf(n *yaml.Node) string {
	if n.Kind != yaml.MappingNode {
		return ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if value := n.Content[i+1]; n.Content[i].Value == "version" && value.Kind == yaml.ScalarNode {
			return value.Value
		}
	}
	return ""
}

func validName(name string) bool {
	if name == "" || len(name) > maxName || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") || strings.Contains(name, "--") {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
	})
}

// readable reports whether a text can be stored and shown.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !slices.Contains([]rune{'\t', '\n', '\r'}, r)
	})
}

// shown says what was there in the place of a text.
func shown(there bool, text string) string {
	switch {
	case !there:
		return "nothing"
	case text == "":
		return "no text"
	}
	return fmt.Sprintf("%q", shortened(text, 80))
}
