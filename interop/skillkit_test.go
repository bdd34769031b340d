//go:build clients

package interop

import (
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

// skillkit is a package manager of skills, which knows 0.1.0 alone.
type skillkit struct {
	*home
	program string
}

func startSkillkit(t *testing.T) client {
	t.Helper()
	program, err := filepath.Abs("skillkit/node_modules/skillkit/dist/cli.js")
	if err != nil {
		t.Fatal(err)
	}
	return &skillkit{newHome(t), program}
}

func (s *skillkit) command(t *testing.T, args ...string) string {
	t.Helper()
	return s.run(t, "node", append([]string{s.program}, args...)...)
}

func (s *skillkit) list(t *testing.T, at string) map[string]string {
	t.Helper()
	listed := make(map[string]string)
	for _, match := range regexp.MustCompile(`(?m)^ +\S (\S+) \[[A-F]\]$`).FindAllStringSubmatch(s.command(t, "install", at, "--list"), -1) {
		listed[match[1]] = ""
	}
	return listed
}

func (s *skillkit) install(t *testing.T, at, name string) {
	t.Helper()
	which := "--skills=" + name
	if name == "" {
		which = "--all"
	}
	s.command(t, "install", at, which, "--yes", "--agent", "claude-code")
}

func (s *skillkit) update(t *testing.T, _ string) {
	t.Helper()
	s.command(t, "update")
}

func (s *skillkit) installed(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	return folders(t, filepath.Join(s.work, ".claude/skills"), ".skillkit.json")
}

// keeps puts all files of a skill in one folder, as the client does.
func (s *skillkit) keeps(files map[string][]byte) map[string][]byte {
	kept := make(map[string][]byte)
	for name, content := range files {
		kept[path.Base(name)] = content
	}
	return kept
}

func (s *skillkit) describes() bool { return false }
