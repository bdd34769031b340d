package compatibility

import (
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Promises reports whether a version, by its number, promises to break nobody who calls by
// an older one: its MAJOR is the same, and not 0 (SemVer 2.0.0, items 4 and 8). A
// pre-release promised nothing to those who call by it (item 9).
func Promises(older, newer string) bool {
	major, _, _ := strings.Cut(newer, ".")
	return major != "0" && strings.HasPrefix(older, major+".") && !protocol.IsPrerelease(older) &&
		protocol.CompareVersions(older, newer) < 0
}
