package httpapi_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

const (
	agentSkillsIndex      = "/.well-known/agent-skills/index.json"
	agentSkillsFilesIndex = "/.well-known/skills/index.json"
)

// agentSkill is an entry of the index of Agent Skills.
type agentSkill struct {
	Name, Type, Description, URL, Digest, Version string
	Files                                         []string
}

func (g *registry) agentSkills(path string, who ...change) (skills []agentSkill) {
	g.t.Helper()
	var index struct{ Skills []agentSkill }
	a := g.get(path, who...).wantStatus(200)
	if err := json.Unmarshal(a.body, &index); err != nil {
		g.t.Fatalf("%v: %v", a, err)
	}
	return index.Skills
}

// archives returns the digests of the archives of all skills, in hexadecimal digits.
func (g *registry) archives() (digests []string) {
	g.t.Helper()
	for _, s := range g.agentSkills(agentSkillsIndex, asAdmin()) {
		digests = append(digests, strings.TrimPrefix(s.Digest, "sha256:"))
	}
	return digests
}

// unpack returns the files of an archive by name.
func unpack(t testing.TB, archive []byte) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = string(content)
	}
}

func TestSkillsAreAgentSkills(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		g.published(
			[4]string{"com.example.a-b", "1.0.0", "public", "api"}, [4]string{"com.example.a.b", "1.0.0", "restricted", "task"},
			[4]string{"com.example.a_b", "2.0.0-rc.1+build.5", "public", "plugin"}, [4]string{"com.example.hidden", "1.0.0", "private", "api"},
		)
		skills := g.agentSkills(agentSkillsIndex)
		if legacy := g.agentSkills(agentSkillsFilesIndex); fmt.Sprint(legacy) != fmt.Sprint(skills) {
			t.Errorf("the two generations list\n%v\n%v\nwant the same entries", skills, legacy)
		}
		var names []string
		for _, s := range skills {
			names = append(names, s.Name)
			a := g.get(s.URL).wantStatus(200).wantHeader("Content-Type", "application/gzip").wantHeader("ETag", `"`+s.Digest+`"`)
			if digest := protocol.Digest(a.body); digest != s.Digest || !strings.Contains(s.URL, strings.TrimPrefix(digest, "sha256:")) {
				t.Errorf("%s promises %s at %s; what is there has %s", s.Name, s.Digest, s.URL, digest)
			}
			files := unpack(t, a.body)
			if len(files) != len(s.Files) {
				t.Errorf("%s lists %v; its archive has %d files", s.Name, s.Files, len(files))
			}
			for _, file := range s.Files {
				for _, index := range []string{agentSkillsIndex, agentSkillsFilesIndex} {
					b := g.get(strings.TrimSuffix(index, "index.json") + s.Name + "/" + file).wantStatus(200)
					if string(b.body) != files[file] {
						t.Errorf("%v, want what is in the archive", b)
					}
				}
			}
		}
		want := []string{agentskills.Name("com.example.a-b"), agentskills.Name("com.example.a.b"), agentskills.Name("com.example.a_b")}
		if !slices.Equal(names, want) {
			t.Errorf("the names are %q, want %q in the order of the ids", names, want)
		}
		if v := skills[2].Version; !strings.HasPrefix(v, "2.0.0-rc.1+") || !protocol.ValidVersion(v) {
			t.Errorf("the version is %q, want 2.0.0-rc.1 with the beginning of the digest", v)
		}
	})
}

func TestAddressesOfAgentSkills(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{base: "https://registry.example/here"})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.hidden", "1.0.0", "private", "api"})
	skill := g.agentSkills(agentSkillsIndex)[0]
	archive, ok := strings.CutPrefix(skill.URL, "/here/")
	if !ok {
		t.Fatalf("the url is %s, want it below the path of the base URL", skill.URL)
	}
	const folder = "/.well-known/skills/com-example-a/"
	tests := map[string]struct {
		path        string
		status      int
		contentType string
	}{
		"the archive":                          {"/" + archive, 200, "application/gzip"},
		"the archive of another digest":        {"/" + strings.Replace(archive, "0", "1", 1), 404, ""},
		"the archive in another form":          {"/" + strings.TrimSuffix(archive, ".gz"), 404, ""},
		"the SKILL.md":                         {folder + "SKILL.md", 200, "text/markdown; charset=utf-8"},
		"the SKILL.md in other letters":        {folder + "skill.md", 404, ""},
		"the descriptor":                       {folder + "references/descriptor.json", 200, "application/json"},
		"a slash that is encoded":              {folder + "references%2Fdescriptor.json", 200, "application/json"},
		"a slash that is encoded twice":        {folder + "references%252Fdescriptor.json", 404, ""},
		"a way out of the folder":              {folder + "..%2f..%2fSKILL.md", 404, ""},
		"two slashes":                          {folder + "/SKILL.md", 404, ""},
		"a file that is not there":             {folder + "x", 404, ""},
		"bytes that are no text":               {folder + "%ff%00", 404, ""},
		"the folder itself":                    {folder, 404, ""},
		"the id in the place of the name":      {"/.well-known/skills/com.example.a/SKILL.md", 404, ""},
		"a skill that is private":              {"/.well-known/skills/com-example-hidden/SKILL.md", 404, ""},
		"a skill that is not there":            {"/.well-known/skills/com-example-none/SKILL.md", 404, ""},
		"the index beside what has no version": {"/.well-known/skills/index.json", 200, "application/json"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := g.in(t)
			a := g.get(test.path).wantStatus(test.status)
			if test.status == http.StatusOK {
				a.wantHeader("Content-Type", test.contentType).wantHeader("Cache-Control", "public, no-cache")
				head := g.send("HEAD", test.path).wantStatus(200).wantHeader("ETag", a.header.Get("ETag"))
				if len(head.body) != 0 {
					t.Errorf("%v has a body", head)
				}
				ranged := g.get(test.path, header("Range", "bytes=0-1")).wantStatus(200)
				if string(ranged.body) != string(a.body) {
					t.Errorf("%v, want the whole for a range", ranged)
				}
				g.get(test.path, header("If-None-Match", a.header.Get("ETag"))).wantStatus(304)
			}
		})
	}
}

func TestAgentSkillsFollowTheLatestVersion(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		const id, name = "com.example.a", "com-example-a"
		g.published([4]string{id, "1.0.0", "public", "api"})
		first := g.agentSkills(agentSkillsIndex)[0]
		tag := g.get(agentSkillsIndex).header.Get("ETag")
		g.published([4]string{id, "1.1.0", "public", "api"})
		second := g.agentSkills(agentSkillsIndex)[0]
		if second.Name != first.Name || second.Version == first.Version || second.Digest == first.Digest {
			t.Errorf("after another version: %+v, and before: %+v; want the same name and nothing else", second, first)
		}
		if now := g.get(agentSkillsIndex).header.Get("ETag"); now == tag {
			t.Errorf("after another version the index has the tag of before, %s", tag)
		}
		if a := g.get(first.URL).wantStatus(200); protocol.Digest(a.body) != first.Digest {
			t.Errorf("%v, want what its address promises", a)
		}
		g.status(id, "1.1.0", access.Yanked, "")
		if third := g.agentSkills(agentSkillsIndex)[0]; third.Digest != first.Digest {
			t.Errorf("after the last version was yanked: %+v, want %+v", third, first)
		}
		g.get(second.URL).wantStatus(200)
		g.publish(protocoltest.Valid(id, "2.0.0", "private", "api")).wantStatus(201)
		if skills := g.agentSkills(agentSkillsIndex); len(skills) != 0 {
			t.Errorf("a skill that is private by now is listed: %v", skills)
		}
		for _, p := range []string{first.URL, second.URL, "/.well-known/skills/" + name + "/SKILL.md"} {
			g.get(p).wantStatus(404)
		}
		if skills := g.agentSkills(agentSkillsIndex, asAdmin()); len(skills) != 1 || !strings.HasPrefix(skills[0].Version, "2.0.0+") {
			t.Errorf("an administrator sees %v, want the private skill", skills)
		}
		g.get("/.well-known/skills/"+name+"/SKILL.md", asAdmin()).wantStatus(200)
	})
}

func TestOwnFilesTakeThePlaceOfWhatIsWritten(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		const id, version = "com.example.a", "1.0.0"
		g.published([4]string{id, version, "public", "api"})
		written := g.agentSkills(agentSkillsIndex)[0]
		const text = "---\nname: com-example-a\ndescription: \"My own: #1\"\n---\n\nDo.\n"
		const page = "<script>alert(1)</script>"
		archive := folder("SKILL.md", text, "index.html", page, "logo.svg", page, "scripts/run.sh", "#!/bin/sh\n")
		g.send("POST", "/v1/skills/"+id+"/versions/"+version+"/files", gzipBody(archive), asAdmin()).wantStatus(201)
		own := g.agentSkills(agentSkillsFilesIndex)[0]
		if own.Description != "My own: #1" || !slices.Equal(own.Files, []string{"SKILL.md", "index.html", "logo.svg", "scripts/run.sh"}) || own.Digest == written.Digest {
			t.Errorf("got %+v, want what the SKILL.md says", own)
		}
		if a := g.get(own.URL).wantStatus(200); protocol.Digest(a.body) != own.Digest || unpack(t, a.body)["SKILL.md"] != text {
			t.Errorf("%v, want the archive that is promised", a)
		}
		g.get(written.URL).wantStatus(200) // addresses stay
		for file, want := range map[string]string{"SKILL.md": text, "scripts/run.sh": "#!/bin/sh\n"} {
			if a := g.get("/.well-known/skills/com-example-a/" + file).wantStatus(200); string(a.body) != want {
				t.Errorf("%v, want %q", a, want)
			}
		}
		g.get("/.well-known/skills/com-example-a/references/descriptor.json").wantStatus(404)
		// A publisher wrote them: to a browser, none is a page of the registry's.
		for _, file := range []string{"scripts/run.sh", "index.html", "logo.svg"} {
			g.get("/.well-known/skills/com-example-a/"+file).
				wantHeader("Content-Type", "application/octet-stream").wantHeader("X-Content-Type-Options", "nosniff")
		}
		g.publish(protocoltest.Valid(id, "2.0.0", "private", "api")).wantStatus(201)
		for _, path := range []string{own.URL, written.URL, "/.well-known/skills/com-example-a/SKILL.md"} {
			g.get(path).wantStatus(404)
		}
	})
}
