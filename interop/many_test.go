//go:build clients

package interop

import (
	"fmt"
	"testing"
)

func TestManySkillsAreAllInstalled(t *testing.T) {
	t.Parallel()
	const many = 600
	var skills []skill
	for i := range many {
		skills = append(skills, skill{
			id: fmt.Sprintf("com.example.s%d", i), version: "1.0.0", access: "public", text: fmt.Sprintf("Skill no. %d of many.", i),
		})
	}
	withEach(t, clients(), skills, func(t *testing.T, r *registry, c client, at string) {
		promises := r.promised(t)
		if len(promises) != many {
			t.Errorf("the registry promises %d skills, want %d", len(promises), many)
		}
		wantList(t, c, at, promises)
		c.install(t, at, "")
		wantFolders(t, c.installed(t), files(c, promises))
	})
}
