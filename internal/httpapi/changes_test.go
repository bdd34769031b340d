package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// changes is an answer of the change feed.
type changes struct {
	Changes []struct {
		ID      string      `json:"id"`
		Entry   *indexEntry `json:"entry"`
		Removed bool        `json:"removed"`
	} `json:"changes"`
	Cursor string `json:"cursor"`
}

func (a *answer) changes() (c changes) {
	a.t.Helper()
	a.wantStatus(http.StatusOK)
	if err := json.Unmarshal(a.body, &c); err != nil || c.Changes == nil || c.Cursor == "" {
		a.t.Fatalf("%v; want changes and a cursor (error %v)", a, err)
	}
	return c
}

// summary tells the changes in one line: "com.a 1.0.0, com.b removed".
func (c changes) summary() string {
	var words []string
	for _, change := range c.Changes {
		if change.Removed == (change.Entry != nil) {
			words = append(words, change.ID+" ?")
		} else if change.Removed {
			words = append(words, change.ID+" removed")
		} else {
			words = append(words, change.ID+" "+change.Entry.Version)
		}
	}
	return strings.Join(words, ", ")
}

// feed is one caller's place in the change feed.
type feed struct {
	*registry
	who    []change
	cursor string
}

// follow returns a feed that begins now.
func (g *registry) follow(who ...change) *feed {
	g.t.Helper()
	f := &feed{registry: g, who: who}
	f.cursor = f.since("now", "").Cursor
	return f
}

func (f *feed) since(after, query string) changes {
	f.t.Helper()
	return f.get("/v1/changes?after="+url.QueryEscape(after)+query, f.who...).changes()
}

// want reads the next answer and compares its changes.
func (f *feed) want(when, summary string) {
	f.t.Helper()
	c := f.since(f.cursor, "")
	if got := c.summary(); got != summary {
		f.t.Errorf("%s: got %q, want %q", when, got, summary)
	}
	if summary == "" && c.Cursor != f.cursor {
		f.t.Errorf("%s: the cursor went from %s to %s with nothing to see", when, f.cursor, c.Cursor)
	}
	f.cursor = c.Cursor
}

func (g *registry) status(id, version string, status access.Status, reason string) {
	g.t.Helper()
	body := marshal(g.t, map[string]any{"status": status, "reason": reason})
	g.send("PATCH", "/v1/skills/"+id+"/versions/"+url.PathEscape(version), asAdmin(), jsonBody(body)).wantStatus(200)
}

func (g *registry) delete(path string) {
	g.t.Helper()
	g.send("DELETE", "/v1/skills/"+path, asAdmin()).wantStatus(204)
}

func TestFeedTellsEachChangeOnceAndNothingPrivate(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		a, b, p := n+".a", n+".b", n+".p"
		key, _ := g.key([]string{"read"}, n)
		everyone, owner := g.follow(), g.follow(as(key))
		other, _ := g.key([]string{"read"}, "org.other")
		stranger := g.follow(as(other))
		beginning := everyone.cursor
		all := func(when, open, own string) {
			t.Helper()
			everyone.want("everyone, "+when, open)
			stranger.want("a stranger, "+when, open)
			owner.want("the owner, "+when, own)
		}
		all("at first", "", "")
		g.published([4]string{a, "1.0.0", "public", "api"}, [4]string{p, "1.0.0", "private", "api"}, [4]string{b, "1.0.0", "restricted", "task"})
		all("new skills", a+" 1.0.0, "+b+" 1.0.0", a+" 1.0.0, "+p+" 1.0.0, "+b+" 1.0.0")

		g.published([4]string{p, "1.1.0", "private", "api"})
		g.publish(protocoltest.Valid(a, "1.0.0", "public", "api")).wantStatus(200)
		g.publish(protocoltest.Valid(a, "1.0.0", "public", "task")).wantStatus(409)
		all("what is private, what is the same, and what is refused", "", p+" 1.1.0")

		g.published([4]string{a, "1.1.0", "private", "api"})
		all("a skill becomes private", a+" removed", a+" 1.1.0")
		if got, want := everyone.since(beginning, "").summary(), b+" 1.0.0, "+a+" removed"; got != want {
			t.Errorf("since the beginning: %q, want %q", got, want)
		}
		g.published([4]string{a, "1.1.1", "private", "api"})
		all("what is gone goes once", "", a+" 1.1.1")

		before := everyone.cursor
		g.published([4]string{a, "1.2.0", "public", "api"})
		if got, want := everyone.since(before, "&limit=1").summary(), a+" 1.2.0"; got != want {
			t.Errorf("a page of one: %q, want %q", got, want)
		}
		all("and comes back", a+" 1.2.0", a+" 1.2.0")
		if got, want := everyone.since(beginning, "").summary(), b+" 1.0.0, "+a+" 1.2.0"; got != want {
			t.Errorf("since the beginning: %q, want %q", got, want)
		}

		g.status(b, "1.0.0", access.Yanked, "")
		all("a skill is yanked as a whole", b+" removed", b+" removed")
		g.status(b, "1.0.0", access.Active, "")
		all("and taken back", b+" 1.0.0", b+" 1.0.0")
		g.delete(b)
		all("and deleted", b+" removed", b+" removed")
		g.status(p, "1.1.0", access.Yanked, "")
		all("a private version is yanked", "", p+" 1.0.0")
		g.delete(p)
		all("and the private skill deleted", "", p+" removed")
	})
}

func TestFeedComesInPages(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		everyone := g.follow()
		for _, version := range []string{"1.0.0", "1.1.0"} {
			for _, id := range []string{".s0", ".s1", ".s2"} {
				g.published([4]string{n + id, version, "public", "api"})
			}
		}
		page := everyone.since(everyone.cursor, "&limit=2")
		if got, want := page.summary(), n+".s0 1.1.0, "+n+".s1 1.1.0"; got != want {
			t.Errorf("the first page: %q, want %q", got, want)
		}
		g.published([4]string{n + ".s0", "1.2.0", "public", "api"})
		page = everyone.since(page.Cursor, "&limit=2")
		if got, want := page.summary(), n+".s2 1.1.0, "+n+".s0 1.2.0"; got != want {
			t.Errorf("the second page, after another change: %q, want %q", got, want)
		}
		if got := everyone.since(page.Cursor, "&limit=2"); len(got.Changes) > 0 || got.Cursor != page.Cursor {
			t.Errorf("the third page: %+v, want none and the cursor %s", got, page.Cursor)
		}
		whole := g.get("/v1/changes").changes()
		if got, want := whole.summary(), n+".s1 1.1.0, "+n+".s2 1.1.0, "+n+".s0 1.2.0"; got != want || whole.Cursor != page.Cursor {
			t.Errorf("from the beginning: %q up to %s, want %q up to %s", got, whole.Cursor, want, page.Cursor)
		}
	})
}

func TestFeedRefusesWhatItDidNotGive(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		g.published([4]string{n + ".a", "1.0.0", "public", "api"})
		key, _ := g.key([]string{"read"}, n)
		other, _ := g.key([]string{"read"}, n+".b")
		everyone, owner, stranger := g.follow(), g.follow(as(key)), g.follow(as(other))
		for name, query := range map[string]string{
			"no cursor":               "after=nonsense",
			"an empty cursor":         "after=",
			"a number":                "after=-1",
			"a large number":          "after=99999999999999999999999",
			"a NUL":                   "after=%00",
			"no text":                 "after=%ff",
			"another case":            "after=NOW",
			"a cursor of the future":  "after=p999",
			"an owner's cursor":       "after=" + owner.cursor,
			"two cursors":             "after=now&after=now",
			"no limit":                "limit=0",
			"an empty limit":          "limit=",
			"a negative limit":        "limit=-1",
			"a limit that is no one":  "limit=x",
			"a large limit":           "limit=1001",
			"two limits":              "limit=1&limit=1",
			"an empty wait":           "wait=",
			"a wait without a unit":   "wait=30",
			"a negative wait":         "wait=-1s",
			"a wait that is none":     "wait=x",
			"a wait that is too long": "wait=61s",
			"two waits":               "wait=0s&wait=0s",
			"no query":                "after=%zz",
		} {
			a := g.get("/v1/changes?" + query)
			if a.status != http.StatusBadRequest || a.text("/error/code") != string(httpapi.CodeInvalidQuery) {
				t.Errorf("%s: %v; want 400", name, a)
			}
		}
		for _, c := range []struct {
			caller *feed
			cursor string
		}{{owner, everyone.cursor}, {owner, stranger.cursor}, {stranger, owner.cursor}} {
			g.get("/v1/changes?after="+c.cursor, c.caller.who...).wantError(400, httpapi.CodeInvalidQuery)
		}
		g.get("/v1/changes?after=nonsense", as("x")).wantError(401, protocol.CodeAuthRequired)
		for _, query := range []string{"limit=1", "limit=1000", "wait=0", "wait=0s", "wait=60s", "wait=1m&limit=1", "wait=100ms&after=now", "other=x"} {
			g.get("/v1/changes?" + query).wantStatus(200)
		}
	})
}

func TestFeedIsARepresentationAsTheOthersAre(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		g.published([4]string{n + ".a", "1.0.0", "public", "api"})
		key, _ := g.key([]string{"read"}, n)
		plain := g.get("/v1/changes").wantStatus(200).wantHeader("Cache-Control", "public, no-cache").wantHeader("Access-Control-Allow-Origin", "*")
		g.get("/v1/changes", as(key)).wantStatus(200).wantHeader("Cache-Control", "private, no-store")
		tag := header("If-None-Match", plain.header.Get("ETag"))
		g.get("/v1/changes", tag).wantStatus(304)
		g.send("HEAD", "/v1/changes").wantStatus(200).wantHeader("ETag", plain.header.Get("ETag"))
		g.published([4]string{n + ".p", "1.0.0", "private", "api"})
		g.get("/v1/changes", tag).wantStatus(304)
		g.published([4]string{n + ".b", "1.0.0", "public", "api"})
		if now := g.get("/v1/changes", tag).wantStatus(200); now.header.Get("ETag") == plain.header.Get("ETag") {
			t.Errorf("%v has the tag of the answer before it", now)
		}
		// An entry in the feed is the entry in the index.
		if got, want := g.get("/v1/changes").at("/changes/0/entry"), g.get("/.well-known/skills").at("/skills/0"); got == nil || string(marshal(t, got)) != string(marshal(t, want)) {
			t.Errorf("the entry in the feed is %v, in the index %v", got, want)
		}
	})
}
