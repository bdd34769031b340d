package catalog

import (
	"context"
	"sync/atomic"
	"time"
)

// Stats is how a catalog fares, for those who run it: private skills count.
type Stats struct {
	// Current reports whether the store answered and the snapshot is current.
	Current bool
	// Age is for how long the snapshot may have been out of date; zero for one that is
	// current.
	Age time.Duration
	// Revision is the snapshot's.
	Revision int64
	// PublicSkills are those that everyone sees, Skills all that have a version, Versions
	// all versions that are not deleted, and Bytes the size of their documents.
	PublicSkills, Skills, Versions int
	Bytes                          int64
	Keys                           int
	// Checks counts the comparisons of the snapshot with the store, FailedChecks those
	// of them that failed, and Checking is how long they took, all together.
	Checks, FailedChecks int64
	Checking             time.Duration
	// Waiting is how many answers are held until there is another snapshot.
	Waiting int
	// ArchiveBytes is the size of the files that are in memory, ArchiveHits counts those
	// that were there when they were asked for, and ArchiveMisses the others.
	ArchiveBytes               int64
	ArchiveHits, ArchiveMisses int64
}

// Stats returns how the catalog fares. It asks for a snapshot as a reader does, so that
// the age is known where nobody reads; ctx bounds that.
func (c *Catalog) Stats(ctx context.Context) Stats {
	_, age, err := c.Snapshot(ctx)
	s := c.current.Load()
	c.mu.Lock()
	if err != nil {
		age = c.options.Now().Sub(c.verified)
	}
	waiting := c.waiting
	c.mu.Unlock()
	c.archives.mu.Lock()
	archiveBytes := int64(c.archives.heldSize)
	c.archives.mu.Unlock()
	return Stats{
		Current: err == nil && age == 0, Age: age, Revision: s.mark.Revision,
		PublicSkills: s.size.public, Skills: s.size.skills, Versions: s.size.versions, Bytes: s.size.bytes, Keys: s.keys.Len(),
		Checks: c.tally.checks.Load(), FailedChecks: c.tally.failed.Load(), Checking: time.Duration(c.tally.took.Load()),
		Waiting:      waiting,
		ArchiveBytes: archiveBytes, ArchiveHits: c.archives.hits.Load(), ArchiveMisses: c.archives.misses.Load(),
	}
}

// size is how much there is in a snapshot.
type size struct {
	skills, public, versions int
	bytes                    int64
}

// add adds a skill, or takes it away where times is -1.
func (z *size) add(s *skill, times int) {
	if len(s.releases) > 0 {
		z.skills += times
	}
	if s.entry != nil && s.entry.open {
		z.public += times
	}
	z.versions += times * len(s.releases)
	for _, r := range s.releases {
		z.bytes += int64(times) * int64(len(r.document))
	}
}

// tally counts checks. Safe for concurrent use.
type tally struct{ checks, failed, took atomic.Int64 }

func (t *tally) count(took time.Duration, err error) {
	t.checks.Add(1)
	t.took.Add(int64(took))
	if err != nil {
		t.failed.Add(1)
	}
}
