package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// stocked starts a registry with a bit of everything in it, and returns a key of it.
func stocked(t *testing.T, databaseURL string) (r *registry, key string) {
	t.Helper()
	r = bootOn(t, databaseURL)
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{valid("com.example.a", "1.0.0"), []string{"publish", "-"}},
		{valid("com.example.a", "2.0.0"), []string{"publish", "-"}},
		{valid("com.example.b", "1.0.0"), []string{"publish", "-"}},
		{strings.Replace(valid("com.example.c", "1.0.0"), `"public"`, `"private"`, 1), []string{"publish", "-"}},
		{"", []string{"deprecate", "com.example.a", "1.0.0", "--reason", "Use 2.0.0."}},
		{"", []string{"delete", "com.example.b", "--yes"}},
	} {
		wantStatus(t, call(t, r.as(adminKey), c.stdin, c.args...), statusOK)
	}
	got := call(t, r.as(adminKey), "", "keys", "create", "--name", "reader", "--scope", "read", "--namespace", "com.example", "--json")
	wantStatus(t, got, statusOK)
	key = regexp.MustCompile(`skr_[a-z2-7]{64}`).FindString(got.stdout)
	return r, key
}

// told is what a registry tells those who ask by the command, but for when keys were last
// used: asking is a use.
func told(t *testing.T, r *registry, key, cursor string) string {
	t.Helper()
	lastUse := regexp.MustCompile(`,"last_used_at":"[^"]*"`)
	var all strings.Builder
	for _, c := range []struct {
		as   string
		args []string
	}{
		{"", []string{"list", "--json"}},
		{key, []string{"list", "--json"}},
		{key, []string{"get", "com.example.c", "--raw"}},
		{"", []string{"get", "com.example.a", "1.0.0", "--raw"}},
		{"", []string{"get", "com.example.a", "--versions", "--json"}},
		{"", []string{"changes"}},
		{key, []string{"changes", "--after", cursor}},
		{adminKey, []string{"keys", "list", "--json"}},
		{adminKey, []string{"audit", "--json"}},
	} {
		got := call(t, r.as(c.as), "", c.args...)
		wantStatus(t, got, statusOK)
		all.WriteString(strings.ReplaceAll(lastUse.ReplaceAllString(got.stdout, ""), r.url, "http://registry"))
	}
	return all.String()
}

func TestARegistryIsExportedWhileItRunsAndImportedElsewhere(t *testing.T) {
	t.Parallel()
	for from, kinds := range map[string][2]func(testing.TB) string{
		"from SQLite":     {storetest.SQLite, storetest.PostgreSQL},
		"from PostgreSQL": {storetest.PostgreSQL, storetest.SQLite},
	} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			url, other := kinds[0](t), kinds[1](t)
			r, key := stocked(t, url)
			cursors := lines[struct{ Cursor string }](t, call(t, r.as(key), "", "changes").stdout)
			cursor := cursors[len(cursors)-1].Cursor
			wantStatus(t, call(t, r.as(adminKey), valid("com.example.d", "1.0.0"), "publish", "-"), statusOK)
			before := told(t, r, key, cursor)

			file := filepath.Join(t.TempDir(), "backup.jsonl")
			got := call(t, nil, "", "export", file, "--database-url", url)
			wantStatus(t, got, statusOK)
			wantOneLine(t, "stderr", got.stderr, "exported 4 skills, 5 versions, 0 of them with files, 1 key, 8 events")
			piped := call(t, nil, "", "export", "--database-url", url)
			wantStatus(t, piped, statusOK)
			if content, err := os.ReadFile(file); err != nil || string(content) != piped.stdout || got.stdout != "" {
				t.Errorf("the file has\n%s(%v), and standard output\n%s", content, err, piped.stdout)
			}
			if strings.Contains(piped.stdout, key) || strings.Contains(piped.stdout, adminKey) {
				t.Errorf("there is a key in\n%s", piped.stdout)
			}
			r.stop()

			got = call(t, nil, piped.stdout, "import", "-", "--database-url", other)
			wantStatus(t, got, statusOK)
			wantOneLine(t, "stderr", got.stderr, "imported 4 skills, 5 versions, 0 of them with files, 1 key, 8 events")
			restored := bootOn(t, other)
			if after := told(t, restored, key, cursor); after != before {
				t.Errorf("it told\n%s\nand, restored,\n%s", before, after)
			}
			again := call(t, restored.as(adminKey), strings.Replace(valid("com.example.b", "1.0.0"), `"api"`, `"task"`, 1), "publish", "-")
			wantStatus(t, again, statusFailed)
			wantText(t, "publishing what was deleted", again.stderr, "deleted")
		})
	}
}

func TestAnExportIsAFileOfItsOwnersAndKeepsOthers(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	stocked(t, url)
	dir := t.TempDir()
	file := write(t, dir, "backup.jsonl", "what was there")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{file}, "there is such a file already; --force"},
		{[]string{file, "--database-url", "sqlite:" + dir + "/none.db"}, "there is such a file already"}, // said at once
		{[]string{dir, "--force"}, "this is not a file"},
		{[]string{link, "--force"}, "this is not a file"},
		{[]string{dir + "/none/backup.jsonl"}, "no such file or directory"},
		{[]string{dir + "/new.jsonl", "--database-url", "sqlite:" + dir + "/none.db"}, "no such file or directory"},
	} {
		got := call(t, nil, "", append([]string{"export", "--database-url", url}, c.args...)...)
		wantStatus(t, got, statusFailed)
		wantOneLine(t, "stderr", got.stderr, c.want)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "what was there" {
		t.Errorf("the file that was there has %q, %v", content, err)
	}
	wantStatus(t, call(t, nil, "", "export", file, "--force", "--database-url", url), statusOK)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v; want the file and the link", entries, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 1000 {
		t.Errorf("got %v, %v; want a file for its owner alone", info, err)
	}
}

// TestAFileThatComesMeanwhileIsKept has somebody else take the name while it is written.
func TestAFileThatComesMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "backup.jsonl")
	err := writeNewFile(file, false, func(w io.Writer) error {
		write(t, dir, "backup.jsonl", "theirs")
		_, err := io.WriteString(w, "ours")
		return err
	})
	if content, _ := os.ReadFile(file); err == nil || string(content) != "theirs" {
		t.Errorf("got %v and a file with %q", err, content)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v; want one file", entries, err)
	}
}

func TestAnImportThatIsRefusedSaysWhyInOneLine(t *testing.T) {
	t.Parallel()
	full := storetest.SQLite(t)
	stocked(t, full)
	file := call(t, nil, "", "export", "--database-url", full).stdout
	dir := t.TempDir()
	good, cut := write(t, dir, "good.jsonl", file), write(t, dir, "cut.jsonl", file[:len(file)-100])
	used := storetest.SQLite(t)
	bootOn(t, used).stop()
	running := "sqlite:" + filepath.Join(dir, "running.db")
	bootOn(t, running)
	taken := storetest.SQLite(t)
	wantStatus(t, call(t, nil, "", "import", good, "--database-url", taken), statusOK)
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no file":                  {nil, statusUsage, "needs a FILE"},
		"a file that is not there": {[]string{dir + "/none"}, statusUsage, "none: no such file"},
		"a file that was cut off":  {[]string{cut, "--database-url", used}, statusFailed, cut + ": line "},
		"a store that has it":      {[]string{good, "--database-url", taken}, statusFailed, "the store is not empty"},
		"a store that is in use":   {[]string{good, "--database-url", running}, statusFailed, "another process is using it"},
	} {
		got := call(t, nil, "", append([]string{"import"}, c.args...)...)
		wantStatus(t, got, c.status)
		wantOneLine(t, name, got.stderr, c.want)
	}
	// One that served and was never written to is empty, also after the file that was cut off.
	wantStatus(t, call(t, nil, "", "import", good, "--database-url", used), statusOK)
}

func TestALongTransferShowsItsProgressOnATerminal(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	stocked(t, url)
	for _, terminal := range []bool{true, false} {
		stdout, stderr := newOutput(), newOutput()
		p := testProgram(stdout, stderr)
		now := time.Now()
		p.terminal, p.now = terminal, func() time.Time { now = now.Add(time.Second); return now }
		if got := p.run(t.Context(), []string{"export", "--database-url", url}); got != statusOK {
			t.Errorf("got exit status %d, want 0", got)
		}
		if got := strings.HasPrefix(stderr.String(), "\r\x1b[Kexporting: 0 MiB\r\x1b[Kexported "); got != terminal {
			t.Errorf("on a terminal: %t; progress shown: %t; stderr: %q", terminal, got, stderr)
		}
	}
}
