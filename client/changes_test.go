package client_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestAMirrorFollowsTheChangesAndResumes(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin, anyone := open(t, r.url, adminKey), open(t, r.url, "")
		mirror, cursor := map[string]string{}, ""
		// follow takes what is new, in pages of two, and returns how many answers it took.
		follow := func() (answers int) {
			t.Helper()
			for page, err := range anyone.Changes(t.Context(), client.ChangesQuery{After: cursor, PageSize: 2}) {
				if err != nil {
					t.Fatal(err)
				}
				for _, change := range page.Changes {
					if delete(mirror, change.ID); change.Entry != nil {
						mirror[change.ID] = change.Entry.Version
					}
					if len(change.Raw) == 0 || change.Entry != nil && (change.Entry.ID != change.ID || len(change.Entry.Raw) == 0) {
						t.Errorf("got the change %+v of %s", change, change.Raw)
					}
				}
				cursor = page.Cursor
				answers++
			}
			return answers
		}
		same := func() {
			t.Helper()
			want := map[string]string{}
			for e, err := range anyone.Index(t.Context(), client.IndexQuery{}) {
				if err != nil {
					t.Fatal(err)
				}
				want[e.ID] = e.Version
			}
			if len(want) != len(mirror) {
				t.Errorf("the mirror has %v, the index %v", mirror, want)
			}
			for id, version := range want {
				if mirror[id] != version {
					t.Errorf("the mirror has %s of %s, the index %s", mirror[id], id, version)
				}
			}
		}
		for _, id := range []string{"com.example.a", "com.example.b", "com.example.c", "com.example.d", "com.example.e"} {
			publish(t, admin, id, "public", "api")
		}
		if n := follow(); n != 4 { // two, two, one, none
			t.Errorf("five changes came in %d answers, want 4", n)
		}
		same()
		if err := admin.SetStatus(t.Context(), "com.example.a", "1.0.0", client.Yanked, ""); err != nil {
			t.Fatal(err)
		}
		if err := admin.DeleteSkill(t.Context(), "com.example.c"); err != nil {
			t.Fatal(err)
		}
		publish(t, admin, "com.example.p", "private", "api")
		before := cursor
		follow()
		same()
		if len(mirror) != 3 {
			t.Errorf("the mirror has %v, want b, d and e", mirror)
		}
		after := cursor
		if follow(); cursor != after || cursor == before {
			t.Errorf("the cursor went from %s to %s, and then, with nothing new, to %s", before, after, cursor)
		}
	})
}

func TestFollowingWaitsForWhatComes(t *testing.T) {
	t.Parallel()
	r := serve(t, storetest.SQLite(t))
	admin := open(t, r.url, adminKey)
	publish(t, admin, "com.example.old", "public", "api")
	var met []string
	for page, err := range open(t, r.url, "").Changes(t.Context(), client.ChangesQuery{After: "now", Wait: 2 * time.Second}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range page.Changes {
			met = append(met, change.ID)
		}
		if len(met) == 2 {
			break
		}
		publish(t, admin, []string{"com.example.one", "com.example.two"}[len(met)], "public", "api")
	}
	if met[0] != "com.example.one" || met[1] != "com.example.two" {
		t.Errorf("met %v, want one and two", met)
	}
}

func TestACursorThatIsNotGoodEndsTheFollowing(t *testing.T) {
	t.Parallel()
	r := serve(t, storetest.SQLite(t))
	n := 0
	for page, err := range open(t, r.url, "").Changes(t.Context(), client.ChangesQuery{After: "p99", Wait: time.Second}) {
		n++
		if status(err) != http.StatusBadRequest || page.Cursor != "" {
			t.Errorf("got %+v and error %v, want status 400", page, err)
		}
	}
	if n != 1 {
		t.Errorf("the error came %d times, want once", n)
	}
}

func TestAnEmptyAnswerThatComesTooSoonIsNotAskedForAgainAtOnce(t *testing.T) {
	t.Parallel()
	url, requests := failing(t, 99, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"changes":[],"cursor":"p0"}`))
	})
	c := open(t, url, "")
	pauses := client.Pauses(c)
	for range c.Changes(t.Context(), client.ChangesQuery{After: "p0", Wait: time.Minute}) {
		if requests.Load() == 4 {
			break
		}
	}
	if len(*pauses) != 3 {
		t.Errorf("4 questions had the pauses %v between them, want 3", *pauses)
	}
}

func TestAFeedThatMakesNoSenseIsAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"no cursor":                   `{"changes":[]}`,
		"a page that leads to itself": `{"changes":[{"id":"com.example.a","removed":true}],"cursor":"p1"}`,
		"neither of the two":          `{"changes":[{"id":"com.example.a"}],"cursor":"p2"}`,
		"both of the two":             `{"changes":[{"id":"com.example.a","removed":true,"entry":{}}],"cursor":"p2"}`,
		"a change without id":         `{"changes":[{"removed":true}],"cursor":"p2"}`,
		"no object":                   `[]`,
		"an entry that is none":       `{"changes":[{"id":"com.example.a","entry":[]}],"cursor":"p2"}`,
	} {
		url, requests := failing(t, 99, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
		var last error
		for _, err := range open(t, url, "").Changes(t.Context(), client.ChangesQuery{After: "p1"}) {
			last = err
		}
		if last == nil || requests.Load() > 2 {
			t.Errorf("%s: got error %v after %d requests, want an error at once", name, last, requests.Load())
		}
	}
}

// What changes while the first answer is on its way must not be lost.
func TestNowIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	waits := make(chan string, 3)
	url := proxied(t, func(http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			waits <- r.URL.Query().Get("after") + " " + r.URL.Query().Get("wait")
			_, _ = w.Write([]byte(`{"changes":[],"cursor":"p7"}`))
		}
	})
	c := open(t, url, "")
	client.Pauses(c)
	n := 0
	for range c.Changes(t.Context(), client.ChangesQuery{After: "now", Wait: time.Minute}) {
		if n++; n == 2 {
			break
		}
	}
	if first, second := <-waits, <-waits; first != "now " || second != "p7 1m0s" {
		t.Errorf("asked for %q and then %q, want no wait and then a minute", first, second)
	}
}
