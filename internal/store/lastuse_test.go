package store_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// second is noon to the second, as the last use of a key is kept.
var second = noon.UTC().Truncate(time.Second)

func wantUses(t *testing.T, s *store.Store, want map[string]time.Time) {
	t.Helper()
	got, err := s.KeyUses(t.Context())
	if err != nil || !maps.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("last uses: got %v, %v; want %v", got, err, want)
	}
}

func TestLastUseOfAKeyTakesNoRevision(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, id := range []string{"a", "b"} {
			if err := s.CreateKey(t.Context(), key(id), store.Actor{}); err != nil {
				t.Fatal(err)
			}
		}
		_, before := changes(t, s, 0)
		wantUses(t, s, nil)
		s.UseKey("a", noon)
		s.UseKey("a", noon.Add(time.Minute))
		want := map[string]time.Time{"a": second.Add(time.Minute)}
		wantUses(t, s, want)
		var stored int
		if err := s.Writer().QueryRowContext(t.Context(), `select count(*) from keys where last_used_at is not null`).Scan(&stored); err != nil || stored != 0 {
			t.Errorf("%d keys are written to at once, %v; want none", stored, err)
		}
		s = reopen(t, s, store.Options{URL: url})
		wantUses(t, s, want)
		if _, after := changes(t, s, 0); after != before {
			t.Errorf("the mark went from %+v to %+v", before, after)
		}
		wantEvents(t, s, "create_key a", "create_key b")
	})
}

func TestGreatestLastUseOfAKeyWins(t *testing.T) {
	t.Parallel()
	url := storetest.PostgreSQL(t)
	early, late := open(t, url), open(t, url)
	if err := early.CreateKey(t.Context(), key("k"), store.Actor{}); err != nil {
		t.Fatal(err)
	}
	early.UseKey("k", noon)
	late.UseKey("k", noon.Add(time.Hour))
	want := map[string]time.Time{"k": second.Add(time.Hour)}
	late = reopen(t, late, store.Options{URL: url})
	wantUses(t, early, want)
	reopen(t, early, store.Options{URL: url})
	wantUses(t, late, want)
}

func TestLastUsesOfManyKeysAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	want := map[string]time.Time{}
	var using sync.WaitGroup
	for i := range 50 {
		id := fmt.Sprint("k", i)
		want[id] = second
		for range 4 {
			using.Go(func() { s.UseKey(id, noon) })
		}
	}
	using.Wait()
	wantUses(t, s, want)
}
