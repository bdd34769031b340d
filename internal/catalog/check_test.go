package catalog_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

func TestReadSeesWhatWasWrittenBeforeIt(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		s := &shelfSource{shared: shared}
		c := open(t, s, options())
		var written atomic.Int64
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				for {
					n := int(written.Load())
					view, _, err := c.Snapshot(t.Context())
					if err != nil {
						t.Errorf("shared %t: taking a snapshot: %v", shared, err)
						return
					}
					if n > 0 {
						if _, ok := view.Latest(access.Caller{}, skillID(n)); !ok {
							t.Errorf("shared %t: skill %d was written before the read began, and is not in it", shared, n)
							return
						}
					}
					if n == 300 {
						return
					}
				}
			})
		}
		for i := range 300 {
			s.publish(t, version(skillID(i+1), "1.0.0"))
			written.Store(int64(i + 1))
		}
		readers.Wait()
	}
}

func TestReadersShareChecks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		hang := make(chan struct{})
		s.set(func(s *shelfSource) { s.hang = hang; s.checks = 0; s.most = 0 })
		var readers sync.WaitGroup
		for range 100 {
			readers.Go(func() { snapshot(t, c) })
		}
		synctest.Wait()
		// Whoever came while the first check ran waits for the second one.
		close(hang)
		readers.Wait()
		if s.checks > 2 || s.most > 1 {
			t.Errorf("100 readers at once made %d checks, %d at a time; want at most 2, one at a time", s.checks, s.most)
		}
	})
}

func TestCheckThatBeganBeforeTheReadIsNotEnough(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		hang := make(chan struct{})
		s.set(func(s *shelfSource) { s.hang = hang })
		var readers sync.WaitGroup
		readers.Go(func() { snapshot(t, c) })
		synctest.Wait() // the first check runs
		readers.Go(func() {
			if _, ok := snapshot(t, c).Latest(access.Caller{}, "com.example.late"); !ok {
				t.Error("the read does not see a write that ended before it")
			}
		})
		s.publish(t, version("com.example.late", "1.0.0"))
		synctest.Wait()
		close(hang)
		readers.Wait()
	})
}

func TestReadsGoOnForABoundedTimeWithoutTheStore(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*shelfSource){
		"an error":  func(s *shelfSource) { s.down = true },
		"no answer": func(s *shelfSource) { s.hang = make(chan struct{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &shelfSource{shared: true}
				s.publish(t, version("com.example.a", "1.0.0"))
				c := open(t, s, options())
				time.Sleep(time.Hour)
				snapshot(t, c) // the age counts from here
				s.set(fault)

				view, age, err := c.Snapshot(t.Context())
				if err != nil || age < time.Second || age > 5*time.Second {
					t.Fatalf("at once: age %s, error %v; want a second or a few", age, err)
				}
				if _, ok := view.Latest(access.Caller{}, "com.example.a"); !ok {
					t.Error("the stale snapshot lost its skill")
				}
				if err := c.Ready(t.Context()); !isUnavailable(err) {
					t.Errorf("ready says %v, want an UnavailableError", err)
				}
				time.Sleep(30 * time.Second)
				if _, age, err = c.Snapshot(t.Context()); err != nil || age < 30*time.Second || age > 40*time.Second {
					t.Errorf("after 30s: age %s, error %v", age, err)
				}
				time.Sleep(31 * time.Second)
				if _, _, err = c.Snapshot(t.Context()); !isUnavailable(err) {
					t.Errorf("after a minute: error %v, want an UnavailableError", err)
				}

				s.set(func(s *shelfSource) { s.down, s.hang = false, nil })
				s.publish(t, version("com.example.b", "1.0.0"))
				if _, ok := snapshot(t, c).Latest(access.Caller{}, "com.example.b"); !ok {
					t.Error("the catalog did not come back with the store")
				}
				if err := c.Ready(t.Context()); err != nil {
					t.Errorf("ready says %v after the store came back", err)
				}
			})
		})
	}
}

func TestReadsEndAtOnceWhereNoStalenessIsAllowed(t *testing.T) {
	t.Parallel()
	s := &shelfSource{shared: true}
	o := options()
	o.StaleIfError = 0
	c := open(t, s, o)
	s.set(func(s *shelfSource) { s.down = true })
	_, _, err := c.Snapshot(t.Context())
	if !isUnavailable(err) {
		t.Errorf("the error is %v, want an UnavailableError", err)
	}
	if err != nil && !strings.Contains(err.Error(), errDown.Error()) {
		t.Errorf("the error is %q, which hides its cause %q", err, errDown)
	}
}

func TestStoreThatWasPutBackIsReadAnew(t *testing.T) {
	t.Parallel()
	s := &shelfSource{shared: true}
	c := open(t, s, options())
	s.publish(t, version("com.example.kept", "1.0.0"))
	s.publish(t, version("com.example.lost", "1.0.0"))
	snapshot(t, c)
	s.set(func(s *shelfSource) { s.rows, s.revision = s.rows[:1], 1 })
	view := snapshot(t, c)
	for id, want := range map[string]bool{"com.example.kept": true, "com.example.lost": false} {
		if _, ok := view.Latest(access.Caller{}, id); ok != want {
			t.Errorf("after the store was put back, %s is there: %t, want %t", id, ok, want)
		}
	}
}

func TestReaderThatLeavesGetsItsContextsError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelfSource{shared: true}
		c := open(t, s, options())
		hang := make(chan struct{})
		s.set(func(s *shelfSource) { s.hang = hang })
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Millisecond)
			cancel()
		}()
		if _, _, err := c.Snapshot(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want %v", err, context.Canceled)
		}
		close(hang)
		synctest.Wait()
	})
}

func TestUnreadableDocumentStopsTheStart(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	s.write(store.Change{Version: &store.Version{
		SkillID: "com.example.a", Version: "1.0.0", Access: protocol.Public, Status: access.Active, Document: []byte("{"),
	}})
	if _, err := catalog.Open(t.Context(), s, options()); err == nil || !strings.Contains(err.Error(), "com.example.a 1.0.0") {
		t.Errorf("opening says %v, want an error that names the version", err)
	}
}

func isUnavailable(err error) bool {
	var unavailable *store.UnavailableError
	return errors.As(err, &unavailable)
}
