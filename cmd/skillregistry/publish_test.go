package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// valid is a valid descriptor.
func valid(id, version string) string {
	return string(protocoltest.Valid(id, version, "public", "api"))
}

// lines decodes one JSON object a line.
func lines[T any](t *testing.T, text string) []T {
	t.Helper()
	var values []T
	for line := range strings.Lines(text) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		values = append(values, v)
	}
	return values
}

func TestPublishGoesOnAfterARefusedFileAndSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		dir := t.TempDir()
		good := write(t, dir, "a.json", valid("com.example.a", "1.0.0"))
		bad := write(t, dir, "b.json", `{"protocol":{"version":"1.0.0"},"id":"B","inputs":[{"name":"x/y","type":"tool"}]}`)
		broken := write(t, dir, "c.json", "{")
		future := write(t, dir, "d.json", `{"protocol":{"version":"2.0.0"}}`)
		taken := write(t, dir, "e.json", strings.Replace(valid("com.example.a", "1.0.0"), `"public"`, `"restricted"`, 1))
		large := write(t, dir, "f.json", strings.Repeat(" ", 1<<20)+"{}")
		last := write(t, dir, "sub/g.json", valid("com.example.g", "1.0.0"))

		got := call(t, r.as(adminKey), "", "publish", dir)
		wantStatus(t, got, statusFailed)
		wantText(t, "stdout", got.stdout, good+": published com.example.a 1.0.0\n", last+": published com.example.g 1.0.0\n")
		wantText(t, "stderr", got.stderr,
			bad+":1:38: expected ", "(/id)\n", bad+":1:73: expected ", "(/inputs/0/type)\n", bad+":1:1: expected ", "(/name)\n", "(/access)\n",
			broken+":1:2: not valid JSON", future+":1:24: the document is written in protocol 2.0.0",
			taken+":1:", "published with other content", large+": larger than 1MiB\n",
			"7 files: 2 published, 5 refused\n")

		// Offline, it is the same words: what needs no registry to be seen.
		offline := call(t, nil, "", "validate", bad, broken, future, large)
		wantStatus(t, offline, statusFailed)
		complaints := strings.SplitAfter(strings.TrimSuffix(offline.stderr, "4 files: 4 refused\n"), "\n")
		if len(complaints) < 10 {
			t.Errorf("validate: got %d lines, want 10 or more:\n%s", len(complaints), offline.stderr)
		}
		wantText(t, "stderr of publish", got.stderr, complaints...)

		again := call(t, r.as(adminKey), "", "publish", good, last)
		wantStatus(t, again, statusOK)
		wantText(t, "stdout", again.stdout, good+": unchanged com.example.a 1.0.0\n", last+": unchanged com.example.g 1.0.0\n")
		wantText(t, "stderr", again.stderr, "2 files: 2 unchanged\n")
	})
}

func TestPublishAsJSONHasOneObjectForEachFile(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	good := write(t, dir, "a.json", valid("com.example.a", "1.0.0"))
	bad := write(t, dir, "b.json", strings.Replace(valid("com.example.b", "1.0.0"), `"api"`, `"tool"`, 1))
	got := call(t, r.as(adminKey), "", "publish", "--json", good, bad)
	wantStatus(t, got, statusFailed)
	outcomes := lines[outcome](t, got.stdout)
	if len(outcomes) != 2 {
		t.Fatalf("got %d outcomes, want 2:\n%s", len(outcomes), got.stdout)
	}
	a, b := outcomes[0], outcomes[1]
	if a.File != good || a.Result != "published" || a.ID != "com.example.a" || a.Version != "1.0.0" ||
		!strings.HasPrefix(a.Digest, "sha256:") || a.DescriptorURL != r.url+"/v1/skills/com.example.a/versions/1.0.0" || a.PublishedAt.IsZero() || a.Error != nil {
		t.Errorf("a good file: got %+v", a)
	}
	if b.File != bad || b.Result != "refused" || b.Error == nil || b.Error.Code != "VALIDATION_ERROR" ||
		len(b.Error.Violations) != 1 || b.Error.Violations[0].Field != "/capability_type" {
		t.Errorf("a bad file: got %+v", b)
	}
	if got.stderr != "" {
		t.Errorf("stderr: got %q, want nothing", got.stderr)
	}
}

func TestADryRunStoresNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		file := write(t, t.TempDir(), "a.json", valid("com.example.a", "1.0.0"))
		got := call(t, r.as(adminKey), "", "publish", "--dry-run", file)
		wantStatus(t, got, statusOK)
		wantText(t, "stdout", got.stdout, file+": accepted com.example.a 1.0.0\n")
		wantStatus(t, call(t, r.as(adminKey), "", "get", "com.example.a"), statusFailed)
		// The key's rights are checked, too.
		wantStatus(t, call(t, r.as(""), "", "publish", "--dry-run", file), statusFailed)
	})
}

func TestPublishReadsStandardInput(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	got := call(t, r.as(adminKey), valid("com.example.piped", "1.0.0"), "publish", "-")
	wantStatus(t, got, statusOK)
	wantText(t, "stdout", got.stdout, "-: published com.example.piped 1.0.0\n")
	got = call(t, r.as(adminKey), "", "publish", "-")
	wantStatus(t, got, statusFailed)
	wantText(t, "stderr", got.stderr, "-:1:1: not valid JSON")
}

func TestPublishShowsWarnings(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	odd := strings.Replace(valid("com.example.odd", "1.0.0"), `"public"`, `"restricted"`, 1)
	file := write(t, t.TempDir(), "odd.json", odd)
	for _, args := range [][]string{{"publish", file}, {"validate", file}} {
		got := call(t, r.as(adminKey), "", args...)
		wantStatus(t, got, statusOK)
		wantText(t, "stderr", got.stderr, file+":1:", ": warning: ", "(/")
	}
	wantStatus(t, call(t, r.as(adminKey), valid("com.example.odd", "0.9.0"), "publish", "-"), statusOK)
}

func TestTheExitStatusOfPublishTellsWhatHappened(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	a, b := write(t, dir, "a.json", valid("com.example.a", "1.0.0")), write(t, dir, "b.json", valid("com.example.b", "1.0.0"))
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	away := "http://" + nobody.Addr().String()
	nobody.Close()
	strange := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(strange.Close) // after the subtests, which run in parallel
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		status  int
		want    string
	}{
		{"a file that is not there", r.as(adminKey), []string{a, dir + "/none.json"}, statusUsage, "none.json: no such file"},
		{"a folder without descriptors", r.as(adminKey), []string{t.TempDir()}, statusUsage, "no *.json file"},
		{"no file at all", r.as(adminKey), nil, statusUsage, "needs a FILE"},
		{"a registry's address that is none", []string{"SKILLREGISTRY_URL=skills"}, []string{a}, statusUsage, `SKILLREGISTRY_URL "skills"`},
		{"a key with a line break", r.as("a\nb"), []string{a}, statusUsage, "characters that no key has"},
		{"a key that is not valid", r.as("skr_wrong"), []string{a, b}, statusFailed, "2 files: 1 refused, 1 not tried"},
		{"no key", r.as(""), []string{a}, statusFailed, "needs a key that is valid"},
		{"nobody at the address", []string{"SKILLREGISTRY_URL=" + away}, []string{a, b}, statusUnreachable, "can't be reached (4 attempts)"},
		{"something else at the address", []string{"SKILLREGISTRY_URL=" + strange.URL}, []string{a}, statusUnreachable, "not the answer of a skill registry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := call(t, c.environ, "", append([]string{"publish"}, c.args...)...)
			wantStatus(t, got, c.status)
			wantText(t, "stderr", got.stderr, c.want)
		})
	}
}

func TestProgressIsShownOnATerminalForManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range manyFiles {
		write(t, dir, string(rune('a'+i))+".json", valid("com.example.a", "1.0.0"))
	}
	write(t, dir, "z.json", "{")
	for _, terminal := range []bool{true, false} {
		stdout, stderr := newOutput(), newOutput()
		p := testProgram(stdout, stderr)
		p.terminal = terminal
		if got := p.run(t.Context(), []string{"validate", dir}); got != statusFailed {
			t.Errorf("got exit status %d, want 1", got)
		}
		if got := strings.Contains(stderr.String(), "\r\x1b[K[1/21] "+filepath.Join(dir, "a.json")[:10]); got != terminal {
			t.Errorf("on a terminal: %t; progress shown: %t; stderr: %q", terminal, got, stderr)
		}
		if strings.Contains(stdout.String(), "\x1b") || strings.HasSuffix(stderr.String(), "[K") {
			t.Errorf("progress is where it does not belong: %q, %q", stdout, stderr)
		}
	}
}

func TestTextFromElsewhereCanNotPlayWithTheTerminal(t *testing.T) {
	t.Parallel()
	file := write(t, t.TempDir(), "a.json", strings.Replace(valid("com.example.a", "1.0.0"), `"api"`, `"\u001b[31mred\u202e"`, 1))
	got := call(t, nil, "", "validate", file)
	wantStatus(t, got, statusFailed)
	if strings.ContainsAny(got.stderr, "\x1b\u202e") {
		t.Errorf("stderr: got %q, want no control characters", got.stderr)
	}
	// A registry that is none of ours may send anything.
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"skills":[{"id":"com.example.a","version":"1.0.0","capability_type":"api","access":"public","name":"\u001b[31mred\u202e"}]}`))
	}))
	defer registry.Close()
	listed := call(t, []string{"SKILLREGISTRY_URL=" + registry.URL}, "", "list")
	wantText(t, "list", listed.stdout, "com.example.a")
	if strings.ContainsAny(listed.stdout, "\x1b\u202e") {
		t.Errorf("list: got %q, want no control characters", listed.stdout)
	}
}

func TestPublishBreaksCallersOnlyWhenItIsToldTo(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--breaking-changes", "refuse")
	dir := t.TempDir()
	tree := protocoltest.Tree("com.example.a", "1.1.0", "public", "api")
	tree["inputs"] = []any{map[string]any{"name": "new", "type": "string", "required": true}}
	broken, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, call(t, r.as(adminKey), valid("com.example.a", "1.0.0"), "publish", "-"), statusOK)
	file := write(t, dir, "a.json", string(broken))
	refused := call(t, r.as(adminKey), "", "publish", file)
	wantStatus(t, refused, statusFailed)
	wantText(t, "stderr", refused.stderr+refused.stdout, "/inputs/0/required", "1.0.0")
	wantStatus(t, call(t, r.as(adminKey), "", "publish", file, "--allow-breaking", "--dry-run"), statusOK)
	wantStatus(t, call(t, r.as(adminKey), "", "publish", file, "--allow-breaking"), statusOK)
}
