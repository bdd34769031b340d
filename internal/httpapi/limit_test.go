package httpapi

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// passed counts how many of n requests pass.
func passed(l *limiter, caller string, n int) (count int) {
	for range n {
		if l.take(caller) == 0 {
			count++
		}
	}
	return count
}

func TestLimiterGivesABurstThenTheRate(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := newLimiter(2, 100, c.Now)
	if got := passed(l, "a", 30); got != 20 {
		t.Errorf("%d of 30 at once pass, want the burst of 20", got)
	}
	if got := l.take("a"); got <= 0 || got > 500*time.Millisecond {
		t.Errorf("the wait is %v, want more than nothing and at most half a second", got)
	}
	if got := passed(l, "b", 30); got != 20 {
		t.Errorf("%d of 30 of another caller pass, want 20: callers don't share", got)
	}
	c.advance(3 * time.Second)
	if got := passed(l, "a", 30); got != 6 {
		t.Errorf("%d pass after 3 s, want 6", got)
	}
	c.advance(time.Hour)
	if got := passed(l, "a", 30); got != 20 {
		t.Errorf("%d pass after an hour, want no more than the burst of 20", got)
	}
}

func TestLimiterSaysWhenItIsWorthTryingAgain(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []float64{0.01, 0.3, 1, 7, 20, 1000} {
		c := newClock()
		l := newLimiter(perSecond, 10, c.Now)
		for l.take("a") == 0 {
		}
		wait := l.take("a")
		c.advance(wait - time.Millisecond)
		if wait > time.Millisecond && l.take("a") == 0 {
			t.Errorf("at %v a second: passes a millisecond before the wait of %v is over", perSecond, wait)
		}
		c.advance(2 * time.Millisecond)
		if again := l.take("a"); again != 0 {
			t.Errorf("at %v a second: after a wait of %v it still says %v", perSecond, wait, again)
		}
	}
}

func TestLimiterOfZeroLetsEverythingPass(t *testing.T) {
	t.Parallel()
	if got := passed(newLimiter(0, 1, time.Now), "a", 10_000); got != 10_000 {
		t.Errorf("%d of 10000 pass, want all", got)
	}
}

func TestLimiterForgetsIdleCallers(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := newLimiter(10, 1000, c.Now)
	for i := range 500 {
		l.take(fmt.Sprint(i))
	}
	c.advance(9 * time.Second)
	l.take("0")
	if got := len(l.buckets); got != 500 {
		t.Errorf("%d callers known before a bucket can be full again, want 500", got)
	}
	c.advance(time.Second)
	l.take("1")
	if got := len(l.buckets); got != 2 {
		t.Errorf("%d callers known after the time in which a bucket fills, want the 2 that came back", got)
	}
}

func TestLimiterHoldsNoMoreThanItsCapacity(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := newLimiter(1, 50, c.Now)
	passed(l, "busy", 10)
	for i := range 10_000 {
		l.take(fmt.Sprint("other ", i))
		if wait := l.take("busy"); wait == 0 {
			t.Fatalf("after %d other callers, a busy one is let pass: it was forgotten while in use", i)
		}
	}
	if len(l.buckets) != 50 || l.recent.Len() != 50 {
		t.Errorf("%d buckets and %d entries, want the capacity of 50", len(l.buckets), l.recent.Len())
	}
}

func TestLimiterUnderConcurrency(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := newLimiter(5, 20, c.Now)
	var wg sync.WaitGroup
	counts := make([]int, 8)
	for i := range counts {
		wg.Go(func() {
			for range 500 {
				if l.take("shared") == 0 {
					counts[i]++
				}
				l.take(fmt.Sprint(rand.IntN(100)))
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	if total < 50 {
		t.Errorf("%d pass, want at least the burst of 50", total)
	}
	if len(l.buckets) > 20 {
		t.Errorf("%d buckets, want at most 20", len(l.buckets))
	}
}
