package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// mirror is what one caller has who follows the change feed.
type mirror struct {
	*registry
	who    []change
	cursor string
	// entries are those of the index, as they came, by their ids.
	entries map[string]string
}

// mirrorFrom returns a mirror that has nothing yet.
func (g *registry) mirrorFrom(who ...change) *mirror {
	return &mirror{registry: g, who: who, entries: map[string]string{}}
}

// ask returns the answer to a read. Its errors are of what must not happen.
func (m *mirror) ask(path string) (*answer, error) {
	a, err := m.try(http.MethodGet, path, m.who...)
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("%v; want status 200", a)
	}
	return a, err
}

// follow applies one page of changes, and reports whether there were any.
func (m *mirror) follow(query url.Values) (bool, error) {
	if m.cursor != "" {
		query.Set("after", m.cursor)
	}
	a, err := m.ask("/v1/changes?" + query.Encode())
	if err != nil {
		return false, err
	}
	var page struct {
		Changes []struct {
			ID      string
			Entry   json.RawMessage
			Removed bool
		}
		Cursor string
	}
	if err := json.Unmarshal(a.body, &page); err != nil || page.Cursor == "" {
		return false, fmt.Errorf("%v: no changes and a cursor: %w", a, err)
	}
	met := map[string]bool{}
	for _, c := range page.Changes {
		if met[c.ID] || c.Removed == (c.Entry != nil) {
			return false, fmt.Errorf("%v tells of %s twice, or neither that it is there nor that it is not", a, c.ID)
		}
		met[c.ID] = true
		if delete(m.entries, c.ID); !c.Removed {
			m.entries[c.ID] = string(c.Entry)
		}
	}
	if len(page.Changes) == 0 && m.cursor != "" && m.cursor != "now" && page.Cursor != m.cursor {
		return false, fmt.Errorf("%v moves on from %s with nothing to see", a, m.cursor)
	}
	m.cursor = page.Cursor
	return len(page.Changes) > 0, nil
}

func pageOf(limit int) url.Values { return url.Values{"limit": {strconv.Itoa(limit)}} }

// begin gives the mirror the index as a newcomer may get it: the cursor of this moment
// first, and then the index, which has what the feed tells from there on, or more.
func (m *mirror) begin() error {
	m.cursor = "now"
	if _, err := m.follow(pageOf(1)); err != nil {
		return err
	}
	entries, err := m.index()
	m.entries = entries
	return err
}

// index returns the entries of the index that the mirror's caller sees.
func (m *mirror) index() (map[string]string, error) {
	a, err := m.ask("/.well-known/skills")
	if err != nil {
		return nil, err
	}
	var index struct{ Skills []json.RawMessage }
	if err := json.Unmarshal(a.body, &index); err != nil {
		return nil, err
	}
	entries := map[string]string{}
	for _, raw := range index.Skills {
		var e indexEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		entries[e.ID] = string(raw)
	}
	return entries, nil
}

// catchUp follows the feed to its end, and compares the mirror with the index.
func (m *mirror) catchUp(limit int) error {
	for more := true; more; {
		var err error
		if more, err = m.follow(pageOf(limit)); err != nil {
			return err
		}
	}
	want, err := m.index()
	if err != nil {
		return err
	}
	if !maps.Equal(m.entries, want) {
		return fmt.Errorf("the mirror has %v at %s, the index is %v", m.entries, m.cursor, want)
	}
	return nil
}

// TestMirrorHasTheIndex lets mirrors of several callers follow random histories, at
// random moments and in pages of random sizes. At the end each has exactly the index
// that its caller sees.
func TestMirrorHasTheIndex(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		protocoltest.Check(t, func(t *rapid.T) {
			n := g.namespace()
			inside, insideID := g.key([]string{"read"}, n+".a")
			whole, wholeID := g.key([]string{"publish"}, n)
			mirrors := []*mirror{g.mirrorFrom(), g.mirrorFrom(as(inside)), g.mirrorFrom(as(whole)), g.mirrorFrom(asAdmin())}
			callers := []string{"anyone", "a key of one namespace", "a key of all", "the administrator"}
			for i, m := range mirrors {
				if err := m.begin(); err != nil {
					t.Fatalf("%s: %v", callers[i], err)
				}
			}
			h := &writing{g: g, ids: []string{n + ".a", n + ".a.x", n + ".ab", n + ".b"}}
			for range rapid.IntRange(1, 25).Draw(t, "steps") {
				if rapid.IntRange(0, 2).Draw(t, "what") > 0 {
					h.step(t)
					continue
				}
				i, limit := rapid.IntRange(0, len(mirrors)-1).Draw(t, "mirror"), rapid.IntRange(1, 3).Draw(t, "limit")
				if _, err := mirrors[i].follow(pageOf(limit)); err != nil {
					t.Fatalf("%s: %v", callers[i], err)
				}
			}
			for i, m := range mirrors {
				if err := m.catchUp(rapid.IntRange(1, 3).Draw(t, "last limit")); err != nil {
					t.Fatalf("%s: %v", callers[i], err)
				}
			}
			i := rapid.IntRange(0, len(mirrors)-1).Draw(t, "who begins at the beginning")
			if err := g.mirrorFrom(mirrors[i].who...).catchUp(1000); err != nil {
				t.Fatalf("%s, from the beginning: %v", callers[i], err)
			}
			h.clear(t)
			for _, id := range []string{insideID, wholeID} {
				g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
			}
		})
	})
}

// writing draws writes and sends them.
type writing struct {
	g   *registry
	ids []string
}

// step sends one write, which may be refused.
func (h *writing) step(t *rapid.T) {
	id := rapid.SampledFrom(h.ids).Draw(t, "id")
	version := rapid.SampledFrom(ladder()).Draw(t, "version")
	path := "/v1/skills/" + id + "/versions/" + version
	var a *answer
	var err error
	switch rapid.IntRange(0, 9).Draw(t, "write") {
	case 0, 1, 2, 3, 4:
		level := rapid.SampledFrom([]string{"public", "restricted", "private"}).Draw(t, "access")
		kind := rapid.SampledFrom([]string{"api", "task"}).Draw(t, "type")
		a, err = h.g.try("POST", "/v1/skills", asAdmin(), jsonBody(protocoltest.Valid(id, version, level, kind)))
	case 5, 6, 7:
		status := rapid.SampledFrom([]string{"active", "deprecated", "yanked", "yanked"}).Draw(t, "status")
		a, err = h.g.try("PATCH", path, asAdmin(), jsonBody([]byte(`{"status":"`+status+`"}`)))
	case 8:
		a, err = h.g.try("DELETE", path, asAdmin())
	case 9:
		a, err = h.g.try("DELETE", "/v1/skills/"+id, asAdmin())
	}
	if err != nil || !slices.Contains([]int{200, 201, 204, 404, 409}, a.status) {
		t.Fatalf("%v (error %v)", a, err)
	}
}

// clear deletes everything, so that the index of the next case is short.
func (h *writing) clear(t *rapid.T) {
	for _, id := range h.ids {
		if _, err := h.g.try("DELETE", "/v1/skills/"+id, asAdmin()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMirrorsThatWaitHaveTheIndexOfManyWriters lets mirrors follow the feed, waiting for
// what comes, while several writers write at once; on PostgreSQL through one replica,
// and the mirrors through another.
func TestMirrorsThatWaitHaveTheIndexOfManyWriters(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		writes := newRegistry(t, url, options{})
		reads := writes
		if strings.HasPrefix(url, "postgres") {
			reads = newRegistry(t, url, options{})
		}
		n := writes.namespace()
		key, _ := writes.key([]string{"read"}, n+".w0")
		mirrors := []*mirror{reads.mirrorFrom(), reads.mirrorFrom(as(key)), reads.mirrorFrom(asAdmin())}
		done := make(chan struct{})
		var following, writing sync.WaitGroup
		for _, m := range mirrors {
			following.Go(func() {
				for {
					if _, err := m.follow(map[string][]string{"limit": {"3"}, "wait": {"200ms"}}); err != nil {
						t.Error(err)
						return
					}
					select {
					case <-done:
						return
					default:
					}
				}
			})
		}
		for w := range 4 {
			writing.Go(func() {
				id := func(i int) string { return fmt.Sprintf("%s.w%d.s%d", n, w, i%3) }
				for i := range 24 {
					version := fmt.Sprintf("1.%d.0", i)
					level := []string{"public", "private", "restricted"}[(i+w)%3]
					path := "/v1/skills/" + id(i)
					sent := [][2]any{{"POST", jsonBody(protocoltest.Valid(id(i), version, level, "api"))}}
					if i%4 == 3 {
						path += "/versions/" + version
						sent = append(sent, [2]any{"PATCH", jsonBody([]byte(`{"status":"yanked"}`))})
					}
					if i%8 == 7 {
						sent = append(sent, [2]any{"DELETE", header("X-None", "")})
					}
					for k, s := range sent {
						to := path
						if k == 0 {
							to = "/v1/skills"
						}
						if a, err := writes.try(s[0].(string), to, asAdmin(), s[1].(change)); err != nil || a.status >= 300 {
							t.Errorf("%v (error %v)", a, err)
						}
					}
				}
			})
		}
		writing.Wait()
		time.Sleep(100 * time.Millisecond)
		close(done)
		following.Wait()
		for i, m := range mirrors {
			if err := m.catchUp(2); err != nil {
				t.Errorf("mirror %d: %v", i, err)
			}
			if len(m.entries) == 0 {
				t.Errorf("mirror %d is empty", i)
			}
		}
	})
}
