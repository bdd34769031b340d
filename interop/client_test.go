package interop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// client is a program that finds skills and installs them, with folders of its own.
type client interface {
	// list returns the names of all skills at the address, with their descriptions where
	// the client shows them.
	list(t *testing.T, at string) map[string]string
	// install installs one skill, or all if the name is empty.
	install(t *testing.T, at, name string)
	// update brings what is installed up to date.
	update(t *testing.T, at string)
	// installed returns the files of each installed skill by the skill's name.
	installed(t *testing.T) map[string]map[string][]byte
	// keeps returns the files of a skill as the client lays them out.
	keeps(files map[string][]byte) map[string][]byte
	// describes reports whether list has descriptions.
	describes() bool
	// folder returns the folder below which everything is that the client writes.
	folder() string
}

// kind is a client that is led to a registry in one way.
type kind struct {
	start func(t *testing.T) client
	// at returns the address that the client is given; nil means the registry's.
	at func(t *testing.T, r *registry) string
}

// smallClients are those that are quick to install.
func smallClients() map[string]kind {
	return map[string]kind{
		"skills with 0.2.0": {start: startSkills},
		"skills with 0.1.0": {startSkills, func(t *testing.T, r *registry) string { return r.without(t, "/.well-known/agent-skills/") }},
	}
}

// withEach runs a test with each of the clients, and each with a registry of its own that
// has the skills.
func withEach(t *testing.T, clients map[string]kind, skills []skill, test func(t *testing.T, r *registry, c client, at string)) {
	t.Helper()
	for name, kind := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startRegistry(t)
			r.publish(t, skills...)
			at := r.url
			if kind.at != nil {
				at = kind.at(t, r)
			}
			test(t, r, kind.start(t), at)
		})
	}
}

// patience is how long a command of a client may take.
const patience = 90 * time.Second

// home is where a client runs: a home and a working folder of its own, and nobody to talk
// to but this machine.
type home struct {
	dir, work string
	// outside is the file with the hosts that the client wanted to reach elsewhere.
	outside string
	environ []string
}

func newHome(t *testing.T, environ ...string) *home {
	t.Helper()
	dir := t.TempDir()
	h := &home{dir: dir, work: filepath.Join(dir, "work"), outside: filepath.Join(dir, "outside")}
	for _, folder := range []string{"work", "tmp", ".claude"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	guard, err := filepath.Abs("loopback.cjs")
	if err != nil {
		t.Fatal(err)
	}
	proxy := h.startProxy(t)
	h.environ = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"),
		"NO_COLOR=1", "DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1",
		"OUTSIDE=" + h.outside, "NODE_OPTIONS=--require=" + guard,
		"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "http_proxy=" + proxy, "https_proxy=" + proxy,
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1",
	}, environ...)
	return h
}

func (h *home) folder() string { return h.dir }

// startProxy starts a proxy that leads nowhere and writes down where to it was asked. What
// is not Node.js has no loopback.cjs, but goes by the proxies of its environment.
func (h *home) startProxy(t *testing.T) string {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		file, err := os.OpenFile(h.outside, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			fmt.Fprintln(file, r.Host)
			err = file.Close()
		}
		if err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// try runs a command in the client's working folder and returns what it printed, without
// what only colours it.
func (h *home) try(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	// What is written to a pipe is lost where a client ends before it is read.
	stdout, err := os.CreateTemp(filepath.Join(h.dir, "tmp"), "stdout")
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.work, h.environ, stdout, &stderr
	if err = cmd.Run(); ctx.Err() != nil {
		err = fmt.Errorf("it took longer than %v", patience)
	} else if err != nil {
		err = fmt.Errorf("%w\n%s", err, &stderr)
	}
	output, readErr := os.ReadFile(stdout.Name())
	if readErr != nil {
		t.Fatal(readErr)
	}
	return regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`).ReplaceAllString(string(output), ""), err
}

// run is try for a command that has to succeed, and to leave the rest of the world alone.
func (h *home) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	output, err := h.try(t, name, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
	if hosts, err := os.ReadFile(h.outside); err == nil {
		t.Errorf("%s wanted to reach\n%s", strings.Join(args, " "), hosts)
	}
	return output
}

// folders returns the files below each folder of a folder but those that have one of the
// names, and nothing if there is no such folder.
func folders(t *testing.T, root string, but ...string) map[string]map[string][]byte {
	t.Helper()
	found := make(map[string]map[string][]byte)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		for _, name := range but {
			if entry.Name() == name {
				return nil
			}
		}
		within, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder, file, _ := strings.Cut(filepath.ToSlash(within), "/")
		if found[folder] == nil {
			found[folder] = make(map[string][]byte)
		}
		found[folder][file], err = os.ReadFile(path)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}
