package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
)

// names lists the ids of the skills that a home page shows, in its order.
func (a *answer) names() (ids []string) {
	for _, m := range regexp.MustCompile(`<h3><a href="/skills/([^"]+)">`).FindAllSubmatch(a.body, -1) {
		ids = append(ids, string(m[1]))
	}
	return ids
}

// publishTree publishes a small document with some other members.
func (g *registry) publishTree(id, version, access, kind string, members map[string]any) {
	g.t.Helper()
	tree := protocoltest.Tree(id, version, access, kind)
	for name, value := range members {
		tree[name] = value
	}
	g.publish(marshal(g.t, tree)).wantStatus(http.StatusCreated)
}

func TestPagesShowWhatTheCallerMaySee(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.publishTree("com.example.a", "1.0.0", "public", "api", map[string]any{"tags": []string{"maps"}})
	g.published([4]string{"com.example.b", "1.0.0", "restricted", "task"}, [4]string{"com.example.c", "1.0.0", "private", "api"})
	key, _ := g.key([]string{"read"}, "com.example")
	tests := map[string]struct {
		path string
		who  []change
		want []string
	}{
		"everything, to anyone":         {"/", nil, []string{"com.example.a", "com.example.b"}},
		"everything, to a key":          {"/", []change{as(key)}, []string{"com.example.a", "com.example.b", "com.example.c"}},
		"a type":                        {"/?capability_type=task", nil, []string{"com.example.b"}},
		"an access level":               {"/?access=restricted", nil, []string{"com.example.b"}},
		"two access levels, to a key":   {"/?access=public&access=private", []change{as(key)}, []string{"com.example.a", "com.example.c"}},
		"private ones, to anyone":       {"/?access=private", nil, nil},
		"a tag":                         {"/?tag=maps", nil, []string{"com.example.a"}},
		"an empty field of a form":      {"/?q=&tag=", nil, []string{"com.example.a", "com.example.b"}},
		"a search, best first":          {"/?q=com.example.b", nil, []string{"com.example.b", "com.example.a"}},
		"a search that nothing matches": {"/?q=zeppelin", nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.in(t).get(test.path, test.who...).wantStatus(200)
			if got := a.names(); !slices.Equal(got, test.want) {
				t.Errorf("%s shows %q, want %q", test.path, got, test.want)
			}
		})
	}
}

func TestPagesLeadToTheNext(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for i := range 45 {
		g.published([4]string{fmt.Sprintf("com.example.s%02d", i), "1.0.0", "public", "api"})
	}
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	var seen []string
	for path, pages := "/?capability_type=api", 0; path != ""; pages++ {
		a := g.get(path).wantStatus(200)
		seen = append(seen, a.names()...)
		if path = ""; next.Match(a.body) {
			path = strings.ReplaceAll(string(next.FindSubmatch(a.body)[1]), "&amp;", "&")
		}
		if pages > 3 {
			t.Fatalf("the pages do not end: %q", seen)
		}
	}
	if len(seen) != 45 || !slices.IsSorted(seen) {
		t.Errorf("the pages show %q, want 45 skills, each once and in their order", seen)
	}
}

func TestErrorsOfPagesArePages(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.hidden", "1.0.0", "private", "api"})
	tests := map[string]struct {
		path   string
		who    []change
		status int
	}{
		"a skill that is not there":         {"/skills/com.example.none", nil, 404},
		"a skill that is hidden":            {"/skills/com.example.hidden", nil, 404},
		"what is no id":                     {"/skills/A%3Cscript%3E", nil, 404},
		"a version that is not there":       {"/skills/com.example.a/versions/9.0.0", nil, 404},
		"a comparison of nothing":           {"/skills/com.example.a/compare", nil, 400},
		"a comparison with what is hidden":  {"/skills/com.example.hidden/compare?from=1.0.0&to=1.0.0", nil, 404},
		"an asset that is not there":        {"/assets/style.css", nil, 404},
		"an unknown type":                   {"/?capability_type=%3Cscript%3Ealert(1)%3C/script%3E", nil, 400},
		"an unknown access level":           {"/?access=secret", nil, 400},
		"a query that can't be read":        {"/?q=%zz", nil, 400},
		"a key that is not valid":           {"/", []change{as("skr_nonsense")}, 401},
		"a skill, by a key that is invalid": {"/skills/com.example.a", []change{as("skr_nonsense")}, 401},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.in(t).get(test.path, test.who...).wantStatus(test.status)
			a.wantHeader("Content-Type", "text/html; charset=utf-8")
			if text := string(a.body); !strings.Contains(text, "<h1>") || strings.Contains(text, "<script>") {
				t.Errorf("%v; want a page with a heading and no script in it", a)
			}
		})
	}
}

func TestPagesAreCachedLikeAllElse(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	for _, path := range []string{"/", "/skills/com.example.a", "/skills/com.example.a/versions/1.0.0", "/skills/com.example.a/compare?from=1.0.0&to=1.0.0"} {
		a := g.get(path).wantStatus(200).wantHeader("Cache-Control", "public, no-cache")
		g.get(path, header("If-None-Match", a.header.Get("ETag"))).wantStatus(304)
		zipped := g.get(path, header("Accept-Encoding", "gzip")).wantHeader("Content-Encoding", "gzip")
		if plain, err := gunzip(zipped.body); err != nil || string(plain) != string(a.body) {
			t.Errorf("%s, compressed: error %v, or other bytes than plain", path, err)
		}
		if tag := zipped.header.Get("ETag"); tag == a.header.Get("ETag") {
			t.Errorf("%s: the tag %s is that of both forms", path, tag)
		}
		g.get(path, asAdmin()).wantStatus(200).wantHeader("Cache-Control", "private, no-store")
	}
}

func TestAssetsNeverChange(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	found := regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`).FindAllSubmatch(g.get("/").body, -1)
	if len(found) < 3 {
		t.Fatalf("the page has %d assets, want a style, a script and a picture", len(found))
	}
	for _, m := range found {
		g.get(string(m[1])).wantStatus(200).wantHeader("Cache-Control", "public, max-age=31536000, immutable")
		// What is asked for with a key is nobody else's, here as everywhere.
		g.get(string(m[1]), asAdmin()).wantStatus(200).wantHeader("Cache-Control", "private, no-store")
	}
}

func TestPagesAllowNothingButTheirOwnFiles(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	for _, path := range []string{
		"/", "/skills/com.example.a", "/skills/com.example.a/versions/1.0.0", "/skills/com.example.a/compare?from=1.0.0&to=1.0.0",
		"/skills/com.example.none", "/?access=x",
	} {
		a := g.get(path).wantHeader("Referrer-Policy", "no-referrer").wantHeader("Cross-Origin-Opener-Policy", "same-origin")
		if got := a.header.Get("Permissions-Policy"); !strings.Contains(got, "camera=()") || !strings.Contains(got, "geolocation=()") {
			t.Errorf("%s: the permissions are %q, want none of camera and place", path, got)
		}
		policy := a.header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy is %q, want %s in it", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy is %q, want no exceptions in it", path, policy)
		}
	}
}

// A version that is private is hidden beside public ones of the same skill, too.
func TestPagesHidePrivateVersionsOfPublicSkills(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "private", "api"}, [4]string{"com.example.a", "1.5.0", "public", "api"}, [4]string{"com.example.a", "2.0.0", "public", "api"})
	for _, path := range []string{
		"/skills/com.example.a/versions/1.0.0", "/skills/com.example.a/compare?from=1.0.0&to=2.0.0", "/skills/com.example.a/compare?from=2.0.0&to=1.0.0",
	} {
		g.get(path).wantStatus(404)
		g.get(path, asAdmin()).wantStatus(200)
	}
	for _, path := range []string{"/skills/com.example.a", "/skills/com.example.a/compare?from=1.5.0&to=2.0.0"} {
		if text := string(g.get(path).wantStatus(200).body); strings.Contains(text, "1.0.0</a>") || strings.Contains(text, ">1.0.0</option>") {
			t.Errorf("%s shows the private version to strangers:\n%s", path, text)
		}
		if text := string(g.get(path, asAdmin()).body); !strings.Contains(text, ">1.0.0</") {
			t.Errorf("%s does not show the private version to the administrator", path)
		}
	}
}

// A proxy that serves the registry under a path takes the path off.
func TestPagesWorkUnderAPath(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{base: "https://example.com/registry"})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.a", "1.1.0", "public", "api"})
	link := regexp.MustCompile(`(?:href|src|action|data-root)="([^"#]*)"`)
	for _, path := range []string{"/", "/skills/com.example.a", "/skills/com.example.a/compare?from=1.0.0&to=1.1.0"} {
		a := g.get(path).wantStatus(200)
		links := link.FindAllSubmatch(a.body, -1)
		if len(links) < 8 {
			t.Errorf("%s has %d links, want more", path, len(links))
		}
		for _, m := range links {
			if to := string(m[1]); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "/registry/") {
				t.Errorf("%s leads to %s, want it below /registry/", path, to)
			}
		}
	}
}

func TestSkillPagesSayWhereAVersionIsInItsLife(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.a", "1.1.0", "public", "api"}, [4]string{"com.example.a", "2.0.0", "private", "api"})
	g.send("DELETE", "/v1/skills/com.example.a/versions/2.0.0", asAdmin()).wantStatus(204)
	g.send("PATCH", "/v1/skills/com.example.a/versions/1.0.0", asAdmin(), jsonBody([]byte(`{"status":"deprecated","reason":"Use 1.1.0 <b>now</b>."}`))).wantStatus(200)
	a := g.get("/skills/com.example.a/versions/1.0.0").wantStatus(200)
	for _, want := range []string{"This version is deprecated", "Use 1.1.0 &lt;b&gt;now&lt;/b&gt;.", "The latest version is", `href="/skills/com.example.a"`} {
		if !strings.Contains(string(a.body), want) {
			t.Errorf("%.3000s\nwant %q in it", a.body, want)
		}
	}
	if a.header.Get("Deprecation") == "" {
		t.Error("there is no Deprecation header")
	}
	if text := string(g.get("/skills/com.example.a").wantStatus(200).body); strings.Contains(text, "deprecated:") || strings.Contains(text, "2.0.0") {
		t.Errorf("the page of the latest version is not of it:\n%s", text)
	}
}

// BenchmarkHome serves the home page of 10,000 skills to anyone.
func BenchmarkHome(b *testing.B) {
	g := onSQLite(b, options{})
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		doc, err := validator.Parse(protocoltest.Valid(fmt.Sprintf("com.example.skill-%05d", i), "1.0.0", "public", "api"))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.store.Publish(b.Context(), store.Publication{Document: doc, At: time.Now()}); err != nil {
			b.Fatal(err)
		}
	}
	for _, query := range []string{"/", "/?q=" + url.QueryEscape("example skill 00042"), "/skills/com.example.skill-00042"} {
		b.Run(query, func(b *testing.B) {
			g.get(query) // the first search has the skills indexed
			request := httptest.NewRequest("GET", query, nil)
			for b.Loop() {
				w := httptest.NewRecorder()
				if g.handler.ServeHTTP(w, request); w.Code != http.StatusOK {
					b.Fatal(w)
				}
			}
		})
	}
}
