package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

const skillText = "---\nname: pdf\ndescription: 'Reads PDFs: all of them.'\nlicense: MIT\nmetadata: {version: 1.2.0}\n---\n# PDF\n"

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// attachedFiles are the names of the files that a version brings.
func attachedFiles(t *testing.T, r *registry, id, version string) []string {
	t.Helper()
	c, err := client.New(r.url, client.Options{Key: adminKey})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := c.Files(t.Context(), id, version)
	if err != nil {
		t.Fatalf("the files of %s %s: %v", id, version, err)
	}
	files, err := agentskills.Unpack(archive, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

func TestAFolderWithASkillIsPublishedWithItsFiles(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		dir := filepath.Join(t.TempDir(), "pdf")
		write(t, dir, "SKILL.md", skillText)
		write(t, dir, "scripts/read.py", "print()\n")
		write(t, dir, "assets/config.json", "{}")
		write(t, dir, ".git/config", "x")
		write(t, dir, "scripts/.DS_Store", "x")
		link(t, "scripts/read.py", filepath.Join(dir, "again.py"))

		got := call(t, r.as(adminKey), "", "publish", dir, "--namespace", "com.example")
		wantStatus(t, got, statusOK)
		wantText(t, "stdout", got.stdout, dir+": published com.example.pdf 1.2.0\n")
		wantText(t, "stderr", got.stderr, dir+": note: .git is hidden and left out\n", "scripts/.DS_Store is hidden",
			"the descriptor does not say what SKILL.md says as license\n")
		if strings.Contains(got.stderr, "warning") {
			t.Errorf("stderr: got %q, want no warning of a name that is the end of the id", got.stderr)
		}
		if names, want := attachedFiles(t, r, "com.example.pdf", "1.2.0"), []string{"SKILL.md", "again.py", "assets/config.json", "scripts/read.py"}; !slices.Equal(names, want) {
			t.Errorf("the files are %q, want %q", names, want)
		}
		made := call(t, r.as(""), "", "get", "com.example.pdf")
		var d struct {
			CapabilityType string                       `json:"capability_type"`
			Description    string                       `json:"description"`
			Access         string                       `json:"access"`
			Endpoint       struct{ URL, Method string } `json:"endpoint"`
		}
		if err := json.Unmarshal([]byte(made.stdout), &d); err != nil {
			t.Fatalf("%q: %v", made.stdout, err)
		}
		if d.CapabilityType != "knowledge" || d.Description != "Reads PDFs: all of them." || d.Access != "public" ||
			d.Endpoint.Method != "GET" || d.Endpoint.URL != r.url+"/.well-known/skills/com-example-pdf/SKILL.md" {
			t.Errorf("the descriptor says %+v", d)
		}

		again := call(t, r.as(adminKey), "", "publish", dir, "--namespace", "com.example")
		wantStatus(t, again, statusOK)
		wantText(t, "stdout", again.stdout, dir+": unchanged com.example.pdf 1.2.0\n")
		write(t, dir, "scripts/read.py", "print(1)\n")
		other := call(t, r.as(adminKey), "", "publish", dir, "--namespace", "com.example")
		wantStatus(t, other, statusFailed)
		wantText(t, "stderr", other.stderr, dir+": Version 1.2.0 of com.example.pdf has other files")
		next := call(t, r.as(adminKey), "", "publish", "--json", dir, "--namespace", "com.example", "--skill-version", "1.3.0", "--access", "restricted")
		wantStatus(t, next, statusOK)
		if o := lines[outcome](t, next.stdout)[0]; o.Result != resultPublished || o.Version != "1.3.0" || len(o.FilesDigest) != 71 {
			t.Errorf("got %+v, want 1.3.0 published with files", o)
		}
	})
}

// What was stopped between the two steps is finished by the same command.
func TestAFolderIsFinishedWhereOnlyItsDescriptorWasPublished(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := filepath.Join(t.TempDir(), "a")
	write(t, dir, "SKILL.md", skillText)
	descriptor := write(t, dir, "descriptor.json", valid("com.example.own", "3.0.0"))
	wantStatus(t, call(t, r.as(adminKey), "", "publish", descriptor), statusOK)
	got := call(t, r.as(adminKey), "", "publish", dir)
	wantStatus(t, got, statusOK)
	wantText(t, "stdout", got.stdout, dir+": published com.example.own 3.0.0\n")
	if names := attachedFiles(t, r, "com.example.own", "3.0.0"); !slices.Equal(names, []string{"SKILL.md"}) {
		t.Errorf("the files are %q: descriptor.json is none of them", names)
	}
}

func TestAFolderOfFoldersPublishesEach(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	for _, name := range []string{"one", "two", "deep/three"} {
		write(t, dir, name+"/SKILL.md", strings.Replace(skillText, "pdf", filepath.Base(name), 1))
		write(t, dir, name+"/assets/data.json", "{}") // no descriptor, and not taken for one
	}
	write(t, dir, "plain.json", valid("com.example.plain", "1.0.0"))
	tried := call(t, r.as(adminKey), "", "publish", dir, "--namespace", "com.example", "--dry-run")
	wantStatus(t, tried, statusOK)
	wantText(t, "stderr", tried.stderr, "4 files: 4 accepted\n")
	got := call(t, r.as(adminKey), "", "publish", dir, "--namespace", "com.example")
	wantStatus(t, got, statusOK)
	wantText(t, "stderr", got.stderr, "4 files: 4 published\n")
	for _, name := range []string{"one", "two", "three"} {
		if names := attachedFiles(t, r, "com.example."+name, "1.2.0"); !slices.Equal(names, []string{"SKILL.md", "assets/data.json"}) {
			t.Errorf("the files of %s are %q", name, names)
		}
	}
}

func TestFoldersThatAreNoSkillsAreRefusedInWords(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	outside := write(t, t.TempDir(), "secret", "x")
	for name, c := range map[string]struct {
		fill func(dir string)
		args []string
		want string
	}{
		"no namespace":      {func(string) {}, nil, ": it needs a namespace: without a descriptor.json its id is made of one, such as com.example."},
		"a namespace wrong": {func(string) {}, []string{"--namespace", "Com."}, `"Com..pdf" is no id`},
		"half a version":    {func(string) {}, []string{"--namespace", "com.example", "--skill-version", "1.0"}, `the version "1.0" is not one by SemVer`},
		"no version": {func(dir string) { write(t, dir, "SKILL.md", "---\nname: a\ndescription: b\n---\n") },
			[]string{"--namespace", "com.example"}, "it needs a version: the front matter has no member version in metadata; give it with --skill-version"},
		"an access wrong":    {func(string) {}, []string{"--namespace", "com.example", "--access", "all"}, `--access "all": expected public, restricted or private`},
		"no front matter":    {func(dir string) { write(t, dir, "SKILL.md", "# A\n") }, nil, ": expected front matter that begins with a line ---, got another first line (/SKILL.md)\n"},
		"a name wrong":       {func(dir string) { write(t, dir, "SKILL.md", "---\nname: A\ndescription: b\n---\n") }, nil, "(/SKILL.md/name)\n"},
		"a link outside":     {func(dir string) { link(t, outside, filepath.Join(dir, "x")) }, nil, "x: this is a link out of the folder"},
		"a link to a folder": {func(dir string) { write(t, dir, "d/f", ""); link(t, "d", filepath.Join(dir, "x")) }, nil, "x: this is no file, nor a link to one"},
		"a link to nothing":  {func(dir string) { link(t, "none", filepath.Join(dir, "x")) }, nil, "x: "},
		"names alike":        {func(dir string) { write(t, dir, "a", ""); write(t, dir, "A", "") }, []string{"--namespace", "com.example"}, "expected names that differ by more than their case"},
		"a name in letters":  {func(dir string) { write(t, dir, "größe", "") }, []string{"--namespace", "com.example"}, "größe"},
		"a descriptor wrong": {func(dir string) { write(t, dir, "descriptor.json", "{") }, nil, ": not valid JSON"},
	} {
		dir := filepath.Join(t.TempDir(), "skill")
		write(t, dir, "SKILL.md", skillText)
		c.fill(dir)
		got := call(t, r.as(adminKey), "", append([]string{"publish", dir}, c.args...)...)
		wantStatus(t, got, statusFailed)
		if !strings.Contains(got.stderr, dir) || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: got %q, want the folder and %q", name, got.stderr, c.want)
		}
	}
	wantText(t, "the list", call(t, r.as(adminKey), "", "list").stdout, "")
	if list := call(t, r.as(adminKey), "", "list", "--json"); strings.Contains(list.stdout, "com.example") {
		t.Errorf("something was published: %s", list.stdout)
	}
}
