//go:build replicas && linux

package main

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

const (
	// staleLimit is how long the replicas of these tests answer from an old snapshot: long
	// enough for a busy machine to be seen doing so.
	staleLimit = 5 * time.Second
	// recoveryLimit is how long a replica may take to be well again, on a busy machine. An
	// idle one takes a second or two.
	recoveryLimit = 30 * time.Second
	// known is a skill that is there before anything happens.
	known = "/v1/skills/com.example.known"
)

// twoReplicas starts two replicas that answer from an old snapshot for a while, with a
// skill that both know.
func twoReplicas(t *testing.T, databaseURL string) *fleet {
	t.Helper()
	var replicas []*replica
	for range 2 {
		replicas = append(replicas, startReplica(t, databaseURL, "--stale-if-error", staleLimit.String()))
	}
	f := newFleet(t, replicas...)
	replicas[0].publish(t, protocoltest.Valid("com.example.known", "1.0.0", "public", "api")).wantStatus(t, "publish", http.StatusCreated)
	for _, r := range replicas {
		r.get(t, known).wantStatus(t, known, http.StatusOK)
	}
	return f
}

// wellAgain waits until every replica is ready, reads and writes, and says how long that
// took.
func (f *fleet) wellAgain(t *testing.T, version string) {
	t.Helper()
	took := eventually(t, "all replicas are well", recoveryLimit, func() bool {
		for _, r := range f.replicas {
			a := r.get(t, known)
			if a.status != http.StatusOK || a.header.Get("Age") != "" || r.get(t, "/readyz").status != http.StatusOK {
				return false
			}
			written := r.publish(t, protocoltest.Valid("com.example.known", version, "public", "api"))
			if !slices.Contains([]int{http.StatusOK, http.StatusCreated}, written.status) {
				return false
			}
		}
		return true
	})
	t.Logf("%s: all replicas are well after %s", version, took.Round(time.Millisecond))
}

// wantReadsOnly fails the test unless every replica answers from an old snapshot, for as
// long as it may, then says that it can't, and never writes.
func (f *fleet) wantReadsOnly(t *testing.T) {
	t.Helper()
	document := protocoltest.Valid("com.example.late", "1.0.0", "public", "api")
	reads := []string{known, known + "/versions", "/.well-known/skills"}
	f.eachAtOnce(reads, func(r *replica, path string) { r.get(t, path).wantStale(t, path, staleLimit) })
	f.eachAtOnce([]string{"publish"}, func(r *replica, what string) {
		a := r.publish(t, document)
		a.wantUnavailable(t, what)
		if a.took > 5*time.Second {
			t.Errorf("a publish without a database was answered after %s, want at once", a.took)
		}
	})
	f.eachAtOnce([]string{"/readyz"}, func(r *replica, path string) { r.get(t, path).wantUnavailable(t, path) })
	f.eachAtOnce([]string{"/livez"}, func(r *replica, path string) { r.get(t, path).wantStatus(t, path, http.StatusOK) })
	for _, r := range f.replicas {
		eventually(t, "reads end", staleLimit+recoveryLimit, func() bool { return r.get(t, known).status != http.StatusOK })
	}
	f.eachAtOnce(append(reads, "/v1/skills/com.example.none"), func(r *replica, path string) {
		r.get(t, path).wantUnavailable(t, path)
	})
	f.eachAtOnce([]string{"publish"}, func(r *replica, what string) { r.publish(t, document).wantUnavailable(t, what) })
}

// eachAtOnce asks every replica for everything at once.
func (f *fleet) eachAtOnce(paths []string, ask func(*replica, string)) {
	var asking sync.WaitGroup
	for _, r := range f.replicas {
		for _, path := range paths {
			asking.Go(func() { ask(r, path) })
		}
	}
	asking.Wait()
}

// TestADatabaseThatStopsAndStartsUnderLoad stops a database, kills it, and lets it answer
// nothing, each while replicas are read and written.
func TestADatabaseThatStopsAndStartsUnderLoad(t *testing.T) {
	t.Parallel()
	database := storetest.NewCluster(t)
	f := twoReplicas(t, database.URL())
	load := f.begin(t, "load", 2)
	time.Sleep(300 * time.Millisecond)

	database.Stop(t)
	f.wantReadsOnly(t)
	database.Start(t)
	f.wellAgain(t, "2.0.0")

	for _, version := range []string{"3.0.0", "4.0.0"} {
		time.Sleep(300 * time.Millisecond)
		database.Kill(t)
		database.Start(t)
		f.wellAgain(t, version)
	}
	load.end(t, f)
}

// TestADatabaseThatHangsUnderLoad is about a database that keeps its connections and
// takes new ones, and does not answer.
func TestADatabaseThatHangsUnderLoad(t *testing.T) {
	t.Parallel()
	between := newWire(t, storetest.PostgreSQL(t), nil)
	f := twoReplicas(t, between.url)
	load := f.begin(t, "load", 2)
	time.Sleep(300 * time.Millisecond)
	between.there.Lock()
	f.wantReadsOnly(t)
	between.there.Unlock()
	f.wellAgain(t, "2.0.0")
	load.end(t, f)
}
