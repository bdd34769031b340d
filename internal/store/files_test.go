package store_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// attachment makes one by hand: the store looks at nothing of it.
func attachment(id, version, content string) store.Attachment {
	archive := []byte("\x1f\x8b\x00" + content)
	return store.Attachment{
		SkillID: id, Version: version, Archive: archive, At: noon, By: someone,
		Files: store.Files{Digest: protocol.Digest(archive), Names: []string{"SKILL.md", "a/<&>.md"}, Description: "what: \"<&>\u2028é"},
	}
}

// attach attaches files that are new.
func attach(t testing.TB, s *store.Store, a store.Attachment) error {
	t.Helper()
	created, err := s.AttachFiles(t.Context(), a)
	if err == nil && !created {
		err = errors.New("the files were there already")
	}
	return err
}

func TestAttachedFilesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0+b", protocol.Public, ""))
		publish(t, s, publication("com.example.a", "2.0.0", protocol.Private, ""))
		a := attachment("com.example.a", "1.0.0+b", strings.Repeat("\x00\xff", 1<<20))
		_, mark := changes(t, s, 0)
		if err := attach(t, s, a); err != nil {
			t.Fatal(err)
		}
		all, after := changes(t, s, mark.Revision)
		if len(all) != 1 || all[0].Version.Version != "1.0.0+b" || !reflect.DeepEqual(all[0].Version.Files, &a.Files) {
			t.Errorf("got %q with %+v, want the version with %+v", names(all), all[0].Version.Files, a.Files)
		}
		// The skill is private: nobody saw anything move.
		if want := (store.Mark{Revision: mark.Revision + 1, PublicRevision: mark.PublicRevision}); after != want {
			t.Errorf("the mark moved from %+v to %+v", mark, after)
		}
		if got, err := s.Archive(t.Context(), "com.example.a", "1.0.0+b"); err != nil || !bytes.Equal(got, a.Archive) {
			t.Errorf("got %d bytes, %v; want the %d that were attached", len(got), err, len(a.Archive))
		}
		wantEvents(t, s, "publish com.example.a 1.0.0+b", "publish com.example.a 2.0.0", tell(store.Event{
			Actor: someone, Action: store.ActionAttachFiles, SkillID: "com.example.a", Version: "1.0.0+b", Requests: 1,
		}))
	})
}

func TestFilesOfAVersionNeverChange(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		if err := attach(t, s, attachment("com.example.a", "1.0.0", "x")); err != nil {
			t.Fatal(err)
		}
		if err := s.SetStatus(t.Context(), store.StatusChange{SkillID: "com.example.a", Version: "1.0.0", Status: access.Yanked, At: noon}); err != nil {
			t.Fatal(err)
		}
		before := export(t, s)
		if created, err := s.AttachFiles(t.Context(), attachment("com.example.a", "1.0.0", "x")); err != nil || created {
			t.Errorf("the same again: got %t, %v; want that they are there", created, err)
		}
		var exist *store.FilesExistError
		created, err := s.AttachFiles(t.Context(), attachment("com.example.a", "1.0.0", "y"))
		if !errors.As(err, &exist) || *exist != (store.FilesExistError{SkillID: "com.example.a", Version: "1.0.0"}) || created {
			t.Errorf("others: got %t, %v; want a FilesExistError", created, err)
		}
		if after := export(t, s); !bytes.Equal(after, before) {
			t.Errorf("there was\n%s, and there is\n%s", before, after)
		}
	})
}

func TestFilesGoWithTheirVersion(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, version := range []string{"1.0.0", "2.0.0", "3.0.0"} {
			publish(t, s, publication("com.example.a", version, protocol.Public, ""))
			if err := attach(t, s, attachment("com.example.a", version, version)); err != nil {
				t.Fatal(err)
			}
		}
		for _, version := range []string{"2.0.0", ""} {
			if err := s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", Version: version, At: noon}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Archive(t.Context(), "com.example.a", "1.0.0"); (err == nil) != (version != "") {
				t.Errorf("after deleting %q there are files of 1.0.0: %v", version, err)
			}
			var missing *store.FilesNotFoundError
			if _, err := s.Archive(t.Context(), "com.example.a", "2.0.0"); !errors.As(err, &missing) {
				t.Errorf("after deleting %q: got %v, want that there are no files", version, err)
			}
			var gone *store.VersionNotFoundError
			if _, err := s.AttachFiles(t.Context(), attachment("com.example.a", "2.0.0", "2.0.0")); !errors.As(err, &gone) {
				t.Errorf("to a deleted version: got %v, want that there is none", err)
			}
		}
		all, _ := changes(t, s, 0)
		for _, c := range all {
			if c.Version.Files != nil {
				t.Errorf("%s has %+v", c.Version.Version, c.Version.Files)
			}
		}
		if file := export(t, s); bytes.Contains(file, []byte(`{"files":`)) {
			t.Errorf("there are files in\n%s", file)
		}
	})
}

func TestFilesNeedAVersion(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0+b", protocol.Public, ""))
		_, before := changes(t, s, 0)
		for _, at := range [][2]string{
			{"com.example.b", "1.0.0+b"}, {"com.example.a", "1.0.0"}, {"com.example.a", "2.0.0"}, {"com.example.a\x00", "1.0.0+b"}, {"com.example.a", "1.0.0+b\xff"},
		} {
			var missing *store.VersionNotFoundError
			if _, err := s.AttachFiles(t.Context(), attachment(at[0], at[1], "")); !errors.As(err, &missing) {
				t.Errorf("%q: got %v, want that there is none", at, err)
			}
			var none *store.FilesNotFoundError
			if _, err := s.Archive(t.Context(), at[0], at[1]); !errors.As(err, &none) {
				t.Errorf("files of %q: got %v, want that there are none", at, err)
			}
		}
		if _, after := changes(t, s, 0); after != before {
			t.Errorf("the mark moved from %+v to %+v", before, after)
		}
	})
}
