package store

import (
	"sync"
	"sync/atomic"
)

// latest is the revision of the last write to a database that nobody else writes to.
// The zero value does not know it.
type latest struct {
	// known is one more than the revision; 0 where it is not known.
	known atomic.Int64
	// settle is held while a commit is under way, and while the revision is read from
	// the database: what was read is then not older than what is known.
	settle sync.Mutex
}

// get returns the revision, with the help of read where it is not known.
func (l *latest) get(read func() (int64, error)) (int64, error) {
	if k := l.known.Load(); k > 0 {
		return k - 1, nil
	}
	l.settle.Lock()
	defer l.settle.Unlock()
	revision, err := read()
	if err != nil {
		return 0, err
	}
	l.known.Store(revision + 1)
	return revision, nil
}

// move runs commit, which writes revision, and remembers it. When commit fails, it may
// yet have been carried out.
func (l *latest) move(revision int64, commit func() error) error {
	l.settle.Lock()
	defer l.settle.Unlock()
	if err := commit(); err != nil {
		l.forget()
		return err
	}
	l.known.Store(revision + 1)
	return nil
}

func (l *latest) forget() { l.known.Store(0) }
