package httpapi

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiter gives each caller so many requests a second, with a burst of ten times that.
// Safe for concurrent use.
type limiter struct {
	rate     rate.Limit
	burst    int
	refill   time.Duration // after which an unused bucket is full again
	capacity int
	now      func() time.Time

	mu      sync.Mutex
	buckets map[string]*list.Element
	recent  *list.List // of *bucket, the most recently used first
}

type bucket struct {
	caller string
	tokens *rate.Limiter
	used   time.Time
}

// maxBuckets bounds the memory of a limiter, to some megabytes.
const maxBuckets = 20_000

// newLimiter returns a limiter, or nil where perSecond is zero: a nil limiter lets
// everything pass.
func newLimiter(perSecond float64, capacity int, now func() time.Time) *limiter {
	if perSecond <= 0 {
		return nil
	}
	burst := max(1, int(math.Ceil(math.Min(perSecond*10, math.MaxInt32))))
	refill := math.Min(float64(burst)/perSecond*float64(time.Second), float64(24*time.Hour))
	return &limiter{
		rate: rate.Limit(perSecond), burst: burst, refill: time.Duration(refill), capacity: capacity, now: now,
		buckets: make(map[string]*list.Element), recent: list.New(),
	}
}

// take takes one request from what the caller has left. It returns zero when there was
// one, and otherwise how long it takes until there is.
func (l *limiter) take(caller string) (wait time.Duration) {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.forget(now)
	b := l.bucket(caller)
	b.used = now
	if b.tokens.AllowN(now, 1) {
		return 0
	}
	missing := (1 - b.tokens.TokensAt(now)) / float64(l.rate)
	return max(time.Millisecond, time.Duration(math.Min(missing, 3600)*float64(time.Second)))
}

func (l *limiter) bucket(caller string) *bucket {
	if e, ok := l.buckets[caller]; ok {
		l.recent.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if l.recent.Len() >= l.capacity {
		l.drop(l.recent.Back())
	}
	b := &bucket{caller: caller, tokens: rate.NewLimiter(l.rate, l.burst)}
	l.buckets[caller] = l.recent.PushFront(b)
	return b
}

// forget drops the buckets that have had the time to fill up: they are as good as new.
func (l *limiter) forget(now time.Time) {
	for e := l.recent.Back(); e != nil && now.Sub(e.Value.(*bucket).used) >= l.refill; e = l.recent.Back() {
		l.drop(e)
	}
}

func (l *limiter) drop(e *list.Element) {
	l.recent.Remove(e)
	delete(l.buckets, e.Value.(*bucket).caller)
}
