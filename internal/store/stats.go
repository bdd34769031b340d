package store

import (
	"database/sql"
	"time"
)

// Stats is how a store fares, for those who run it.
type Stats struct {
	// Readers and Writers are the connections to the database.
	Readers, Writers PoolStats
	// PendingRefusals counts the refused requests that are not in the audit log yet, and
	// LostRefusals those that never will be.
	PendingRefusals, LostRefusals int64
}

// PoolStats says how the connections of one kind are used.
type PoolStats struct {
	// Limit is how many there may be, Open how many there are, and InUse how many of these
	// do something.
	Limit, Open, InUse int
	// Waits counts the calls that had to wait for one, and Waited is for how long, all
	// together. A call counts when its wait is over.
	Waits  int64
	Waited time.Duration
}

// Stats returns how the store fares. It asks no database.
func (s *Store) Stats() Stats {
	return Stats{
		Readers: poolStats(s.reader), Writers: poolStats(s.writer),
		PendingRefusals: s.refusals.pending(), LostRefusals: s.refusals.lost.Load(),
	}
}

func poolStats(db *sql.DB) PoolStats {
	d := db.Stats()
	return PoolStats{Limit: d.MaxOpenConnections, Open: d.OpenConnections, InUse: d.InUse, Waits: d.WaitCount, Waited: d.WaitDuration}
}

// pending counts the requests whose refusal is not stored yet.
func (r *refusals) pending() (requests int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		requests += e.Requests
	}
	return requests
}
