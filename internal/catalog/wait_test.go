package catalog_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillregistry/skillregistry/internal/catalog"
)

// waitFor waits for another snapshot and returns how long it took.
func waitFor(ctx context.Context, c *catalog.Catalog, s *catalog.Snapshot) time.Duration {
	start := time.Now()
	c.Wait(ctx, s)
	return time.Since(start)
}

// asked returns how often the source was asked for its revision.
func (s *shelfSource) asked() (n int) {
	s.set(func(s *shelfSource) { n = s.checks })
	return n
}

func TestWaitReturnsAtOnceFromAnOldSnapshot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		old := snapshot(t, c)
		s.publish(t, version("com.example.a", "1.0.0"))
		snapshot(t, c)
		if took := waitFor(t.Context(), c, old); took != 0 {
			t.Errorf("waiting for another snapshot than an old one took %s, want no time", took)
		}
	})
}

func TestWaitEndsWithAWriteThatNobodyElseReads(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := &shelfSource{shared: shared}
			c := open(t, s, options())
			now := snapshot(t, c)
			var waiters sync.WaitGroup
			for range 100 {
				waiters.Go(func() {
					if took := waitFor(t.Context(), c, now); took < 10*time.Second || took > 10*time.Second+250*time.Millisecond {
						t.Errorf("shared %t: a write after 10s ended the wait after %s", shared, took)
					}
				})
			}
			before := s.asked()
			time.Sleep(10 * time.Second)
			if n := s.asked() - before; n < 39 || n > 40 {
				t.Errorf("shared %t: 100 who waited 10s asked the store %d times, want one question each 250ms", shared, n)
			}
			s.publish(t, version("com.example.a", "1.0.0"))
			waiters.Wait()
			if snapshot(t, c) == now {
				t.Errorf("shared %t: the snapshot after the wait is the one before it", shared)
			}
		})
	}
}

func TestWaitEndsAtOnceWithAWriteThatAnotherReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		now := snapshot(t, c)
		var waiter sync.WaitGroup
		waiter.Go(func() {
			if took := waitFor(t.Context(), c, now); took != 10*time.Millisecond {
				t.Errorf("a write that was read after 10ms ended the wait after %s", took)
			}
		})
		time.Sleep(10 * time.Millisecond)
		s.publish(t, version("com.example.a", "1.0.0"))
		snapshot(t, c)
		waiter.Wait()
	})
}

func TestWaitEndsWithItsContextAndTheQuestionsWithTheLastWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		now := snapshot(t, c)
		var waiters sync.WaitGroup
		for i := range 3 {
			waiters.Go(func() {
				patience := time.Duration(i+1) * time.Second
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if took := waitFor(ctx, c, now); took != patience {
					t.Errorf("a wait of %s took %s", patience, took)
				}
			})
		}
		time.Sleep(2600 * time.Millisecond)
		before := s.asked()
		waiters.Wait()
		if n := s.asked() - before; n < 1 || n > 2 {
			t.Errorf("in the last 400ms the store was asked %d times, want once or twice", n)
		}
		before = s.asked()
		time.Sleep(time.Hour)
		if n := s.asked() - before; n > 1 {
			t.Errorf("with nobody waiting, the store was asked %d times in an hour", n)
		}
	})
}

func TestWaitOutlivesAStoreThatGoesAway(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*shelfSource){
		"an error":  func(s *shelfSource) { s.down = true },
		"no answer": func(s *shelfSource) { s.hang = make(chan struct{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &shelfSource{shared: true}
				c := open(t, s, options())
				now := snapshot(t, c)
				s.set(fault)
				var waiter sync.WaitGroup
				waiter.Go(func() {
					if took := waitFor(t.Context(), c, now); took < time.Minute || took > time.Minute+2*time.Second {
						t.Errorf("the store came back with a write after a minute, and the wait ended after %s", took)
					}
				})
				time.Sleep(time.Minute)
				s.publish(t, version("com.example.a", "1.0.0"))
				s.set(func(s *shelfSource) { s.down, s.hang = false, nil })
				waiter.Wait()
			})
		})
	}
}
