package catalog

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"time"
	"unique"

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

	openList, fullList lazy[Entity] // of its versions, as everyone and as its owners see it
	present, removed   lazy[piece]  // as items of the change feed
}

// release is one version of a skill.
type release struct {
	access.Release
	reason                string
	statusAt, publishedAt time.Time
	document              []byte       // its digest is made where it is wanted
	own                   *store.Files // nil for none of its own
	descriptor            lazy[Entity]
	packed                lazy[[sha256.Size]byte] // the digest of its archive
}

// served returns the release's descriptor.
func (r *release) served(d *deflater) Descriptor {
	e := r.descriptor.get(func() *Entity { return single(d.piece(r.document), protocol.Digest(r.document)) })
	return Descriptor{Entity: e, Status: r.Status, StatusAt: r.statusAt}
}

// entry is a skill's entry in an index, rendered.
type entry struct {
	*piece
	hash  [sha256.Size]byte
	id    string
	kind  protocol.CapabilityType
	open  bool // whether everyone may see it
	skill *skill
}

// put puts in a version, or puts it in the place of the one that it was. It is for a
// skill that is not finished, and that nobody reads yet.
func (s *skill) put(v store.Version) {
	i, found := slices.BinarySearchFunc(s.releases, v.Version, func(r *release, version string) int {
		return protocol.CompareVersions(version, r.Version)
	})
	if v.Status == access.Deleted {
		if found {
			s.releases = slices.Delete(s.releases, i, i+1)
		}
		return
	}
	r := &release{
		Release: access.Release{Version: shared(v.Version), Status: shared(v.Status), Access: shared(v.Access)},
		reason:  v.Reason, statusAt: v.StatusAt, publishedAt: v.PublishedAt, document: v.Document, own: v.Files,
	}
	if found {
		s.releases[i] = r
	} else {
		s.releases = slices.Insert(s.releases, i, r)
	}
}

// shared returns one and the same copy of a text that many skills have.
func shared[T ~string](text T) T { return T(unique.Make(string(text)).Value()) }

// finish derives from the releases everything else that a reader sees of the skill.
func (s *skill) finish(r *renderer) error {
	facts := make([]access.Release, len(s.releases))
	for i, r := range s.releases {
		facts[i] = r.Release
	}
	s.access = access.SkillAccess(facts)
	if i := access.Latest(facts); i >= 0 {
		s.latest = s.releases[i]
		var err error
		if s.entry, err = r.entry(s); err != nil {
			return err
		}
	}
	return nil
}

// list returns the list of the skill's versions, as its owners see it or as everyone does;
// nil when they see none.
func (s *skill) list(r *renderer, owner bool) *Entity {
	if owner {
		return s.fullList.get(func() *Entity {
			return r.versions(s, access.Caller{Scopes: []access.Scope{access.Admin}})
		})
	}
	return s.openList.get(func() *Entity { return r.versions(s, access.Caller{}) })
}

// change returns the skill as an item of the change feed: as one that is there, or as one
// that went away.
func (s *skill) change(r *renderer, there bool) *piece {
	if there {
		return s.present.get(func() *piece {
			return r.piece(slices.Concat([]byte(`{"id":"`+s.id+`","entry":`), s.entry.plain, []byte("}")))
		})
	}
	return s.removed.get(func() *piece { return r.piece([]byte(`{"id":"` + s.id + `","removed":true}`)) })
}

// release returns the release that was published under exactly that version.
func (s *skill) release(version string) (*release, bool) {
	for _, r := range s.releases {
		if r.Version == version {
			return r, true
		}
	}
	return nil, false
}

// renderer makes the bytes of a skill's answers.
type renderer struct {
	deflater
	baseURL string
	path    string // of baseURL
}

// entry renders the index entry of a skill's latest release.
func (r *renderer) entry(s *skill) (*entry, error) {
	// A descriptor names all the members of an entry but the address; its own member
	// of that name, if it has one, is none of ours.
	var e struct {
		protocol.IndexEntry
		Other jsontext.Value `json:"descriptor_url"`
	}
	if err := json.Unmarshal(s.latest.document, &e); err != nil {
		return nil, fmt.Errorf("reading the stored descriptor of %s %s: %w", s.id, s.latest.Version, err)
	}
	e.DescriptorURL = DescriptorURL(r.baseURL, s.id, s.latest.Version)
	rendered, err := protocol.AppendJSON(nil, e.IndexEntry)
	if err != nil {
		return nil, fmt.Errorf("rendering the entry of %s: %w", s.id, err)
	}
	return &entry{
		piece: r.piece(rendered), hash: sha256.Sum256(rendered), id: s.id, kind: e.CapabilityType,
		open: access.Caller{}.Sees(s.id, s.access, s.latest.Access), skill: s,
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
	Files         *versionFiles   `json:"files,omitzero"`
}

// versionFiles says where the files of a version are.
type versionFiles struct {
	Digest string `json:"digest"`
	URL    string `json:"url"`
}

// versions renders the list of the versions that the caller sees, nil when it sees none.
func (r *renderer) versions(s *skill, c access.Caller) *Entity {
	list := versionList{ID: s.id}
	for _, v := range s.releases {
		if !c.Sees(s.id, s.access, v.Access) {
			continue
		}
		item := versionItem{
			Version: v.Version, Status: v.Status, Reason: v.reason, Access: v.Access, Digest: protocol.Digest(v.document),
			PublishedAt:   v.publishedAt.UTC().Format(time.RFC3339Nano),
			DescriptorURL: DescriptorURL(r.baseURL, s.id, v.Version),
		}
		if v.own != nil {
			item.Files = &versionFiles{Digest: v.own.Digest, URL: FilesURL(r.baseURL, s.id, v.Version)}
		}
		list.Versions = append(list.Versions, item)
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

// FilesURL returns the address of the files of one version.
func FilesURL(baseURL, id, version string) string {
	return DescriptorURL(baseURL, id, version) + "/files"
}
