package httpapi

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

const maxInside, maxWaiting = 2, 5

func TestTurnstileLetsAFewThroughAndAFewWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := newTurnstile(maxInside, maxWaiting)
		release := make(chan struct{})
		var inside atomic.Int32
		done := make(chan error, maxInside+maxWaiting)
		enter := func(ctx context.Context) error {
			return gate.pass(ctx, func() error {
				inside.Add(1)
				<-release
				return nil
			})
		}
		for range maxInside + maxWaiting {
			go func() { done <- enter(t.Context()) }()
		}
		synctest.Wait()
		if n := inside.Load(); n != maxInside {
			t.Errorf("%d are inside, want %d", n, maxInside)
		}
		var full *rateError
		if err := enter(t.Context()); !errors.As(err, &full) {
			t.Errorf("one too many got %v, want a rateError", err)
		}
		close(release)
		for range maxInside + maxWaiting {
			if err := <-done; err != nil {
				t.Errorf("one that waited got %v", err)
			}
		}
		if err := enter(t.Context()); err != nil {
			t.Errorf("one that came later got %v", err)
		}
	})
}

func TestTurnstileLetsGoOfWhoLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := newTurnstile(maxInside, maxWaiting)
		release := make(chan struct{})
		for range maxInside {
			go gate.pass(t.Context(), func() error { <-release; return nil })
		}
		synctest.Wait()
		gone, leave := context.WithCancel(t.Context())
		leave()
		for range 2 * maxWaiting {
			if err := gate.pass(gone, func() error { return nil }); !errors.Is(err, context.Canceled) {
				t.Fatalf("who left got %v, want %v", err, context.Canceled)
			}
		}
		close(release)
	})
}
