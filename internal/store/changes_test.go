package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// names returns what changed, in words.
func names(all []store.Change) []string {
	words := []string{}
	for _, c := range all {
		switch {
		case c.Version != nil && c.Key == nil:
			words = append(words, c.Version.SkillID+" "+c.Version.Version)
		case c.Key != nil && c.Version == nil:
			words = append(words, "key "+c.Key.ID)
		default:
			words = append(words, "neither a version nor a key")
		}
	}
	return words
}

func TestChangesComeInTheOrderOfTheirLastOne(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		if all, mark := changes(t, s, 0); len(all) != 0 || mark != (store.Mark{}) {
			t.Fatalf("an empty store: got %v up to %+v", names(all), mark)
		}
		for _, k := range []string{"k1", "k2"} {
			if err := s.CreateKey(t.Context(), key(k), store.Actor{}); err != nil {
				t.Fatal(err)
			}
		}
		publish(t, s, publication("com.example.b", "1.0.0", protocol.Public, ""))
		if err := s.CreateKey(t.Context(), key("k3"), store.Actor{}); err != nil {
			t.Fatal(err)
		}
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		publish(t, s, publication("com.example.b", "0.9.0", protocol.Public, ""))
		if err := s.RevokeKey(t.Context(), "k1", noon, store.Actor{}); err != nil {
			t.Fatal(err)
		}
		order := []string{"key k2", "com.example.b 1.0.0", "key k3", "com.example.a 1.0.0", "com.example.b 0.9.0", "key k1"}
		for after, want := range map[int64][]string{0: order, 1: order, 2: order[1:], 3: order[2:], 5: order[4:], 6: order[5:], 7: {}, 8: {}} {
			all, mark := changes(t, s, after)
			if got := names(all); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after %d: got %q, want %q", after, got, want)
			}
			if want := (store.Mark{Revision: 7, PublicRevision: 3}); mark != want {
				t.Errorf("after %d: got the mark %+v, want %+v", after, mark, want)
			}
		}
	})
}

func TestErrorOfTheConsumerEndsTheStream(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for i := range 3 {
			publish(t, s, publication(fmt.Sprintf("com.example.n%d", i), "1.0.0", protocol.Public, ""))
		}
		enough := errors.New("enough")
		n := 0
		_, err := s.Changes(t.Context(), 0, func(store.Change) error {
			if n++; n == 2 {
				return enough
			}
			return nil
		})
		if err != enough || n != 2 {
			t.Errorf("got %v after %d changes, want its own error after 2", err, n)
		}
		if all, _ := changes(t, s, 0); len(all) != 3 {
			t.Errorf("the next stream has %d changes, want 3", len(all))
		}
	})
}

func TestConsumerMayTakeLongerThanACallMay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for i := range 3 {
			publish(t, s, publication(fmt.Sprintf("com.example.n%d", i), "1.0.0", protocol.Public, ""))
		}
		hurried := reopen(t, s, store.Options{URL: url, Timeout: time.Second})
		n := 0
		_, err := hurried.Changes(t.Context(), 0, func(store.Change) error {
			if n++; n == 2 {
				time.Sleep(1200 * time.Millisecond)
			}
			return nil
		})
		if err != nil || n != 3 {
			t.Errorf("got %d changes, %v; want 3", n, err)
		}
	})
}

// TestNoChangeIsMissed lets publishers in two stores (in one, where the database is not
// shared) race with readers that follow the changes. Each write takes one revision, so a
// reader whose mark moved by n has to have got n changes.
func TestNoChangeIsMissed(t *testing.T) {
	t.Parallel()
	const publishers, each = 4, 25
	storetest.Each(t, func(t *testing.T, url string) {
		stores := []*store.Store{open(t, url)}
		if stores[0].Shared() {
			stores = append(stores, open(t, url))
		}
		var writers, readers sync.WaitGroup
		done := make(chan struct{})
		for _, s := range stores {
			readers.Go(func() { follow(t, s, done, publishers*each) })
		}
		for i := range publishers {
			s := stores[i%len(stores)]
			writers.Go(func() {
				for n := range each {
					var err error
					if n%5 == 0 {
						err = s.CreateKey(t.Context(), key(fmt.Sprintf("k%d-%d", i, n)), store.Actor{})
					} else {
						_, err = s.Publish(t.Context(), publication(fmt.Sprintf("com.example.p%d-%d", i, n%7), fmt.Sprintf("1.%d.0", n), protocol.Public, ""))
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		writers.Wait()
		close(done)
		readers.Wait()
	})
}

// follow reads changes until done is closed, and once more.
func follow(t *testing.T, s *store.Store, done <-chan struct{}, total int) {
	seen := map[string]bool{}
	var mark store.Mark
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		revision, err := s.Revision(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		all, next, err := collect(t.Context(), s, mark.Revision)
		if err != nil {
			t.Error(err)
			return
		}
		if next.Revision < revision {
			t.Errorf("changes up to %d, after the revision was %d", next.Revision, revision)
		}
		if moved := next.Revision - mark.Revision; moved != int64(len(all)) {
			t.Errorf("from %d to %d there came %d changes: %q", mark.Revision, next.Revision, len(all), names(all))
		}
		for _, name := range names(all) {
			if seen[name] {
				t.Errorf("%s came twice", name)
			}
			seen[name] = true
		}
		mark = next
	}
	if len(seen) != total {
		t.Errorf("saw %d changes, want %d", len(seen), total)
	}
}
