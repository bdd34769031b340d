//go:build replicas && linux

package main

import (
	"bytes"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// crowd is many readers of one replica, each with its own connection, who never stop.
type crowd struct {
	stop                    func()
	fresh, stale, no, other atomic.Int64 // answers: current, marked as old, 503, and what may not be
	longest                 atomic.Int64 // the longest that one waited, in nanoseconds
}

func (f *fleet) gather(t *testing.T, r *replica, readers int) *crowd {
	t.Helper()
	c := &crowd{}
	var reading sync.WaitGroup
	var stopped atomic.Bool
	c.stop = sync.OnceFunc(func() { stopped.Store(true); reading.Wait() })
	t.Cleanup(c.stop)
	for range readers {
		reading.Go(func() {
			for !stopped.Load() {
				a := r.ask(t.Context(), f.client, http.MethodGet, known, nil)
				switch {
				case a.status == http.StatusServiceUnavailable:
					c.no.Add(1)
				case a.status != http.StatusOK:
					c.other.Add(1)
				case a.header.Get("Age") != "":
					c.stale.Add(1)
				default:
					c.fresh.Add(1)
				}
				for longest := c.longest.Load(); int64(a.took) > longest && !c.longest.CompareAndSwap(longest, int64(a.took)); longest = c.longest.Load() {
				}
			}
		})
	}
	return c
}

func (c *crowd) answers() int64 {
	return c.fresh.Load() + c.stale.Load() + c.no.Load() + c.other.Load()
}

// mostQuestions is how many questions a replica may have the database answer at a time
// for all of its readers: the check under way, and what is left of one that was given up.
const mostQuestions = 4

// readerLimit is how long a reader may be kept waiting by a database that is silent: for
// the check under way and its own, a second each, on a busy machine.
const readerLimit = 8 * time.Second

func TestACrowdOfReadersSharesAFewRevisionChecks(t *testing.T) {
	t.Parallel()
	between := newWire(t, storetest.PostgreSQL(t), func() time.Duration { return 5 * time.Millisecond })
	f := twoReplicas(t, between.url)
	between.counts()
	c := f.gather(t, f.replicas[0], 300)
	time.Sleep(2 * time.Second)
	c.stop()
	most, asked := between.counts()
	t.Logf("%d answers for %d questions, at most %d at a time; the longest took %s", c.fresh.Load(), asked, most, time.Duration(c.longest.Load()))
	if most > mostQuestions {
		t.Errorf("300 readers had the database answer %d questions at a time, want at most %d", most, mostQuestions)
	}
	if n := int(c.fresh.Load()); asked == 0 || n < 10*asked {
		t.Errorf("%d answers took %d questions, want one for many", n, asked)
	}
	// On a busy machine a question may take longer than it is given: then, and only then,
	// an answer says how old it is.
	if good := c.fresh.Load() + c.stale.Load(); good != c.answers() {
		t.Errorf("%d answers of %d were good, want all", good, c.answers())
	}
}

// TestAHangingCheckIsGivenUp has the database itself keep the questions: each is given up,
// also by the database, and the readers are answered in time.
func TestAHangingCheckIsGivenUp(t *testing.T) {
	t.Parallel()
	database := storetest.NewCluster(t)
	f := twoReplicas(t, database.URL())
	c := f.gather(t, f.replicas[0], 300)
	eventually(t, "all readers read", recoveryLimit, func() bool { return c.fresh.Load() > 300 })

	locked := make(chan struct{})
	go func() {
		defer close(locked)
		database.Execute(t, "begin; lock table registry in access exclusive mode; select pg_sleep(4); commit")
	}()
	const waiting = ` from pg_stat_activity where state = 'active' and wait_event_type = 'Lock' and query like '%revision%'`
	most, oldest := 0, 0
	for {
		most = max(most, database.Count(t, "select count(*)"+waiting))
		oldest = max(oldest, database.Count(t, "select coalesce(max(extract(epoch from clock_timestamp() - query_start)) * 1000, 0)::int"+waiting))
		select {
		case <-locked:
		case <-time.After(10 * time.Millisecond):
			continue
		}
		break
	}
	before := c.fresh.Load()
	eventually(t, "readers get current answers again", recoveryLimit, func() bool { return c.fresh.Load() > before+300 })
	c.stop()
	t.Logf("%d answers, %d of them marked as old; at most %d questions waited, %d ms at most; the longest answer took %s",
		c.answers(), c.stale.Load(), most, oldest, time.Duration(c.longest.Load()))
	if most < 1 || most > mostQuestions {
		t.Errorf("%d questions waited at a time for the lock, want 1 to %d", most, mostQuestions)
	}
	if oldest > 3000 {
		t.Errorf("the database kept a question for %d ms, want that it is given up after a second", oldest)
	}
	if c.stale.Load() == 0 || c.no.Load()+c.other.Load() > 0 {
		t.Errorf("got %d answers marked as old, %d times 503 and %d others; want only the first kind",
			c.stale.Load(), c.no.Load(), c.other.Load())
	}
	if longest := time.Duration(c.longest.Load()); longest > readerLimit {
		t.Errorf("a reader waited %s, want at most %s", longest, readerLimit)
	}
}

// TestAHangInTheMiddleOfACheckIsGivenUp is about a database that says that there is
// something new and then does not say what.
func TestAHangInTheMiddleOfACheckIsGivenUp(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	between := newWire(t, database, nil)
	f := newFleet(t,
		startReplica(t, database),
		startReplica(t, between.url, "--stale-if-error", staleLimit.String()))
	near, far := f.replicas[0], f.replicas[1]
	near.publish(t, protocoltest.Valid("com.example.known", "1.0.0", "public", "api")).wantStatus(t, "publish", http.StatusCreated)
	far.get(t, known).wantStatus(t, known, http.StatusOK)

	silent := make(chan struct{})
	between.listen(func(part []byte) {
		if bytes.Contains(part, []byte("repeatable read")) {
			<-silent
		}
	})
	near.publish(t, protocoltest.Valid("com.example.known", "2.0.0", "public", "api")).wantStatus(t, "publish", http.StatusCreated)
	a := far.get(t, known)
	a.wantStale(t, known, staleLimit)
	if a.took > readerLimit {
		t.Errorf("a reader waited %s, want at most %s", a.took, readerLimit)
	}
	between.listen(nil)
	close(silent)
	eventually(t, "the replica has what is new", recoveryLimit, func() bool {
		a := far.get(t, known)
		return a.status == http.StatusOK && a.header.Get("Age") == "" && bytes.Contains(a.body, []byte(`"2.0.0"`))
	})
}
