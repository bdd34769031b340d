package protocol

// The bounds of an id, in characters.
const (
	minIDLength = 3
	maxIDLength = 200
)

// reservedID is no skill's id, so that a static mirror can name its index so.
const reservedID = "index.json"

// ValidID reports whether id can be the identity of a skill: lower-case letters,
// digits, '.', '_' and '-', starting and ending with a letter or digit, no two
// separators in a row, 3 to 200 characters, and not the reserved index.json. It is
// the rule that the schema states for ids.
func ValidID(id string) bool {
	if len(id) < minIDLength || len(id) > maxIDLength || id == reservedID {
		return false
	}
	separator := true // an id does not begin with one
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			separator = false
		case c == '.' || c == '_' || c == '-':
			if separator {
				return false
			}
			separator = true
		default:
			return false
		}
	}
	return !separator
}
