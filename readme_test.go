package skillregistry_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
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

// The address and the binary as the README has them.
const (
	writtenAddress = "127.0.0.1:8080"
	writtenBinary  = "bin/skillregistry"
)

// TestReadmeWalk does what a reader of the README does: make run, and then every
// command of the walk, in one shell and in order, with the answers held to those that
// are written.
func TestReadmeWalk(t *testing.T) {
	t.Parallel()
	steps := walk(t)
	run := makeRun(t)
	shell := startShell(t, run)
	for _, step := range steps {
		command := step.command
		if strings.Contains(command, "=skr_…") {
			command = strings.Replace(command, "skr_…", run.lastKey(), 1)
		}
		got := shell.run(t, command)
		if keys := tokens(got); len(keys) > 0 {
			run.keys = keys
		}
		if !matches(step.answer, got) {
			t.Errorf("README.md line %d: %s\ngot:\n%s\nwant:\n%s", step.line, step.command, got, step.answer)
		}
	}
}

// TestMakeRunPrintsLinesToPaste holds what make run prints to its promise: each of the
// three lines works as it is, and a second start prints no key.
func TestMakeRunPrintsLinesToPaste(t *testing.T) {
	t.Parallel()
	run := makeRun(t)
	_, toPaste, _ := strings.Cut(run.output.String(), "paste these in another terminal:")
	toPaste, _, _ = strings.Cut(toPaste, "time=")
	lines := regexp.MustCompile(`(?m)^ +(curl .*)$`).FindAllStringSubmatch(toPaste, -1)
	if len(lines) != 3 {
		t.Fatalf("got %d lines to paste, want 3 in:\n%s", len(lines), run.output)
	}
	shell := startShell(t, run)
	for i, want := range []string{`{"protocol":{"version":"1.0.0"},"provider":…"skills":[{…}]}`, `{"access":"public",…}`, `{"valid":false,"violations":[{…}],"warnings":[]}`} {
		if got := shell.run(t, lines[i][1]); !matches(want, got) {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", lines[i][1], got, want)
		}
	}
	run.stop(t)

	again := makeRunIn(t, run.dir)
	if keys := tokens(again.output.String()); len(keys) != 0 {
		t.Errorf("the second start printed a key:\n%s", again.output)
	}
}

// TestReadmeNamesEverySetting holds the table of settings to the flags of serve: the
// same variables, with the same defaults.
func TestReadmeNamesEverySetting(t *testing.T) {
	t.Parallel()
	help, err := exec.Command(buildBinary(t), "serve", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{} // from variable to default
	for _, m := range regexp.MustCompile(`(?m)\[(SKILLREGISTRY_[A-Z_]+)\](?: \(default (.*)\))?$`).FindAllStringSubmatch(string(help), -1) {
		if !strings.HasSuffix(m[1], "_FILE") {
			flags[m[1]] = m[2]
		}
	}
	if len(flags) < 10 {
		t.Fatalf("found only the settings %v in:\n%s", flags, help)
	}
	rows := regexp.MustCompile("(?m)^\\| `(SKILLREGISTRY_[A-Z_]+)` \\|(.*?)\\|").FindAllStringSubmatch(readme(t), -1)
	table := map[string]string{}
	for _, m := range rows {
		written := strings.Trim(m[2], " `")
		table[m[1]] = written
		def, ok := flags[m[1]]
		if !ok {
			t.Errorf("README.md: %s is no setting of serve", m[1])
		}
		if def != "" && written != def {
			t.Errorf("README.md: %s has the default %q, and serve has %q", m[1], written, def)
		}
	}
	for name := range flags {
		if _, ok := table[name]; !ok {
			t.Errorf("README.md lacks %s", name)
		}
	}
}

// TestReadmeLinksToFilesThatExist follows the links that stay in the repository.
func TestReadmeLinksToFilesThatExist(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %q, %v, want the documents", files, err)
	}
	for _, file := range append(files, "README.md", "ARCHITECTURE.md", "SECURITY.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// step is one command of the walk. Without an answer, the README shows none.
type step struct {
	line    int
	command string
	answer  string
}

// walk reads the steps: the blocks of kind sh are one command each, without an answer;
// in those of kind console a command follows "$ ".
func walk(t *testing.T) []step {
	t.Helper()
	var steps []step
	kind, inside := "", false
	for i, line := range strings.Split(readme(t), "\n") {
		switch {
		case strings.HasPrefix(line, "## "):
			inside = line == "## A walk"
		case !inside:
		case strings.HasPrefix(line, "```"):
			kind = strings.TrimPrefix(line, "```")
			if kind == "sh" {
				steps = append(steps, step{line: i + 1})
			}
		case kind == "sh":
			steps[len(steps)-1].command += line + "\n"
		case kind == "console" && strings.HasPrefix(line, "$ "):
			steps = append(steps, step{line: i + 1, command: strings.TrimPrefix(line, "$ ")})
		case kind == "console":
			steps[len(steps)-1].answer += line + "\n"
		}
	}
	if len(steps) < 15 {
		t.Fatalf("README.md: found %d commands under \"A walk\", want at least 15", len(steps))
	}
	return steps
}

// matches compares an answer with the one that is written, in which … stands for any
// text. Line ends of either kind, and those at the end, are all one.
func matches(written, got string) bool {
	tidy := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	parts := strings.Split(tidy(written), "…")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`).MatchString(tidy(got))
}

func TestMatchesTakesOnlyWhatIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		written, got string
		want         bool
	}{
		{"{\"a\":1}\n", "{\"a\":1}", true},
		{`{"a":…}`, `{"a":{"b":2}}`, true},
		{`{"a":…}`, `{"b":2}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`a.c`, `abc`, false},
		{"HTTP/1.1 200 OK\n…\nEtag: …\n", "HTTP/1.1 200 OK\r\nX: y\r\nEtag: z\r\n", true},
		{"", "something", false},
	} {
		if got := matches(c.written, c.got); got != c.want {
			t.Errorf("matches(%q, %q) = %v, want %v", c.written, c.got, got, c.want)
		}
	}
}

// registry is a running make run.
type registry struct {
	dir     string // with the binary and the database
	binary  string
	address string
	cmd     *exec.Cmd
	output  *syncBuffer
	ended   chan error
	keys    []string // that were printed last
}

func (r *registry) lastKey() string { return r.keys[len(r.keys)-1] }

// makeRun starts make run on a free port, with its files in a folder of the test's,
// and returns when it is up and has printed its key.
func makeRun(t *testing.T) *registry {
	t.Helper()
	r := makeRunIn(t, t.TempDir())
	if r.keys = tokens(r.output.String()); len(r.keys) == 0 {
		t.Fatalf("make run printed no key:\n%s", r.output)
	}
	return r
}

func makeRunIn(t *testing.T, dir string) *registry {
	t.Helper()
	r := &registry{
		dir: dir, binary: filepath.Join(dir, "skillregistry"), address: freeAddress(t),
		output: &syncBuffer{}, ended: make(chan error, 1),
	}
	r.cmd = exec.Command("make", "--no-print-directory", "run", "BIN="+r.binary, "DATA="+filepath.Join(dir, "data"))
	r.cmd.Env = append(plainEnvironment(), "SKILLREGISTRY_ADDR="+r.address)
	r.cmd.Stdout, r.cmd.Stderr = r.output, r.output
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { r.ended <- r.cmd.Wait() }()
	t.Cleanup(func() { r.stop(t) })

	for deadline := time.Now().Add(8 * time.Minute); ; {
		select {
		case err := <-r.ended:
			r.cmd = nil
			t.Fatalf("make run ended: %v\n%s", err, r.output)
		default:
		}
		resp, err := http.Get("http://" + r.address + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return r
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("make run is not ready: %v\n%s", err, r.output)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// stop is Ctrl-C: a SIGINT to everything in the foreground.
func (r *registry) stop(t *testing.T) {
	if r.cmd == nil {
		return
	}
	if err := syscall.Kill(-r.cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Error(err)
	}
	select {
	case <-r.ended: // make itself calls this an error
	case <-time.After(20 * time.Second):
		t.Errorf("make run did not stop:\n%s", r.output)
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
	}
	r.cmd = nil
	if !strings.Contains(r.output.String(), "msg=stopped") {
		t.Errorf("the registry did not stop as it should:\n%s", r.output)
	}
}

// shell is one bash for all commands of a walk, so that variables and files stay.
type shell struct {
	in     io.WriteCloser
	output *syncBuffer
	r      *registry
	n      int
}

func startShell(t *testing.T, r *registry) *shell {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".curlrc"), []byte("silent\nshow-error\nnoproxy = \"*\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &shell{output: &syncBuffer{}, r: r}
	cmd := exec.Command("bash", "--noprofile", "--norc")
	cmd.Dir = dir
	cmd.Env = append(plainEnvironment(), "CURL_HOME="+dir, "SKILLREGISTRY_URL=http://"+r.address)
	cmd.Stdout, cmd.Stderr = s.output, s.output
	var err error
	if s.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.in.Close()
		_ = cmd.Wait() // its status is that of the last command
	})
	return s
}

// run runs a command as it is written, but for the address and the binary, and returns
// what it printed, with the address as it is written.
func (s *shell) run(t *testing.T, command string) string {
	t.Helper()
	s.n++
	end := fmt.Sprintf("\n--- end of command %d\n", s.n)
	real := strings.NewReplacer(writtenAddress, s.r.address, writtenBinary, s.r.binary).Replace(command)
	before := len(s.output.String())
	if _, err := fmt.Fprintf(s.in, "%s\nprintf '%%s' '%s'\n", strings.TrimSuffix(real, "\n"), end); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if got, ok := strings.CutSuffix(s.output.String()[before:], end); ok {
			return strings.ReplaceAll(got, s.r.address, writtenAddress)
		}
	}
	t.Fatalf("%s\ndid not end, and printed so far:\n%s", command, s.output.String()[before:])
	return ""
}

func buildBinary(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "skillregistry")
	if out, err := exec.Command("go", "build", "-o", name, "./cmd/skillregistry").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

// plainEnvironment is this process's without settings of the registry, and without what
// a make above left there.
func plainEnvironment() []string {
	var env []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "SKILLREGISTRY_") && !strings.HasPrefix(name, "MAKE") && name != "MFLAGS" {
			env = append(env, pair)
		}
	}
	return env
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func tokens(s string) []string {
	return regexp.MustCompile(`skr_[a-z2-7]{64}`).FindAllString(s, -1)
}

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// syncBuffer is a buffer that one goroutine fills while another reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// TestReadmeShowsTheTypeScriptProgram holds the program in the README to the one that
// the package's own tests check and run.
func TestReadmeShowsTheTypeScriptProgram(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile("typescript/examples/find.ts")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "```ts\n" + string(program) + "```\n"; !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not show typescript/examples/find.ts as it is:\n%s", want)
	}
}
