package interop

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const adminKey = "the-admin-key-of-these-tests-0123456789"

// registry is the registry's binary, running on loopback with a SQLite file of its own.
type registry struct{ url string }

func startRegistry(t *testing.T) *registry {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Getenv(binaryVariable), "serve",
		"--addr", "127.0.0.1:0", "--admin-key", adminKey, "--rate-limit", "0",
		"--database-url", "sqlite:"+filepath.Join(dir, "skills.db"))
	cmd.Dir = dir
	log := &firstMatch{pattern: regexp.MustCompile(`msg=listening addr=(\S+) `), found: make(chan string, 1)}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the registry ended with %v", err)
		}
	})
	select {
	case addr := <-log.found:
		return &registry{"http://" + addr}
	case <-time.After(time.Minute):
		t.Fatalf("the registry does not listen:\n%s", log.text())
		return nil
	}
}

// firstMatch waits for a line in what is written to it.
type firstMatch struct {
	pattern *regexp.Regexp
	found   chan string
	mu      sync.Mutex
	written bytes.Buffer
	done    bool
}

func (f *firstMatch) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written.Write(p)
	if match := f.pattern.FindSubmatch(f.written.Bytes()); match != nil && !f.done {
		f.done = true
		f.found <- string(match[1])
	}
	return len(p), nil
}

func (f *firstMatch) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.written.String()
}

// skill is a descriptor to publish.
type skill struct {
	id, version, access string
	// text is its description and, as far as a name may be long, its name.
	text string
	// auth is its way of authentication; empty means that it needs none.
	auth string
}

func (s skill) descriptor() map[string]any {
	auth := map[string]any{"type": "none"}
	switch s.auth {
	case "api_key", "custom":
		auth = map[string]any{"type": s.auth, "description": s.text}
	case "oauth2":
		auth = map[string]any{"type": s.auth, "oauth2": map[string]any{
			"authorization_url": "https://id.example.com/authorize", "token_url": "https://id.example.com/token",
			"scopes": map[string]string{"read": s.text},
		}}
	}
	return map[string]any{
		"protocol": map[string]any{"version": "1.0.0"},
		"id":       s.id, "version": s.version, "access": s.access,
		"name": title(s.text), "description": s.text, "capability_type": "api",
		"provider": map[string]any{"name": "Example Corp"},
		"endpoint": map[string]any{"url": "https://api.example.com/" + s.id},
		"inputs": []any{map[string]any{
			"name": "word", "type": "string", "required": true, "description": s.text,
		}},
		"output": map[string]any{"type": "string"},
		"auth":   auth,
	}
}

// title returns a name of a skill, one line of up to 200 characters, from a text.
func title(text string) string {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	return string(letters[:min(len(letters), 200)])
}

func (r *registry) publish(t *testing.T, skills ...skill) {
	t.Helper()
	for _, s := range skills {
		r.change(t, http.MethodPost, "/v1/skills", s.descriptor())
	}
}

// change makes a change as the administrator.
func (r *registry) change(t *testing.T, method, path string, body any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r.send(t, method, path, "application/json", text)
}

// attach gives a version files of its own.
func (r *registry) attach(t *testing.T, id, version string, files map[string]string) {
	t.Helper()
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	for name, content := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600})
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	r.send(t, http.MethodPost, "/v1/skills/"+id+"/versions/"+version+"/files", "application/gzip", archive.Bytes())
}

// send makes a request as the administrator.
func (r *registry) send(t *testing.T, method, path, contentType string, body []byte) {
	t.Helper()
	req, err := http.NewRequest(method, r.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+adminKey)
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		answer, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s %s %.500q: %s %s", method, path, body, resp.Status, answer)
	}
}

// without returns the address of a proxy of the registry that has nothing below the path:
// what a client that knows it makes of a server that does not.
func (r *registry) without(t *testing.T, path string) string {
	t.Helper()
	target, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasPrefix(req.URL.Path, path) {
			http.NotFound(w, req)
			return
		}
		proxy.ServeHTTP(w, req)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
