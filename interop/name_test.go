package interop

import (
	"strings"
	"testing"
)

// oddIDs are ids that are alike, that are long, or that a client or YAML takes for
// something else.
func oddIDs() []string {
	long := strings.Repeat("com.example-", 16) + "end"
	return []string{
		"a.b", "a-b", "a_b", "com.example.a-b", "com.example.a_b", "com.example.a.b", "com-example-a-b",
		long + "-abcd", long + "-abce", strings.Repeat("a", 199) + "b", strings.Repeat("a", 200), strings.Repeat("a", 64), strings.Repeat("a", 65),
		"default", "index", "skills", "skill.md", "references.descriptor.json", "node_modules", "con", "aux.txt", "constructor",
		"null", "true", "123", "1.2.3", "1e3", "0x1f", "2001-01-01", "no.git",
	}
}

// An id that no installer took as a name would spoil a whole index of 0.1.0.
func TestOddIDsSpoilNothing(t *testing.T) {
	t.Parallel()
	var skills []skill
	for _, id := range oddIDs() {
		skills = append(skills, skill{id: id, version: "1.0.0", access: "public", text: "The skill " + id})
	}
	withEach(t, clients(), skills, func(t *testing.T, r *registry, c client, at string) {
		promises := r.promised(t)
		if len(promises) != len(skills) {
			t.Errorf("the registry promises %d skills, want %d", len(promises), len(skills))
		}
		c.install(t, at, "")
		wantFolders(t, c.installed(t), files(c, promises))
	})
}
