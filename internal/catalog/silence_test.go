package catalog_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/store"
)

// slowSource is a source that takes its time.
type slowSource struct {
	*shelfSource
	// revision, where it is not nil, comes between a question for the revision and its
	// answer.
	revision func()
	// silent has a question for the changes wait for ever.
	silent bool
	// each, where it is not nil, comes before each change.
	each func()
}

func (s *slowSource) Revision(ctx context.Context) (int64, error) {
	revision, err := s.shelfSource.Revision(ctx)
	if s.revision != nil {
		s.revision()
	}
	return revision, err
}

func (s *slowSource) Changes(ctx context.Context, after int64, yield func(store.Change) error) (store.Mark, error) {
	if s.silent {
		<-ctx.Done()
		return store.Mark{}, ctx.Err()
	}
	return s.shelfSource.Changes(ctx, after, func(c store.Change) error {
		if s.each != nil {
			s.each()
		}
		return yield(c)
	})
}

func TestReadsGoOnWhenTheStoreFallsSilentInTheMiddle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{shelfSource: &shelfSource{shared: true}}
		s.publish(t, version("com.example.old", "1.0.0"))
		c := open(t, s, options())
		s.publish(t, version("com.example.new", "1.0.0"))
		s.silent = true
		began := time.Now()
		view, age, err := c.Snapshot(t.Context())
		if took := time.Since(began); err != nil || age < time.Second || took > 5*time.Second {
			t.Fatalf("after %s: age %s, error %v; want an age, within 5s", took, age, err)
		}
		for id, want := range map[string]bool{"com.example.old": true, "com.example.new": false} {
			if _, ok := view.Latest(access.Caller{}, id); ok != want {
				t.Errorf("%s is there: %t, want %t", id, ok, want)
			}
		}
		time.Sleep(time.Minute)
		if _, _, err := c.Snapshot(t.Context()); !isUnavailable(err) {
			t.Errorf("after a minute: error %v, want an UnavailableError", err)
		}
		time.Sleep(2 * time.Minute) // the reading under way is given up
	})
}

// An old snapshot is for when the store is away. Of one that says that there is something
// new, the answer has to be waited for.
func TestReadsDoNotGoOnWhileTheStoreTells(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{shelfSource: &shelfSource{shared: true}, each: func() { time.Sleep(500 * time.Millisecond) }}
		c := open(t, s, options())
		for i := range 40 {
			s.publish(t, version(skillID(i), "1.0.0"))
		}
		if view, age, err := c.Snapshot(t.Context()); !isUnavailable(err) {
			t.Errorf("got snapshot %t, age %s and error %v; want an UnavailableError", view != nil, age, err)
		}
		time.Sleep(15 * time.Second)
		if _, ok := snapshot(t, c).Latest(access.Caller{}, skillID(39)); !ok {
			t.Error("the last of what the store told is not there")
		}
	})
}

// A process that is stopped and goes on finds the answers to what it asked before.
func TestWhatWasAnsweredBeforeAPauseIsNotTrusted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slowSource{shelfSource: &shelfSource{shared: true}}
		c := open(t, s, options())
		s.revision = func() {
			s.revision = nil
			s.publish(t, version("com.example.meanwhile", "1.0.0"))
			time.Sleep(2 * time.Second)
		}
		if _, ok := snapshot(t, c).Latest(access.Caller{}, "com.example.meanwhile"); !ok {
			t.Error("the snapshot is that of before the pause")
		}
	})
}
