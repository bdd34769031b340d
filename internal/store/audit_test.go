package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// someone is an actor with all that an actor has.
var someone = store.Actor{KeyID: "who", Address: "2001:db8::1", RequestID: "r1"}

func TestEachWriteLeavesOneEvent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		if _, err := s.Migrate(t.Context(), func() (access.Key, error) { return key("first"), nil }); err != nil {
			t.Fatal(err)
		}
		p := publication("com.example.a", "1.0.0", protocol.Private, "x")
		p.By = someone
		other := publication("com.example.a", "1.0.0", protocol.Private, "y")
		other.By = someone
		status := store.StatusChange{SkillID: "com.example.a", Version: "1.0.0", Status: access.Deprecated, Reason: "old", At: noon, By: someone}
		deletion := store.Deletion{SkillID: "com.example.a", At: noon, By: someone}
		nowhere := store.Deletion{SkillID: "com.example.none", At: noon, By: someone}
		_, checked := s.CheckPublish(t.Context(), p)
		publish(t, s, p)
		_, again := s.Publish(t.Context(), p)
		_, taken := s.Publish(t.Context(), other)
		var exists *store.VersionExistsError
		var missing *store.VersionNotFoundError
		if !errors.As(taken, &exists) {
			t.Errorf("other content: got %v", taken)
		}
		err := errors.Join(checked, again,
			s.SetStatus(t.Context(), status), s.SetStatus(t.Context(), status),
			s.CreateKey(t.Context(), key("k"), someone), s.RevokeKey(t.Context(), "k", noon, someone), s.RevokeKey(t.Context(), "k", noon, someone),
			attach(t, s, attachment("com.example.a", "1.0.0", "")))
		if err != nil {
			t.Fatal(err)
		}
		publish(t, s, publication("com.example.a", "2.0.0", protocol.Private, "x"))
		if err := s.Delete(t.Context(), deletion); err != nil {
			t.Fatal(err)
		}
		for _, d := range []store.Deletion{deletion, nowhere} {
			if err := s.Delete(t.Context(), d); !errors.As(err, &missing) {
				t.Errorf("delete %s: got %v, want that there is nothing", d.SkillID, err)
			}
		}
		const by = "who 2001:db8::1 r1 "
		wantEvents(t, s, "server create_key first", by+"publish com.example.a 1.0.0", by+"set_status com.example.a 1.0.0 deprecated",
			by+"create_key k", by+"revoke_key k", by+"attach_files com.example.a 1.0.0", "publish com.example.a 2.0.0", by+"delete com.example.a")
		for _, e := range walk(t, s, store.EventsQuery{Limit: 100}) {
			if !e.At.Equal(round(noon)) {
				t.Errorf("%s was at %v, want %v", tell(e), e.At, round(noon))
			}
		}
	})
}

// TestNothingIsDoneThatCanNotBeAudited takes the audit log away: a write and its event are
// there together, or neither is.
func TestNothingIsDoneThatCanNotBeAudited(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		if err := s.CreateKey(t.Context(), key("k"), someone); err != nil {
			t.Fatal(err)
		}
		before, mark := changes(t, s, 0)
		if _, err := outside(t, url).ExecContext(t.Context(), `alter table audit rename to elsewhere`); err != nil {
			t.Fatal(err)
		}
		_, published := s.Publish(t.Context(), publication("com.example.b", "1.0.0", protocol.Public, ""))
		for what, err := range map[string]error{
			"publish":      published,
			"set a status": s.SetStatus(t.Context(), store.StatusChange{SkillID: "com.example.a", Version: "1.0.0", Status: access.Yanked, At: noon}),
			"attach files": attach(t, s, attachment("com.example.a", "1.0.0", "")),
			"delete":       s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", At: noon}),
			"create a key": s.CreateKey(t.Context(), key("l"), someone),
			"revoke a key": s.RevokeKey(t.Context(), "k", noon, someone),
		} {
			if err == nil {
				t.Errorf("%s without an audit log: got no error", what)
			}
		}
		if after, now := changes(t, s, 0); len(after) != len(before) || now != mark {
			t.Errorf("got %q up to %+v, want %q up to %+v as before", names(after), now, names(before), mark)
		}
	})
}

func TestEventsOfAKeyAreItsDeedsAndItsFate(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, id := range []string{"a", "b"} {
			p := publication("com.example."+id, "1.0.0", protocol.Public, "")
			p.By.KeyID = id
			if err := s.CreateKey(t.Context(), key(id), store.Actor{KeyID: "root"}); err != nil {
				t.Fatal(err)
			}
			publish(t, s, p)
		}
		for query, want := range map[store.EventsQuery][]string{
			{KeyID: "a"}:                           {"root create_key a", "a publish com.example.a 1.0.0"},
			{KeyID: "root"}:                        {"root create_key a", "root create_key b"},
			{SkillID: "com.example.b"}:             {"b publish com.example.b 1.0.0"},
			{KeyID: "a", SkillID: "com.example.b"}: {},
			{KeyID: "a\x00"}:                       {},
			{SkillID: "\xff"}:                      {},
			{KeyID: "' or '' = '"}:                 {},
		} {
			query.Limit = 1
			got := []string{}
			for _, e := range walk(t, s, query) {
				got = append(got, tell(e))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: got %q, want %q", query, got, want)
			}
		}
	})
}

// TestNoEventIsMissed walks the audit log while two stores (one, where the database is
// not shared) write and refuse: each event comes once, in one order.
func TestNoEventIsMissed(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 25
	storetest.Each(t, func(t *testing.T, url string) {
		stores := []*store.Store{open(t, url)}
		if stores[0].Shared() {
			stores = append(stores, open(t, url))
		}
		var writing, reading sync.WaitGroup
		done := make(chan struct{})
		for _, s := range stores {
			reading.Go(func() { followEvents(t, s, done, writers*each) })
		}
		for i := range writers {
			s := stores[i%len(stores)]
			writing.Go(func() {
				for n := range each {
					name := fmt.Sprintf("w%d-%d", i, n)
					if n%3 == 0 {
						s.Refuse(refusal(name, "NO"))
					} else if _, err := s.Publish(t.Context(), publication("com.example."+name, "1.0.0", protocol.Public, "")); err != nil {
						t.Error(err)
					}
				}
			})
		}
		writing.Wait()
		for _, s := range stores {
			events(t, s) // stores what was refused
		}
		close(done)
		reading.Wait()
	})
}

// followEvents reads events until done is closed, and once more.
func followEvents(t *testing.T, s *store.Store, done <-chan struct{}, total int) {
	seen := map[string]bool{}
	var after int64
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		for more := true; more; {
			page, _, err := s.Events(t.Context(), store.EventsQuery{After: after, Limit: 3})
			if err != nil {
				t.Error(err)
				return
			}
			for _, e := range page {
				if text := tell(e); seen[text] || e.Number <= after {
					t.Errorf("%s came twice, or out of order", text)
				}
				seen[tell(e)], after = true, e.Number
			}
			more = len(page) > 0
		}
	}
	if len(seen) != total {
		t.Errorf("saw %d events, want %d", len(seen), total)
	}
}

func TestEventsOfADatabaseThatHadNone(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		page, last, err := s.Events(t.Context(), store.EventsQuery{After: 5, Limit: 10})
		if len(page) != 0 || last != 0 || err != nil {
			t.Errorf("got %v of %d, %v; want none of none", page, last, err)
		}
	})
}

// refusal is one of a publication.
func refusal(actor, code string) store.Event {
	return store.Event{At: time.Now(), Actor: store.Actor{KeyID: actor}, Action: store.ActionPublish, SkillID: "com.example.r", Code: code}
}
