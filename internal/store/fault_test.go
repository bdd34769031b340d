package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestCallOfACallerThatIsGoneReturnsItsError(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancelLate()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		if err := s.CreateKey(t.Context(), key("revocable"), store.Actor{}); err != nil {
			t.Fatal(err)
		}
		for name, call := range calls(s) {
			if name == "revision" && !s.Shared() {
				continue // it is answered from memory
			}
			for ctx, want := range map[context.Context]error{gone: context.Canceled, late: context.DeadlineExceeded} {
				var away *store.UnavailableError
				if err := call(ctx); !errors.Is(err, want) || errors.As(err, &away) {
					t.Errorf("%s: got %v, want %v and no more", name, err, want)
				}
			}
		}
		if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
			t.Errorf("got %q up to %+v, want the first key alone", names(all), mark)
		}
	})
}

// TestCallersThatLeaveInTheMiddle cancels publications at all sorts of moments: each is
// there if it was answered, is not there if it was not, and breaks nothing.
func TestCallersThatLeaveInTheMiddle(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		answered := map[string]bool{}
		var mu sync.Mutex
		var callers sync.WaitGroup
		for i := range 4 {
			callers.Go(func() {
				for n := range 20 {
					id := fmt.Sprintf("com.example.c%d-%d", i, n)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*500*time.Microsecond)
					_, err := s.Publish(ctx, publication(id, "1.0.0", protocol.Public, ""))
					cancel()
					if err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%s: %v", id, err)
					}
					mu.Lock()
					answered[id+" 1.0.0"] = err == nil
					mu.Unlock()
				}
			})
		}
		callers.Wait()
		all, mark := changes(t, s, 0)
		for _, name := range names(all) {
			if !answered[name] {
				t.Errorf("%s was refused and is there", name)
			}
			delete(answered, name)
		}
		for name, ok := range answered {
			if ok {
				t.Errorf("%s was answered and is not there", name)
			}
		}
		if mark.Revision != int64(len(all)) {
			t.Errorf("%d versions up to revision %d", len(all), mark.Revision)
		}
		if got := events(t, s); len(got) != len(all) {
			t.Errorf("%d events of %d versions: %q", len(got), len(all), got)
		}
		if r, err := s.Revision(t.Context()); err != nil || r != mark.Revision {
			t.Errorf("revision: got %d, %v; want %d", r, err, mark.Revision)
		}
		publish(t, s, publication("com.example.after", "1.0.0", protocol.Public, ""))
	})
}

func TestFullDiskIsUnavailableUntilThereIsRoom(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
	var pages int
	if err := s.Writer().QueryRowContext(t.Context(), `pragma page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	big := publication("com.example.big", "1.0.0", protocol.Public, strings.Repeat("x", 1<<20))
	for range 3 {
		// The setting is the connection's, and a store may well give up one that failed.
		execute(t, s.Writer(), fmt.Sprintf(`pragma max_page_count = %d`, pages))
		var away *store.UnavailableError
		if _, err := s.Publish(t.Context(), big); !errors.As(err, &away) || !strings.Contains(err.Error(), "full") {
			t.Errorf("without room: got %v, want that the store is not available", err)
		}
	}
	if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
		t.Errorf("got %q up to %+v, want the first version alone", names(all), mark)
	}
	execute(t, s.Writer(), `pragma max_page_count = 4294967294`)
	publish(t, s, big)
	if r, err := s.Revision(t.Context()); err != nil || r != 2 {
		t.Errorf("revision: got %d, %v; want 2", r, err)
	}
	wantEvents(t, s, "publish com.example.a 1.0.0", "publish com.example.big 1.0.0")
}

func TestFileThatCanNotBeWrittenIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		// Root writes to what is read-only, so the folder has to be none that holds files.
		_, err := store.Open(t.Context(), store.Options{URL: "sqlite:/proc/registry.db"})
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one line", err)
		}
		return
	}
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), store.Options{URL: "sqlite:" + folder + "/registry.db"})
	if err == nil || !strings.Contains(err.Error(), folder) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line that names %s", err, folder)
	}
}

// TestServerThatDropsConnections ends all connections of a store, as a restart does,
// before each call: the calls go through.
func TestServerThatDropsConnections(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	const application = "dropped connections"
	s := open(t, database+"&application_name="+url.PathEscape(application))
	if err := s.CreateKey(t.Context(), key("revocable"), store.Actor{}); err != nil {
		t.Fatal(err)
	}
	killer := open(t, database)
	round := 0
	for name, call := range calls(s) {
		round++
		var busy sync.WaitGroup
		for i := range 8 {
			busy.Go(func() {
				version := fmt.Sprintf("%d.0.%d", round, i)
				if _, err := s.Publish(t.Context(), publication("com.example.busy", version, protocol.Public, "")); err != nil {
					t.Error(err)
				}
				if err := s.Ping(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		busy.Wait()
		execute(t, killer.Writer(), `select pg_terminate_backend(pid, 5000) from pg_stat_activity
			where application_name = $1`, application)
		if err := call(t.Context()); err != nil {
			t.Errorf("%s, after its connections were ended: %v", name, err)
		}
	}
}

// TestServerThatIsAway is about a server that can't be reached, and comes back.
func TestServerThatIsAway(t *testing.T) {
	t.Parallel()
	server := newProxy(t, storetest.PostgreSQL(t))
	s := open(t, server.url)
	publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
	if err := s.CreateKey(t.Context(), key("revocable"), store.Actor{}); err != nil {
		t.Fatal(err)
	}
	server.setDown(true)
	for name, call := range calls(s) {
		start := time.Now()
		var away *store.UnavailableError
		if err := call(t.Context()); !errors.As(err, &away) {
			t.Errorf("%s: got %v, want that the store is not available", name, err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s took %v to say so", name, took)
		}
	}
	server.setDown(false)
	if all, mark := changes(t, s, 0); len(all) != 2 || mark.Revision != 2 {
		t.Errorf("got %q up to %+v, want what was there before", names(all), mark)
	}
	for name, call := range calls(s) {
		if err := call(t.Context()); err != nil {
			t.Errorf("%s, when the server is back: %v", name, err)
		}
	}
}

// TestServerThatDoesNotAnswer is about a server that keeps its connections and is silent.
func TestServerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	server := newProxy(t, storetest.PostgreSQL(t))
	s := open(t, server.url)
	if err := s.CreateKey(t.Context(), key("revocable"), store.Actor{}); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s, store.Options{URL: server.url, Timeout: time.Second})
	for name, call := range calls(s) {
		if name == "migrate" {
			continue // its caller says how long to wait
		}
		await(t, s)
		resume := server.pause()
		start := time.Now()
		var away *store.UnavailableError
		if err := call(t.Context()); !errors.As(err, &away) {
			t.Errorf("%s: got %v, want that the store is not available", name, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v to say so", name, took)
		}
		resume()
	}
	await(t, s)
	for name, call := range calls(s) {
		if err := call(t.Context()); err != nil {
			t.Errorf("%s, when the server answers again: %v", name, err)
		}
	}
}

// await waits until a store answers that gives up fast, on a machine that may be slow.
func await(t *testing.T, s *store.Store) {
	t.Helper()
	for range 20 {
		if s.Ping(t.Context()) == nil {
			return
		}
	}
	t.Fatal("the store does not answer")
}
