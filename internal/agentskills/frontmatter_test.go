package agentskills_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFrontMatterIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want agentskills.FrontMatter
	}{
		"the two members":  {skill, agentskills.FrontMatter{Name: "a", Description: "Does what a does."}},
		"of Windows":       {strings.ReplaceAll(skill, "\n", "\r\n"), agentskills.FrontMatter{Name: "a", Description: "Does what a does."}},
		"nothing behind":   {"---\nname: a\ndescription: b\n---", agentskills.FrontMatter{Name: "a", Description: "b"}},
		"a folded text":    {"---\nname: a\ndescription: >\n  one: 'two'\n  three\n---\n", agentskills.FrontMatter{Name: "a", Description: "one: 'two' three"}},
		"the longest":      {longest(64, 1024), agentskills.FrontMatter{Name: strings.Repeat("n", 64), Description: strings.Repeat("é", 1024)}},
		"a version":        {"---\nname: a\ndescription: b\nmetadata:\n  version: \"1.2.3\"\n---\n", agentskills.FrontMatter{Name: "a", Description: "b", Version: "1.2.3"}},
		"half a version":   {"---\nname: a\ndescription: b\nmetadata: {version: 1.0}\n---\n", agentskills.FrontMatter{Name: "a", Description: "b", Version: "1.0"}},
		"more than we use": {"---\nlicense: MIT\nname: a\nallowed-tools: [Bash]\ndescription: b\nmetadata: {author: x, version: 1.0.0}\n---\n", agentskills.FrontMatter{Name: "a", Description: "b", Version: "1.0.0", Others: []string{"license", "allowed-tools", "metadata"}}},
	} {
		if got, err := agentskills.ParseFrontMatter([]byte(c.text)); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}

func longest(name, description int) string {
	return "---\nname: " + strings.Repeat("n", name) + "\ndescription: " + strings.Repeat("é", description) + "\n---\n"
}

func TestFaultsOfFrontMatterAreNamed(t *testing.T) {
	t.Parallel()
	with := func(members string) string { return "---\n" + members + "\n---\n" }
	for name, c := range map[string]struct{ text, field, actual string }{
		"nothing":               {"", "/SKILL.md", "another first line"},
		"no front matter":       {"# A\n", "/SKILL.md", "another first line"},
		"a mark before it":      {"\ufeff" + skill, "/SKILL.md", "another first line"},
		"no UTF-8":              {skill + "\xff", "/SKILL.md", "other bytes"},
		"no end":                {"---\nname: a\ndescription: b\n", "/SKILL.md", "no such line"},
		"very long":             {with("name: a\ndescription: b\nx: " + strings.Repeat("x", 64<<10)), "/SKILL.md", "more"},
		"no YAML":               {with("name: [a"), "/SKILL.md", ""},
		"a list":                {with("- name: a"), "/SKILL.md", "no members"},
		"empty":                 {with(""), "/SKILL.md", "no members"},
		"no name":               {with("description: b"), "/SKILL.md/name", "nothing"},
		"an empty name":         {with("name: ''\ndescription: b"), "/SKILL.md/name", "no text"},
		"capital letters":       {with("name: A\ndescription: b"), "/SKILL.md/name", `"A"`},
		"two hyphens":           {with("name: a--b\ndescription: b"), "/SKILL.md/name", `"a--b"`},
		"a hyphen in front":     {with("name: '-a'\ndescription: b"), "/SKILL.md/name", `"-a"`},
		"a hyphen at the end":   {with("name: a-\ndescription: b"), "/SKILL.md/name", `"a-"`},
		"a long name":           {longest(65, 10), "/SKILL.md/name", fmt.Sprintf("%q", strings.Repeat("n", 65))},
		"a number as name":      {with("name: 1\ndescription: b"), "/SKILL.md/name", "no text"},
		"two names":             {with("name: a\nname: b\ndescription: b"), "/SKILL.md/name", "the same name again"},
		"no description":        {with("name: a"), "/SKILL.md/description", "nothing"},
		"an empty description":  {with("name: a\ndescription: ' '"), "/SKILL.md/description", "no text"},
		"a long description":    {longest(1, 1025), "/SKILL.md/description", "1025 characters"},
		"a list of them":        {with("name: a\ndescription: [b]"), "/SKILL.md/description", "no text"},
		"a NUL in it":           {with("name: a\ndescription: \"b\\0\""), "/SKILL.md/description", `"b\x00"`},
		"an alias for the name": {with("x: &n a\nname: *n\ndescription: b"), "/SKILL.md/name", "no text"},
	} {
		_, err := agentskills.ParseFrontMatter([]byte(c.text))
		var invalid *protocol.ValidationError
		if !errors.As(err, &invalid) || len(invalid.Violations) != 1 {
			t.Errorf("%s: got %v, want one violation", name, err)
			continue
		}
		if v := invalid.Violations[0]; v.Field != c.field || c.actual != "" && v.Actual != c.actual {
			t.Errorf("%s: got %+v, want %q at %s", name, v, c.actual, c.field)
		}
	}
	_, err := agentskills.ParseFrontMatter([]byte(with("x: 1")))
	if invalid := new(protocol.ValidationError); !errors.As(err, &invalid) || len(invalid.Violations) != 2 {
		t.Errorf("both missing: got %v, want two violations", err)
	}
}

// TestAliasesOfFrontMatterStandForNothing is about a few lines that stand for 4^30 others.
func TestAliasesOfFrontMatterStandForNothing(t *testing.T) {
	t.Parallel()
	bomb := "---\nname: a\ndescription: b\nx0: &x0 {k: v}\n"
	for i := range 30 {
		bomb += fmt.Sprintf("x%d: &x%d [*x%d, *x%d, *x%d, *x%d]\n", i+1, i+1, i, i, i, i)
	}
	got, err := agentskills.ParseFrontMatter([]byte(bomb + "---\n"))
	if err != nil || got.Name != "a" || len(got.Others) != 31 {
		t.Errorf("got %+v, %v; want it read, and nothing of it followed", got, err)
	}
	for name, text := range map[string]string{
		"lists":   strings.Repeat("[", 60<<10),
		"members": strings.Repeat("{a: ", 15<<10),
		"dashes":  strings.Repeat("- ", 30<<10),
	} {
		if _, err := agentskills.ParseFrontMatter([]byte("---\nx: " + text + "\n---\n")); err == nil {
			t.Errorf("deep %s: got no error", name)
		}
	}
}
