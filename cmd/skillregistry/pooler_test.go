//go:build replicas && linux

package main

import (
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestReplicasWorkThroughAPooler has two replicas share two connections: they start
// together on an empty database, migrate it, and are read and written. A connection that
// is cut between pooler and database costs nothing that lasts.
func TestReplicasWorkThroughAPooler(t *testing.T) {
	t.Parallel()
	database := storetest.NewCluster(t)
	pooled := storetest.Pooler(t, database, 2)
	wantOneFirstKey(t, pooled, 2)
	f := newFleet(t, startReplica(t, pooled, "--stale-if-error", "0s"), startReplica(t, pooled, "--stale-if-error", "0s"))
	if h := f.judge(t, 40); h != nil {
		t.Errorf("%s: no order of what was done explains this history:\n%s", h.skill, h)
	}
	if n := f.seen.unknown.Load() + f.seen.refused.Load(); n > 0 {
		t.Errorf("got %v; want every request answered", &f.seen)
	}
	const connections = `select count(*) from pg_stat_activity where application_name = 'skillregistry'`
	if n := database.Count(t, connections); n < 1 || n > 2 {
		t.Errorf("the database has %d connections, want 1 or 2", n)
	}

	load := f.begin(t, "load", 2)
	for range 3 {
		time.Sleep(200 * time.Millisecond)
		database.Execute(t, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'skillregistry'`)
	}
	load.end(t, f)
}
