package store_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// noon is when tests publish, in a zone and with digits that must not come back.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("", 3600))

// open opens and migrates a store that is closed when the test ends.
func open(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if _, err := s.Migrate(t.Context(), nil); err != nil {
		t.Fatalf("migrate: %v", err)
	}
	return s
}

// document makes a document by hand: the store looks at nothing else of it.
func document(id, version string, a protocol.Access, content string) *protocol.Document {
	canonical := fmt.Appendf(nil, `{"access":%q,"content":%q,"id":%q,"version":%q}`, a, content, id, version)
	return &protocol.Document{
		Descriptor: protocol.Descriptor{ID: id, Version: version, Access: a},
		Canonical:  canonical,
		Digest:     fmt.Sprintf("sha256:%x", sha256.Sum256(canonical)),
	}
}

func publication(id, version string, a protocol.Access, content string) store.Publication {
	return store.Publication{Document: document(id, version, a, content), At: noon}
}

// publish publishes what has to be accepted as new.
func publish(t testing.TB, s *store.Store, p store.Publication) {
	t.Helper()
	got, err := s.Publish(t.Context(), p)
	if want := (store.Published{PublishedAt: round(p.At), Created: true}); err != nil || got != want {
		t.Fatalf("publish %s %s: got %+v, %v; want %+v", p.Document.Descriptor.ID, p.Document.Descriptor.Version, got, err, want)
	}
}

// changes returns all changes after a revision, and the mark.
func changes(t testing.TB, s *store.Store, after int64) ([]store.Change, store.Mark) {
	t.Helper()
	all, mark, err := collect(t.Context(), s, after)
	if err != nil {
		t.Fatalf("changes after %d: %v", after, err)
	}
	return all, mark
}

func collect(ctx context.Context, s *store.Store, after int64) (all []store.Change, mark store.Mark, err error) {
	mark, err = s.Changes(ctx, after, func(c store.Change) error {
		all = append(all, c)
		return nil
	})
	return all, mark, err
}

// events returns all events, each in words, read in pages.
func events(t testing.TB, s *store.Store) []string {
	t.Helper()
	told := []string{}
	for _, e := range walk(t, s, store.EventsQuery{Limit: 7}) {
		told = append(told, tell(e))
	}
	return told
}

// walk reads all events that a query asks for.
func walk(t testing.TB, s *store.Store, q store.EventsQuery) (all []store.Event) {
	t.Helper()
	for {
		page, last, err := s.Events(t.Context(), q)
		if err != nil {
			t.Fatalf("events after %d: %v", q.After, err)
		}
		if len(page) == 0 {
			return all
		}
		for _, e := range page {
			if e.Number <= q.After || e.Number > last {
				t.Fatalf("event %d comes after %d, of %d", e.Number, q.After, last)
			}
			q.After = e.Number
			all = append(all, e)
		}
	}
}

// tell says what an event is, but for its time and number.
func tell(e store.Event) string {
	words := []string{e.Actor.KeyID, e.Actor.Address, e.Actor.RequestID, string(e.Action), e.SkillID, e.Version, string(e.Status), e.KeyID, e.Code}
	if e.Requests != 1 {
		words = append(words, fmt.Sprint("×", e.Requests))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// wantEvents compares the audit log with what it has to say.
func wantEvents(t testing.TB, s *store.Store, want ...string) {
	t.Helper()
	if got := events(t, s); !slices.Equal(got, want) {
		t.Errorf("the audit log has\n%q, want\n%q", got, want)
	}
}

func key(id string) access.Key {
	return access.Key{
		ID: id, Name: "deploy — ключ", SecretHash: sha256.Sum256([]byte(id)),
		Scopes:     []access.Scope{access.Read, access.Publish},
		Namespaces: []access.Namespace{"com.example", "io"},
		CreatedAt:  noon, ExpiresAt: noon.Add(time.Hour),
	}
}

// round is a time as it has to come back.
func round(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// reopen closes a store and opens it in another way.
func reopen(t testing.TB, s *store.Store, o store.Options) *store.Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open again: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// calls are all calls of a store, each with arguments that it accepts.
func calls(s *store.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"ping":     s.Ping,
		"revision": func(ctx context.Context) error { _, err := s.Revision(ctx); return err },
		"changes":  func(ctx context.Context) error { _, _, err := collect(ctx, s, 0); return err },
		"publish": func(ctx context.Context) error {
			_, err := s.Publish(ctx, publication("com.example.called", "1.0.0", protocol.Public, ""))
			return err
		},
		"check": func(ctx context.Context) error {
			_, err := s.CheckPublish(ctx, publication("com.example.called", "1.0.0", protocol.Public, ""))
			return err
		},
		"set a status": func(ctx context.Context) error {
			return orMissing(s.SetStatus(ctx, store.StatusChange{SkillID: "com.example.none", Version: "1.0.0", Status: access.Yanked, At: noon}))
		},
		"delete": func(ctx context.Context) error {
			return orMissing(s.Delete(ctx, store.Deletion{SkillID: "com.example.none", At: noon}))
		},
		"attach files": func(ctx context.Context) error {
			_, err := s.AttachFiles(ctx, attachment("com.example.none", "1.0.0", ""))
			return orMissing(err)
		},
		"read files": func(ctx context.Context) error {
			var none *store.FilesNotFoundError
			if _, err := s.Archive(ctx, "com.example.none", "1.0.0"); !errors.As(err, &none) {
				return err
			}
			return nil
		},
		"events":       func(ctx context.Context) error { _, _, err := s.Events(ctx, store.EventsQuery{Limit: 1}); return err },
		"key uses":     func(ctx context.Context) error { _, err := s.KeyUses(ctx); return err },
		"create a key": func(ctx context.Context) error { return s.CreateKey(ctx, key("called"), store.Actor{}) },
		"revoke a key": func(ctx context.Context) error { return s.RevokeKey(ctx, "revocable", noon, store.Actor{}) },
		"migrate":      func(ctx context.Context) error { _, err := s.Migrate(ctx, nil); return err },
	}
}

// outside opens a database without a store.
func outside(t testing.TB, url string) *sql.DB {
	t.Helper()
	driver := "pgx"
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, url = "sqlite", file
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// orMissing is nil for a version that is not there: the store has answered.
func orMissing(err error) error {
	var missing *store.VersionNotFoundError
	if errors.As(err, &missing) {
		return nil
	}
	return err
}
