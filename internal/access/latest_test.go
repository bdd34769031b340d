package access_test

import (
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestLatestAndAccessOfASkill(t *testing.T) {
	t.Parallel()
	active := func(v string, a protocol.Access) access.Release {
		return access.Release{Version: v, Status: access.Active, Access: a}
	}
	deprecated := func(v string, a protocol.Access) access.Release {
		return access.Release{Version: v, Status: access.Deprecated, Access: a}
	}
	yanked := func(v string, a protocol.Access) access.Release {
		return access.Release{Version: v, Status: access.Yanked, Access: a}
	}
	deleted := func(v string) access.Release {
		return access.Release{Version: v, Status: access.Deleted, Access: protocol.Public}
	}
	for _, test := range []struct {
		name     string
		releases []access.Release
		latest   string // empty is none
		access   protocol.Access
	}{
		{name: "no releases are private", access: protocol.Private},
		{name: "deleted releases are as good as none", releases: []access.Release{deleted("1.0.0"), deleted("2.0.0")}, access: protocol.Private},
		{
			name:     "a deleted release is neither latest nor the highest",
			releases: []access.Release{yanked("1.0.0", protocol.Private), deleted("2.0.0")},
			access:   protocol.Private,
		}, {
			name:     "the highest by precedence",
			releases: []access.Release{active("1.9.0", protocol.Private), active("1.10.0", protocol.Public), active("1.2.0", protocol.Private)},
			latest:   "1.10.0", access: protocol.Public,
		}, {
			name:     "a pre-release is not latest beside a release",
			releases: []access.Release{active("1.0.0", protocol.Public), active("2.0.0-rc.1", protocol.Private)},
			latest:   "1.0.0", access: protocol.Public,
		}, {
			name:     "the highest pre-release when there is nothing else",
			releases: []access.Release{active("1.0.0-rc.2", protocol.Public), active("1.0.0-rc.10", protocol.Restricted)},
			latest:   "1.0.0-rc.10", access: protocol.Restricted,
		}, {
			name:     "deprecated may be latest",
			releases: []access.Release{active("1.0.0", protocol.Public), deprecated("1.1.0", protocol.Restricted)},
			latest:   "1.1.0", access: protocol.Restricted,
		}, {
			name:     "yanked is never latest",
			releases: []access.Release{active("1.0.0", protocol.Private), yanked("1.1.0", protocol.Public)},
			latest:   "1.0.0", access: protocol.Private,
		}, {
			name:     "a pre-release is latest when all releases are yanked",
			releases: []access.Release{active("1.1.0-0", protocol.Public), yanked("1.1.0", protocol.Private)},
			latest:   "1.1.0-0", access: protocol.Public,
		}, {
			name:     "when all are yanked, the highest one has the access",
			releases: []access.Release{yanked("1.0.0", protocol.Public), yanked("1.1.0", protocol.Private), yanked("1.0.5", protocol.Public)},
			access:   protocol.Private,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			latest := ""
			if i := access.Latest(test.releases); i >= 0 {
				latest = test.releases[i].Version
			}
			if latest != test.latest {
				t.Errorf("the latest is %q, want %q", latest, test.latest)
			}
			if got := access.SkillAccess(test.releases); got != test.access {
				t.Errorf("the access is %q, want %q", got, test.access)
			}
		})
	}
}
