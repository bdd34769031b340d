package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestTheFirstKeyIsPrintedOnceAndWorks(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		first := boot(t, nil, "--database-url", url)
		key := first.stdout.waitFor(t, regexp.MustCompile(`skr_[a-z2-7]{64}`))[0]
		wantText(t, "stdout", first.stdout.String(), "shown this once", "SKILLREGISTRY_KEY="+key, "SKILLREGISTRY_URL="+first.url)
		wantStatus(t, call(t, first.as(key), "", "keys", "list"), statusOK)
		if status := first.stop(); status != statusOK {
			t.Errorf("got exit status %d, want 0", status)
		}
		if strings.Contains(first.stderr.String(), key) {
			t.Errorf("the log has the key in it:\n%s", first.stderr)
		}

		second := boot(t, nil, "--database-url", url)
		if got := second.stdout.String(); got != "" {
			t.Errorf("stdout of the second start: got %q, want nothing", got)
		}
		wantStatus(t, call(t, second.as(key), "", "keys", "list"), statusOK)
	})
}

func TestNoKeyIsMadeWhereOneIsConfigured(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		if got := r.stdout.String(); got != "" {
			t.Errorf("stdout: got %q, want nothing", got)
		}
		got := call(t, r.as(adminKey), "", "keys", "list", "--json")
		wantStatus(t, got, statusOK)
		if got.stdout != "" {
			t.Errorf("keys: got %q, want none stored", got.stdout)
		}
		r.stop()
		// With neither keys nor skills the store is still empty: the way in is not lost.
		wantText(t, "stdout of a start without it", boot(t, nil, "--database-url", url).stdout.String(), "shown this once")
	})
}

func TestAFolderIsPublishedAtEachStart(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		first := bootOn(t, url, "--publish-dir", "../../examples")
		wantText(t, "log", first.stderr.String(), "msg=published", "files=12 new=12")
		got := call(t, first.as(""), "", "list", "--json")
		if n := strings.Count(got.stdout, "\n"); n != 11 {
			t.Errorf("list: got %d skills, want the 11 examples that are not private:\n%s", n, got.stdout)
		}
		got = call(t, first.as(adminKey), "", "list", "--json")
		if n := strings.Count(got.stdout, "\n"); n != 12 {
			t.Errorf("list as admin: got %d skills, want all 12 examples:\n%s", n, got.stdout)
		}
		first.stop()
		second := bootOn(t, url, "--publish-dir", "../../examples")
		wantText(t, "log of the second start", second.stderr.String(), "files=12 new=0")
	})
}

func TestAFolderWithRefusedFilesStopsTheStart(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		dir := t.TempDir()
		good := protocoltest.Valid("com.example.good", "1.0.0", "public", "api")
		write(t, dir, "a/good.json", string(good))
		write(t, dir, "b.json", `{"protocol":{"version":"1.0.0"},"id":"com.example.bad","name":""}`)
		write(t, dir, "c.json", `{"a":1,"a":2}`)
		write(t, dir, "d.json", strings.Repeat(" ", 1<<20)+"{}")
		write(t, dir, "e.json", `{"protocol":{"version":"2.0.0"}}`)
		write(t, dir, "notes.txt", "not a descriptor")
		write(t, dir, ".hidden/f.json", "not a descriptor")
		args := []string{"serve", "--addr", "127.0.0.1:0", "--database-url", url, "--admin-key", adminKey, "--log-level", "error", "--publish-dir", dir}
		got := call(t, nil, "", args...)
		wantStatus(t, got, statusFailed)
		wantText(t, "stderr", got.stderr,
			filepath.Join(dir, "b.json")+":1:63: expected ", "(/name)",
			filepath.Join(dir, "b.json")+":1:1: expected ", "(/endpoint)",
			"(/version)",
			filepath.Join(dir, "c.json")+":1:8: not valid JSON",
			filepath.Join(dir, "d.json")+": larger than 1MiB",
			filepath.Join(dir, "e.json")+":1:24: the document is written in protocol 2.0.0, and this registry reads 1.x.x",
			"skillregistry: --publish-dir", "4 of 5 files refused")
		if strings.Contains(got.stderr, "good.json") || strings.Contains(got.stderr, ".hidden") {
			t.Errorf("stderr: got a complaint about a file that is none:\n%s", got.stderr)
		}

		// Nothing was stored by half: the next start, with the folder in order, is the first.
		for _, file := range []string{"b.json", "c.json", "d.json", "e.json"} {
			if err := os.Remove(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
		}
		r := bootOn(t, url, "--publish-dir", dir)
		wantText(t, "log", r.stderr.String(), "files=1 new=1")
		r.stop()

		// What is published does not change: other content under the same version is refused.
		write(t, dir, "a/good.json", strings.Replace(string(good), "com.example.good", "com.example.other", 1))
		write(t, dir, "z.json", strings.Replace(string(good), `"public"`, `"private"`, 1))
		got = call(t, nil, "", args...)
		wantStatus(t, got, statusFailed)
		wantText(t, "stderr", got.stderr, "z.json:1:", ": com.example.good 1.0.0 is published with other content", "1 of 2 files refused")
		if err := os.Remove(filepath.Join(dir, "z.json")); err != nil {
			t.Fatal(err)
		}
		wantText(t, "log", bootOn(t, url, "--publish-dir", dir).stderr.String(), "files=1 new=1")
	})
}

func TestAFirstStartThatIsRefusedMakesNoKey(t *testing.T) {
	t.Parallel()
	good := string(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	for name, bad := range map[string]string{
		"a file that is refused":              `{}`,
		"files that contradict one another":   strings.Replace(good, `"public"`, `"private"`, 1),
		"files that differ in the build part": strings.Replace(good, `"version":"1.0.0"`, `"version":"1.0.0+b"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				dir := t.TempDir()
				write(t, dir, "a.json", good)
				write(t, dir, "b.json", bad)
				got := call(t, nil, "", "serve", "--addr", "127.0.0.1:0", "--database-url", url, "--publish-dir", dir)
				wantStatus(t, got, statusFailed)
				wantText(t, "stderr", got.stderr, "1 of 2 files refused")
				if got.stdout != "" {
					t.Errorf("stdout: got %q, want no key, which would be lost with the start", got.stdout)
				}
				if err := os.Remove(filepath.Join(dir, "b.json")); err != nil {
					t.Fatal(err)
				}
				next := boot(t, nil, "--database-url", url, "--publish-dir", dir)
				wantText(t, "stdout of the next start", next.stdout.String(), "shown this once")
				wantText(t, "log of the next start", next.stderr.String(), "files=1 new=1")
			})
		})
	}
}

func TestARegistryThatNobodyCanAdministerSaysSo(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		const warning = "no admin key is valid"
		first := boot(t, nil, "--database-url", url)
		key := first.stdout.waitFor(t, regexp.MustCompile(`skr_[a-z2-7]{64}`))[0]
		id := strings.Fields(call(t, first.as(key), "", "keys", "list", "--json").stdout)[0]
		id = regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(id)[1]
		first.stop()
		second := boot(t, nil, "--database-url", url)
		wantStatus(t, call(t, second.as(key), "", "keys", "revoke", id), statusOK)
		second.stop()
		if log := first.stderr.String() + second.stderr.String(); strings.Contains(log, warning) {
			t.Errorf("log: got a warning while there is a key:\n%s", log)
		}
		wantText(t, "log without a key", boot(t, nil, "--database-url", url).stderr.String(), "level=WARN", warning)
	})
}

func TestTwoFilesOfAFolderThatContradictEachOtherStopTheStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.json", string(protocoltest.Valid("com.example.twice", "1.0.0", "public", "api")))
	write(t, dir, "b.json", string(protocoltest.Valid("com.example.twice", "1.0.0", "private", "api")))
	got := call(t, nil, "", "serve", "--addr", "127.0.0.1:0", "--database-url", storetest.SQLite(t), "--publish-dir", dir)
	wantStatus(t, got, statusFailed)
	wantText(t, "stderr", got.stderr, "b.json:1:", ": com.example.twice 1.0.0 is published with other content")
}

func TestAFolderThatIsMountedByKubernetesIsReadOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "..2026_01_01/a.json", string(protocoltest.Valid("com.example.a", "1.0.0", "public", "api")))
	for link, target := range map[string]string{"..data": "..2026_01_01", "a.json": "..data/a.json"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := documentFiles([]string{dir})
	if want := filepath.Join(dir, "a.json"); err != nil || len(files) != 1 || files[0] != want {
		t.Errorf("got %q and error %v, want only %s", files, err, want)
	}
}

func TestAnEmptyFolderPublishesNothing(t *testing.T) {
	t.Parallel()
	bootOn(t, storetest.SQLite(t), "--publish-dir", t.TempDir())
}

func TestASecondProcessOnTheSameFileIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	bootOn(t, url)
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"migrate"}} {
		got := call(t, nil, "", append(args, "--database-url", url, "--log-level", "error")...)
		wantStatus(t, got, statusFailed)
		wantOneLine(t, "stderr", got.stderr, "skillregistry: --database-url: ", "registry.db")
		got = call(t, []string{"SKILLREGISTRY_DATABASE_URL=" + url}, "", append(args, "--log-level", "error")...)
		wantOneLine(t, "stderr", got.stderr, "skillregistry: SKILLREGISTRY_DATABASE_URL: ", "registry.db")
	}
}

func TestAPortThatIsTakenLeavesNoTrace(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	url := storetest.SQLite(t)
	got := call(t, nil, "", "serve", "--addr", taken.Addr().String(), "--database-url", url, "--log-level", "error")
	wantStatus(t, got, statusFailed)
	wantOneLine(t, "stderr", got.stderr, "skillregistry: --addr: listening on "+taken.Addr().String(), "address already in use")
	if _, err := os.Stat(strings.TrimPrefix(url, "sqlite:")); err == nil {
		t.Error("the database was made all the same, and its first key with it")
	}
}

func TestADatabaseThatIsNotUpIsWaitedForAndGivenUp(t *testing.T) {
	t.Parallel()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "postgres://me:hunter2@" + nobody.Addr().String() + "/skills"
	nobody.Close()
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"migrate"}} {
		got := call(t, nil, "", append(args, "--database-url", url)...)
		wantStatus(t, got, statusFailed)
		wantText(t, "stderr", got.stderr, `msg="the database can't be reached yet"`, "attempt=2")
		lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
		wantText(t, "last line", lines[len(lines)-1], "skillregistry: --database-url", "can't be reached, gave up after 500ms", "connection refused")
		if strings.Contains(got.stderr, "hunter2") {
			t.Errorf("stderr gives the password away:\n%s", got.stderr)
		}
	}
}

func TestEveryAddressInAnAnswerBeginsWithTheBaseURL(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--base-url", "https://skills.example.com/registry/", "--publish-dir", "../../examples")
	wantText(t, "list", call(t, r.as(""), "", "list", "--json").stdout, `"descriptor_url":"https://skills.example.com/registry/v1/skills/org.arxiv.query/versions/1.0.0"`)
}

func TestTheLogIsJSONWhereThatIsAskedFor(t *testing.T) {
	t.Parallel()
	stdout, stderr := newOutput(), newOutput()
	p := testProgram(stdout, stderr)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- p.run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--database-url", storetest.SQLite(t), "--log-format", "json"})
	}()
	stderr.waitFor(t, regexp.MustCompile(`\{"time":"[^"]+","level":"INFO","msg":"listening","addr":"127.0.0.1:\d+"`))
	cancel()
	if status := <-ended; status != statusOK {
		t.Errorf("got exit status %d, want 0", status)
	}
}

func TestMetricsAndProfilesAreOnTheSecondListenerOnly(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--metrics-addr", "127.0.0.1:0")
	metrics := "http://" + r.stderr.waitFor(t, regexp.MustCompile(`msg="listening for metrics" addr=(\S+)`))[1]
	for path, want := range map[string]string{
		"/metrics":                "go_goroutines ",
		"/debug/pprof/":           "goroutine",
		"/debug/pprof/heap?gc=1":  "",
		"/debug/pprof/symbol?0x0": "num_symbols",
	} {
		status, body := fetch(t, metrics+path)
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: got status %d and %.200q, want 200 and %q", path, status, body, want)
		}
		if status, _ := fetch(t, r.url+path); status != http.StatusNotFound {
			t.Errorf("%s on the public listener: got status %d, want 404", path, status)
		}
	}
	wantMetricsFormat(t, metrics)
	off := bootOn(t, storetest.SQLite(t))
	if log := off.stderr.String(); !strings.Contains(log, "metrics_addr=off") || strings.Contains(log, "listening for metrics") {
		t.Errorf("without an address for them, the log is\n%s", log)
	}
}

// wantMetricsFormat checks that every line of /metrics is a comment or a sample, and
// that each sample is described.
func wantMetricsFormat(t *testing.T, url string) {
	t.Helper()
	_, body := fetch(t, url+"/metrics")
	sample := regexp.MustCompile(`^([a-z_]+?)(?:_bucket|_sum|_count)?(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$`)
	samples := 0
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# HELP ") || strings.HasPrefix(line, "# TYPE ") {
			continue
		}
		match := sample.FindStringSubmatch(line)
		if match == nil {
			t.Errorf("got the line %q, want a sample", line)
			continue
		}
		samples++
		wantText(t, "metrics", body, "# HELP "+match[1]+" ", "# TYPE "+match[1]+" ")
	}
	if samples < 7 {
		t.Errorf("got %d samples, want 7:\n%s", samples, body)
	}
}

// write writes a file below dir.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// fetch gets a URL.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}
