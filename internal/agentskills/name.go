package agentskills

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

const (
	// maxName is how long the name of an Agent Skill may be, in bytes.
	maxName = 64
	// suffixLength is how many letters tell names apart that would be alike: 60 bits.
	suffixLength = 12
)

// Name returns the name of the skill with the given id, which is valid: 1 to 64 of a-z,
// 0-9 and single hyphens between them.
//
// An id of letters, digits and dots keeps its parts: com.example.translate is
// com-example-translate. Any other has a suffix made from the whole id behind what a name
// can hold of it, so that com.example.a-b and com.example.a.b have two names.
func Name(id string) string {
	name := strings.NewReplacer(".", "-", "_", "-").Replace(id)
	if len(name) <= maxName && !strings.ContainsAny(id, "-_") && !likeSuffix(name[strings.LastIndex(name, "-")+1:]) {
		return name
	}
	name = strings.TrimRight(name[:min(len(name), maxName-1-suffixLength)], "-")
	return name + "-" + suffix(id)
}

// suffix returns what tells the id from others whose names begin alike.
func suffix(id string) string {
	hash := sha256.Sum256([]byte(id))
	return strings.ToLower(base32.StdEncoding.EncodeToString(hash[:]))[:suffixLength]
}

// likeSuffix reports whether the last part of a name could be a suffix: an id that ends
// like the name of another one must not have that name.
func likeSuffix(part string) bool {
	return len(part) == suffixLength && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz234567") == ""
}
