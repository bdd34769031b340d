package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestPublishedVersionComesBackAsItWas(t *testing.T) {
	t.Parallel()
	contents := map[string]string{
		"plain":          `{"a":1}`,
		"escaped NUL":    `{"a":"\u0000"}`,
		"huge numbers":   `{"a":1e400,"b":12345678901234567890123456789,"c":1E3,"d":0.10}`,
		"member order":   `{"b":1,"a":2,"aa":{"z":1,"y":2}}`,
		"outside ASCII":  `{"名前":"𝒳 – é é","quote":"\"\\'"}`,
		"a megabyte":     `{"a":"` + strings.Repeat("x", 1<<20) + `"}`,
		"no JSON at all": "\x00\xff\xfe'\r\n",
	}
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for name, content := range contents {
			id := "com.example." + strings.ReplaceAll(strings.ToLower(name), " ", "-")
			d := document(id, "1.0.0-rc.1+b.1", protocol.Restricted, name)
			d.Canonical = []byte(content)
			_, mark := changes(t, s, 0)
			publish(t, s, store.Publication{Document: d, At: noon})

			all, _ := changes(t, s, mark.Revision)
			if len(all) != 1 || all[0].Version == nil {
				t.Fatalf("%s: got %d changes, want one version", name, len(all))
			}
			got := *all[0].Version
			if string(got.Document) != content {
				t.Errorf("%s: got %.100q back, want %.100q", name, got.Document, content)
			}
			got.Document = nil
			want := store.Version{
				SkillID: id, Version: "1.0.0-rc.1+b.1", Access: protocol.Restricted,
				Status: access.Active, Digest: d.Digest, PublishedAt: round(noon),
			}
			if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
				t.Errorf("%s: got\n%#v, want\n%#v", name, got, want)
			}
		}
	})
}

func TestPublishingTheSameContentAgainChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		p := publication("com.example.a", "1.0.0", protocol.Public, "x")
		publish(t, s, p)
		_, before := changes(t, s, 0)

		again := p
		again.At = p.At.AddDate(1, 0, 0)
		want := store.Published{PublishedAt: round(p.At)}
		if got, err := s.CheckPublish(t.Context(), again); err != nil || got != want {
			t.Errorf("a check of the same content: got %+v, %v; want %+v", got, err, want)
		}
		if got, err := s.Publish(t.Context(), again); err != nil || got != want {
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
			want := store.VersionExistsError{SkillID: "com.example.a", Version: "1.0.0+build.1"}
			for how, call := range map[string]func() (store.Published, error){
				"publish": func() (store.Published, error) { return s.Publish(t.Context(), p) },
				"check":   func() (store.Published, error) { return s.CheckPublish(t.Context(), p) },
			} {
				var exists *store.VersionExistsError
				if got, err := call(); !errors.As(err, &exists) || *exists != want || got != (store.Published{}) {
					t.Errorf("%s of %s: got %+v, %v; want %v", how, name, got, err, &want)
				}
			}
		}
		if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
			t.Errorf("got %d changes up to %+v, want the first publication alone", len(all), mark)
		}
	})
}

func TestCheckingAPublicationStoresNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		got, err := s.CheckPublish(t.Context(), publication("com.example.a", "1.0.0", protocol.Public, "x"))
		if want := (store.Published{PublishedAt: round(noon), Created: true}); err != nil || got != want {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
		if all, mark := changes(t, s, 0); len(all) != 0 || mark != (store.Mark{}) {
			t.Errorf("got %d changes up to %+v, want nothing", len(all), mark)
		}
	})
}

func TestVersionsThatOnlyLookAlikeAreTakenApart(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, id := range []string{"com.example.a", "com.example.a.b", "com.example.a-b", "com.example.a_b", "com.example.axb"} {
			for _, version := range []string{"1.0.0", "1.0.0-a", "1.0.0-A", "1.0.0-0", "1.0.00000000000000000001", "10.0.0"} {
				publish(t, s, publication(id, version, protocol.Public, "x"))
			}
		}
	})
}

func TestOneOfTenThatPublishAtOnceCreatesTheVersion(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]func(i int) string{
		"the same content":   func(int) string { return "x" },
		"different contents": func(i int) string { return fmt.Sprint("x", i) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				s := open(t, url)
				var created, there, refused int
				var mu sync.Mutex
				var calls sync.WaitGroup
				for i := range 10 {
					calls.Go(func() {
						got, err := s.Publish(t.Context(), publication("com.example.a", "1.0.0", protocol.Public, content(i)))
						var exists *store.VersionExistsError
						mu.Lock()
						defer mu.Unlock()
						switch {
						case errors.As(err, &exists):
							refused++
						case err != nil:
							t.Error(err)
						case got.Created:
							created++
						default:
							there++
						}
					})
				}
				calls.Wait()
				wantThere, wantRefused := 9, 0
				if content(0) != content(1) {
					wantThere, wantRefused = 0, 9
				}
				if created != 1 || there != wantThere || refused != wantRefused {
					t.Errorf("created %d, there already %d, refused %d; want 1, %d, %d", created, there, refused, wantThere, wantRefused)
				}
				if all, mark := changes(t, s, 0); len(all) != 1 || mark.Revision != 1 {
					t.Errorf("got %d changes up to %+v, want one", len(all), mark)
				}
			})
		})
	}
}
