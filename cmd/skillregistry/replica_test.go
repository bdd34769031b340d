//go:build replicas && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// replica is one of several processes that serve the same registry.
type replica struct {
	*process
	url string
}

// startReplica starts a replica on a database, and waits until it serves.
func startReplica(t *testing.T, databaseURL string, args ...string) *replica {
	t.Helper()
	return startReplicaOf(t, os.Getenv(binaryVariable), databaseURL, args...)
}

// startReplicaOf starts a replica that is another build of the command.
func startReplicaOf(t *testing.T, binary, databaseURL string, args ...string) *replica {
	t.Helper()
	return awaitReplica(t, launchReplica(t, binary, databaseURL, append(args, "--admin-key", adminKey)...))
}

// launchReplica starts a replica and does not wait for it. All have the same base URL,
// as they have behind one balancer: their answers are the same, tags and all.
func launchReplica(t *testing.T, binary, databaseURL string, args ...string) *process {
	t.Helper()
	return startBinary(t, binary, nil, append([]string{
		"serve", "--addr", "127.0.0.1:0", "--base-url", "https://registry.example",
		"--database-url", databaseURL, "--rate-limit", "0",
	}, args...)...)
}

func awaitReplica(t *testing.T, p *process) *replica {
	t.Helper()
	return &replica{process: p, url: listeningURL(t, p.stderr)}
}

// answer is what a replica says to a request.
type answer struct {
	status int // 0 where there was no answer
	header http.Header
	body   []byte
	err    error
	took   time.Duration
}

// String is the answer, for a message.
func (a answer) String() string {
	if a.err != nil {
		return fmt.Sprintf("%v after %s", a.err, a.took)
	}
	return fmt.Sprintf("status %d, Age %q, after %s: %.200s", a.status, a.header.Get("Age"), a.took, a.body)
}

// answerLimit is the time after which no answer is one. Every wait in a registry is
// shorter.
const answerLimit = time.Minute

// ask sends a request. Header are names and values in turns.
func (r *replica) ask(ctx context.Context, client *http.Client, method, path string, body []byte, header ...string) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	began := time.Now()
	defer func() { a.took = time.Since(began) }()
	request, err := http.NewRequestWithContext(ctx, method, r.url+path, bytes.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for ; len(header) > 1; header = header[2:] {
		request.Header.Set(header[0], header[1])
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{err: err}
	}
	return answer{status: response.StatusCode, header: response.Header, body: text}
}

// get asks for a path as an anonymous caller.
func (r *replica) get(t *testing.T, path string) answer {
	t.Helper()
	return r.ask(t.Context(), http.DefaultClient, http.MethodGet, path, nil)
}

// publish publishes a document as administrator.
func (r *replica) publish(t *testing.T, document []byte) answer {
	t.Helper()
	return r.ask(t.Context(), http.DefaultClient, http.MethodPost, "/v1/skills", document, asAdmin()...)
}

func asAdmin() []string { return withKey(adminKey) }

func withKey(key string) []string { return []string{"Authorization", "Bearer " + key} }

// newKey makes a key that may read the private skills of a namespace.
func (r *replica) newKey(ctx context.Context, client *http.Client, namespace string) (id, key string, err error) {
	body := fmt.Sprintf(`{"name":"test","scopes":["read"],"namespaces":[%q]}`, namespace)
	a := r.ask(ctx, client, http.MethodPost, "/v1/keys", []byte(body), asAdmin()...)
	var made struct{ ID, Key string }
	if a.status != http.StatusCreated {
		return "", "", errors.New(a.String())
	}
	err = json.Unmarshal(a.body, &made)
	return made.ID, made.Key, err
}

// wantStatus fails the test unless the answer has a status.
func (a answer) wantStatus(t *testing.T, what string, want int) {
	t.Helper()
	if a.status != want {
		t.Errorf("%s: got %v; want status %d", what, a, want)
	}
}

// wantUnavailable fails the test unless the answer is that the store is away, in the
// form of all errors, with a time after which to try again.
func (a answer) wantUnavailable(t *testing.T, what string) {
	t.Helper()
	a.wantStatus(t, what, http.StatusServiceUnavailable)
	if seconds, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || seconds < 1 {
		t.Errorf("%s: got Retry-After %q, want seconds", what, a.header.Get("Retry-After"))
	}
	if a.header.Get("Age") != "" {
		t.Errorf("%s: got Age %q with an answer that says nothing", what, a.header.Get("Age"))
	}
	wantText(t, what, string(a.body), `"code":"ENDPOINT_UNREACHABLE"`, `"suggested_delay_ms":`)
}

// wantStale fails the test unless the answer comes from an old snapshot and says so: it
// is at least a second old, and no older than the limit.
func (a answer) wantStale(t *testing.T, what string, limit time.Duration) {
	t.Helper()
	a.wantStatus(t, what, http.StatusOK)
	age, err := strconv.Atoi(a.header.Get("Age"))
	if err != nil || age < 1 || time.Duration(age)*time.Second > limit {
		t.Errorf("%s: got Age %q, want seconds, 1 to %s", what, a.header.Get("Age"), limit)
	}
}

// eventually waits until a condition holds, and returns how long that took.
func eventually(t *testing.T, what string, limit time.Duration, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !holds() {
		if time.Since(began) > limit {
			t.Fatalf("%s: not within %s", what, limit)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return time.Since(began)
}
