package catalog

import "sync/atomic"

// lazy is what is made when it is first asked for. It takes no more than a pointer, for
// each skill has some.
type lazy[T any] struct{ made atomic.Pointer[T] }

// get returns what was made first: those who ask first at the same time may each make it.
// A make that returns nil is asked again the next time.
func (l *lazy[T]) get(make func() *T) *T {
	if made := l.made.Load(); made != nil {
		return made
	}
	l.made.CompareAndSwap(nil, make())
	return l.made.Load()
}
