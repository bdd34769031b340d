package store_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestURLThatCanNotBeUsedIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for address, want := range map[string]string{
		"":                                  "sqlite:PATH or postgres://",
		"skillregistry.db":                  "sqlite:PATH or postgres://",
		"mysql://root:hunter2@localhost/x":  "sqlite:PATH or postgres://",
		"sqlite:":                           "name a file",
		"sqlite::memory:":                   "name a file",
		"sqlite:///var/lib/x.db":            "without //",
		"sqlite:x.db?mode=memory":           "without options",
		"sqlite:" + folder:                  "not a file",
		"sqlite:" + folder + "/none/x.db":   "no folder " + folder + "/none",
		"postgres://u:hun/ter2@localhost/x": "has to be postgres://",
		"postgres://u:hun%ter2@localhost/x": "has to be postgres://",
		"postgres://u:hunter2@localhost:port/x?sslmode=never": "has to be postgres://",
	} {
		s, err := store.Open(t.Context(), store.Options{URL: address})
		if err == nil {
			_ = s.Close()
			t.Errorf("%q is taken", address)
			continue
		}
		if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") || strings.Contains(text, "ter2") {
			t.Errorf("%q: got %q, want one line with %q, without the secret", address, text, want)
		}
	}
}

func TestServerThatRefusesTheUserIsToldFromOneThatIsAway(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*url.URL)
		away   bool
	}{
		"wrong password":     {func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "hunter2") }, false},
		"no such database":   {func(u *url.URL) { u.Path = "/no_such_database" }, false},
		"unknown parameter":  {func(u *url.URL) { u.RawQuery += "&pool_max_conns=5" }, false},
		"nobody listens":     {func(u *url.URL) { u.Host = "127.0.0.1:1" }, true},
		"no such host":       {func(u *url.URL) { u.Host = "no-such-host.invalid:5432" }, true},
		"TLS is not offered": {func(u *url.URL) { u.RawQuery = "sslmode=require" }, true},
	} {
		u, err := url.Parse(storetest.PostgreSQL(t))
		if err != nil {
			t.Fatal(err)
		}
		secret, _ := u.User.Password()
		c.change(u)
		s, err := store.Open(t.Context(), store.Options{URL: u.String()})
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: it opens", name)
			continue
		}
		var away *store.UnavailableError
		if errors.As(err, &away) != c.away {
			t.Errorf("%s: got %v; that it may pass is said: %v, want %v", name, err, !c.away, c.away)
		}
		if text := err.Error(); strings.Contains(text, secret) || strings.Contains(text, "hunter2") || strings.Contains(text, "\n") {
			t.Errorf("%s: got %q, want one line without the secret", name, text)
		}
	}
}

func TestFileIsKeptFromOtherUsers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, "sqlite:"+filepath.Join(folder, "registry.db"))
	publish(t, s, publication("com.example.a", "1.0.0", protocol.Private, ""))
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", entry.Name(), info.Mode())
		}
	}
}

func TestFileNamesAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.db", "a%20b.db", "a#b.db", "a&b=c.db", "ключ.db", "no-extension"} {
		file := filepath.Join(t.TempDir(), name)
		s := open(t, "sqlite:"+file)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
		s = reopen(t, s, store.Options{URL: "sqlite:" + file})
		if all, _ := changes(t, s, 0); len(all) != 1 {
			t.Errorf("%q: %d versions after opening it again, want 1", name, len(all))
		}
	}
}

func TestSecondProcessIsRefusedUntilTheFirstIsGone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "registry.db")
	link := filepath.Join(folder, "link.db")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	first := start(t, "sqlite:"+file)
	for _, name := range []string{file, link} {
		_, err := store.Open(t.Context(), store.Options{URL: "sqlite:" + name})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "another process") || strings.Contains(err.Error(), "\n") {
			t.Errorf("beside the first process: got %v, want one line that names %s", err, name)
		}
	}
	first.kill()
	publish(t, open(t, "sqlite:"+file), publication("com.example.a", "1.0.0", protocol.Public, ""))
}

func TestStoreIsOpenedAgainAfterItWasClosed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		s = reopen(t, s, store.Options{URL: url})
		if r, err := s.Revision(t.Context()); err != nil || r != 1 {
			t.Errorf("revision: got %d, %v; want 1", r, err)
		}
		publish(t, s, publication("com.example.a", "2.0.0", protocol.Public, ""))
		if r, err := s.Revision(t.Context()); err != nil || r != 2 {
			t.Errorf("revision: got %d, %v; want 2", r, err)
		}
	})
}

func TestClosedStoreSaysSo(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Errorf("close, twice: %v", err)
		}
		for name, call := range calls(s) {
			var away *store.UnavailableError
			if err := call(t.Context()); !errors.As(err, &away) {
				t.Errorf("%s: got %v, want that the store is not available", name, err)
			}
		}
	})
}
