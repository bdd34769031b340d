package store_test

import (
	"errors"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestVersionThatIsNotThereIsSaidSo(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0+b", protocol.Public, ""))
		_, before := changes(t, s, 0)
		for _, at := range [][2]string{
			{"com.example.b", "1.0.0+b"}, {"com.example.a", "2.0.0"}, {"com.example.a", "1.0.0"},
			{"com.example", "1.0.0+b"}, {"com.example.a\x00", "1.0.0+b"}, {"com.example.a", "1.0.0+b\xff"}, {"\xff", "%"},
		} {
			for how, err := range map[string]error{
				"set a status": s.SetStatus(t.Context(), store.StatusChange{SkillID: at[0], Version: at[1], Status: access.Yanked, At: noon}),
				"delete":       s.Delete(t.Context(), store.Deletion{SkillID: at[0], Version: at[1], At: noon}),
			} {
				var missing *store.VersionNotFoundError
				if !errors.As(err, &missing) || *missing != (store.VersionNotFoundError{SkillID: at[0], Version: at[1]}) {
					t.Errorf("%s of %q: got %v, want that there is none", how, at, err)
				}
			}
		}
		if _, after := changes(t, s, 0); after != before {
			t.Errorf("the mark moved from %+v to %+v", before, after)
		}
	})
}

func TestDeletedVersionLeavesOnlyItsNumber(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, v := range []string{"1.0.0", "2.0.0", "3.0.0"} {
			publish(t, s, publication("com.example.a", v, protocol.Public, ""))
		}
		if err := s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", Version: "2.0.0", At: noon}); err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", At: noon}); err != nil {
			t.Fatal(err)
		}
		all, mark := changes(t, s, 3)
		if want := (store.Mark{Revision: 5, PublicRevision: 5}); len(all) != 3 || mark != want {
			t.Errorf("got %q up to %+v, want three versions up to %+v", names(all), mark, want)
		}
		for _, c := range all {
			if v := c.Version; v.Status != access.Deleted || v.Document != nil || v.Digest != "" || !v.StatusAt.Equal(round(noon)) {
				t.Errorf("of a deleted version there is %+v", *v)
			}
		}
		for _, version := range []string{"1.0.0", "1.0.0+b"} {
			var exists *store.VersionExistsError
			_, err := s.Publish(t.Context(), publication("com.example.a", version, protocol.Public, ""))
			if !errors.As(err, &exists) || !exists.Deleted {
				t.Errorf("publishing %s again: got %v, want that it was deleted", version, err)
			}
		}
		publish(t, s, publication("com.example.a", "1.0.1", protocol.Public, ""))
	})
}
