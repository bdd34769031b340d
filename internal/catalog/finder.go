package catalog

import (
	"context"
	"sync"
	"sync/atomic"
)

// finder is what the searches of all snapshots share: the index, which is built when
// somebody searches, behind the back of those who don't.
type finder struct {
	loose  int // how many skills that changed are looked at one by one
	latest atomic.Pointer[indexed]

	mu       sync.Mutex
	building chan struct{} // closed when the index under way is there; nil when none is
	last     *library      // what the last search went through, for what the next one shares
}

// patientLoose is how many times more skills may be loose while they are put into an index
// than before; a search of more waits for it.
const patientLoose = 16

func newFinder(loose int) *finder {
	if loose <= 0 {
		loose = 64
	}
	f := &finder{loose: loose}
	f.latest.Store(&indexed{})
	return f
}

// library is what a search of one snapshot goes through. It never changes.
type library struct {
	*indexed
	// changed are the documents of each volume whose skills are not as they were.
	changed [][]uint32
	// loose are the skills that are.
	loose map[*skill]*page
}

// open returns what a search of the snapshot goes through. The error is the context's.
func (f *finder) open(ctx context.Context, s *Snapshot) (*library, error) {
	for waited := false; ; {
		from := f.of(s)
		loose := s.changedAfter(from.upTo, patientLoose*f.loose+1)
		if len(loose) > f.loose {
			done := f.build(s, from)
			if len(loose) > patientLoose*f.loose {
				if waited { // for an index of a later snapshot, or one that much was published behind
					s.indexed.Store(from.extend(s))
					continue
				}
				select {
				case <-done:
					waited = true
					continue
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
		}
		l := s.library.Load()
		if l == nil || l.indexed != from {
			l = f.shelve(from, loose)
			s.library.Store(l)
		}
		return l, nil
	}
}

// of returns the last index that there is of the snapshot or an earlier one.
func (f *finder) of(s *Snapshot) *indexed {
	own, latest := s.indexed.Load(), f.latest.Load()
	if latest.upTo <= s.lastChange() && latest.upTo > own.upTo {
		return latest
	}
	return own
}

// build begins to extend an index to a snapshot, unless one is being built, and returns
// what is closed when that is done.
func (f *finder) build(s *Snapshot, from *indexed) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.building == nil {
		done := make(chan struct{})
		f.building = done
		go func() {
			next := from.extend(s)
			f.mu.Lock()
			defer f.mu.Unlock()
			if next.upTo > f.latest.Load().upTo {
				f.latest.Store(next)
			}
			f.building, f.last = nil, nil
			close(done)
		}()
	}
	return f.building
}

// shelve returns an index together with the skills that changed since. Pages that the last
// search has had to write are not written again.
func (f *finder) shelve(from *indexed, loose []*skill) *library {
	f.mu.Lock()
	last := f.last
	f.mu.Unlock()
	l := &library{indexed: from, changed: make([][]uint32, len(from.volumes)), loose: make(map[*skill]*page, len(loose))}
	for _, s := range loose {
		if last != nil {
			l.loose[s] = last.loose[s]
		}
		if l.loose[s] == nil {
			l.loose[s] = newPage(s)
		}
		for i := range from.volumes {
			if n, found := from.volumes[i].index.Number(s.id); found {
				l.changed[i] = append(l.changed[i], uint32(n))
			}
		}
	}
	f.mu.Lock()
	f.last = l
	f.mu.Unlock()
	return l
}

// lastChange returns when a skill last changed.
func (s *Snapshot) lastChange() int64 {
	at, _, _ := s.feed.all.Max()
	return at
}

// changedAfter returns the skills that changed last after a time, at most so many of them.
func (s *Snapshot) changedAfter(after int64, most int) (changed []*skill) {
	s.feed.all.Ascend(after+1, func(_ int64, s *skill) bool {
		changed = append(changed, s)
		return len(changed) < most
	})
	return changed
}
