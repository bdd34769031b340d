package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// adminKey is what the registries of these tests are configured with.
const adminKey = "an-admin-key-of-the-tests-0123456789"

// testProgram is the command as main makes it, but for an empty environment and stdin
// and a patience that a test can wait for.
func testProgram(stdout, stderr io.Writer) program {
	return program{
		stdin: strings.NewReader(""), stdout: stdout, stderr: stderr,
		now: time.Now, random: rand.Reader, patience: 500 * time.Millisecond,
	}
}

// outcomeOf is what one run of the command did.
type outcomeOf struct {
	status         int
	stdout, stderr string
}

// call runs the command to its end.
func call(t *testing.T, environ []string, stdin string, args ...string) outcomeOf {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := testProgram(&stdout, &stderr)
	p.environ, p.stdin = environ, strings.NewReader(stdin)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status := p.run(ctx, args)
	return outcomeOf{status, stdout.String(), stderr.String()}
}

// registry is a registry that runs in this process.
type registry struct {
	url    string
	stdout *output
	stderr *output
	stop   func() int
}

// as is the environment of a caller of the registry.
func (r *registry) as(key string) []string {
	return []string{"SKILLREGISTRY_URL=" + r.url, "SKILLREGISTRY_KEY=" + key}
}

// boot starts "skillregistry serve" on a free port, as it is, and waits until it
// listens. It is stopped at the end of the test.
func boot(t *testing.T, environ []string, args ...string) *registry {
	t.Helper()
	r := &registry{stdout: newOutput(), stderr: newOutput()}
	p := testProgram(r.stdout, r.stderr)
	p.environ, p.patience = environ, 10*time.Second
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() { ended <- p.run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)) }()
	r.stop = sync.OnceValue(func() int {
		cancel()
		select {
		case status := <-ended:
			return status
		case <-time.After(30 * time.Second):
			t.Error("serve did not stop within 30 seconds")
			return -1
		}
	})
	t.Cleanup(func() { r.stop() })
	r.url = listeningURL(t, r.stderr)
	return r
}

// listeningURL waits for the line that says where the registry listens.
func listeningURL(t *testing.T, stderr *output) string {
	t.Helper()
	line := stderr.waitFor(t, regexp.MustCompile(`msg=listening addr=(\S+) `))
	return "http://" + line[1]
}

// bootOn starts a registry on a new SQLite file, with the tests' admin key and no rate
// limit.
func bootOn(t *testing.T, databaseURL string, args ...string) *registry {
	t.Helper()
	return boot(t, nil, append([]string{
		"--database-url", databaseURL, "--admin-key", adminKey, "--rate-limit", "0",
	}, args...)...)
}

// output is what a running command writes, to be read meanwhile.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{} // closed and replaced when there is more
}

func newOutput() *output { return &output{grown: make(chan struct{})} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.grown)
	o.grown = make(chan struct{})
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// waitFor returns the first match in what was written, and fails the test when there
// is none in time.
func (o *output) waitFor(t *testing.T, pattern *regexp.Regexp) []string {
	t.Helper()
	limit := time.After(30 * time.Second)
	for {
		o.mu.Lock()
		text, grown := o.text.String(), o.grown
		o.mu.Unlock()
		if match := pattern.FindStringSubmatch(text); match != nil {
			return match
		}
		select {
		case <-grown:
		case <-limit:
			t.Fatalf("nothing like %s in:\n%s", pattern, text)
		}
	}
}

// wantStatus fails the test unless the command ended with a status.
func wantStatus(t *testing.T, got outcomeOf, want int) {
	t.Helper()
	if got.status != want {
		t.Errorf("got exit status %d, want %d; stdout:\n%s\nstderr:\n%s", got.status, want, got.stdout, got.stderr)
	}
}

// wantText fails the test unless text has everything that is wanted.
func wantText(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s: got %q, want %q in it", what, text, want)
		}
	}
}

// wantOneLine fails the test unless text is one line with everything that is wanted.
func wantOneLine(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		t.Errorf("%s: got %q, want one line", what, text)
	}
	wantText(t, what, text, wanted...)
}
