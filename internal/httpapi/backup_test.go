package httpapi_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestARestoredRegistryAnswersToTheByte exports a registry with some histories behind it
// into a store of the other kind, and asks both everything: an administrator what can be
// read, and then a key and a stranger whatever they may try.
func TestARestoredRegistryAnswersToTheByte(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL}
	for from, to := range map[string]string{"sqlite": "postgres", "postgres": "sqlite"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			t.Parallel()
			url, restoredURL := kinds[from](t), kinds[to](t)
			known, publisher := played(t, url)
			carry(t, url, restoredURL)
			p := &pair{with: newHistorian(t, url), without: newHistorian(t, restoredURL)}
			p.each(func(h historian) { h.clock.advance(24 * time.Hour) })
			surfaces := known.surfaces(routesOf(t, p.with.handler))
			for _, observer := range []*caller{administrator(), publisher, anyone()} {
				p.observer = observer
				found := 0
				for _, a := range surfaces {
					// What an administrator makes is random: keys.
					if observer.scope == "admin" && a.method != http.MethodGet {
						continue
					}
					got, was := p.told(p.with, a)
					if _, is := p.told(p.without, a); is != was {
						t.Fatalf("to %s it told\n%s\nand, restored,\n%s", observer.name, was, is)
					}
					if got.status == http.StatusOK {
						found++
					}
				}
				if t.Logf("%d answers to %s, %d of them 200", len(surfaces), observer.name, found); found < 50 {
					t.Errorf("%s was told %d things, want enough to compare", observer.name, found)
				}
			}
		})
	}
}

// played has histories happen in a registry, which is then closed, and returns what is in
// play there and a publisher for a part of it.
func played(t *testing.T, url string) (inPlay, *caller) {
	t.Helper()
	h := newHistorian(t, url)
	defer h.store.Close()
	key, id := h.key([]string{"publish"}, "com.n1.in")
	publisher := &caller{name: "a publisher", scope: "publish", namespace: "com.n1.in", id: id, who: []change{as(key)}}
	known := inPlay{versions: []string{"0.9.0", "1.0.0", "1.10.0"}, keys: []string{id, "none"}, ids: []string{"com.never", "com.kept.a", "com.n1.in.kept"}}
	remember := func() {
		for _, who := range [][]change{nil, publisher.who} {
			known.cursors = append(known.cursors, h.get("/v1/changes?after=now", who...).text("/cursor"))
		}
	}
	// What histories may leave out: times that differ from others beside them, and a change
	// that the publisher meets between two of which only one is public.
	for _, do := range []func(){
		func() { h.published([4]string{"com.kept.a", "1.0.0", "public", "api"}) },
		func() { h.published([4]string{"com.n1.in.kept", "1.0.0", "public", "api"}) },
		func() {
			h.send("PATCH", "/v1/skills/com.n1.in.kept/versions/1.0.0", asAdmin(), jsonBody([]byte(`{"status":"deprecated","reason":"old"}`))).wantStatus(200)
		},
		func() { h.published([4]string{"com.kept.a", "0.9.0", "private", "api"}) },
	} {
		h.clock.advance(time.Second)
		do()
	}
	for i := range 20 {
		namespace := h.namespace()
		drawn := rapid.Custom(func(rt *rapid.T) *history { return drawHistory(rt, namespace, publisher) }).Example(i)
		if i < 4 { // there is not the time to ask for all skills one by one
			known.ids = append(known.ids, drawn.ids...)
		}
		for _, d := range drawn.deeds {
			h.clock.advance(time.Second)
			d.do(h.registry)
			remember()
		}
	}
	return known, publisher
}

// carry restores a store into another one.
func carry(t *testing.T, from, to string) {
	t.Helper()
	var file bytes.Buffer
	for _, step := range []struct {
		url string
		do  func(*store.Store) (store.Counts, error)
	}{
		{from, func(s *store.Store) (store.Counts, error) { return s.Export(t.Context(), &file) }},
		{to, func(s *store.Store) (store.Counts, error) { return s.Import(t.Context(), &file) }},
	} {
		s, err := store.Open(t.Context(), store.Options{URL: step.url})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Migrate(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		counts, err := step.do(s)
		if closing := s.Close(); err != nil || closing != nil {
			t.Fatal(err, closing)
		}
		if counts.Skills < 30 || counts.Versions < 50 || counts.Keys < 2 || counts.Events < 100 {
			t.Fatalf("got %v, want more", counts)
		}
	}
}
