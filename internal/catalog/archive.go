package catalog

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Files says what files a version brings, and where the version is in its life.
type Files struct {
	SkillID, Version string
	store.Files
	Status access.Status
	// StatusAt is when it got its status; zero for one that is as it was published.
	StatusAt time.Time
}

// Files returns what files a version brings, and reports whether there is such a version
// that the caller may see, and it brings any.
func (s *Snapshot) Files(c access.Caller, id, version string) (Files, bool) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return Files{}, false
	}
	r, ok := skill.release(version)
	if !ok || r.own == nil || !c.Sees(id, skill.access, r.Access) {
		return Files{}, false
	}
	return Files{SkillID: id, Version: version, Files: *r.own, Status: r.Status, StatusAt: r.statusAt}, true
}

// Archive holds the files of a version. It is shared, and only read.
type Archive struct {
	// Packed are its bytes, as Files.Digest says.
	Packed []byte
	// Files are in their order in the archive.
	Files []agentskills.File
}

// Archive reads the files that a snapshot has told of. What was read lately is in memory.
// A store that does not answer is a *store.UnavailableError; a version that was deleted
// since is a *store.FilesNotFoundError.
func (c *Catalog) Archive(ctx context.Context, f Files) (*Archive, error) {
	return c.archives.get(ctx, f.Digest, func() (*Archive, error) {
		packed, err := c.source.Archive(ctx, f.SkillID, f.Version)
		if err != nil {
			return nil, err
		}
		if digest := protocol.Digest(packed); digest != f.Digest {
			return nil, fmt.Errorf("the files of %s %s have the digest %s, and %s is recorded", f.SkillID, f.Version, digest, f.Digest)
		}
		// Nothing in it is compressed, so that it is no larger when it is unpacked.
		files, err := agentskills.Unpack(packed, int64(len(packed)))
		if err != nil {
			return nil, fmt.Errorf("the files of %s %s: %w", f.SkillID, f.Version, err)
		}
		return &Archive{Packed: packed, Files: files}, nil
	})
}

const (
	// keptArchives bounds the archives in memory, in bytes as they are packed; what is
	// unpacked is as much again.
	keptArchives = 32 << 20
	// archivesAtOnce is how many are read at a time.
	archivesAtOnce = 4
)

// archives are those that were used last, by their digests.
type archives struct {
	limit   int
	reading chan struct{}

	mu   sync.Mutex
	size int
	// order has the last used in front.
	order list.List
	kept  map[string]*list.Element
}

type keptArchive struct {
	digest  string
	archive *Archive
}

func newArchives(limit int) *archives {
	return &archives{limit: limit, reading: make(chan struct{}, archivesAtOnce), kept: map[string]*list.Element{}}
}

// get returns an archive, and reads it where it is not there. It returns the context's
// error when that ends before there is a place to read.
func (a *archives) get(ctx context.Context, digest string, read func() (*Archive, error)) (*Archive, error) {
	if kept := a.find(digest); kept != nil {
		return kept, nil
	}
	select {
	case a.reading <- struct{}{}:
		defer func() { <-a.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	// Someone else may have read it meanwhile.
	if kept := a.find(digest); kept != nil {
		return kept, nil
	}
	archive, err := read()
	if err == nil {
		a.keep(digest, archive)
	}
	return archive, err
}

func (a *archives) find(digest string) *Archive {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok := a.kept[digest]
	if !ok {
		return nil
	}
	a.order.MoveToFront(e)
	return e.Value.(keptArchive).archive
}

// keep keeps an archive, and forgets those that were not used for the longest time.
func (a *archives) keep(digest string, archive *Archive) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.kept[digest]; ok || len(archive.Packed) > a.limit {
		return
	}
	a.kept[digest] = a.order.PushFront(keptArchive{digest, archive})
	a.size += len(archive.Packed)
	for a.size > a.limit {
		last := a.order.Remove(a.order.Back()).(keptArchive)
		delete(a.kept, last.digest)
		a.size -= len(last.archive.Packed)
	}
}
