package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestWatchPublishesWhatChangesAndOutlivesWhatIsWrong(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	write(t, dir, "a.json", valid("com.example.a", "1.0.0"))
	write(t, dir, "skill/SKILL.md", skillText)
	write(t, dir, "skill/descriptor.json", valid("com.example.skill", "1.0.0"))
	stdout, stderr := newOutput(), newOutput()
	p := testProgram(stdout, stderr)
	p.environ = r.as(adminKey)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- p.run(ctx, []string{"publish", dir, "--watch"}) }()
	wait := func(from *output, pattern string) {
		t.Helper()
		from.waitFor(t, regexp.MustCompile(pattern))
	}
	wait(stdout, `a\.json: published com\.example\.a 1\.0\.0\n`)
	wait(stdout, `skill: published com\.example\.skill 1\.0\.0\n`)

	// As many editors do: into another file, which is renamed.
	written := write(t, dir, ".a.json.swp", valid("com.example.a", "1.1.0"))
	if err := os.Rename(written, filepath.Join(dir, "a.json")); err != nil {
		t.Fatal(err)
	}
	wait(stdout, `a\.json: published com\.example\.a 1\.1\.0\n`)
	write(t, dir, "a.json", valid("com.example.a", "1.2.0")[:40])
	wait(stderr, `a\.json:1:41: not valid JSON`)
	write(t, dir, "a.json", valid("com.example.a", "1.2.0"))
	wait(stdout, `a\.json: published com\.example\.a 1\.2\.0\n`)
	// One with the same content, by its time alone, is not sent; a new one is.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "a.json"), later, later); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/b.json", valid("com.example.b", "1.0.0"))
	wait(stdout, `b\.json: published com\.example\.b 1\.0\.0\n`)
	write(t, dir, "skill/SKILL.md", skillText+"\nMore.\n")
	write(t, dir, "skill/descriptor.json", valid("com.example.skill", "1.1.0"))
	wait(stdout, `skill: published com\.example\.skill 1\.1\.0\n`)

	cancel()
	select {
	case status := <-ended:
		if status != statusOK {
			t.Errorf("got exit status %d at the end, want 0: %s", status, stderr)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("watching did not end")
	}
	if n := strings.Count(stdout.String(), "\n"); n != 6 || strings.Contains(stdout.String(), "unchanged") {
		t.Errorf("got %d lines, want one for each of 6 publications:\n%s", n, stdout)
	}
}

func TestWatchNeedsFilesThatCanBeReadAgain(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "", "publish", "-", "--watch")
	wantStatus(t, got, statusUsage)
	wantOneLine(t, "stderr", got.stderr, "standard input is read once")
	wantStatus(t, call(t, nil, "", "publish", filepath.Join(t.TempDir(), "none"), "--watch"), statusUsage)
}
