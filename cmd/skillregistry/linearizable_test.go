//go:build replicas && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// historiesVariable names the environment variable with the number of histories to play,
// for those who have more time than CI has.
const historiesVariable = "SKILLREGISTRY_TEST_HISTORIES"

func histories(t *testing.T) int {
	t.Helper()
	text := os.Getenv(historiesVariable)
	if text == "" {
		return 200
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number", historiesVariable, text)
	}
	return n
}

// threeReplicas starts three replicas of a build that reach the same database in 0 to
// 2 ms, each in its own time. None of them answers from an old snapshot.
func threeReplicas(t *testing.T, binary string) *fleet {
	t.Helper()
	database := storetest.PostgreSQL(t)
	var replicas []*replica
	for range 3 {
		far := newWire(t, database, func() time.Duration { return rand.N(2 * time.Millisecond) })
		replicas = append(replicas, startReplicaOf(t, binary, far.url, "--stale-if-error", "0s"))
	}
	return newFleet(t, replicas...)
}

// judge plays histories, some of them at a time, until there are enough of them or there
// is one that no order explains, which it returns.
func (f *fleet) judge(t *testing.T, enough int) (guilty *history) {
	t.Helper()
	var players sync.WaitGroup
	var next atomic.Int64
	var mu sync.Mutex
	found := func() bool { mu.Lock(); defer mu.Unlock(); return guilty != nil }
	for range 4 {
		players.Go(func() {
			for n := next.Add(1); n <= int64(enough) && !found(); n = next.Add(1) {
				h := f.play(t.Context(), fmt.Sprintf("com.example.n%d", n))
				if !h.linearizable(t) {
					mu.Lock()
					guilty = h
					mu.Unlock()
				}
			}
		})
	}
	players.Wait()
	t.Logf("%d histories: %v", min(next.Load(), int64(enough)), &f.seen)
	return guilty
}

func TestReadsOfAllReplicasAreLinearizable(t *testing.T) {
	t.Parallel()
	f, n := threeReplicas(t, os.Getenv(binaryVariable)), histories(t)
	if h := f.judge(t, n); h != nil {
		t.Errorf("%s: no order of what was done explains this history:\n%s", h.skill, h)
	}
	// Answers that do not come prove nothing.
	if written, read := f.seen.written.Load(), f.seen.read.Load(); written < int64(n*versionsOfAHistory) || read < 2*written {
		t.Errorf("got %v; want nearly all of %d writes acknowledged, and more reads than writes", &f.seen, n*(versionsOfAHistory+1))
	}
}

// TestReadsWithoutTheRevisionCheckAreNotLinearizable holds that the histories above would
// tell: of a registry without the revision check, or with one that is weaker.
func TestReadsWithoutTheRevisionCheckAreNotLinearizable(t *testing.T) {
	t.Parallel()
	tests := map[string][2]string{
		"a read does not wait for a check": {
			"\terr = c.await(ctx, c.join())\n",
			"\tc.join()\n",
		},
		"a read waits for a check that began before it": {
			"\t\tk.err = c.check()\n",
			"\t\tc.mu.Lock()\n\t\tc.next = k\n\t\tc.mu.Unlock()\n" +
				"\t\tk.err = c.check()\n" +
				"\t\tc.mu.Lock()\n\t\tc.next = nil\n\t\tc.mu.Unlock()\n",
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := threeReplicas(t, mutant(t, "internal/catalog/catalog.go", change[0], change[1]))
			if f.judge(t, 100) == nil {
				t.Error("all histories are linearizable, want one that is not")
			}
		})
	}
}
