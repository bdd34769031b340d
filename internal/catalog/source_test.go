package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

const baseURL = "https://registry.example"

// shelfSource is a store's change feed in memory, with faults that a test can switch
// on. What it promises of the order of revisions is what the store's own tests prove.
type shelfSource struct {
	mu       sync.Mutex
	shared   bool
	down     bool          // every call fails
	hang     chan struct{} // when not nil, every call waits for its close or its context
	rows     []row
	revision int64
	public   int64
	skills   map[string]store.SkillChange
	releases map[string][]access.Release

	archives map[string][]byte // by id and version

	checks   int // calls of Revision
	reads    int // of archives
	inFlight int
	most     int // the most calls in flight at once
}

type row struct {
	revision int64
	change   store.Change
}

var errDown = errors.New("the source is down")

func (s *shelfSource) Shared() bool { return s.shared }

// Revision answers with what was there when it was asked, however long the answer takes.
func (s *shelfSource) Revision(ctx context.Context) (int64, error) {
	s.mu.Lock()
	s.checks++
	revision := s.revision
	s.mu.Unlock()
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	s.leave()
	return revision, nil
}

func (s *shelfSource) Changes(ctx context.Context, after int64, yield func(store.Change) error) (store.Mark, error) {
	if err := s.enter(ctx); err != nil {
		return store.Mark{}, err
	}
	defer s.leave()
	s.mu.Lock()
	rows, mark := s.rows, store.Mark{Revision: s.revision, PublicRevision: s.public}
	s.mu.Unlock()
	for _, r := range rows {
		if r.revision <= after || r.revision > mark.Revision {
			continue
		}
		if v := r.change.Version; v != nil {
			s.mu.Lock()
			r.change.SkillChange = s.skills[v.SkillID]
			s.mu.Unlock()
		}
		if err := yield(r.change); err != nil {
			return store.Mark{}, err
		}
	}
	return mark, nil
}

func (s *shelfSource) Archive(ctx context.Context, skillID, version string) ([]byte, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	archive, ok := s.archives[skillID+" "+version]
	if !ok {
		return nil, &store.FilesNotFoundError{SkillID: skillID, Version: version}
	}
	return archive, nil
}

func (s *shelfSource) enter(ctx context.Context) error {
	s.mu.Lock()
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	down, hang := s.down, s.hang
	s.mu.Unlock()
	var err error
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if down {
		err = errDown
	}
	if err != nil {
		s.leave()
	}
	return err
}

func (s *shelfSource) leave() {
	s.mu.Lock()
	s.inFlight--
	s.mu.Unlock()
}

// set changes the source's faults.
func (s *shelfSource) set(change func(*shelfSource)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *shelfSource) publish(t fataler, v skillVersion) {
	t.Helper()
	document, err := protocol.Serialize(v.descriptor())
	if err != nil {
		t.Fatalf("serializing %+v: %v", v, err)
	}
	s.write(store.Change{Version: &store.Version{
		SkillID: v.id, Version: v.version, Access: v.access, Status: v.status, Files: v.files,
		Digest: protocol.Digest(document), Document: document,
		PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
	}})
}

func (s *shelfSource) write(c store.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	s.rows = append(s.rows, row{s.revision, c})
	if c.Version == nil {
		return
	}
	if s.skills == nil {
		s.skills, s.releases = map[string]store.SkillChange{}, map[string][]access.Release{}
	}
	id := c.Version.SkillID
	before := seen(s.releases[id])
	// A version may come again, with another status.
	s.releases[id] = slices.DeleteFunc(s.releases[id], func(r access.Release) bool { return r.Version == c.Version.Version })
	s.releases[id] = append(s.releases[id], access.Release{Version: c.Version.Version, Status: c.Version.Status, Access: c.Version.Access})
	change := s.skills[id]
	change.ChangedAt = 1_000_000 + s.revision
	if seen(s.releases[id]) != before {
		s.public++
		change.PublicRevision, change.PublicAt = s.public, change.ChangedAt
	}
	s.skills[id] = change
}

// seen is what everyone sees of a skill.
func seen(releases []access.Release) string {
	var open []access.Release
	for _, r := range releases {
		if r.Status != access.Deleted && (access.Caller{}).Sees("", access.SkillAccess(releases), r.Access) {
			open = append(open, r)
		}
	}
	return fmt.Sprint(open)
}

// skillVersion is what the tests vary of a version.
type skillVersion struct {
	id, version string
	access      protocol.Access
	status      access.Status
	kind        protocol.CapabilityType
	name        string
	files       *store.Files
	tags        []string
}

func (v skillVersion) descriptor() protocol.Descriptor {
	return protocol.Descriptor{
		Protocol: protocol.ProtocolVersion{Version: protocol.Version},
		ID:       v.id, Name: v.name, Version: v.version, CapabilityType: v.kind,
		Description: "Says what " + v.name + " does.",
		Provider:    protocol.Provider{Name: "Example Corp"},
		Endpoint:    protocol.Endpoint{URL: "https://example.com/invoke"},
		Inputs:      []protocol.Parameter{},
		Output:      protocol.Output{Type: "object"},
		Auth:        protocol.Auth{Type: "none"},
		Access:      v.access,
		Tags:        v.tags,
	}
}

// version returns an active version of a public API.
func version(id, number string, change ...func(*skillVersion)) skillVersion {
	v := skillVersion{
		id: id, version: number, access: protocol.Public, status: access.Active,
		kind: protocol.API, name: "Skill " + id,
	}
	for _, c := range change {
		c(&v)
	}
	return v
}

func withAccess(a protocol.Access) func(*skillVersion) {
	return func(v *skillVersion) { v.access = a }
}

func withStatus(s access.Status) func(*skillVersion) {
	return func(v *skillVersion) { v.status = s }
}

func options() catalog.Options {
	return catalog.Options{
		BaseURL: baseURL, Provider: protocol.Provider{Name: "Example Corp"},
		StaleIfError: time.Minute, Now: time.Now,
	}
}

func open(t testing.TB, s catalog.Source, o catalog.Options) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Open(t.Context(), s, o)
	if err != nil {
		t.Fatalf("opening the catalog: %v", err)
	}
	return c
}

func snapshot(t testing.TB, c *catalog.Catalog) *catalog.Snapshot {
	t.Helper()
	s, age, err := c.Snapshot(t.Context())
	if err != nil || age != 0 {
		t.Fatalf("taking a snapshot: age %s, error %v", age, err)
	}
	return s
}

// reader returns a caller that may read the private skills of the namespaces.
func reader(namespaces ...access.Namespace) access.Caller {
	return access.Caller{KeyID: "reader", Scopes: []access.Scope{access.Read}, Namespaces: namespaces}
}

func skillID(i int) string { return fmt.Sprintf("com.example.skill-%06d", i) }
