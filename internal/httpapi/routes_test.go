package httpapi_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestRoutesAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	var served, documented []string
	err := chi.Walk(g.handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		served = append(served, method+" "+documentedPath(route))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range loadContract(t).doc.Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
		}
	}
	for _, route := range served {
		if !slices.Contains(documented, route) {
			t.Errorf("the router answers %s, and openapi.json does not know of it", route)
		}
	}
	for _, route := range documented {
		if !slices.Contains(served, route) {
			t.Errorf("openapi.json promises %s, and the router does not answer it", route)
		}
	}
}

func TestEveryErrorHasTheOneForm(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	tests := map[string]struct {
		method, path string
		changes      []change
		status       int
		code         protocol.Code
	}{
		"an unknown path":                     {"GET", "/nope", nil, 404, httpapi.CodeNotFound},
		"an unknown path below a known one":   {"GET", "/v1/nope", nil, 404, httpapi.CodeNotFound},
		"an unknown well-known path":          {"GET", "/.well-known/nope", nil, 404, httpapi.CodeNotFound},
		"a doubled slash":                     {"GET", "/.well-known//skills", nil, 404, httpapi.CodeNotFound},
		"a slash too many":                    {"GET", "/v1/skills/com.example.a/", nil, 404, httpapi.CodeNotFound},
		"metrics, which are not here":         {"GET", "/metrics", nil, 404, httpapi.CodeNotFound},
		"pprof, which is not here":            {"GET", "/debug/pprof/", nil, 404, httpapi.CodeNotFound},
		"an unknown path with a strange verb": {"BREW", "/nope", nil, 404, httpapi.CodeNotFound},
		"a verb that no path answers":         {"BREW", "/livez", nil, 405, httpapi.CodeMethodNotAllowed},
		"a method too many":                   {"PUT", "/v1/skills", nil, 405, httpapi.CodeMethodNotAllowed},
		"a write to the index":                {"DELETE", "/.well-known/skills", nil, 405, httpapi.CodeMethodNotAllowed},
		"a write to a health check":           {"POST", "/livez", nil, 405, httpapi.CodeMethodNotAllowed},
		"a read of what only takes":           {"GET", "/v1/validate", nil, 405, httpapi.CodeMethodNotAllowed},
		"a read of a search by POST":          {"GET", "/search", nil, 405, httpapi.CodeMethodNotAllowed},
		"a skill that is not there":           {"GET", "/v1/skills/com.example.none", nil, 404, protocol.CodeSkillNotFound},
		"its versions":                        {"GET", "/v1/skills/com.example.none/versions", nil, 404, protocol.CodeSkillNotFound},
		"one of its versions":                 {"GET", "/v1/skills/com.example.none/versions/1.0.0", nil, 404, protocol.CodeSkillNotFound},
		"a key that is not there":             {"DELETE", "/v1/keys/nonsense", []change{asAdmin()}, 404, httpapi.CodeKeyNotFound},
		"a wrong query":                       {"GET", "/.well-known/skills?limit=x", nil, 400, httpapi.CodeInvalidQuery},
		"wrong credentials":                   {"GET", "/.well-known/skills", []change{as("x")}, 401, protocol.CodeAuthRequired},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.in(t).send(test.method, test.path, test.changes...).wantError(test.status, test.code)
			a.wantHeader("Content-Type", "application/json").wantHeader("X-Content-Type-Options", "nosniff")
			if a.header.Get("X-Request-Id") == "" {
				t.Error("there is no X-Request-Id")
			}
			if got := a.header.Get("Allow"); (got != "") != (test.status == http.StatusMethodNotAllowed) {
				t.Errorf("Allow is %q with status %d", got, test.status)
			}
			if got, want := a.header.Get("Content-Length"), fmt.Sprint(len(a.body)); got != want {
				t.Errorf("Content-Length is %q, want %s", got, want)
			}
		})
	}
}

func TestAllowNamesWhatThePathAnswers(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	tests := map[string]string{
		"/.well-known/skills":                    "GET, HEAD, OPTIONS",
		"/v1/skills":                             "GET, HEAD, OPTIONS, POST",
		"/v1/skills/com.example.a":               "DELETE, GET, HEAD, OPTIONS",
		"/v1/skills/com.example.a/versions":      "GET, HEAD, OPTIONS",
		"/v1/skills/a%2Fb/versions/1.0.0%2B1":    "DELETE, GET, HEAD, OPTIONS, PATCH",
		"/v1/changes":                            "GET, HEAD, OPTIONS",
		"/v1/keys":                               "GET, HEAD, OPTIONS, POST",
		"/v1/keys/abc":                           "DELETE, OPTIONS",
		"/.well-known/skill-sharing/":            "GET, HEAD, OPTIONS",
		"/schemas/1.0.0/schema.json":             "GET, HEAD, OPTIONS",
		"/v1/skills/com.example.a/versions/1..0": "DELETE, GET, HEAD, OPTIONS, PATCH",
	}
	for path, want := range tests {
		g.send("PUT", path).wantError(405, httpapi.CodeMethodNotAllowed).wantHeader("Allow", want)
		g.send("OPTIONS", path).wantStatus(204).wantHeader("Allow", want)
	}
	g.send("OPTIONS", "/nope").wantError(404, httpapi.CodeNotFound)
}

func TestPublishingAtTheIndexIsShownTheWay(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for _, path := range []string{"/.well-known/skills", "/.well-known/skills/", "/.well-known/skill-sharing", "/.well-known/skill-sharing/"} {
		a := g.send("POST", path, asAdmin(), jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api")))
		a.wantError(405, httpapi.CodeMethodNotAllowed).wantHeader("Allow", "GET, HEAD, OPTIONS")
		if !strings.Contains(a.text("/error/message"), "/v1/skills") {
			t.Errorf("%v; want a message that names /v1/skills", a)
		}
	}
}

func TestOddPathsAreNotFound(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	for _, path := range []string{
		"/v1/skills/a%2Fb", "/v1/skills/%2e%2e", "/v1/skills/..%2f..%2fetc", "/v1/skills/%00", "/v1/skills/%ff",
		"/v1/skills/com.example.a%00", "/v1/skills/COM.EXAMPLE.A", "/v1/skills/com.example.a%2Fversions", "/v1/skills/com.example.a%252e",
		"/v1/skills//versions/1.0.0", "/v1/skills//versions", "/v1/skills/com.example.a/versions/%2e", "/v1/skills/com.example.a/versions/not-a-version",
		"/v1/skills/com.example.a/versions/1.0.0%00", "/v1/skills/com.example.a/versions/v1.0.0", "/v1/skills/index.json",
		"/v1/skills/" + strings.Repeat("a", 3000), "/.well-known/skills/%2e%2e/x", "/v1/skills/com.example.a/versions/" + strings.Repeat("1", 3000) + ".0.0",
	} {
		for _, who := range []change{header("X-None", ""), asAdmin()} {
			if a := g.get(path, who); a.status != http.StatusNotFound || a.text("/error/code") == "" {
				t.Errorf("%v; want 404", a)
			}
		}
	}
	// What decodes to an id is that id.
	g.get("/v1/skills/com%2Eexample%2Ea").wantStatus(200)
	g.get("/v1/skills/com.example.a/versions/1%2E0.0").wantStatus(200)
}

// Requests that the client library would not send.
func TestRawRequestsNeverBreakTheServer(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	u, err := url.Parse(g.address)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		request string
		want    []int
	}{
		"a path that can't be decoded": {"GET /v1/skills/%zz HTTP/1.1\r\nHost: a\r\n\r\n", []int{400}},
		"a star":                       {"GET * HTTP/1.1\r\nHost: a\r\n\r\n", []int{400, 404}},
		"an absolute address":          {"GET http://evil.example/livez HTTP/1.1\r\nHost: a\r\n\r\n", []int{200}},
		"CONNECT":                      {"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", []int{404}},
		"OPTIONS for everything":       {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", []int{200, 404}},
		"dots in a path":               {"GET /.well-known/../v1/skills/x HTTP/1.1\r\nHost: a\r\n\r\n", []int{404}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", u.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, test.request); err != nil {
				t.Fatal(err)
			}
			var status int
			if _, err := fmt.Fscanf(conn, "HTTP/1.1 %d", &status); err != nil || !slices.Contains(test.want, status) {
				t.Errorf("%q is answered with %d (error %v), want one of %v", test.request, status, err, test.want)
			}
		})
	}
}

func TestRequestIDComesBack(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.get("/livez", header("X-Request-Id", "mine_1.2-3")).wantHeader("X-Request-Id", "mine_1.2-3")
	for _, id := range []string{strings.Repeat("x", 65), "a b", `"`, "é"} {
		if got := g.get("/nope", header("X-Request-Id", id)).header.Get("X-Request-Id"); got == id || got == "" {
			t.Errorf("the request id %q comes back as %q, want a new one", id, got)
		}
	}
}

func TestNoAddressIsMadeFromHeaders(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.b", "1.0.0", "public", "api"})
	forged := []change{
		func(r *http.Request) { r.Host = "evil.example" },
		header("X-Forwarded-Host", "evil.example"), header("X-Forwarded-Proto", "gopher"), header("X-Forwarded-Prefix", "/evil.example"),
		header("Forwarded", "host=evil.example;proto=gopher"), header("X-Original-URL", "/evil.example"),
	}
	for _, path := range []string{"/.well-known/skills", "/.well-known/skills?limit=1", "/v1/skills/com.example.a/versions", "/openapi.json", "/schemas/1.0.0/schema.json", "/evil"} {
		a := g.get(path, forged...)
		for name, values := range a.header {
			if text := strings.Join(values, " "); strings.Contains(text, "evil.example") || strings.Contains(text, "gopher") {
				t.Errorf("%s: header %s is %q", path, name, text)
			}
		}
		if strings.Contains(string(a.body), "evil.example") || strings.Contains(string(a.body), "gopher") {
			t.Errorf("%v", a)
		}
	}
	a := g.publish(protocoltest.Valid("com.example.c", "1.0.0", "public", "api"), forged...).wantStatus(201)
	if want := g.base + "/v1/skills/com.example.c/versions/1.0.0"; a.header.Get("Location") != want || a.text("/descriptor_url") != want {
		t.Errorf("%v, Location %q; want the address %s", a, a.header.Get("Location"), want)
	}
	if link := g.get("/.well-known/skills?limit=1", forged...).header.Get("Link"); !strings.HasPrefix(link, "<"+g.base+"/.well-known/skills?") {
		t.Errorf("Link is %q, want it at %s", link, g.base)
	}
}
