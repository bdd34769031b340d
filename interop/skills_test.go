package interop

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// skills is the installer that npm has by that name.
type skills struct {
	*home
	program string
}

func startSkills(t *testing.T) client { return newSkills(t) }

func newSkills(t *testing.T) *skills {
	t.Helper()
	program, err := filepath.Abs("skills/node_modules/skills/bin/cli.mjs")
	if err != nil {
		t.Fatal(err)
	}
	return &skills{newHome(t), program}
}

func (s *skills) command(t *testing.T, args ...string) string {
	t.Helper()
	return s.run(t, "node", append([]string{s.program}, args...)...)
}

var (
	listedName        = regexp.MustCompile(`^│    (\S+)$`)
	listedDescription = regexp.MustCompile(`^│      (.+)$`)
)

func (s *skills) list(t *testing.T, at string) map[string]string {
	t.Helper()
	_, available, _ := strings.Cut(s.command(t, "add", at, "--list"), "Available Skills")
	listed := make(map[string]string)
	name := ""
	for line := range strings.Lines(available) {
		line = strings.TrimSuffix(line, "\n")
		if match := listedName.FindStringSubmatch(line); match != nil {
			name = match[1]
		} else if match := listedDescription.FindStringSubmatch(line); match != nil && listed[name] == "" {
			listed[name] = match[1]
		}
	}
	return listed
}

func (s *skills) install(t *testing.T, at, name string) {
	t.Helper()
	if name == "" {
		name = "*"
	}
	s.command(t, "add", at, "--skill", name, "--agent", "claude-code", "--copy", "-y")
}

// update adds again what is there: the installer has no other update for well-known skills.
func (s *skills) update(t *testing.T, at string) {
	t.Helper()
	s.install(t, at, "")
}

func (s *skills) installed(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	return folders(t, filepath.Join(s.work, ".claude/skills"))
}

func (s *skills) keeps(files map[string][]byte) map[string][]byte { return files }

func (s *skills) describes() bool { return true }

func TestSkillsUsesASkillWithoutInstallingIt(t *testing.T) {
	t.Parallel()
	r := startRegistry(t)
	r.publish(t, someSkills()...)
	promises := r.promised(t)
	used := name(t, promises, "com.example.b-2")
	s := newSkills(t)
	got := s.command(t, "use", r.url, "--skill", used)
	if text := string(promises[used].files["SKILL.md"]); !strings.Contains(got, text) {
		t.Errorf("skills use %s prints\n%s\nwant all of\n%s", used, got, text)
	}
	match := regexp.MustCompile(`(?m)^(/.*)/` + used + `$`).FindStringSubmatch(got)
	if match == nil {
		t.Fatalf("skills use %s names no folder in\n%s", used, got)
	}
	wantFolders(t, folders(t, match[1]), map[string]map[string][]byte{used: promises[used].files})
}

// The installer can't tell of a well-known skill whether there is a new version. It says
// what to type instead, made from the address of the archive, which must lead to the index.
func TestWhatSkillsSaysToTypeUpdates(t *testing.T) {
	t.Parallel()
	r := startRegistry(t)
	r.publish(t, someSkills()...)
	s := newSkills(t)
	s.command(t, "add", r.url, "--skill", "*", "--agent", "claude-code", "--global", "--copy", "-y")
	r.publish(t, skill{id: "com.example.a", version: "1.1.0", access: "public", text: "Newer."})
	said := s.command(t, "update", "--global", "-y")
	hints := regexp.MustCompile(`npx skills (add \S+ -g -y)`).FindAllStringSubmatch(said, -1)
	if len(hints) == 0 {
		t.Fatalf("skills update says\n%s\nwant what to type", said)
	}
	s.command(t, strings.Fields(hints[0][1])...)
	promises := r.promised(t)
	wantFolders(t, folders(t, filepath.Join(s.dir, ".agents/skills")), files(s, promises))
	updated := name(t, promises, "com.example.a")
	got, err := os.ReadFile(filepath.Join(s.dir, ".claude/skills", updated, "SKILL.md"))
	if want := promises[updated].files["SKILL.md"]; err != nil || !bytes.Equal(got, want) {
		t.Errorf("the agent has, with the error %v,\n%s\nwant\n%s", err, got, want)
	}
}
