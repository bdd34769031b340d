package deploy_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// workspace is the folder that the steps of a job run in, with one below it for files that
// come and go.
type workspace struct {
	dir, temp string
	// path is where commands are looked for.
	path string
}

func newWorkspace(t *testing.T) workspace {
	t.Helper()
	w := workspace{dir: t.TempDir(), temp: t.TempDir(), path: os.Getenv("PATH")}
	w.write(t, "skills/a.json", descriptor("com.example.a"))
	w.write(t, "skills/b.json", descriptor("com.example.b"))
	return w
}

// descriptor is one that is valid, with its id in the second line and its type in the fourth.
func descriptor(id string) string {
	return `{
  "id": "` + id + `",
  "version": "1.0.0",
  "capability_type": "api",
  "protocol": {"version": "1.0.0"}, "name": "Translator", "description": "Translates text.",
  "provider": {"name": "Example Corp"}, "endpoint": {"url": "https://example.com/invoke"},
  "inputs": [], "output": {"type": "object"}, "auth": {"type": "none"}, "access": "public"
}
`
}

// broken is a descriptor whose type is none.
func broken(id string) string {
	return strings.Replace(descriptor(id), `"api"`, `"tool"`, 1)
}

func (w workspace) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ended is what became of a process.
type ended struct {
	status         int
	stdout, stderr string
}

// run runs a shell with a script that the arguments name or hold, and an environment that
// has nothing else in it.
func (w workspace) run(t *testing.T, environ []string, shell string, args ...string) ended {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &stdout, &stderr
	cmd.Env = append([]string{"PATH=" + w.path}, environ...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// files lists what is in the workspace, and in its folder for what comes and goes.
func (w workspace) files(t *testing.T) (names []string) {
	t.Helper()
	for _, dir := range []string{w.dir, w.temp} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			names = append(names, strings.TrimPrefix(path, dir))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	return names
}
