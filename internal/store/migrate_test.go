package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestStoresThatMigrateAtOnceStoreOneFirstKey(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		first, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer first.Close()
		var stored atomic.Int32
		var calls sync.WaitGroup
		for i := range 8 {
			calls.Go(func() {
				s := first
				if first.Shared() {
					own, err := store.Open(t.Context(), store.Options{URL: url})
					if err != nil {
						t.Error(err)
						return
					}
					defer own.Close()
					s = own
				}
				ok, err := s.Migrate(t.Context(), func() (access.Key, error) { return key(fmt.Sprint("k", i)), nil })
				if err != nil {
					t.Error(err)
				}
				if ok {
					stored.Add(1)
				}
			})
		}
		calls.Wait()
		if all, mark := changes(t, first, 0); stored.Load() != 1 || len(all) != 1 || mark != (store.Mark{Revision: 1}) {
			t.Errorf("%d say that they stored a key, and there is %q up to %+v; want one", stored.Load(), names(all), mark)
		}
	})
}

func TestFirstKeyIsOnlyForAnEmptyStore(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(*testing.T, *store.Store){
		"a skill": func(t *testing.T, s *store.Store) {
			publish(t, s, publication("com.example.a", "1.0.0", protocol.Private, ""))
		},
		"a revoked key": func(t *testing.T, s *store.Store) {
			if err := errors.Join(s.CreateKey(t.Context(), key("k"), store.Actor{}), s.RevokeKey(t.Context(), "k", noon, store.Actor{})); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				s := open(t, url)
				fill(t, s)
				stored, err := s.Migrate(t.Context(), func() (access.Key, error) {
					t.Error("a first key is made")
					return key("first"), nil
				})
				if stored || err != nil {
					t.Errorf("got %v, %v; want no key stored", stored, err)
				}
			})
		})
	}
}

func TestFirstKeyThatCanNotBeMadeStopsTheStart(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		broken := errors.New("no randomness")
		stored, err := s.Migrate(t.Context(), func() (access.Key, error) { return access.Key{}, broken })
		if stored || !errors.Is(err, broken) {
			t.Errorf("got %v, %v; want its error", stored, err)
		}
		if stored, err := s.Migrate(t.Context(), func() (access.Key, error) { return key("k"), nil }); !stored || err != nil {
			t.Errorf("the next start: got %v, %v; want a key stored", stored, err)
		}
	})
}

func TestDatabaseOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ statement, want string }{
		"a changed migration": {
			`update migrations set sha256 = 'other' where name = '0001_registry.sql'`,
			"laid out by another 0001_registry.sql",
		},
		"a newer version of the program": {
			`insert into migrations (name, sha256, applied_at) values ('9999_later.sql', 'x', 'x')`,
			"migrated by a newer version of this program (it has 9999_later.sql)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				s := open(t, url)
				execute(t, s.Writer(), c.statement)
				_, err := s.Migrate(t.Context(), nil)
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v, want one line with %q", err, c.want)
				}
				var away *store.UnavailableError
				if errors.As(err, &away) {
					t.Error("it is said that trying again may help")
				}
			})
		})
	}
}

func TestMigrationThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		execute(t, s.Writer(), `create table keys (in_the_way text)`)
		if _, err := s.Migrate(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "0001_registry.sql") {
			t.Errorf("got %v, want an error that names the migration", err)
		}
		execute(t, s.Writer(), `drop table keys`)
		if _, err := s.Migrate(t.Context(), nil); err != nil {
			t.Errorf("again, without what was in the way: %v", err)
		}
	})
}

func execute(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
