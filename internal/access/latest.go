package access

import "github.com/skillregistry/skillregistry/internal/protocol"

// Status says where a version is in its life.
type Status string

// The statuses of a version.
const (
	// Active versions are served.
	Active Status = "active"
	// Deprecated versions are served, and say so.
	Deprecated Status = "deprecated"
	// Yanked versions are served at their own address only, and are never latest.
	Yanked Status = "yanked"
	// Deleted versions are gone; all that is left of them is that they can't be
	// published again.
	Deleted Status = "deleted"
)

// Release is what the rules need to know of one version of a skill.
type Release struct {
	Version string
	Status  Status
	Access  protocol.Access
}

// Latest returns the index of the latest release: the highest by SemVer precedence
// among those that are not yanked, a pre-release only when there is nothing else.
// It returns -1 when every release is yanked or there is none.
func Latest(releases []Release) int {
	best := -1
	for i, r := range releases {
		if r.Status == Yanked || r.Status == Deleted {
			continue
		}
		if best < 0 || later(r, releases[best]) {
			best = i
		}
	}
	return best
}

// later reports whether a takes the place of b as the latest release.
func later(a, b Release) bool {
	if pa, pb := protocol.IsPrerelease(a.Version), protocol.IsPrerelease(b.Version); pa != pb {
		return pb
	}
	return protocol.CompareVersions(a.Version, b.Version) > 0
}

// SkillAccess returns the access of a skill: that of its latest release, or of its
// highest one when all that are not deleted are yanked. A skill without releases is
// private.
func SkillAccess(releases []Release) protocol.Access {
	if i := Latest(releases); i >= 0 {
		return releases[i].Access
	}
	highest := -1
	for i, r := range releases {
		if r.Status != Deleted && (highest < 0 || protocol.CompareVersions(r.Version, releases[highest].Version) > 0) {
			highest = i
		}
	}
	if highest < 0 {
		return protocol.Private
	}
	return releases[highest].Access
}
