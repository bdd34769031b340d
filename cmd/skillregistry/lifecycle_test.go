package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestAVersionIsDeprecatedYankedActivatedAndDeleted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		for _, version := range []string{"1.0.0", "1.1.0"} {
			wantStatus(t, call(t, r.as(adminKey), valid("com.example.a", version), "publish", "-"), statusOK)
		}
		for _, step := range []struct {
			args            []string
			stdout, latest  string
			statusAndReason string
		}{
			{[]string{"yank", "com.example.a", "1.1.0", "--reason", "It is wrong."}, "com.example.a 1.1.0: yanked\n", "1.0.0", "yanked It is wrong."},
			{[]string{"deprecate", "com.example.a", "1.1.0", "--reason", "Use 2.0.0."}, "com.example.a 1.1.0: deprecated\n", "1.1.0", "deprecated Use 2.0.0."},
			{[]string{"activate", "com.example.a", "1.1.0"}, "com.example.a 1.1.0: active\n", "1.1.0", "active "},
		} {
			got := call(t, r.as(adminKey), "", step.args...)
			wantStatus(t, got, statusOK)
			if got.stdout != step.stdout {
				t.Errorf("%v: got %q, want %q", step.args, got.stdout, step.stdout)
			}
			wantText(t, "latest after "+step.args[0], call(t, r.as(""), "", "get", "com.example.a").stdout, `"version": "`+step.latest+`"`)
			versions := lines[client.Version](t, call(t, r.as(""), "", "get", "com.example.a", "--versions", "--json").stdout)
			if got := versions[0].Status + " " + versions[0].Reason; got != step.statusAndReason {
				t.Errorf("%v: got %q in the list of versions, want %q", step.args, got, step.statusAndReason)
			}
		}
		wantStatus(t, call(t, r.as(adminKey), "", "yank", "com.example.a", "1.1.0", "--reason", "It is wrong."), statusOK)
		wantText(t, "table", call(t, r.as(""), "", "get", "com.example.a", "--versions").stdout, "REASON", "It is wrong.")

		asked := call(t, r.as(adminKey), "", "delete", "com.example.a", "1.1.0")
		wantStatus(t, asked, statusUsage)
		wantOneLine(t, "stderr", asked.stderr, "deletes com.example.a 1.1.0 for good", "--yes")
		wantStatus(t, call(t, r.as(""), "", "get", "com.example.a", "1.1.0"), statusOK)
		gone := call(t, r.as(adminKey), "", "delete", "com.example.a", "1.1.0", "--yes")
		wantStatus(t, gone, statusOK)
		wantOneLine(t, "stdout", gone.stdout, "com.example.a 1.1.0: deleted")
		wantStatus(t, call(t, r.as(""), "", "get", "com.example.a", "1.1.0"), statusFailed)
		wantStatus(t, call(t, r.as(""), "", "get", "com.example.a", "1.0.0"), statusOK)
		wantStatus(t, call(t, r.as(adminKey), "", "delete", "com.example.a", "--yes"), statusOK)
		wantStatus(t, call(t, r.as(""), "", "get", "com.example.a"), statusFailed)
		again := call(t, r.as(adminKey), valid("com.example.a", "1.0.0"), "publish", "-")
		wantStatus(t, again, statusFailed)
		wantText(t, "stderr", again.stderr, "was published and deleted")
	})
}

func TestALifecycleThatCanNotBeIsRefused(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	wantStatus(t, call(t, r.as(adminKey), valid("com.example.a", "1.0.0"), "publish", "-"), statusOK)
	for _, c := range []struct {
		name   string
		key    string
		args   []string
		status int
		want   string
	}{
		{"no version", adminKey, []string{"yank", "com.example.a"}, statusUsage, "an ID and a VERSION"},
		{"an empty version", adminKey, []string{"yank", "com.example.a", ""}, statusUsage, "empty"},
		{"an empty version to delete", adminKey, []string{"delete", "com.example.a", "", "--yes"}, statusUsage, "empty"},
		{"nothing to delete", adminKey, []string{"delete", "--yes"}, statusUsage, "an ID"},
		{"too much", adminKey, []string{"deprecate", "a", "b", "c"}, statusUsage, "one too many"},
		{"a version that does not exist", adminKey, []string{"deprecate", "com.example.a", "2.0.0"}, statusFailed, "SKILL_NOT_FOUND"},
		{"a skill that does not exist", adminKey, []string{"delete", "com.example.b", "--yes"}, statusFailed, "SKILL_NOT_FOUND"},
		{"a reason with a line break", adminKey, []string{"yank", "com.example.a", "1.0.0", "--reason", "a\nb"}, statusFailed, "/reason"},
		{"no key", "", []string{"yank", "com.example.a", "1.0.0"}, statusFailed, "AUTH_REQUIRED"},
		{"no key to delete with", "", []string{"delete", "com.example.a", "--yes"}, statusFailed, "AUTH_REQUIRED"},
		{"a cursor that is none", "", []string{"changes", "--after", "nonsense"}, statusFailed, "INVALID_QUERY"},
		{"an argument of changes", "", []string{"changes", "com.example.a"}, statusUsage, "no arguments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := call(t, r.as(c.key), "", c.args...)
			wantStatus(t, got, c.status)
			wantOneLine(t, "stderr", got.stderr, "skillregistry: ", c.want)
			if got.stdout != "" {
				t.Errorf("stdout: got %q, want nothing", got.stdout)
			}
		})
	}
}

func TestChangesAreLinesThatEndWithACursor(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	changes := func(args ...string) string {
		t.Helper()
		got := call(t, r.as(""), "", append([]string{"changes"}, args...)...)
		wantStatus(t, got, statusOK)
		return got.stdout
	}
	if got := changes(); got != "{\"cursor\":\"p0\"}\n" {
		t.Errorf("of an empty registry: got %q", got)
	}
	for _, id := range []string{"com.example.a", "com.example.b"} {
		wantStatus(t, call(t, r.as(adminKey), valid(id, "1.0.0"), "publish", "-"), statusOK)
	}
	all := changes()
	if !regexp.MustCompile(`^\{"id":"com.example.a","entry":\{.*\}\}\n\{"id":"com.example.b","entry":\{.*\}\}\n\{"cursor":"p2"\}\n$`).MatchString(all) {
		t.Errorf("of two skills: got\n%s", all)
	}
	wantStatus(t, call(t, r.as(adminKey), "", "delete", "com.example.a", "--yes"), statusOK)
	if got, want := changes("--after", "p2"), "{\"id\":\"com.example.a\",\"removed\":true}\n{\"cursor\":\"p3\"}\n"; got != want {
		t.Errorf("of a deletion: got\n%s, want\n%s", got, want)
	}
	for _, after := range []string{"now", "p3"} {
		if got := changes("--after", after); got != "{\"cursor\":\"p3\"}\n" {
			t.Errorf("after %s: got %q", after, got)
		}
	}
}

// following starts "changes --follow" as a process, and waits for its first cursor.
func following(t *testing.T, url string) *process {
	t.Helper()
	p := start(t, []string{"SKILLREGISTRY_URL=" + url}, "changes", "--follow", "--after", "now")
	p.stdout.waitFor(t, regexp.MustCompile(`\{"cursor":"p\d+"\}\n`))
	return p
}

func TestFollowingPrintsWhatHappensUntilItIsStopped(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	p := following(t, r.url)
	wantStatus(t, call(t, r.as(adminKey), valid("com.example.a", "1.0.0"), "publish", "-"), statusOK)
	p.stdout.waitFor(t, regexp.MustCompile(`\{"id":"com.example.a","entry":\{.*\}\}\n\{"cursor":"p1"\}\n`))
	wantStatus(t, call(t, r.as(adminKey), "", "yank", "com.example.a", "1.0.0"), statusOK)
	p.stdout.waitFor(t, regexp.MustCompile(`\{"id":"com.example.a","removed":true\}\n\{"cursor":"p2"\}\n$`))
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusOK)
	if got := p.stderr.String(); got != "" {
		t.Errorf("stderr: got %q, want nothing", got)
	}
}

// A held answer must not hold up the stop: it goes out at once.
func TestAHeldAnswerDoesNotHoldUpTheStop(t *testing.T) {
	t.Parallel()
	p, addr := serving(t, "--database-url", storetest.SQLite(t), "--shutdown-timeout", "20s")
	held := make([]*bufio.Reader, 3)
	for i := range held {
		connection, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprintf(connection, "GET /v1/changes?after=now&wait=60s HTTP/1.1\r\nHost: %s\r\n\r\n", addr)
		held[i] = bufio.NewReader(connection)
	}
	time.Sleep(500 * time.Millisecond) // for the requests to be held
	stopped := time.Now()
	p.signal(t, syscall.SIGTERM)
	for _, answers := range held {
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Changes []any
			Cursor  string
		}
		if err := json.NewDecoder(answer.Body).Decode(&body); err != nil || answer.StatusCode != http.StatusOK || len(body.Changes) > 0 || body.Cursor != "p0" {
			t.Errorf("a held request: got status %d, %+v and error %v, want 200, no changes and the cursor p0", answer.StatusCode, body, err)
		}
	}
	p.wantEnd(t, statusOK)
	if took := time.Since(stopped); took > 10*time.Second {
		t.Errorf("the stop took %s with answers held for a minute", took)
	}
}
