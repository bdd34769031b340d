package store

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// usePause is how often, at most, the last use of a key is stored.
const usePause = time.Minute

// uses are the last uses of keys in this process. Safe for concurrent use.
type uses struct {
	later
	// seconds has the time since 1970 for the id of each key. The map is copied when a key
	// comes for the first time, so that all who find theirs in it wait for nobody.
	seconds atomic.Pointer[map[string]*atomic.Int64]
	adding  sync.Mutex
	// stored are those that the database has; only one goroutine at a time is at it.
	storing sync.Mutex
	stored  map[string]int64
}

// all returns the last uses as they are now.
func (u *uses) all() map[string]*atomic.Int64 {
	if m := u.seconds.Load(); m != nil {
		return *m
	}
	return nil
}

// of returns where the last use of a key is kept.
func (u *uses) of(id string) *atomic.Int64 {
	if second, ok := u.all()[id]; ok {
		return second
	}
	u.adding.Lock()
	defer u.adding.Unlock()
	if second, ok := u.all()[id]; ok {
		return second
	}
	more := map[string]*atomic.Int64{id: new(atomic.Int64)}
	maps.Copy(more, u.all())
	u.seconds.Store(&more)
	return more[id]
}

// UseKey notes that a key, which is one, was used. It costs a request next to nothing: it
// is stored within a minute, or when the store is closed, and takes no revision.
func (s *Store) UseKey(id string, at time.Time) {
	second := s.uses.of(id)
	if now := at.Unix(); second.Load() != now {
		second.Store(now)
		s.storeUsesLater()
	}
}

func (s *Store) storeUsesLater() {
	s.uses.after(usePause, func() { s.storeUses(context.Background()) })
}

// storeUses stores the uses that the database does not have yet. What another process has
// stored and is later stays.
func (s *Store) storeUses(ctx context.Context) {
	s.uses.storing.Lock()
	defer s.uses.storing.Unlock()
	fresh := map[string]int64{}
	for id, second := range s.uses.all() {
		if at := second.Load(); at != s.uses.stored[id] {
			fresh[id] = at
		}
	}
	if len(fresh) == 0 {
		return
	}
	err := s.write(ctx, "store the last uses of keys", func(_ context.Context, tx *writeTx) error {
		for id, at := range fresh {
			tx.exec(`update keys set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at < $1)`,
				moment{time.Unix(at, 0)}, id)
		}
		return nil
	})
	if err != nil {
		s.log.Warn("the last uses of keys are not stored yet", "keys", len(fresh), "error", err)
		s.storeUsesLater()
		return
	}
	if s.uses.stored == nil {
		s.uses.stored = map[string]int64{}
	}
	maps.Copy(s.uses.stored, fresh)
}

// KeyUses returns when each key was last used, to the second, by its id. A key that is
// not in it never was. What this process has seen is counted at once, and what others
// have seen when they have stored it.
func (s *Store) KeyUses(ctx context.Context) (map[string]time.Time, error) {
	uses := map[string]time.Time{}
	err := s.read(ctx, "read the last uses of keys", func(ctx context.Context) error {
		rows, err := s.reader.QueryContext(ctx, `select id, last_used_at from keys where last_used_at is not null`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			var at moment
			if err := rows.Scan(&id, &at); err != nil {
				return err
			}
			uses[id] = at.Time
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	for id, second := range s.uses.all() {
		// 0 is of one that is being added.
		if at := second.Load(); at > max(0, uses[id].Unix()) {
			uses[id] = time.Unix(at, 0).UTC()
		}
	}
	return uses, nil
}
