package catalog

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
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

// Archive reads the files that a snapshot has told of, which are in memory until release is
// called. What was read lately is in memory already. A store that does not answer is a
// *store.UnavailableError, and so is a memory that is full of what others are still
// reading; a version that was deleted since is a *store.FilesNotFoundError.
func (c *Catalog) Archive(ctx context.Context, f Files) (archive *Archive, release func(), err error) {
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
	// keptArchives bounds the archives that are kept in memory, in bytes as they are packed;
	// what is unpacked is as much again.
	keptArchives = 32 << 20
	// heldArchives bounds the same of all archives, those included that slow clients still
	// read, but for the last few that were read from the store.
	heldArchives = 128 << 20
	// archivesAtOnce is how many are read from the store at a time.
	archivesAtOnce = 4
)

// archives are those that are in memory, by their digests. All who ask for the same share
// one.
type archives struct {
	keep, hold int // in bytes, packed
	reading    chan struct{}
	// hits and misses count those that were there when they were asked for, and the others.
	hits, misses atomic.Int64

	mu             sync.Mutex
	kept, heldSize int
	// order has those that are kept, the last used in front.
	order list.List
	held  map[string]*heldArchive
}

type heldArchive struct {
	digest  string
	archive *Archive
	users   int
	place   *list.Element // nil for one that is not kept
}

func newArchives(keep, hold int) *archives {
	return &archives{keep: keep, hold: hold, reading: make(chan struct{}, archivesAtOnce), held: map[string]*heldArchive{}}
}

// get returns an archive, and reads it where it is not there. It returns the context's
// error when that ends before there is a place to read.
func (a *archives) get(ctx context.Context, digest string, read func() (*Archive, error)) (*Archive, func(), error) {
	if h := a.find(digest); h != nil {
		a.hits.Add(1)
		return h.archive, a.releaseOnce(h), nil
	}
	a.misses.Add(1)
	select {
	case a.reading <- struct{}{}:
		defer func() { <-a.reading }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	// Someone else may have read it meanwhile.
	if h := a.find(digest); h != nil {
		return h.archive, a.releaseOnce(h), nil
	}
	if a.full() {
		return nil, nil, unavailable(errors.New("too many archives are being read"))
	}
	archive, err := read()
	if err != nil {
		return nil, nil, err
	}
	h := a.add(digest, archive)
	return h.archive, a.releaseOnce(h), nil
}

func (a *archives) full() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.heldSize >= a.hold
}

// find returns an archive that is there, with one more user.
func (a *archives) find(digest string) *heldArchive {
	a.mu.Lock()
	defer a.mu.Unlock()
	h, ok := a.held[digest]
	if !ok {
		return nil
	}
	h.users++
	if h.place != nil {
		a.order.MoveToFront(h.place)
	}
	return h
}

// add puts in an archive with its first user, and keeps it if it is not too large for that;
// those that were not used for the longest time are kept no longer.
func (a *archives) add(digest string, archive *Archive) *heldArchive {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h, ok := a.held[digest]; ok {
		h.users++
		return h
	}
	h := &heldArchive{digest: digest, archive: archive, users: 1}
	a.held[digest] = h
	a.heldSize += len(archive.Packed)
	if len(archive.Packed) > a.keep {
		return h
	}
	h.place = a.order.PushFront(h)
	a.kept += len(archive.Packed)
	for a.kept > a.keep {
		last := a.order.Remove(a.order.Back()).(*heldArchive)
		last.place = nil
		a.kept -= len(last.archive.Packed)
		a.forget(last)
	}
	return h
}

// forget lets go of an archive that nobody uses and that is not kept.
func (a *archives) forget(h *heldArchive) {
	if h.users > 0 || h.place != nil {
		return
	}
	delete(a.held, h.digest)
	a.heldSize -= len(h.archive.Packed)
}

// releaseOnce returns what ends the use of an archive.
func (a *archives) releaseOnce(h *heldArchive) func() {
	return sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		h.users--
		a.forget(h)
	})
}
