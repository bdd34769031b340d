package httpapi

import (
	"context"
	"time"
)

// turnstile lets a few requests through at a time, and a few more wait for it: reading a
// document takes many times its own size in memory.
type turnstile struct{ inside, waiting chan struct{} }

func newTurnstile(inside, waiting int) turnstile {
	return turnstile{inside: make(chan struct{}, inside), waiting: make(chan struct{}, waiting)}
}

// pass runs do when there is room. It returns a *rateError when too many wait already, and
// the context's error when that ends first.
func (t turnstile) pass(ctx context.Context, do func() error) error {
	select {
	case t.waiting <- struct{}{}:
	default:
		return &rateError{wait: time.Second}
	}
	select {
	case t.inside <- struct{}{}:
		<-t.waiting
	case <-ctx.Done():
		<-t.waiting
		return ctx.Err()
	}
	defer func() { <-t.inside }()
	return do()
}
