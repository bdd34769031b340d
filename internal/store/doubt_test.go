package store_test

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// The connection breaks at the commit, so that the store can't know its outcome.

func TestCommitWhoseConnectionBreaksIsAnsweredByWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]commitFault{"before it was carried out": requestLost, "after it was carried out": answerLost} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newProxy(t, storetest.PostgreSQL(t))
			s := open(t, server.url)
			broken := func() { server.atCommit(func() commitFault { return fault }) }

			broken()
			var once sync.Once
			stored, err := s.Migrate(t.Context(), func() (access.Key, error) {
				once.Do(broken) // it broke for the migrations already
				return key("first"), nil
			})
			if err != nil || !stored {
				t.Errorf("first key: got %v, %v; want it stored", stored, err)
			}
			broken()
			publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
			broken()
			if err := s.CreateKey(t.Context(), key("k"), store.Actor{}); err != nil {
				t.Errorf("create a key: %v", err)
			}
			broken()
			if err := s.RevokeKey(t.Context(), "k", noon, store.Actor{}); err != nil {
				t.Errorf("revoke a key: %v", err)
			}
			publish(t, s, publication("com.example.a", "2.0.0", protocol.Public, ""))
			broken()
			if err := s.SetStatus(t.Context(), store.StatusChange{SkillID: "com.example.a", Version: "1.0.0", Status: access.Yanked, At: noon}); err != nil {
				t.Errorf("set a status: %v", err)
			}
			broken()
			if err := attach(t, s, attachment("com.example.a", "1.0.0", "")); err != nil {
				t.Errorf("attach files: %v", err)
			}
			broken()
			if err := s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", Version: "2.0.0", At: noon}); err != nil {
				t.Errorf("delete: %v", err)
			}
			if all, mark := changes(t, s, 0); len(all) != 4 || mark != (store.Mark{Revision: 8, PublicRevision: 5}) {
				t.Errorf("got %q up to %+v, want each once", names(all), mark)
			}
			broken()
			s.Refuse(refusal("k", "NO"))
			wantEvents(t, s, "server create_key first", "publish com.example.a 1.0.0", "create_key k", "revoke_key k",
				"publish com.example.a 2.0.0", "set_status com.example.a 1.0.0 yanked", tell(store.Event{Actor: someone, Action: store.ActionAttachFiles, SkillID: "com.example.a", Version: "1.0.0", Requests: 1}), "delete com.example.a 2.0.0",
				"k publish com.example.r NO")
		})
	}
}

func TestPublisherThatLeavesWhileTheCommitBreaks(t *testing.T) {
	t.Parallel()
	t.Run("before it was carried out", func(t *testing.T) {
		t.Parallel()
		server := newProxy(t, storetest.PostgreSQL(t))
		s := open(t, server.url)
		ctx, leave := context.WithCancel(t.Context())
		server.atCommit(func() commitFault { leave(); return requestLost })
		if _, err := s.Publish(ctx, publication("com.example.a", "1.0.0", protocol.Public, "")); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the context's error", err)
		}
		if all, mark := changes(t, s, 0); len(all) != 0 || mark.Revision != 0 {
			t.Errorf("got %q up to %+v, want nothing", names(all), mark)
		}
		wantEvents(t, s)
	})
	t.Run("after it was carried out", func(t *testing.T) {
		t.Parallel()
		server := newProxy(t, storetest.PostgreSQL(t))
		s := open(t, server.url)
		ctx, leave := context.WithCancel(t.Context())
		server.atCommit(func() commitFault { leave(); return answerLost })
		publishAs(ctx, t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
	})
	t.Run("with a commit that goes well", func(t *testing.T) {
		t.Parallel()
		server := newProxy(t, storetest.PostgreSQL(t))
		s := open(t, server.url)
		ctx, leave := context.WithCancel(t.Context())
		server.atCommit(func() commitFault { leave(); return commitPasses })
		publishAs(ctx, t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
	})
}

func TestCommitWhoseOutcomeStaysUnknownIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]commitFault{"before it was carried out": requestLost, "after it was carried out": answerLost} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newProxy(t, storetest.PostgreSQL(t))
			s := open(t, server.url)
			server.atCommit(func() commitFault { server.refuse(); return fault })
			p := publication("com.example.a", "1.0.0", protocol.Public, "")
			var away *store.UnavailableError
			if _, err := s.Publish(t.Context(), p); !errors.As(err, &away) {
				t.Fatalf("got %v, want that the store is not available", err)
			}
			server.setDown(false)
			got, err := s.Publish(t.Context(), p)
			if want := (store.Published{PublishedAt: round(noon), Created: fault == requestLost}); err != nil || got != want {
				t.Errorf("the same again: got %+v, %v; want %+v", got, err, want)
			}
			wantEvents(t, s, "publish com.example.a 1.0.0")
		})
	}
}

// TestAnotherPublisherWhileTheCommitBreaks has someone else publish the same version
// before the first publisher can look what became of its own.
func TestAnotherPublisherWhileTheCommitBreaks(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"the same content": "x", "other content": "y"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			direct := storetest.PostgreSQL(t)
			server := newProxy(t, direct)
			application := "rival with " + name
			s, rival := open(t, server.url), open(t, direct+"&application_name="+url.PathEscape(application))
			later := publication("com.example.a", "1.0.0", protocol.Public, content)
			later.At, later.By.KeyID = noon.AddDate(0, 0, 1), "rival"
			var done sync.WaitGroup
			defer done.Wait()
			server.atCommit(func() commitFault {
				// The lock is still the first publisher's: the rival gets it when the
				// connection is cut, which this function is about to do.
				done.Go(func() { publish(t, rival, later) })
				waitForLock(t, rival, application)
				return requestLost
			})
			got, err := s.Publish(t.Context(), publication("com.example.a", "1.0.0", protocol.Public, "x"))
			var exists *store.VersionExistsError
			switch {
			case content != "x" && !errors.As(err, &exists):
				t.Errorf("got %+v, %v; want that the version is taken", got, err)
			case content == "x" && (err != nil || got.Created || !got.PublishedAt.Equal(round(later.At))):
				t.Errorf("got %+v, %v; want that it is there already, since %v", got, err, round(later.At))
			}
			wantEvents(t, s, "rival publish com.example.a 1.0.0")
		})
	}
}

func publishAs(ctx context.Context, t *testing.T, s *store.Store, p store.Publication) {
	t.Helper()
	if got, err := s.Publish(ctx, p); err != nil || !got.Created {
		t.Errorf("got %+v, %v; want it created", got, err)
	}
	if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
		t.Errorf("got %q up to %+v, want it once", names(all), mark)
	}
	wantEvents(t, s, "publish com.example.a 1.0.0")
}

// waitForLock waits until an application waits for a lock.
func waitForLock(t *testing.T, s *store.Store, application string) {
	t.Helper()
	for range 500 {
		var waits bool
		err := s.Writer().QueryRowContext(t.Context(), `select exists (select 1 from pg_stat_activity
			where application_name = $1 and wait_event_type = 'Lock')`, application).Scan(&waits)
		if err != nil {
			t.Error(err)
			return
		}
		if waits {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("nobody waits for the lock")
}
