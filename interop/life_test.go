package interop

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// secret stands in every private skill and in no other.
const secret = "known to few"

func someSkills() []skill {
	return []skill{
		{id: "com.example.a", version: "1.0.0", access: "public", text: "Needs nobody's leave."},
		{id: "com.example.b-2", version: "2.0.0-rc.1", access: "restricted", text: "Needs a key.", auth: "api_key"},
		{id: "com.example.c_3", version: "0.1.0", access: "public", text: "Asks its user.", auth: "oauth2"},
		{id: "com.example.d", version: "1.0.0", access: "public", text: "Has been newer before.", auth: "custom"},
		{id: "com.example.d", version: "0.9.0", access: "public", text: "Is the older one."},
		{id: "com.example.secret", version: "1.0.0", access: "private", text: secret},
	}
}

func TestEverySkillIsInstalledAsPromised(t *testing.T) {
	t.Parallel()
	withEach(t, clients(), someSkills(), func(t *testing.T, r *registry, c client, at string) {
		promises := r.promised(t)
		if len(promises) != 4 {
			t.Errorf("the registry promises %d skills, want the 4 that are not private", len(promises))
		}
		c.install(t, at, "")
		wantFolders(t, c.installed(t), files(c, promises))
		wantNoSecret(t, c)
	})
}

func TestOneSkillIsInstalledAlone(t *testing.T) {
	t.Parallel()
	withEach(t, installers(), someSkills(), func(t *testing.T, r *registry, c client, at string) {
		promises := r.promised(t)
		one := name(t, promises, "com.example.c_3")
		c.install(t, at, one)
		wantFolders(t, c.installed(t), files(c, map[string]promise{one: promises[one]}))
	})
}

func TestASkillsOwnFilesAreInstalled(t *testing.T) {
	t.Parallel()
	withEach(t, clients(), someSkills(), func(t *testing.T, r *registry, c client, at string) {
		c.install(t, at, "") // what was written from the descriptor is there, and goes
		own := map[string]string{
			"SKILL.md":                   "---\nname: own\ndescription: >-\n  Brings \"its own\" files:\n  all of them.\n---\n\n# Own\n",
			"references/deep/er/a.md":    "# A\n",
			"assets/b c+d&e=(f),'g'.txt": "A name that addresses have to escape.\n",
			"scripts/run.sh":             "#!/bin/sh\n\x00\x01\r\n",
			"empty.txt":                  "",
		}
		r.attach(t, "com.example.a", "1.0.0", own)
		promises := r.promised(t)
		got := promises[name(t, promises, "com.example.a")]
		if got.description != `Brings "its own" files: all of them.` || len(got.files) != len(own) {
			t.Errorf("the index says %q and leads to %d files, want what the files say of themselves, and all %d", got.description, len(got.files), len(own))
		}
		c.update(t, at)
		wantFolders(t, c.installed(t), files(c, promises))
	})
}

func TestANewVersionIsSeen(t *testing.T) {
	t.Parallel()
	withEach(t, clients(), someSkills(), func(t *testing.T, r *registry, c client, at string) {
		c.install(t, at, "")
		before := r.promised(t)
		r.publish(t,
			skill{id: "com.example.a", version: "1.0.1", access: "public", text: "Newer."},
			skill{id: "com.example.d", version: "0.9.1", access: "public", text: "Newer, but not the newest."})
		promises := r.promised(t)
		a, d := name(t, promises, "com.example.a"), name(t, promises, "com.example.d")
		if promises[a].version == before[a].version || promises[d].version != before[d].version {
			t.Errorf("the versions were %q and %q and are %q and %q, want the first alone to change",
				before[a].version, before[d].version, promises[a].version, promises[d].version)
		}
		c.update(t, at)
		wantFolders(t, c.installed(t), files(c, promises))
	})
}

func TestWhatIsHiddenIsGone(t *testing.T) {
	skills := someSkills()
	for _, id := range []string{"com.example.hidden", "com.example.yanked", "com.example.deleted"} {
		skills = append(skills, skill{id: id, version: "1.0.0", access: "public", text: "Gone soon."})
	}
	t.Parallel()
	withEach(t, clients(), skills, func(t *testing.T, r *registry, c client, at string) {
		if promises := r.promised(t); len(promises) != 7 {
			t.Errorf("the registry promises %d skills, want the 7 that are not private", len(promises))
		}
		r.publish(t, skill{id: "com.example.hidden", version: "2.0.0", access: "private", text: secret})
		r.change(t, http.MethodPatch, "/v1/skills/com.example.yanked/versions/1.0.0", map[string]string{"status": "yanked", "reason": "broken"})
		r.change(t, http.MethodDelete, "/v1/skills/com.example.deleted", nil)
		promises := r.promised(t)
		if len(promises) != 4 {
			t.Errorf("the registry promises %d skills, want the 4 that are left", len(promises))
		}
		wantList(t, c, at, promises)
		c.install(t, at, "")
		wantFolders(t, c.installed(t), files(c, promises))
		wantNoSecret(t, c)
	})
}

// wantList compares what a client lists with what the registry promises.
func wantList(t *testing.T, c client, at string, promises map[string]promise) {
	t.Helper()
	want := make(map[string]string)
	for name, p := range promises {
		want[name] = ""
		if c.describes() {
			want[name] = p.description
		}
	}
	if got := c.list(t, at); !maps.Equal(got, want) {
		t.Errorf("the client lists %d skills, want %d; it differs in\n%s", len(got), len(want), differences(got, want))
	}
}

// differences says where two lists of descriptions differ.
func differences(got, want map[string]string) string {
	var b strings.Builder
	both := maps.Clone(got)
	maps.Copy(both, want)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		g, listed := got[name]
		w, wanted := want[name]
		if g != w || listed != wanted {
			fmt.Fprintf(&b, "%s: %q (%t), want %q (%t)\n", name, g, listed, w, wanted)
		}
	}
	return b.String()
}

// files returns what a client is to have of all that is promised.
func files(c client, promises map[string]promise) map[string]map[string][]byte {
	all := make(map[string]map[string][]byte)
	for name, p := range promises {
		all[name] = c.keeps(p.files)
	}
	return all
}

func wantFolders(t *testing.T, got, want map[string]map[string][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d skills are installed, want %d", len(got), len(want))
	}
	for name, files := range want {
		if !slices.Equal(slices.Sorted(maps.Keys(got[name])), slices.Sorted(maps.Keys(files))) {
			t.Errorf("%s has the files %q, want %q", name, slices.Sorted(maps.Keys(got[name])), slices.Sorted(maps.Keys(files)))
			continue
		}
		for file, content := range files {
			if !bytes.Equal(got[name][file], content) {
				t.Errorf("%s of %s is\n%s\nwant\n%s", file, name, got[name][file], content)
			}
		}
	}
}

// wantNoSecret looks for what private skills say in everything that a client wrote.
func wantNoSecret(t *testing.T, c client) {
	t.Helper()
	err := filepath.WalkDir(c.folder(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s holds what a private skill says", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
