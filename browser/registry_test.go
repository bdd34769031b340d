package browser

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

const adminKey = "the-admin-key-of-these-tests-0123456789"

// registry is the registry's binary, running on loopback with a SQLite file of its own.
type registry struct{ url string }

func startRegistry(t *testing.T, skills ...map[string]any) *registry {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(shared.binary, "serve", "--addr", "127.0.0.1:0", "--admin-key", adminKey, "--rate-limit", "0",
		"--provider-name", "Example Corp", "--database-url", "sqlite:"+filepath.Join(dir, "skills.db"))
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
		r := &registry{"http://" + addr}
		for _, s := range skills {
			r.send(t, "POST", "/v1/skills", s)
		}
		return r
	case <-time.After(time.Minute):
		t.Fatal("the registry does not listen")
		return nil
	}
}

// send makes a request as the administrator, and returns the answer.
func (r *registry) send(t *testing.T, method, path string, body any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(method, r.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+adminKey)
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s %s %s: %s %s (error %v)", method, path, text, answer.Status, got, err)
	}
	var said map[string]any
	_ = json.Unmarshal(got, &said)
	return said
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

// skill returns a descriptor with the members that are given.
func skill(id, version string, members map[string]any) map[string]any {
	d := map[string]any{
		"protocol": map[string]any{"version": "1.0.0"}, "id": id, "version": version, "name": "Skill " + id, "access": "public",
		"description": "Says something.", "capability_type": "api", "provider": map[string]any{"name": "Example Corp"},
		"endpoint": map[string]any{"url": "https://api.example.com/x"}, "inputs": []any{}, "output": map[string]any{"type": "string"},
		"auth": map[string]any{"type": "none"},
	}
	for name, value := range members {
		d[name] = value
	}
	return d
}

// forecast is a skill like those that people publish, invoked at an address.
func forecast(address, version string, members map[string]any) map[string]any {
	d := skill("com.example.weather.forecast", version, map[string]any{
		"name": "Weather forecast", "tags": []string{"weather", "maps"},
		"description":       "The weather of the next days for a place: temperature, rain and wind for each hour, from several models, with how sure they are.",
		"documentation_url": "https://docs.example.com/forecast",
		"provider":          map[string]any{"name": "Example Corp", "url": "https://example.com"},
		"endpoint":          map[string]any{"url": address},
		"auth":              map[string]any{"type": "api_key", "header": "X-Weather-Key", "description": "A key is free: ask for one at the provider's page."},
		"inputs": []any{
			map[string]any{"name": "place", "type": "object", "required": true, "description": "Where it is.", "schema": map[string]any{
				"type": "object", "required": []string{"latitude", "longitude"}, "properties": map[string]any{
					"latitude":  map[string]any{"type": "number", "minimum": -90, "maximum": 90, "description": "Degrees north.", "examples": []any{52.5}},
					"longitude": map[string]any{"type": "number", "minimum": -180, "maximum": 180, "description": "Degrees east.", "examples": []any{13.4}},
				},
			}},
			map[string]any{"name": "units", "type": "string", "enum": []string{"metric", "imperial"}, "default": "metric", "description": "What the numbers are in."},
			map[string]any{"name": "days", "type": "integer", "default": 3, "description": "How many days."},
		},
		"output": map[string]any{"type": "object", "description": "One item for each hour.", "content_type": "application/json", "schema": map[string]any{
			"type": "object", "required": []string{"hours"}, "properties": map[string]any{
				"hours": map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": map[string]any{
					"at": map[string]any{"type": "string", "format": "date-time"}, "celsius": map[string]any{"type": "number"}, "rain": map[string]any{"type": "number", "description": "Millimetres."},
				}}},
			},
		}},
	})
	for name, value := range members {
		d[name] = value
	}
	return d
}
