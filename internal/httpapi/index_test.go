package httpapi_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestIndexHoldsWhatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		g.published(
			[4]string{n + ".open", "1.0.0", "public", "api"},
			[4]string{n + ".members", "1.0.0", "restricted", "task"},
			[4]string{n + ".hidden", "1.0.0", "private", "api"},
		)
		open, all := []string{n + ".members", n + ".open"}, []string{n + ".hidden", n + ".members", n + ".open"}
		for _, path := range []string{"/.well-known/skills", "/.well-known/skills/", "/.well-known/skill-sharing", "/.well-known/skill-sharing/"} {
			a := g.get(path)
			if got := a.entries(n); !slices.Equal(got, open) {
				t.Errorf("%s for everyone: %v, want %v", path, got, open)
			}
			if a.text("/protocol/version") != "1.0.0" || a.text("/provider/name") != "Tests" {
				t.Errorf("%v; want the protocol version and the provider", a)
			}
			if got := g.get(path, asAdmin()).entries(n); !slices.Equal(got, all) {
				t.Errorf("%s for an administrator: %v, want %v", path, got, all)
			}
		}
		for _, path := range []string{"/v1/skills/" + n + ".hidden", "/v1/skills/" + n + ".hidden/versions", "/v1/skills/" + n + ".hidden/versions/1.0.0"} {
			hidden := g.get(path).wantError(404, protocol.CodeSkillNotFound)
			missing := g.get(strings.Replace(path, ".hidden", ".nowhere", 1)).wantError(404, protocol.CodeSkillNotFound)
			if string(hidden.body) != string(missing.body) {
				t.Errorf("a private skill and none are told apart: %s, %s", hidden.body, missing.body)
			}
			g.get(path, asAdmin()).wantStatus(200)
		}
	})
}

func TestIndexEntryLeadsToItsDescriptor(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		doc := protocoltest.Valid(id, "1.0.0+build.7", "public", "api")
		g.publish(doc).wantStatus(201)
		a := g.get("/.well-known/skills")
		address := a.text("/skills/0/descriptor_url")
		if want := g.base + "/v1/skills/" + id + "/versions/1.0.0+build.7"; address != want {
			t.Errorf("descriptor_url is %q, want %q", address, want)
		}
		if got := g.get(address).wantStatus(200).text("/version"); got != "1.0.0+build.7" {
			t.Errorf("the descriptor at %s is of version %q", address, got)
		}
	})
}

func TestIndexByCapabilityType(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		for _, kind := range []string{"plugin", "api", "knowledge", "task"} {
			g.published([4]string{n + "." + kind, "1.0.0", "public", kind})
		}
		tests := map[string][]string{
			"":                           {"api", "knowledge", "plugin", "task"},
			"?capability_type=plugin":    {"plugin"},
			"?capability_type=api":       {"api"},
			"?capability_type=knowledge": {"knowledge"},
			"?capability_type=task":      {"task"},
			"?capability_type=task&capability_type=api": {"api", "task"},
			"?capability_type=api&capability_type=api":  {"api"},
			"?unknown=x&capability_type=api":            {"api"},
		}
		for query, want := range tests {
			for i := range want {
				want[i] = n + "." + want[i]
			}
			if got := g.get("/.well-known/skills" + query).entries(n); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", query, got, want)
			}
		}
	})
}

func TestWrongQueriesOfTheIndex(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	good := "bGltaXQ"
	tests := map[string]struct{ query, names string }{
		"an unknown type":           {"capability_type=tool", "plugin, api, knowledge, task"},
		"an empty type":             {"capability_type=", "plugin, api, knowledge, task"},
		"a type in capitals":        {"capability_type=API", "plugin, api, knowledge, task"},
		"types joined by a comma":   {"capability_type=api,task", "plugin, api, knowledge, task"},
		"a good and a wrong type":   {"capability_type=api&capability_type=tool", "plugin, api, knowledge, task"},
		"a limit of zero":           {"limit=0", "limit"},
		"a negative limit":          {"limit=-1", "limit"},
		"a limit with a sign":       {"limit=%2B5", "limit"},
		"a limit that is too high":  {"limit=1001", "limit"},
		"a limit beyond any number": {"limit=99999999999999999999", "limit"},
		"a limit with an exponent":  {"limit=1e2", "limit"},
		"a limit in hexadecimal":    {"limit=0x10", "limit"},
		"a limit with a zero ahead": {"limit=05", "limit"},
		"a limit with a space":      {"limit=%205", "limit"},
		"an empty limit":            {"limit=", "limit"},
		"a limit that is no number": {"limit=abc", "limit"},
		"two limits":                {"limit=5&limit=5", "limit"},
		"a cursor that is none":     {"limit=5&cursor=nonsense", "cursor"},
		"an empty cursor":           {"limit=5&cursor=", "cursor"},
		"a cursor of bad bytes":     {"limit=5&cursor=%ff", "cursor"},
		"two cursors":               {"limit=5&cursor=" + good + "&cursor=" + good, "cursor"},
		"a cursor without a limit":  {"cursor=" + cursorAfter("com.example.a"), "limit"},
		"a query that is none":      {"limit=%zz", "percent-encoded"},
		"a semicolon":               {"limit=5;capability_type=api", "percent-encoded"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.in(t).get("/.well-known/skills?"+test.query).wantError(400, httpapi.CodeInvalidQuery)
			if !strings.Contains(a.text("/error/message"), test.names) {
				t.Errorf("%v; want a message that names %q", a, test.names)
			}
		})
	}
}

// next returns the address of the page after an answer, or "".
func (a *answer) next() string {
	a.t.Helper()
	for _, l := range a.links() {
		if l.rel == "next" {
			return l.target
		}
	}
	return ""
}

// link is one link of a Link header.
type link struct{ target, rel, mediaType string }

// links returns the links of an answer.
func (a *answer) links() (links []link) {
	a.t.Helper()
	header := a.header.Get("Link")
	if header == "" {
		return nil
	}
	for _, text := range strings.Split(header, ", ") {
		m := regexp.MustCompile(`^<([^<>]+)>; rel="([a-z-]+)"(?:; type="([^"]+)")?$`).FindStringSubmatch(text)
		if m == nil {
			a.t.Fatalf("%s: Link is %q", a.request, header)
		}
		links = append(links, link{m[1], m[2], m[3]})
	}
	return links
}

// walk follows the pages of an index, and calls between after each.
func (g *registry) walk(path, namespace string, between func(page int), changes ...change) (ids []string, pages int) {
	g.t.Helper()
	for path != "" {
		a := g.get(path, changes...).wantStatus(http.StatusOK)
		ids = append(ids, a.entries(namespace)...)
		between(pages)
		pages++
		path = a.next()
	}
	return ids, pages
}

func TestPagesMeetEachSkillOnce(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		var all, open []string
		for i := range 20 {
			access := []string{"public", "restricted", "private"}[i%3]
			id := fmt.Sprintf("%s.s%02d", n, i)
			g.published([4]string{id, "1.0.0", access, []string{"api", "task"}[i%2]})
			all = append(all, id)
			if access != "private" {
				open = append(open, id)
			}
		}
		for _, limit := range []int{1, 2, 3, 7, 13, 14, 15, 20, 1000} {
			path := fmt.Sprintf("/.well-known/skills?limit=%d", limit)
			ids, pages := g.walk(path, n, func(int) {})
			if !slices.Equal(ids, open) || pages != (len(open)+limit-1)/limit {
				t.Errorf("limit %d for everyone: %d pages with %v, want %v", limit, pages, ids, open)
			}
			if ids, _ := g.walk(path, n, func(int) {}, asAdmin()); !slices.Equal(ids, all) {
				t.Errorf("limit %d for an administrator: %v, want %v", limit, ids, all)
			}
		}
		// Each page is published between: before, behind and at the place of the walk.
		ids, _ := g.walk("/.well-known/skills?limit=3", n, func(page int) {
			for _, id := range []string{n + ".a", n + ".s05.x", n + ".z"} {
				g.published([4]string{fmt.Sprintf("%s%d", id, page), "1.0.0", "public", "api"})
			}
			g.published([4]string{open[len(open)-1], fmt.Sprintf("2.0.%d", page), "public", "api"})
		})
		for _, id := range open {
			if i := slices.Index(ids, id); i < 0 || slices.Contains(ids[i+1:], id) {
				t.Errorf("a walk with publications between meets %s not exactly once: %v", id, ids)
			}
		}
	})
}

func TestLinkKeepsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for i := range 4 {
		g.published([4]string{fmt.Sprintf("com.example.s%d", i), "1.0.0", "public", "api"})
	}
	for _, path := range []string{"/.well-known/skills", "/.well-known/skills/", "/.well-known/skill-sharing", "/.well-known/skill-sharing/"} {
		next := g.get(path + "?limit=2&capability_type=task&capability_type=api&x=y").next()
		want := g.base + path + "?capability_type=api&capability_type=task&cursor=" + cursorAfter("com.example.s1") + "&limit=2"
		if next != want {
			t.Errorf("the page after the first of %s is at %q, want %q", path, next, want)
		}
		if a := g.get(next); a.next() != "" || !slices.Equal(a.entries("com.example"), []string{"com.example.s2", "com.example.s3"}) {
			t.Errorf("%v, next %q; want the last two and no further page", a, a.next())
		}
	}
}

// A page keeps its bytes when a skill is published behind it, and yet a cache that
// holds it must learn that there is more.
func TestLastPageThatIsLastNoMoreIsAnother(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	first := g.get("/.well-known/skills?limit=1")
	g.published([4]string{"com.example.b", "1.0.0", "public", "api"})
	second := g.get("/.well-known/skills?limit=1", header("If-None-Match", first.header.Get("ETag"))).wantStatus(200)
	if second.next() == "" || string(first.body) != string(second.body) {
		t.Fatalf("%v with next %q; want the same page with a next one", second, second.next())
	}
	g.get("/.well-known/skills?limit=1", header("If-None-Match", second.header.Get("ETag"))).wantStatus(304).wantHeader("Link", second.header.Get("Link"))
}

// cursorAfter is the cursor that a page which ends with an id gives out today.
func cursorAfter(id string) string { return base64.RawURLEncoding.EncodeToString([]byte("1:" + id)) }
