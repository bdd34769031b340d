package store_test

import (
	"errors"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestPublishingTheSameContentAgainChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		p := publication("com.example.a", "1.0.0", protocol.Public, "x")
		publish(t, s, p)
		_, before := changes(t, s, 0)

		again := p
		again.At = p.At.AddDate(1, 0, 0)
		got, err := s.Publish(t.Context(), again)
		if want := (store.Published{PublishedAt: round(p.At)}); err != nil || got != want {
			t.Errorf("the same content again: got %+v, %v; want %+v", got, err, want)
		}
		if _, after := changes(t, s, 0); after != before {
			t.Errorf("the mark moved from %+v to %+v", before, after)
		}
		if r, err := s.Revision(t.Context()); err != nil || r != before.Revision {
			t.Errorf("revision: got %d, %v; want %d", r, err, before.Revision)
		}
	})
}

func TestOtherContentUnderTheSameVersionIsRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0+build.1", protocol.Public, "x"))
		for name, p := range map[string]store.Publication{
			"other content":        publication("com.example.a", "1.0.0+build.1", protocol.Public, "y"),
			"another build part":   publication("com.example.a", "1.0.0+build.2", protocol.Public, "x"),
			"no build part":        publication("com.example.a", "1.0.0", protocol.Public, "x"),
			"another access level": publication("com.example.a", "1.0.0+build.1", protocol.Private, "x"),
		} {
			var exists *store.VersionExistsError
			_, err := s.Publish(t.Context(), p)
			if !errors.As(err, &exists) || *exists != (store.VersionExistsError{SkillID: "com.example.a", Version: "1.0.0+build.1"}) {
				t.Errorf("%s: got %v, want the version that is taken", name, err)
			}
			if _, dry := s.CheckPublish(t.Context(), p); dry == nil || err == nil || dry.Error() != err.Error() {
				t.Errorf("%s: a check says %v, publishing %v", name, dry, err)
			}
		}
		if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
			t.Errorf("got %d changes up to %+v, want the first publication alone", len(all), mark)
		}
	})
}
