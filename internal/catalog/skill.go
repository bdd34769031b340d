package catalog

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// skill is one skill with its versions. It never changes: a write makes another.
type skill struct {
	id       string
	releases []*release // highest version first
	latest   *release   // nil when there is none
	access   protocol.Access
	entry    *entry // of the latest release; nil when there is none

	changed store.SkillChange

	// These are rendered when one is first asked for.
	openList, fullList func() *Entity
	present, removed   func() *piece // as items of the change feed
}

// release is one version of a skill.
type release struct {
	store.Version
	descriptor func() *Entity // made when it is first asked for
}

func (r *release) served() Descriptor {
	return Descriptor{Entity: r.descriptor(), Status: r.Status, StatusAt: r.StatusAt}
}

// entry is a skill's entry in an index, rendered.
type entry struct {
	*piece
	hash [sha256.Size]byte
	id   string
	kind protocol.CapabilityType
	open bool // whether everyone may see it
}

// put puts in a version, or puts it in the place of the one that it was. It is for a
// skill that is not finished, and that nobody reads yet.
func (s *skill) put(v store.Version, d *deflater) {
	i, found := slices.BinarySearchFunc(s.releases, v.Version, func(r *release, version string) int {
		return protocol.CompareVersions(version, r.Version.Version)
	})
	if v.Status == access.Deleted {
		if found {
			s.releases = slices.Delete(s.releases, i, i+1)
		}
		return
	}
	r := &release{Version: v}
	r.descriptor = sync.OnceValue(func() *Entity { return single(d.piece(r.Document), r.Digest) })
	if found {
		s.releases[i] = r
	} else {
		s.releases = slices.Insert(s.releases, i, r)
	}
}

// finish derives from the releases everything else that a reader sees of the skill.
func (s *skill) finish(r *renderer) error {
	facts := make([]access.Release, len(s.releases))
	for i, r := range s.releases {
		facts[i] = access.Release{Version: r.Version.Version, Status: r.Status, Access: r.Access}
	}
	s.access = access.SkillAccess(facts)
	s.openList = sync.OnceValue(func() *Entity { return r.versions(s, access.Caller{}) })
	s.fullList = sync.OnceValue(func() *Entity {
		return r.versions(s, access.Caller{Scopes: []access.Scope{access.Admin}})
	})
	if i := access.Latest(facts); i >= 0 {
		s.latest = s.releases[i]
		var err error
		if s.entry, err = r.entry(s); err != nil {
			return err
		}
	}
	s.present = sync.OnceValue(func() *piece {
		return r.piece(slices.Concat([]byte(`{"id":"`+s.id+`","entry":`), s.entry.plain, []byte("}")))
	})
	s.removed = sync.OnceValue(func() *piece { return r.piece([]byte(`{"id":"` + s.id + `","removed":true}`)) })
	return nil
}

// release returns the release that was published under exactly that version.
func (s *skill) release(version string) (*release, bool) {
	for _, r := range s.releases {
		if r.Version.Version == version {
			return r, true
		}
	}
	return nil, false
}

// renderer makes the bytes of a skill's answers.
type renderer struct {
	deflater
	baseURL string
}

// entry renders the index entry of a skill's latest release.
func (r *renderer) entry(s *skill) (*entry, error) {
	// A descriptor names all the members of an entry but the address; its own member
	// of that name, if it has one, is none of ours.
	var e struct {
		protocol.IndexEntry
		Other jsontext.Value `json:"descriptor_url"`
	}
	if err := json.Unmarshal(s.latest.Document, &e); err != nil {
		return nil, fmt.Errorf("reading the stored descriptor of %s %s: %w", s.id, s.latest.Version.Version, err)
	}
	e.DescriptorURL = DescriptorURL(r.baseURL, s.id, s.latest.Version.Version)
	rendered, err := protocol.AppendJSON(nil, e.IndexEntry)
	if err != nil {
		return nil, fmt.Errorf("rendering the entry of %s: %w", s.id, err)
	}
	return &entry{
		piece: r.piece(rendered), hash: sha256.Sum256(rendered), id: s.id, kind: e.CapabilityType,
		open: access.Caller{}.Sees(s.id, s.access, s.latest.Access),
	}, nil
}

// versionList is the answer that lists the versions of a skill.
type versionList struct {
	ID       string        `json:"id"`
	Versions []versionItem `json:"versions"`
}

type versionItem struct {
	Version       string          `json:"version"`
	Status        access.Status   `json:"status"`
	Reason        string          `json:"reason,omitzero"`
	Access        protocol.Access `json:"access"`
	Digest        string          `json:"digest"`
	PublishedAt   string          `json:"published_at"`
	DescriptorURL string          `json:"descriptor_url"`
}

// versions renders the list of the versions that the caller sees, nil when it sees none.
func (r *renderer) versions(s *skill, c access.Caller) *Entity {
	list := versionList{ID: s.id}
	for _, v := range s.releases {
		if !c.Sees(s.id, s.access, v.Access) {
			continue
		}
		list.Versions = append(list.Versions, versionItem{
			Version: v.Version.Version, Status: v.Status, Reason: v.Reason, Access: v.Access, Digest: v.Digest,
			PublishedAt:   v.PublishedAt.UTC().Format(time.RFC3339Nano),
			DescriptorURL: DescriptorURL(r.baseURL, s.id, v.Version.Version),
		})
	}
	if list.Versions == nil {
		return nil
	}
	rendered, err := protocol.AppendJSON(nil, list)
	if err != nil {
		return nil // strings that were read as JSON can be written as JSON
	}
	return single(r.piece(rendered), "")
}

// DescriptorURL returns the address of one version's descriptor.
func DescriptorURL(baseURL, id, version string) string {
	return baseURL + "/v1/skills/" + url.PathEscape(id) + "/versions/" + url.PathEscape(version)
}
