package catalog

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tidwall/btree"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Snapshot is everything that readers may see, as of one revision. It never changes.
type Snapshot struct {
	mark     store.Mark
	size     size
	skills   btree.Map[string, *skill]
	keys     btree.Map[string, access.Key]
	shelves  shelves
	runs     runs
	feed     feed
	answers  *answers
	renderer *renderer
	frame    *frame
	admin    access.ConfiguredAdmin

	agentSkills btree.Map[string, struct{}] // by agentSkillKey
	layouts     *[surfaces]layout
	drawn       *drawn

	finder  *finder
	indexed atomic.Pointer[indexed] // of this snapshot, or an earlier one
	library atomic.Pointer[library] // what a search went through; nil before the first
}

// shelves are the entries of the latest releases, by capability type.
type shelves struct{ open, private [4]shelf }

// Caller returns who comes with the token at the given time, and reports whether the
// token is valid.
func (s *Snapshot) Caller(token string, now time.Time) (access.Caller, bool) {
	if c, ok := s.admin.Caller(token); ok {
		return c, true
	}
	id, secret, ok := access.SplitToken(token)
	if !ok {
		return access.Caller{}, false
	}
	key, ok := s.keys.Get(id)
	if !ok {
		return access.Caller{}, false
	}
	return key.Caller(secret, now)
}

// Keys returns every key, also those that no longer work, oldest first.
func (s *Snapshot) Keys() []access.Key {
	keys := s.keys.Values()
	slices.SortStableFunc(keys, func(a, b access.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return keys
}

// Descriptor is the descriptor of one version, and where the version is in its life.
type Descriptor struct {
	*Entity
	Status access.Status
	// StatusAt is when it got its status; zero for one that is as it was published.
	StatusAt time.Time
}

// Latest returns the descriptor of a skill's latest version, and reports whether
// there is one that the caller may see.
func (s *Snapshot) Latest(c access.Caller, id string) (Descriptor, bool) {
	r, ok := s.latest(c, id)
	if !ok {
		return Descriptor{}, false
	}
	return r.served(&s.renderer.deflater), true
}

// LatestVersion returns a skill's latest version, and reports whether there is one
// that the caller may see.
func (s *Snapshot) LatestVersion(c access.Caller, id string) (string, bool) {
	r, ok := s.latest(c, id)
	if !ok {
		return "", false
	}
	return r.Version, true
}

// Promised returns the descriptor of the version that promises most to the callers of
// another that is to be published: the highest before it that is not yanked, of those
// whose callers a version with its number promises not to break. It reports whether there
// is one. It is for those who may publish the skill: nobody's view is asked.
func (s *Snapshot) Promised(id, version string) (*protocol.Descriptor, bool) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return nil, false
	}
	for _, r := range skill.releases {
		if r.Status != access.Yanked && compatibility.Promises(r.Version, version) {
			return r.read(), true
		}
	}
	return nil, false
}

// Has reports whether a version is there with exactly that document. It is for those who
// may publish the skill, as Promised is.
func (s *Snapshot) Has(id, version string, document []byte) bool {
	skill, ok := s.skills.Get(id)
	if !ok {
		return false
	}
	r, ok := skill.release(version)
	return ok && bytes.Equal(r.document, document)
}

// Version returns the descriptor of one version, written exactly as it was published,
// and reports whether there is one that the caller may see.
func (s *Snapshot) Version(c access.Caller, id, version string) (Descriptor, bool) {
	if skill, ok := s.skills.Get(id); ok {
		if r, ok := skill.release(version); ok && c.Sees(id, skill.access, r.Access) {
			return r.served(&s.renderer.deflater), true
		}
	}
	return Descriptor{}, false
}

// Versions returns the list of a skill's versions, highest first, and reports
// whether there is one that the caller may see.
func (s *Snapshot) Versions(c access.Caller, id string) (*Entity, bool) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return nil, false
	}
	e := skill.list(s.renderer, c.MayReadPrivate(id))
	return e, e != nil
}

func (s *Snapshot) latest(c access.Caller, id string) (*release, bool) {
	skill, ok := s.skills.Get(id)
	if !ok || skill.latest == nil || !c.Sees(id, skill.access, skill.latest.Access) {
		return nil, false
	}
	return skill.latest, true
}

// shelf returns where entries of a type stand, or nil for a type that is unknown.
func (s *shelves) shelf(t protocol.CapabilityType, open bool) *shelf {
	i := slices.Index(protocol.CapabilityTypes(), t)
	switch {
	case i < 0:
		return nil
	case open:
		return &s.open[i]
	default:
		return &s.private[i]
	}
}
