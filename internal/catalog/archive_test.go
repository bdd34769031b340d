package catalog_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// bringing has a version bring files, and returns them.
func bringing(t testing.TB, s *shelfSource, v skillVersion, content string) store.Files {
	t.Helper()
	packed, err := agentskills.Pack([]agentskills.File{{Name: "SKILL.md", Content: []byte(content)}})
	if err != nil {
		t.Fatal(err)
	}
	files := store.Files{Digest: protocol.Digest(packed), Names: []string{"SKILL.md"}, Description: "d"}
	v.files = &files
	s.publish(t, v)
	s.set(func(s *shelfSource) {
		if s.archives == nil {
			s.archives = map[string][]byte{}
		}
		s.archives[v.id+" "+v.version] = packed
	})
	return files
}

func TestFilesAreAsHiddenAsTheirVersion(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	want := bringing(t, s, version("com.example.a", "1.0.0"), "a")
	bringing(t, s, version("com.example.b", "1.0.0"), "b")
	bringing(t, s, version("com.example.b", "2.0.0", withAccess(protocol.Private)), "c")
	bringing(t, s, version("com.example.c", "1.0.0", withStatus(access.Yanked)), "y")
	s.publish(t, version("com.example.none", "1.0.0"))
	snap := snapshot(t, open(t, s, options()))
	for _, c := range []struct {
		id, version string
		caller      access.Caller
		there       bool
	}{
		{"com.example.a", "1.0.0", access.Caller{}, true},
		{"com.example.a", "2.0.0", access.Caller{}, false},
		{"com.example.b", "1.0.0", access.Caller{}, false},
		{"com.example.b", "2.0.0", access.Caller{}, false},
		{"com.example.b", "2.0.0", reader("com.other"), false},
		{"com.example.b", "1.0.0", reader("com.example"), true},
		{"com.example.b", "2.0.0", reader("com.example"), true},
		{"com.example.c", "1.0.0", access.Caller{}, true},
		{"com.example.none", "1.0.0", access.Caller{}, false},
		{"com.example.never", "1.0.0", access.Caller{}, false},
	} {
		got, there := snap.Files(c.caller, c.id, c.version)
		if there != c.there || there && (got.SkillID != c.id || got.Version != c.version) {
			t.Errorf("%s %s for %+v: got %+v, %t; want %t", c.id, c.version, c.caller, got, there, c.there)
		}
	}
	if got, _ := snap.Files(access.Caller{}, "com.example.a", "1.0.0"); !reflect.DeepEqual(got.Files, want) {
		t.Errorf("got %+v, want %+v", got.Files, want)
	}
}

func TestAnArchiveIsReadOnceAndKept(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	bringing(t, s, version("com.example.a", "1.0.0"), "a")
	c := open(t, s, options())
	files, _ := snapshot(t, c).Files(access.Caller{}, "com.example.a", "1.0.0")
	for range 3 {
		got, release, err := c.Archive(t.Context(), files)
		if err != nil || protocol.Digest(got.Packed) != files.Digest || len(got.Files) != 1 || string(got.Files[0].Content) != "a" {
			t.Fatalf("got %+v, %v", got, err)
		}
		release()
	}
	if s.reads != 1 {
		t.Errorf("the store was read %d times, want once", s.reads)
	}
	s.set(func(s *shelfSource) { s.down = true })
	if _, _, err := c.Archive(t.Context(), files); err != nil {
		t.Errorf("what is in memory, without the store: %v", err)
	}
}

func TestOnlyArchivesUsedLatelyAreKept(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	const each = 9 << 20 // of which three fit
	for i := range 4 {
		bringing(t, s, version(skillID(i), "1.0.0"), strings.Repeat(fmt.Sprint(i), each))
	}
	c := open(t, s, options())
	snap := snapshot(t, c)
	for step, want := range []struct{ skill, reads int }{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}, {0, 4}, {2, 4}, {1, 5}, {3, 6}} {
		files, _ := snap.Files(access.Caller{}, skillID(want.skill), "1.0.0")
		_, release, err := c.Archive(t.Context(), files)
		if err != nil {
			t.Fatal(err)
		}
		release()
		if s.reads != want.reads {
			t.Errorf("step %d: the store was read %d times, want %d", step, s.reads, want.reads)
		}
	}
}

func TestArchivesThatAreNotThereAreErrors(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	for _, id := range []string{"com.example.a", "com.example.b", "com.example.c"} {
		bringing(t, s, version(id, "1.0.0"), id)
	}
	c := open(t, s, options())
	snap := snapshot(t, c)
	read := func(id string) error {
		files, _ := snap.Files(access.Caller{}, id, "1.0.0")
		_, _, err := c.Archive(t.Context(), files)
		return err
	}
	s.set(func(s *shelfSource) {
		delete(s.archives, "com.example.a 1.0.0")
		s.archives["com.example.b 1.0.0"] = bytes.Clone(s.archives["com.example.c 1.0.0"])
	})
	var gone *store.FilesNotFoundError
	if err := read("com.example.a"); !errors.As(err, &gone) {
		t.Errorf("deleted since: got %v, want that there are no files", err)
	}
	if err := read("com.example.b"); err == nil || !strings.Contains(err.Error(), "the files of com.example.b 1.0.0 have the digest") {
		t.Errorf("damaged: got %v, want an error that names the version", err)
	}
	s.set(func(s *shelfSource) { s.down = true })
	if err := read("com.example.c"); !errors.Is(err, errDown) {
		t.Errorf("without the store: got %v", err)
	}
}

// A tar may end without its last blocks, which its packing anew adds.
func TestTheLargestArchiveIsServed(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	const end = 1024
	bringing(t, s, version("com.example.a", "1.0.0"), strings.Repeat("x", agentskills.MaxUnpacked-end))
	c := open(t, s, options())
	files, _ := snapshot(t, c).Files(access.Caller{}, "com.example.a", "1.0.0")
	if got, _, err := c.Archive(t.Context(), files); err != nil || len(got.Files) != 1 {
		t.Errorf("got %v, want the file", err)
	}
}

// Slow clients hold what they read: those of one archive hold one, and those of many are
// too many at some time.
func TestClientsThatAreSlowHoldLittle(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	const each, archives = 30 << 20, 8 // of which one is kept, and five are held
	for i := range archives {
		bringing(t, s, version(skillID(i), "1.0.0"), strings.Repeat(fmt.Sprint(i), each))
	}
	c := open(t, s, options())
	snap := snapshot(t, c)
	read := func(i int) (*catalog.Archive, func(), error) {
		files, _ := snap.Files(access.Caller{}, skillID(i), "1.0.0")
		return c.Archive(t.Context(), files)
	}
	first, releaseFirst, err := read(0)
	if err != nil {
		t.Fatal(err)
	}
	var releases []func()
	refused := 0
	for i := 1; i < archives; i++ {
		_, release, err := read(i)
		var away *store.UnavailableError
		switch {
		case err == nil:
			releases = append(releases, release)
		case errors.As(err, &away):
			refused++
		default:
			t.Fatal(err)
		}
	}
	if refused != 3 {
		t.Errorf("%d of %d archives were refused while all are being read, want three", refused, archives)
	}
	if again, release, err := read(0); err != nil || again != first {
		t.Errorf("the first again: got another or %v, want the one that is being read", err)
	} else {
		release()
	}
	releaseFirst()
	releaseFirst() // which is no other's
	for _, release := range releases {
		release()
	}
	if _, _, err := read(archives - 1); err != nil {
		t.Errorf("when nobody reads any more: %v", err)
	}
}
