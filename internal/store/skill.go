package store

import (
	"slices"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// changeSkill takes the next revision for a skill whose releases change, and stamps the
// skill with it. What everyone sees of the skill has moved, or has not.
func (tx *writeTx) changeSkill(id string, before, after []release, at time.Time) {
	tx.next()
	tx.clock = max(tx.clock+1, at.UnixMicro())
	if slices.Equal(seen(id, before), seen(id, after)) {
		tx.exec(`
			insert into skills (id, changed_at, public_revision, public_at, revision) values ($1, $2, 0, 0, $3)
			on conflict (id) do update set changed_at = excluded.changed_at, revision = excluded.revision`,
			id, tx.clock, tx.mark.Revision)
		return
	}
	tx.mark.PublicRevision++
	tx.exec(`
		insert into skills (id, changed_at, public_revision, public_at, revision) values ($1, $2, $3, $2, $4)
		on conflict (id) do update set changed_at = excluded.changed_at,
			public_revision = excluded.public_revision, public_at = excluded.public_at, revision = excluded.revision`,
		id, tx.clock, tx.mark.PublicRevision, tx.mark.Revision)
}

// seen returns what an anonymous caller sees of a skill with these releases.
func seen(skillID string, all []release) []visible {
	releases := make([]access.Release, len(all))
	for i, r := range all {
		releases[i] = r.Release
	}
	skill := access.SkillAccess(releases)
	var seen []visible
	for _, r := range all {
		if r.Status != access.Deleted && (access.Caller{}).Sees(skillID, skill, r.Access) {
			seen = append(seen, r.visible)
		}
	}
	return seen
}
